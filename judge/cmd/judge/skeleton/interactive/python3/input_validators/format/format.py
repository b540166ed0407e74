"""Accepts the inputs that the statement allows."""
import re
import sys

LEAST, MOST = 1, 1000


def reject(why):
    print("line 1:", why, file=sys.stderr)
    sys.exit(43)


data = sys.stdin.buffer.read(1 << 20).decode("ascii", "replace")
words = re.fullmatch(r"(0|[1-9][0-9]*)\n", data)
if not words:
    reject("expected one integer without leading zeros, one newline after")
for word in words.groups():
    if not LEAST <= int(word) <= MOST:
        reject(f"{word}: expected {LEAST} to {MOST}")
sys.exit(42)
