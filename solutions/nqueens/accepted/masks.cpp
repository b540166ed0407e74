// Queens by masks: one word for each row, of the squares that are left.
//
// Idea: a queen takes three bits out of every other row's word. Each step
// branches on a row with the fewest bits, unless some column has only one
// square left, or none: adding the rows' words bit by bit (once, twice) finds
// that for all columns at once. Rows are copied, so that nothing is undone.
//
// Source: folklore of bitboards; the rule of the fewest choices is in S. W.
// Golomb and L. D. Baumert, "Backtrack programming", JACM 12 (1965).
//
// Time: the empty board of 12 takes about 15 ms. Memory: 96 bytes a level.
// Weak: a column with two squares is not preferred to a row with three.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

constexpr int max_size = 24;
typedef std::array<uint32_t, max_size> rows;

static int n, solutions;
static std::array<int, max_size> column, first;

// put returns what a queen at r, c leaves of the rows; hers becomes empty.
static rows put(const rows& all, int r, int c) {
    rows rest{};
    for (int i = 0; i < n; i++) {
        if (i == r) continue;
        int d = std::abs(i - r);
        uint32_t q = uint32_t(1) << c;
        rest[i] = all[i] & ~(q | q << d | q >> d);
    }
    column[r] = c;
    return rest;
}

static void search(const rows& all, uint32_t open_rows, uint32_t open_columns) {
    if (open_rows == 0) {
        if (solutions++ == 0) first = column;
        return;
    }
    uint32_t once = 0, twice = 0;
    int best = 0, fewest = max_size + 1;
    for (uint32_t open = open_rows; open; open &= open - 1) {
        int r = __builtin_ctz(open), k = __builtin_popcount(all[r]);
        twice |= once & all[r];
        once |= all[r];
        if (k < fewest) best = r, fewest = k;
    }
    if (once != open_columns || fewest == 0) return;
    uint32_t squares = all[best], single = once & ~twice;
    if (fewest > 1 && single) {
        squares = single & -single;
        for (uint32_t open = open_rows; !(all[best] & squares); open &= open - 1) best = __builtin_ctz(open);
    }
    for (; squares; squares &= squares - 1) {
        int c = __builtin_ctz(squares);
        search(put(all, best, c), open_rows & ~(1u << best), open_columns & ~(1u << c));
    }
}

int main() {
    int t;
    std::cin >> t;
    while (t-- > 0) {
        std::cin >> n;
        rows all{};
        std::vector<std::pair<int, int>> given;
        for (int r = 0; r < n; r++) {
            std::string line;
            std::cin >> line;
            for (int c = 0; c < n; c++) {
                if (line[c] == '.') all[r] |= 1u << c;
                if (line[c] == 'Q') given.push_back({r, c});
            }
        }
        uint32_t open_rows = (1u << n) - 1, open_columns = open_rows;
        for (auto [r, c] : given) {
            all = put(all, r, c);
            open_rows &= ~(1u << r);
            open_columns &= ~(1u << c);
        }
        solutions = 0;
        search(all, open_rows, open_columns);
        std::cout << solutions << '\n';
        if (solutions == 0) continue;
        for (int r = 0; r < n; r++) std::cout << 1 + first[r] << (r < n - 1 ? ' ' : '\n');
    }
}
