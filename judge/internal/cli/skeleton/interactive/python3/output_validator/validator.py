"""Answers guesses of a number: validator INPUT ANSWER FEEDBACK, connected to the submission
by its standard input and output."""
import sys


def reject(why):
    with open(sys.argv[3] + "judgemessage.txt", "w") as f:
        print(why, file=f)
    sys.exit(43)


with open(sys.argv[1]) as f:
    secret = int(f.read())
for _ in range(10):
    line = sys.stdin.buffer.readline(100).decode("ascii", "replace")
    if not line.strip().isdecimal() or not 1 <= int(line) <= 1000:
        reject("a guess that is no integer from 1 to 1000, or no guess")
    guess = int(line)
    print("larger" if guess < secret else "smaller" if guess > secret else "correct", flush=True)
    if guess == secret:
        sys.exit(42)
reject("more than 10 guesses")
