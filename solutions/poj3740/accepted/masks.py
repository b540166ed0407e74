"""Easy Finding by whole numbers as sets.

Idea: a column is the set of the rows that have a one in it, a number; so is
what may still be chosen. A chosen row takes away all rows that meet it at
once. Each step branches on a column with the fewest rows left. Columns with
the same rows count once.

Source: the minimum remaining values rule of S. W. Golomb and L. D. Baumert,
"Backtrack programming", JACM 12 (1965), on numbers.

Time: at most 3^(16/3), some 350, ends of the search, each after a few walks
over 300 columns. Memory: 10 MB, the interpreter's.

Weak: the interpreter needs some 50 ns for each look at a column.
"""
import sys


def search(columns, meets, alive):
    """Says whether rows that are alive can cover the columns."""
    if not columns:
        return True
    options = min((c & alive for c in columns), key=int.bit_count)
    while options:
        row = options & -options
        if search([c for c in columns if not c & row], meets, alive & ~meets[row]):
            return True
        options ^= row
    return False


def solve(rows):
    columns = {sum(1 << i for i, bit in enumerate(column) if bit == '1') for column in zip(*rows)}
    meets = {1 << i: 0 for i in range(len(rows))}
    for row in meets:
        for c in columns:
            if c & row:
                meets[row] |= c
    return search(list(columns), meets, (1 << len(rows)) - 1)


def main():
    lines = iter(sys.stdin)
    for size in lines:
        rows = [next(lines).split() for _ in range(int(size.split()[0]))]
        print('Yes, I found it' if solve(rows) else 'It is impossible')


main()
