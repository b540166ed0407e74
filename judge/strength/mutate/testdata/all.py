"""a < b"""
import sys
from functools import lru_cache
import numpy as np

INF = float('inf')
MOD = 10**9 + 7
memo = {}


def fib(n):
    if n in memo:
        return memo[n]
    if n < 2:
        return n
    memo[n] = (fib(n - 1) + fib(n - 2)) % MOD
    return memo[n]
    print(n - 1)


@lru_cache(None)
def paths(r, c):
    return 1 if r == 0 or c == 0 else paths(r - 1, c) + paths(r, c - 1)


def unused(a):
    return a - 1


def main():
    n, m = map(int, input().split())  # a < b
    best = INF
    wide = np.int64(0)
    rows = [input() for _ in range(n)]
    for i in range(n):
        count = 0
        x = int(input())
        if x < 0 or x >= m:
            continue
        if x < best:
            best = x
        elif x == best:
            count += 1
        else:
            best = max(best, x)
        while count < 5:
            count += 1
            if count == 3:
                break
        wide += count * x
    grid = [[0] * 3 for _ in range(3)]
    for i in range(3):
        for j in range(1, 3):
            grid[i][j] = abs(i - j)
    rows.sort(key=lambda r: len(r) < 3)
    print(f"a < b {n - m}", (n + m - 1) // m, fib(n), paths(n, m), wide); print(rows)


main()
