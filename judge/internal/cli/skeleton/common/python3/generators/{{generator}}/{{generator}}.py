"""{{generator}} MOST SEED prints a random input."""
import sys

MASK = 2**64 - 1


def numbers(state):
    """splitmix64: a seed gives the same numbers in every language and forever."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK
        yield z ^ z >> 31


if len(sys.argv) != 3:
    sys.exit("usage: {{generator}} MOST SEED")
most, seed = int(sys.argv[1]), int(sys.argv[2])
r = numbers(seed)
{{print.python3}}
