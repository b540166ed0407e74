"""Grades with problemtools' own code: python3 graders.py CHECKOUT

Each line of standard input is a package and what the cases in it came to:
{"dir": "/tmp/package", "runs": [{"secret/1": ["AC", 2.5], "secret/2": ["WA", null]}]}
A line of output has, for each of the runs, the verdict and score of every group
that was graded:
[{"": ["WA", 2.5], "secret": ["WA", 2.5]}]
"""

import json
import os
import re
import sys
from types import SimpleNamespace

import absent


absent.replace('colorlog', 'nh3', 'plasTeX', 'markdown')
checkout = sys.argv[1]
sys.path.insert(0, checkout)

from problemtools import verifyproblem  # noqa: E402
from problemtools.judge import SubmissionJudge, SubmissionResult  # noqa: E402


class DefaultGrader:
    """Runs the default grader in this process, which takes less time."""

    def __init__(self, path):
        with open(path) as f:
            self.code = compile(f.read(), path, 'exec')

    def compile(self):
        return True, None

    def run(self, infile, outfile, errfile, args):
        before = sys.argv, sys.stdin, sys.stdout
        try:
            with open(infile) as sys.stdin, open(outfile, 'w') as sys.stdout:
                sys.argv = ['default_grader', *args]
                exec(self.code, {'__name__': '__main__'})
        finally:
            sys.argv, sys.stdin, sys.stdout = before
        return 0, 0.0


class Judge(SubmissionJudge):
    _default_grader = DefaultGrader(os.path.join(checkout, 'support', 'default_grader', 'default_grader'))

    def _judge_testcase(self, testcase, timelim):
        verdict, score = self.runs[testcase.strip_path_prefix(testcase._base)]
        return SubmissionResult(verdict, score=score)


class Quiet:
    """Diagnostics that nobody reads."""

    errors = warnings = 0

    def child(self, name):
        return self

    def debug(self, *args):
        pass

    info = warning = error = fatal = debug


def problem(path):
    grading = SimpleNamespace(accept_score=None, reject_score=None, range=None, on_reject=None)
    return SimpleNamespace(
        probdir=path,
        _diag=Quiet(),
        testcase_by_infile={},
        is_pass_fail=lambda: False,
        metadata=SimpleNamespace(legacy_grading=grading, is_scoring=lambda: True, legacy_validator_flags=''),
    )


def grade(path, runs):
    p = problem(path)
    judge = Judge(None, None, p.metadata, verifyproblem.TestCaseGroup(p), None, SimpleNamespace(data_filter=re.compile('')), Quiet())
    judge.runs = runs
    groups = {}
    for result in judge.judge(1.0):
        node = result.test_node
        if node is not None and node.is_group:
            name = os.path.relpath(node._datadir, os.path.join(path, 'data'))
            groups['' if name == '.' else name] = [result.verdict, result.score]
    return groups


for line in sys.stdin:
    question = json.loads(line)
    answers = [grade(question['dir'], runs) for runs in question['runs']]
    sys.__stdout__.write(json.dumps(answers) + '\n')
    sys.__stdout__.flush()
