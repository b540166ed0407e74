"""Treasure Map by the largest rectangle that fits.

Idea: sort the rectangles by area, and take each that overlaps none before it.

Source: the first idea that one has.

Time: 500 rectangles of up to 900 cells. Memory: 10 MB, the interpreter's.

Wrong: where the largest is not part of a smallest cover.
"""
import sys


def cells(rect):
    x1, y1, x2, y2 = rect
    return {(x, y) for x in range(x1, x2) for y in range(y1, y2)}


def main():
    numbers = iter(map(int, sys.stdin.read().split()))
    for _ in range(next(numbers)):
        n, m, p = next(numbers), next(numbers), next(numbers)
        rects = [cells([next(numbers) for _ in range(4)]) for _ in range(p)]
        covered, taken = set(), 0
        for rect in sorted(rects, key=len, reverse=True):
            if covered.isdisjoint(rect):
                covered |= rect
                taken += 1
        print(taken if len(covered) == n * m else -1)


main()
