// Out of memory: all 2 * 6^8 arrangements of a completed grid are stored, 81 bytes
// each, 272 MB, before the first is compared. With sorting them to drop the equal
// ones it would be right.
//
// Time: what it takes to reach the memory limit. Memory: 272 MB and more.
#include <algorithm>
#include <array>
#include <iostream>
#include <string>
#include <vector>

using Grid = std::array<char, 81>;

std::vector<std::array<int, 9>> lineOrders() {
    std::vector<std::array<int, 9>> all;
    std::array<int, 9> line{0, 1, 2, 3, 4, 5, 6, 7, 8};
    std::array<int, 3> big{0, 1, 2};
    do {
        std::array<std::array<int, 3>, 3> small;
        small.fill({0, 1, 2});
        do {
            do {
                do {
                    for (int i = 0; i < 9; i++) line[i] = 3 * big[i / 3] + small[i / 3][i % 3];
                    all.push_back(line);
                } while (std::next_permutation(small[2].begin(), small[2].end()));
            } while (std::next_permutation(small[1].begin(), small[1].end()));
        } while (std::next_permutation(small[0].begin(), small[0].end()));
    } while (std::next_permutation(big.begin(), big.end()));
    return all;
}

bool solves(const Grid &grid, const std::string &todo) {
    std::array<char, 128> to{}, from{};
    for (int i = 0; i < 81; i++) {
        if (todo[i] == '0') continue;
        char &image = to[todo[i]], &origin = from[grid[i]];
        if (!image && !origin) image = grid[i], origin = todo[i];
        if (image != grid[i]) return false;
    }
    return true;
}

// read reads 81 digits, in lines of any length.
std::string read() {
    std::string grid(81, '0');
    for (char &cell : grid) std::cin >> cell;
    return grid;
}

int main() {
    const auto lines = lineOrders();
    int pairs;
    std::cin >> pairs;
    while (pairs-- > 0) {
        const std::string done = read(), todo = read();
        std::vector<Grid> grids(2 * lines.size() * lines.size());
        auto next = grids.begin();
        for (auto &rows : lines)
            for (auto &cols : lines) {
                Grid &as = *next++, &turned = *next++;
                for (int i = 0; i < 81; i++) {
                    as[i] = done[9 * rows[i / 9] + cols[i % 9]];
                    turned[i] = done[9 * cols[i % 9] + rows[i / 9]];
                }
            }
        std::sort(grids.begin(), grids.end());
        grids.erase(std::unique(grids.begin(), grids.end()), grids.end());
        bool yes = std::any_of(grids.begin(), grids.end(), [&](auto &grid) { return solves(grid, todo); });
        std::cout << (yes ? "Yes\n" : "No\n");
    }
}
