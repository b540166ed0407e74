// Easy Finding with a row in one word of 64 columns.
//
// Idea: a row is a set of columns, one word; each set of rows is built from
// the set without its lowest row, and is good if no two meet and all columns
// are there.
//
// Source: a common slip, after a look at smaller samples.
//
// Time: 2^16 sets. Memory: 512 KB.
//
// Wrong: column 65 is counted as column 1, and so on.
#include <bit>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

// number reads the next number, or says that there is none.
bool number(int& n) {
    int c = getchar_unlocked();
    while (c != EOF && !(c >= '0' && c <= '9')) c = getchar_unlocked();
    if (c == EOF) return false;
    for (n = 0; c >= '0' && c <= '9'; c = getchar_unlocked()) n = 10 * n + (c - '0');
    return true;
}

bool possible(const std::vector<std::uint64_t>& rows, std::uint64_t all) {
    std::vector<std::uint64_t> columns(std::size_t(1) << rows.size());
    std::vector<bool> apart(columns.size());
    apart[0] = true;
    for (std::size_t set = 1; set < columns.size(); set++) {
        const std::size_t rest = set & (set - 1);
        const std::uint64_t row = rows[std::countr_zero(set)];
        apart[set] = apart[rest] && !(columns[rest] & row);
        columns[set] = columns[rest] | row;
        if (apart[set] && columns[set] == all) return true;
    }
    return false;
}

}  // namespace

int main() {
    int m, n;
    while (number(m) && number(n)) {
        std::vector<std::uint64_t> rows(m);
        std::uint64_t all = 0;
        for (int c = 0; c < n; c++) all |= std::uint64_t(1) << (c % 64);
        for (auto& row : rows)
            for (int bit, c = 0; c < n && number(bit); c++) row |= std::uint64_t(bit) << (c % 64);
        puts(possible(rows, all) ? "Yes, I found it" : "It is impossible");
    }
}
