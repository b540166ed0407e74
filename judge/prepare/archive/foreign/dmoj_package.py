"""Lets checkers and interactors of DMOJ follow the problem package format 2025-09.

An output validator has the arguments INPUT ANSWER FEEDBACK_FOLDER and, if the case has
points of its own, points=N; it reads the output on standard input, and ends with status 42 or 43.
SETTINGS, which are added at the end, choose one of these:

  standard  name of one of the checkers below
  file      Python program with a function check
  program   Python program that is run with the given arguments and judges by its status
"""
import collections
import contextlib
import importlib.util
import json
import os
import re
import runpy
import sys
import types

ACCEPT, REJECT, FAIL = 42, 43, 3


class CheckerResult:
    """What a function check returns, if it is no boolean."""

    def __init__(self, passed, points, feedback=None, extended_feedback=None):
        self.passed, self.points = passed, points
        self.feedback, self.extended_feedback = feedback, extended_feedback


class InternalError(Exception):
    """An error of the checker."""


def utf8bytes(text):
    return text.encode() if isinstance(text, str) else text


def utf8text(data, errors="strict"):
    return data.decode("utf-8", errors) if isinstance(data, bytes) else data


def lines_of(data, empty=False):
    return [line for line in re.split(b"[\r\n]", utf8bytes(data)) if line or empty]


def check_sorted(process_output, judge_output, split_on="lines", **_):
    """Equal lines, or words, in any order."""
    if split_on not in ("lines", "whitespace"):
        raise InternalError("split_on: expected lines or whitespace, found %r" % (split_on,))

    def parts(data):
        if split_on == "whitespace":
            return sorted(utf8bytes(data).split())
        return sorted(line.split() for line in lines_of(data))

    return parts(process_output) == parts(judge_output)


def check_unordered(process_output, judge_output, **_):
    return check_sorted(process_output, judge_output, "whitespace")


def check_easy(process_output, judge_output, **_):
    """Equal numbers of each character; case and white space do not count."""

    def count(data):
        return collections.Counter(b"".join(utf8bytes(data).split()).lower())

    return count(process_output) == count(judge_output)


def check_rstripped(process_output, judge_output, filter_new_line=False, **_):
    """Equal lines, but for white space at their ends."""

    def lines(data):
        return [line.rstrip() for line in lines_of(data, not filter_new_line)]

    return lines(process_output) == lines(judge_output)


def check_linecount(process_output, judge_output, point_value=1, **_):
    """Points for each equal line."""
    process, judge = lines_of(process_output), lines_of(judge_output)
    if len(process) > len(judge):
        return False
    if not judge:
        return True
    equal = sum(a.strip() == b.strip() for a, b in zip(process, judge))
    return CheckerResult(equal == len(judge), point_value * equal / len(judge), "%d of %d lines" % (equal, len(judge)))


def check_linematches(process_output, judge_output, point_value=1, point_distribution=(1,), filler_lines_required=True, **_):
    """The points that point_distribution gives to each equal line."""
    process, judge = lines_of(process_output), lines_of(judge_output)
    if len(judge) != len(point_distribution) or sum(point_distribution) == 0:
        raise InternalError("point_distribution: expected points for each of %d lines, not all 0" % len(judge))
    if filler_lines_required and len(process) != len(judge):
        return False
    points = sum(p for a, b, p in zip(process, judge, point_distribution) if a == b)
    return CheckerResult(points > 0, point_value * points / sum(point_distribution))


STANDARD = {
    "sorted": check_sorted, "unordered": check_unordered, "easy": check_easy,
    "rstripped": check_rstripped, "linecount": check_linecount, "linematches": check_linematches,
}


def modules():
    """Make the modules of DMOJ that checkers import."""

    def add(name, **values):
        module = sys.modules[name] = types.ModuleType(name)
        module.__dict__.update(values)
        parent, _, last = name.rpartition(".")
        if parent:
            setattr(sys.modules[parent], last, module)

    add("dmoj")
    add("dmoj.result", CheckerResult=CheckerResult)
    add("dmoj.error", InternalError=InternalError)
    add("dmoj.utils")
    add("dmoj.utils.unicode", utf8bytes=utf8bytes, utf8text=utf8text)
    add("dmoj.checkers")
    for name, check in STANDARD.items():
        add("dmoj.checkers." + name, check=check)


def normalized(data):
    """DMOJ gives checkers answers with LF and an LF at the end."""
    data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return data if not data or data.endswith(b"\n") else data + b"\n"


class Validator:
    def __init__(self, settings, arguments):
        self.settings = settings
        self.input, self.answer, self.feedback = arguments[:3]
        self.points, self.scored = 1.0, False
        for argument in arguments[3:]:
            if argument.startswith("points="):
                self.points, self.scored = float(argument[len("points="):]), True

    def end(self, status, message=""):
        if message:
            with open(os.path.join(self.feedback, "judgemessage.txt"), "w", encoding="utf-8", errors="replace") as f:
                f.write(message + "\n")
        sys.stderr.flush()
        os._exit(status)

    def fail(self, message):
        print(message, file=sys.stderr)
        self.end(FAIL)

    def score(self, points, message=""):
        """End with a score, of which 0 is accepted too."""
        if not 0 <= points <= self.points * (1 + 1e-9):
            self.fail("the checker gave %s points: expected from 0 to %s" % (points, self.points))
        if self.scored:
            with open(os.path.join(self.feedback, "score.txt"), "w", encoding="utf-8") as f:
                f.write("%.10g\n" % min(points, self.points))
        self.end(ACCEPT, message)

    def check(self, function):
        with open(self.input, "rb") as f:
            data = f.read()
        with open(self.answer, "rb") as f:
            answer = normalized(f.read())
        output = sys.stdin.buffer.read()
        try:
            with contextlib.redirect_stdout(sys.stderr):
                result = function(
                    output, answer, judge_input=data, point_value=self.points, binary_data=False, problem_id="",
                    submission_source=b"", submission_language="", execution_time=0,
                    case_position=0, batch=0, case=None, result=None,
                    **self.settings.get("arguments", {})
                )
        except UnicodeDecodeError:
            self.end(REJECT, "invalid Unicode")
        if not isinstance(result, CheckerResult):
            self.end(ACCEPT if result else REJECT)
        message = "\n".join(utf8text(m, "replace") for m in (result.feedback, result.extended_feedback) if m)
        if result.passed or self.scored and result.points > 0:
            self.score(result.points, message)
        self.end(REJECT, message)

    def program(self):
        """Run a program as a child, because it may end in any way."""
        interactive = self.settings["interactive"]
        names = {"input_file": self.input, "answer_file": self.answer, "output_file": os.devnull}
        if not interactive:
            names["output_file"] = os.path.join(self.feedback, "package_output")
            with open(names["output_file"], "wb") as f:
                f.write(sys.stdin.buffer.read())
        logs = {2: os.path.join(self.feedback, "package_stderr")}
        if not interactive:
            logs[1] = os.path.join(self.feedback, "package_stdout")
        child = os.fork()
        if child == 0:
            for descriptor, name in logs.items():
                to = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
                os.dup2(to, descriptor)
            sys.argv = [self.settings["program"]] + [a.format(**names) for a in self.settings["arguments"]]
            sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
            runpy.run_path(os.path.join(sys.path[0], sys.argv[0]), run_name="__main__")
            sys.exit(0)
        status = os.waitpid(child, 0)[1]
        texts = {}
        for descriptor, name in logs.items():
            with open(name, "rb") as f:
                texts[descriptor] = f.read(1 << 16).decode("utf-8", "replace")
            os.unlink(name)
        if not interactive:
            os.unlink(names["output_file"])
        if not os.WIFEXITED(status):
            self.fail("the program was killed by signal %d" % os.WTERMSIG(status))
        self.judge(os.WEXITSTATUS(status), texts[2], texts.get(1, ""))

    def judge(self, status, errors, output):
        kind = self.settings["type"]
        message = errors if self.settings["interactive"] else output
        if status == 7 and kind in ("testlib", "coci"):
            form = r"^points (\d+)$" if kind == "testlib" else r"^partial (\d+)/(\d*[1-9]\d*)$"
            found = re.search(form, errors, re.M)
            if found:
                points = int(found[1]) if kind == "testlib" else self.points * int(found[1]) / int(found[2])
                self.score(points, message)
        elif status in (0, 1) and kind == "peg":
            lines = output.split("\n")
            for above, below in zip(lines, lines[1:]):
                with contextlib.suppress(ValueError, ZeroDivisionError):
                    if float(above) / float(below) > 0:
                        self.score(self.points * float(above) / float(below), message)
        if status == 0:
            self.end(ACCEPT, message)
        if status == 1 or status == 2 and kind in ("testlib", "coci"):
            self.end(REJECT, message)
        self.fail("the program ended with status %d, which is no verdict\n%s" % (status, errors))


def main(settings, arguments):
    if len(arguments) < 3:
        sys.exit("expected the arguments INPUT ANSWER FEEDBACK_FOLDER")
    validator = Validator(settings, arguments)
    modules()
    if "standard" in settings:
        validator.check(STANDARD[settings["standard"]])
    if "program" in settings:
        validator.program()
    folder = os.path.dirname(os.path.abspath(__file__))
    sys.path.insert(0, folder)
    spec = importlib.util.spec_from_file_location("checker", os.path.join(folder, settings["file"]))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    validator.check(module.check)


