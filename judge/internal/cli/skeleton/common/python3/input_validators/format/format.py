"""Accepts the inputs that the statement allows."""
import re
import sys

LEAST, MOST = {{least}}, {{most}}


def reject(why):
    print("line 1:", why, file=sys.stderr)
    sys.exit(43)


data = sys.stdin.buffer.read(1 << 20).decode("ascii", "replace")
words = re.fullmatch(r"{{form}}\n", data)
if not words:
    reject("expected {{expected}}, one newline after")
for word in words.groups():
    if not LEAST <= int(word) <= MOST:
        reject(f"{word}: expected {LEAST} to {MOST}")
sys.exit(42)
