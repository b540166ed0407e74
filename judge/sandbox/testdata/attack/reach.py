# least: guarded
# want: exit=0 exceeded=none
# bare: user
# without: exit=1
# What an interpreter can be asked for without a compiler: the answer by path,
# the judge's descriptors, sockets, foreign calls.
import ctypes
import glob
import os
import socket
import sys

_, act, answer, judge, judge_fd, port, unix_path, unix_name = sys.argv[-8:]
managed = []
for path in [answer, f"/proc/{judge}/fd/{judge_fd}", f"/proc/{judge}/root{answer}"] + glob.glob("/proc/*/fd/*") + glob.glob("/tmp/judge*/*.ans"):
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        if b"the answer is" in os.pread(fd, 100, 0):
            managed.append("read " + path)
        os.close(fd)
    except OSError:
        pass
for family, address in (socket.AF_INET, ("127.0.0.1", int(port))), (socket.AF_UNIX, unix_path), (socket.AF_UNIX, "\0" + unix_name):
    try:
        socket.socket(family, socket.SOCK_STREAM).connect(address)
        managed.append(f"connect to {address}")
    except OSError:
        pass
libc = ctypes.CDLL(None)
if libc.unshare(0x20000) == 0:
    managed.append("unshare")
if libc.kill(int(judge), 0) == 0:
    managed.append("signal the judge")
print("\n".join(managed), file=sys.stderr)
sys.exit(1 if managed else 0)
