"""Lets a validator of CMS follow the problem package format 2025-09.

A validator of CMS has the arguments FILE SUBTASK and accepts with status 0. An input
validator has the argument SUBTASK, reads standard input, and accepts with status 42.
"""
import os
import runpy
import sys

folder = os.path.dirname(os.path.abspath(__file__))
child = os.fork()
if child == 0:
    sys.path.insert(0, folder)
    sys.argv = [PROGRAM, "/dev/stdin"] + (sys.argv[1:] or ["0"])
    runpy.run_path(os.path.join(folder, PROGRAM), run_name="__main__")
    sys.exit(0)
sys.exit(42 if os.waitpid(child, 0)[1] == 0 else 43)
