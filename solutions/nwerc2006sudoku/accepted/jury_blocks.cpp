// Idea: like block_by_block.go, nearer to the published program: the blocks of
// the incomplete grid are visited one after another. The first block of a band
// chooses a band of the completed grid and an order of rows, the first of a
// stack a stack and an order of columns; the digits seen so far make a partial
// renumbering. Bands and stacks with many givens are moved to the front first, and
// blank rows of a band, or columns of a stack, keep their order.
//
// Source: Per Austrin's jury solution of NWERC 2006, written anew with a
// one-to-one renumbering (the published one lets two digits become the same).
//
// Time: at most 2 * 324 * 12 * 6 * 12 * 6 comparisons of a block. Memory: constant.
//
// Weak on six to ten givens, which refuse little before the last blocks.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <utility>

using Grid = std::array<std::array<int, 9>, 9>;
using Order = std::array<int, 3>;

// A partial one-to-one map from the digits of the incomplete grid.
struct Renumbering {
    std::array<int, 10> image{}, origin{};

    bool add(int digit, int becomes) {
        if (image[digit] == 0 && origin[becomes] == 0) {
            image[digit] = becomes;
            origin[becomes] = digit;
        }
        return image[digit] == becomes;
    }
};

struct Search {
    Grid done, todo;
    Order bandImage{-1, -1, -1}, stackImage{-1, -1, -1};  // by band and stack of todo
    std::array<Order, 3> rows{}, cols{};

    bool agree(int block, Renumbering &map) const {
        const int band = block / 3, stack = block % 3;
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) {
                int digit = todo[3 * band + r][3 * stack + c];
                if (digit == 0) continue;
                if (!map.add(digit, done[3 * bandImage[band] + rows[band][r]][3 * stackImage[stack] + cols[stack][c]]))
                    return false;
            }
        return true;
    }

    bool blankRow(int r) const {
        return std::count(todo[r].begin(), todo[r].end(), 0) == 9;
    }

    bool blankColumn(int c) const {
        return std::all_of(todo.begin(), todo.end(), [c](auto &row) { return row[c] == 0; });
    }

    // Tries every image and useful order for one line of blocks, then calls next.
    // The bits of blank are its rows or columns without givens.
    template <typename Next>
    static bool choose(Order &images, Order &order, int line, unsigned blank, Next next) {
        auto swapsBlanks = [&](int x, int y) {
            return (blank >> x & 1) && (blank >> y & 1) && order[x] > order[y];
        };
        for (int image = 0; image < 3; image++) {
            if (std::find(images.begin(), images.end(), image) != images.end()) continue;
            images[line] = image;
            std::iota(order.begin(), order.end(), 0);
            do {
                if (swapsBlanks(0, 1) || swapsBlanks(0, 2) || swapsBlanks(1, 2)) continue;
                if (next()) return true;
            } while (std::next_permutation(order.begin(), order.end()));
            images[line] = -1;
        }
        return false;
    }

    bool from(int block, const Renumbering &map) {
        if (block == 9) return true;
        const int band = block / 3, stack = block % 3;
        auto compare = [&] {
            Renumbering extended = map;
            return agree(block, extended) && from(block + 1, extended);
        };
        auto withStack = [&] {
            if (band > 0) return compare();
            unsigned blank = 0;
            for (int c = 0; c < 3; c++) blank |= unsigned(blankColumn(3 * stack + c)) << c;
            return choose(stackImage, cols[stack], stack, blank, compare);
        };
        if (stack > 0) return withStack();
        unsigned blank = 0;
        for (int r = 0; r < 3; r++) blank |= unsigned(blankRow(3 * band + r)) << r;
        return choose(bandImage, rows[band], band, blank, withStack);
    }
};

Grid read() {
    Grid grid;
    for (auto &row : grid)
        for (int &cell : row)
            if (std::scanf(" %1d", &cell) != 1) std::exit(1);
    return grid;
}

Grid quarterTurn(const Grid &grid) {
    Grid turned;
    for (int r = 0; r < 9; r++)
        for (int c = 0; c < 9; c++) turned[r][c] = grid[c][8 - r];
    return turned;
}

Grid denseBandsFirst(const Grid &grid) {
    auto givens = [&](int band) {
        int n = 0;
        for (int r = 3 * band; r < 3 * band + 3; r++) n += 9 - std::count(grid[r].begin(), grid[r].end(), 0);
        return n;
    };
    Order order{0, 1, 2};
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return givens(a) > givens(b); });
    Grid sorted;
    for (int r = 0; r < 9; r++) sorted[r] = grid[3 * order[r / 3] + r % 3];
    return sorted;
}

int main() {
    int pairs;
    if (std::scanf("%d", &pairs) != 1) return 1;
    while (pairs-- > 0) {
        Grid done = read();
        // Sorting, turning and sorting again sorts the bands and the stacks.
        Grid todo = denseBandsFirst(quarterTurn(denseBandsFirst(read())));
        bool yes = Search{done, todo}.from(0, {}) || Search{done, quarterTurn(todo)}.from(0, {});
        std::puts(yes ? "Yes" : "No");
    }
}
