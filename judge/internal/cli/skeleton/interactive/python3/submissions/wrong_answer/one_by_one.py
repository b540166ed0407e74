import sys

for guess in range(1, 1001):
    print(guess, flush=True)
    if sys.stdin.readline() in ("", "correct\n"):
        break
