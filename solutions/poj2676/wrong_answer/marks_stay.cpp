// Marks that stay from one sudoku to the next.
//
// Idea: three tables tell which digits a row, a column and a box have; each step
// fills a blank with the fewest digits left. When a sudoku is solved, all marks
// are set, and nobody takes them away again.
//
// Source: the most common slip where a file has several cases.
//
// Time: below 1 ms for a usual puzzle. Memory: 1 KB.
// Wrong: from the second sudoku on, unless that has no blank; files with one
// are right (secret/04-empty, secret/09-late-solution).
#include <iostream>
#include <string>

static bool inRow[9][10], inCol[9][10], inBox[9][10];
static std::string grid[9];

static bool may(int r, int c, int d) {
    return !inRow[r][d] && !inCol[c][d] && !inBox[r / 3 * 3 + c / 3][d];
}

static void mark(int r, int c, int d, bool v) {
    inRow[r][d] = inCol[c][d] = inBox[r / 3 * 3 + c / 3][d] = v;
}

static bool search() {
    int row = -1, col = -1, fewest = 10;
    for (int r = 0; r < 9; r++) {
        for (int c = 0; c < 9; c++) {
            if (grid[r][c] != '0') continue;
            int n = 0;
            for (int d = 1; d <= 9; d++) n += may(r, c, d);
            if (n < fewest) fewest = n, row = r, col = c;
        }
    }
    if (row < 0) return true;
    for (int d = 1; d <= 9; d++) {
        if (!may(row, col, d)) continue;
        mark(row, col, d, true);
        grid[row][col] = char('0' + d);
        if (search()) return true;
        mark(row, col, d, false);
    }
    grid[row][col] = '0';
    return false;
}

int main() {
    int t;
    std::cin >> t;
    while (t-- > 0) {
        for (int r = 0; r < 9; r++) {
            std::cin >> grid[r];
            for (int c = 0; c < 9; c++)
                if (grid[r][c] != '0') mark(r, c, grid[r][c] - '0', true);
        }
        search();
        for (int r = 0; r < 9; r++) std::cout << grid[r] << '\n';
    }
}
