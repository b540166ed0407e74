"""Singles only: what a person does who is not allowed to guess.

Idea: keep a set of candidates for each cell; a cell with one candidate takes it
away from its peers, and a digit with one place in a unit goes there; until
nothing changes.

Source: programs of those to whom sudoku is a matter of logic.

Time: some milliseconds. Memory: the interpreter's.
Wrong: where a guess is needed, or more logic (secret/07-seventeen and on): cells
stay blank.
"""
import sys

ROWS = [[9 * i + j for j in range(9)] for i in range(9)]
COLS = [[9 * j + i for j in range(9)] for i in range(9)]
BOXES = [[i // 3 * 27 + i % 3 * 3 + j // 3 * 9 + j % 3 for j in range(9)] for i in range(9)]
UNITS = ROWS + COLS + BOXES


def main():
    cells = list(sys.stdin.read().replace('\n', ''))
    can = [set('123456789') if ch == '.' else {ch} for ch in cells]
    changed = True
    while changed:
        changed = False
        for unit in UNITS:
            for c in unit:
                if len(can[c]) == 1:
                    for other in unit:
                        if other != c and can[other] & can[c]:
                            can[other] -= can[c]
                            changed = True
            for d in '123456789':
                places = [c for c in unit if d in can[c]]
                if len(places) == 1 and len(can[places[0]]) > 1:
                    can[places[0]] = {d}
                    changed = True
    for row in ROWS:
        print(''.join(min(can[c]) if len(can[c]) == 1 else '.' for c in row))


main()
