"""Judges both passes: validator INPUT ANSWER FEEDBACK, with the output on standard input.
The input of the second pass has the output of the first."""
import re
import sys

feedback = sys.argv[3]


def write(name, text):
    with open(feedback + name, "w") as f:
        f.write(text)


def reject(why):
    write("judgemessage.txt", why + "\n")
    sys.exit(43)


with open(sys.argv[1]) as f:
    word, text = f.read().split()
got = sys.stdin.buffer.read(1 << 20).decode("ascii", "replace").strip()
if word == "encode":
    if not re.fullmatch("[a-z]{1,30}", got):
        reject("the message is not 1 to 30 lowercase letters")
    # Files in the folder of feedback are kept for the next pass.
    write("number", text)
    write("nextpass.in", f"decode {got}\n")
    sys.exit(42)
with open(feedback + "number") as f:
    want = f.read()
if got != want:
    reject("expected the number " + want)
sys.exit(42)
