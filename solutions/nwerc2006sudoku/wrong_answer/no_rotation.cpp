// Wrong: row and column moves and a one-to-one renumbering are tried, but no
// quarter turn. It shows on any pair with enough givens whose moves need one.
//
// Otherwise: a row of the incomplete grid at a time, the fullest first, after
// all nine columns are fixed.
//
// Time: 1296 orders of the columns, a search over rows in each. Memory: constant.
#include <algorithm>
#include <array>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

struct Search {
    std::string done, todo;
    std::vector<int> rows;  // of todo, with givens, fullest first
    std::array<int, 9> col{}, image{};

    bool place(size_t n, std::array<char, 128> to, unsigned used) {
        if (n == rows.size()) return true;
        const int row = rows[n];
        for (int target = 0; target < 9; target++) {
            bool free = true;
            for (size_t i = 0; i < n; i++) {
                bool together = rows[i] / 3 == row / 3;
                free = free && image[i] != target && together == (image[i] / 3 == target / 3);
            }
            if (!free) continue;
            auto map = to;
            unsigned taken = used;
            bool same = true;
            for (int c = 0; same && c < 9; c++) {
                char digit = todo[9 * row + c], becomes = done[9 * target + col[c]];
                if (digit == '0') continue;
                if (!map[digit] && !(taken >> (becomes - '0') & 1)) {
                    map[digit] = becomes;
                    taken |= 1u << (becomes - '0');
                }
                same = map[digit] == becomes;
            }
            image[n] = target;
            if (same && place(n + 1, map, taken)) return true;
        }
        return false;
    }

    bool solve() {
        std::vector<int> count(9);
        for (int i = 0; i < 81; i++) count[i / 9] += todo[i] != '0';
        for (int r = 0; r < 9; r++)
            if (count[r]) rows.push_back(r);
        std::stable_sort(rows.begin(), rows.end(), [&](int a, int b) { return count[a] > count[b]; });

        std::iota(col.begin(), col.end(), 0);
        std::array<int, 3> stacks{0, 1, 2};
        do {
            if (inStack(stacks, 0)) return true;
        } while (std::next_permutation(stacks.begin(), stacks.end()));
        return false;
    }

    bool inStack(const std::array<int, 3> &stacks, int n) {
        if (n == 3) return place(0, {}, 0);
        auto first = col.begin() + 3 * n;
        std::iota(first, first + 3, 3 * stacks[n]);
        do {
            if (inStack(stacks, n + 1)) return true;
        } while (std::next_permutation(first, first + 3));
        return false;
    }
};

// read reads 81 digits, in lines of any length.
std::string read() {
    std::string grid(81, '0');
    for (char &cell : grid) std::cin >> cell;
    return grid;
}

int main() {
    int pairs;
    std::cin >> pairs;
    while (pairs-- > 0) {
        Search search;
        search.done = read();
        search.todo = read();
        std::cout << (search.solve() ? "Yes\n" : "No\n");
    }
}
