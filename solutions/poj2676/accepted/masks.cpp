// Sudoku by candidate masks: one word of nine bits for each cell.
//
// Idea: rows, columns and boxes each hold the digits that they lack; a cell's
// candidates are what its three units have in common. Each step takes a cell
// with one candidate, or a digit with one place in a unit (for all nine digits at
// once, by adding the candidate words bitwise: once, twice), or else guesses in a
// cell with the fewest.
//
// Source: folklore of the minimum remaining values rule; the rule itself is in
// S. W. Golomb and L. D. Baumert, "Backtrack programming", JACM 12 (1965).
//
// Time: exponential at worst; 20 µs for a usual puzzle. Memory: 2 KB and 200
// bytes a level.
// Weak: candidates are worked out again in each step, and nothing beyond singles
// is propagated; guesses are made in cells only, never among the places of a
// digit. Peter Norvig's 17 givens with 13 solutions take 0.7 s in this way, where
// dancing links, which choose among both, take less than 1 ms.
#include <array>
#include <cstdint>
#include <iostream>
#include <string>

class Masks {
  public:
    Masks() {
        for (int i = 0; i < 9; i++) {
            for (int j = 0; j < 9; j++) {
                unit[i][j] = 9 * i + j;
                unit[9 + i][j] = 9 * j + i;
                unit[18 + i][j] = i / 3 * 27 + i % 3 * 3 + j / 3 * 9 + j % 3;
            }
        }
    }

    // solve replaces the blanks of a puzzle, row by row, by digits.
    void solve(std::string& puzzle) {
        lacks.fill(0x1ff);
        for (int c = 0; c < 81; c++)
            if (puzzle[c] != '0') flip(c, 1u << (puzzle[c] - '1'));
        search(puzzle);
    }

  private:
    std::array<std::array<int, 9>, 27> unit;  // rows, columns, boxes
    std::array<unsigned, 27> lacks;           // the digits a unit still lacks

    void flip(int c, unsigned digit) {
        lacks[c / 9] ^= digit;
        lacks[9 + c % 9] ^= digit;
        lacks[18 + c / 27 * 3 + c % 9 / 3] ^= digit;
    }

    // choice finds a cell and the digits to try there: none left to fill is cell
    // -1, a contradiction is no digits.
    int choice(const std::string& cells, unsigned& digits) const {
        std::array<uint16_t, 81> can{};
        int best = -1, fewest = 10;
        for (int c = 0; c < 81; c++) {
            if (cells[c] != '0') continue;
            can[c] = lacks[c / 9] & lacks[9 + c % 9] & lacks[18 + c / 27 * 3 + c % 9 / 3];
            if (int n = __builtin_popcount(can[c]); n < fewest) {
                best = c;
                fewest = n;
                digits = can[c];
            }
        }
        if (fewest < 2 || best < 0) return best;
        for (int u = 0; u < 27; u++) {
            unsigned once = 0, twice = 0;
            for (int c : unit[u]) {
                twice |= once & can[c];
                once |= can[c];
            }
            if (once != lacks[u]) {
                digits = 0;  // a digit has no place left
                return best;
            }
            if (unsigned single = once & ~twice) {
                single &= -single;
                for (int c : unit[u]) {
                    if (can[c] & single) {
                        digits = single;
                        return c;
                    }
                }
            }
        }
        return best;
    }

    bool search(std::string& cells) {
        unsigned digits = 0;
        const int cell = choice(cells, digits);
        if (cell < 0) return true;
        for (; digits; digits &= digits - 1) {
            const unsigned digit = digits & -digits;
            flip(cell, digit);
            cells[cell] = char('1' + __builtin_ctz(digit));
            if (search(cells)) return true;
            flip(cell, digit);
        }
        cells[cell] = '0';
        return false;
    }
};

static Masks masks;

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int t;
    std::cin >> t;
    while (t-- > 0) {
        std::string grid, row;
        for (int r = 0; r < 9; r++) {
            std::cin >> row;
            grid += row;
        }
        masks.solve(grid);
        for (int r = 0; r < 9; r++) std::cout << grid.substr(9 * r, 9) << '\n';
    }
}
