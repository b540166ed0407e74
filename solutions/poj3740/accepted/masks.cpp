// Easy Finding by masks of 16 rows.
//
// Idea: a column is the set of the rows that have a one in it, one word; so is
// what may still be chosen. A chosen row takes away all rows that meet it at
// once. Each step branches on a column with the fewest rows left. Columns with
// the same rows count once.
//
// Source: the minimum remaining values rule of S. W. Golomb and L. D. Baumert,
// "Backtrack programming", JACM 12 (1965), on words.
//
// Time: at most 3^(16/3), some 350, ends of the search; less than reading the
// matrix. Memory: 1 KB.
//
// Weak: nothing at 16 rows; with more rows than bits in a word a set is
// several words, and a step looks at all of them.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

constexpr int maxRows = 16;

using Rows = std::uint16_t;

std::vector<Rows> columns;          // the rows with a one there, each such set once
std::array<Rows, maxRows> meets{};  // the rows that have a column in common with the row

// number reads the next number, or says that there is none.
bool number(int& n) {
    int c = getchar_unlocked();
    while (c != EOF && !(c >= '0' && c <= '9')) c = getchar_unlocked();
    if (c == EOF) return false;
    for (n = 0; c >= '0' && c <= '9'; c = getchar_unlocked()) n = 10 * n + (c - '0');
    return true;
}

// Says whether the columns that no chosen row has can be covered by rows that
// are alive.
bool search(Rows chosen, Rows alive) {
    Rows options = 0;
    int fewest = maxRows + 1;
    for (Rows c : columns) {
        if (c & chosen) continue;
        const Rows left = c & alive;
        if (std::popcount(left) < fewest) {
            options = left;
            fewest = std::popcount(left);
        }
    }
    if (fewest > maxRows) return true;
    for (; options; options &= options - 1) {
        const int row = std::countr_zero(options);
        if (search(chosen | Rows(1 << row), alive & Rows(~meets[row]))) return true;
    }
    return false;
}

}  // namespace

int main() {
    int m, n;
    while (number(m) && number(n)) {
        columns.assign(n, 0);
        for (int row = 0; row < m; row++)
            for (int bit, c = 0; c < n && number(bit); c++) columns[c] |= Rows(bit << row);
        std::sort(columns.begin(), columns.end());
        columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
        meets.fill(0);
        for (Rows c : columns)
            for (Rows rows = c; rows; rows &= rows - 1) meets[std::countr_zero(rows)] |= c;
        puts(search(0, Rows((1 << m) - 1)) ? "Yes, I found it" : "It is impossible");
    }
}
