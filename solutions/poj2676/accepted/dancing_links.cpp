// Sudoku as exact cover, solved by dancing links in arrays.
//
// Idea: putting digit d into cell (r, c) is an option that covers four items:
// the cell, d in row r, d in column c, d in the cell's box. A solution is 81
// options that cover each of the 324 items once. Covering an item unlinks it
// and its options from doubly linked lists in such a way that the same steps
// backwards restore them.
//
// Source: D. E. Knuth, "Dancing links" (2000), arXiv cs/0011047; algorithm X
// with the S heuristic (an item with the fewest options first).
//
// Time: exponential at worst; below 0.1 ms for a usual puzzle, below 1 ms for
// the hardest known. The 729-option matrix is linked once for all puzzles; a
// given covers the four items of its option, and is uncovered afterwards.
// Memory: 3241 nodes of 10 bytes.
// Weak: no propagation beyond items with one option, so the hardest puzzles
// take some hundreds of guesses.
#include <cstdint>
#include <iostream>
#include <string>

class DancingLinks {
  public:
    // Node 0 is the head of the items 1..324, and the four nodes of option i are
    // 325+4i and on, in a ring by next and last.
    DancingLinks() {
        for (int i = 0; i <= kItems; i++) {
            left[i] = i > 0 ? i - 1 : kItems;
            right[i] = i < kItems ? i + 1 : 0;
            up[i] = down[i] = item[i] = i;
        }
        for (int o = 0; o < 729; o++) {
            const int cell = o / 9, d = o % 9, r = cell / 9, c = cell % 9, b = r / 3 * 3 + c / 3;
            const int covers[] = {1 + cell, 82 + 9 * r + d, 163 + 9 * c + d, 244 + 9 * b + d};
            for (int k = 0; k < 4; k++) {
                const int n = kItems + 1 + 4 * o + k, it = covers[k];
                item[n] = it;
                left[n] = k > 0 ? n - 1 : n + 3;
                right[n] = k < 3 ? n + 1 : n - 3;
                up[n] = up[it];
                down[n] = it;
                down[up[n]] = up[it] = n;
                size[it]++;
            }
        }
    }

    // solve replaces the blanks of a puzzle, row by row, by digits.
    void solve(std::string& puzzle) {
        int given[81], n = 0;
        for (int cell = 0; cell < 81; cell++) {
            if (puzzle[cell] == '0') continue;
            const int first = kItems + 1 + 4 * (9 * cell + puzzle[cell] - '1');
            given[n++] = first;
            for (int k = 0; k < 4; k++) cover(item[first + k]);
        }
        dance(puzzle);
        while (n-- > 0)
            for (int k = 3; k >= 0; k--) uncover(item[given[n] + k]);
    }

  private:
    static constexpr int kItems = 324, kNodes = 1 + kItems + 4 * 729;
    uint16_t left[kNodes], right[kNodes], up[kNodes], down[kNodes], item[kNodes];
    uint16_t size[kItems + 1] = {};

    void cover(int it) {
        right[left[it]] = right[it];
        left[right[it]] = left[it];
        for (int i = down[it]; i != it; i = down[i]) {
            for (int j = right[i]; j != i; j = right[j]) {
                down[up[j]] = down[j];
                up[down[j]] = up[j];
                size[item[j]]--;
            }
        }
    }

    void uncover(int it) {
        for (int i = up[it]; i != it; i = up[i]) {
            for (int j = left[i]; j != i; j = left[j]) {
                size[item[j]]++;
                down[up[j]] = up[down[j]] = j;
            }
        }
        right[left[it]] = left[right[it]] = it;
    }

    bool dance(std::string& answer) {
        if (right[0] == 0) return true;
        int best = right[0];
        for (int it = right[best]; it != 0 && size[best] > 1; it = right[it])
            if (size[it] < size[best]) best = it;
        bool found = false;
        cover(best);
        for (int i = down[best]; i != best && !found; i = down[i]) {
            const int option = (i - kItems - 1) / 4;
            answer[option / 9] = char('1' + option % 9);
            for (int j = right[i]; j != i; j = right[j]) cover(item[j]);
            found = dance(answer);
            for (int j = left[i]; j != i; j = left[j]) uncover(item[j]);
        }
        uncover(best);
        return found;
    }
};

static DancingLinks links;

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
        links.solve(grid);
        for (int r = 0; r < 9; r++) std::cout << grid.substr(9 * r, 9) << '\n';
    }
}
