"""Exact cover by dictionaries of sets.

Idea: a column is the set of its rows. To choose a row is to take the rows that
meet it out of all their columns, and its own columns out of the dictionary;
both are put back afterwards. Each step branches on a column with the fewest
rows left.

Source: Ali Assaf, "Algorithm X in 30 lines!" (about 2010), written anew.

Time: exponential at worst; a step looks at all open columns. Memory: some 100
bytes for each one.

Crashes: the search is one call deep for each chosen row, and the interpreter
ends it at 1000.
"""
import sys


def choose(has, ones, row):
    removed = []
    for c in ones[row]:
        for other in has[c]:
            for d in ones[other]:
                if d != c:
                    has[d].remove(other)
        removed.append(has.pop(c))
    return removed


def put_back(has, ones, row, removed):
    for c in reversed(ones[row]):
        has[c] = removed.pop()
        for other in has[c]:
            for d in ones[other]:
                if d != c:
                    has[d].add(other)


def search(has, ones, chosen):
    if not has:
        return True
    best = min(has, key=lambda c: len(has[c]))
    for row in list(has[best]):
        chosen.append(row)
        removed = choose(has, ones, row)
        if search(has, ones, chosen):
            return True
        put_back(has, ones, row, removed)
        chosen.pop()
    return False


def main():
    lines = iter(sys.stdin)
    for size in lines:
        n, m = map(int, size.split())
        ones = {row: list(map(int, next(lines).split()))[1:] for row in range(1, n + 1)}
        has = {c: set() for c in range(1, m + 1)}
        for row, columns in ones.items():
            for c in columns:
                has[c].add(row)
        chosen = []
        if search(has, ones, chosen):
            print(len(chosen), *chosen)
        else:
            print('NO')


main()
