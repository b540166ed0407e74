// Crashes: all pairs are read before the first is answered, into a table with room
// for ten. The eleventh is out of range.
//
// Otherwise: columns first, then one band at a time, the fullest first, with a
// one-to-one renumbering.
//
// Time: at most 2 * 1296 * 1530 bands compared. Memory: constant.
#include <algorithm>
#include <array>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

struct Cell {
    int row, col, digit;
};

struct Pair {
    std::string done, todo;
};

struct Digits {
    std::array<int, 10> to{}, from{};
};

bool place(const std::string &done, const int *col, const std::array<std::vector<Cell>, 3> &bands, int band,
           unsigned used, const Digits &digits) {
    if (band == 3) return true;
    for (int to = 0; to < 3; to++) {
        if (used >> to & 1) continue;
        for (auto &order : orders) {
            Digits next = digits;
            bool same = true;
            for (auto &cell : bands[band]) {
                int becomes = done[27 * to + 9 * order[cell.row] + col[cell.col]] - '0';
                int &image = next.to[cell.digit], &origin = next.from[becomes];
                if (!image && !origin) image = becomes, origin = cell.digit;
                if (image != becomes) {
                    same = false;
                    break;
                }
            }
            if (same && place(done, col, bands, band + 1, used | 1u << to, next)) return true;
        }
    }
    return false;
}

bool anyColumns(const std::string &done, const std::array<std::vector<Cell>, 3> &bands) {
    for (int n = 0; n < 6 * 216; n++) {
        const int inner[3] = {n / 36 % 6, n / 6 % 6, n % 6};
        int col[9];
        for (int c = 0; c < 9; c++) col[c] = 3 * orders[n / 216][c / 3] + orders[inner[c / 3]][c % 3];
        if (place(done, col, bands, 0, 0, {})) return true;
    }
    return false;
}

bool equivalent(const Pair &pair) {
    std::array<std::vector<Cell>, 3> bands;
    std::string turned(81, '0');
    for (int i = 0; i < 81; i++) {
        if (pair.todo[i] != '0') bands[i / 27].push_back({i / 9 % 3, i % 9, pair.todo[i] - '0'});
        turned[i % 9 * 9 + 8 - i / 9] = pair.done[i];
    }
    std::sort(bands.begin(), bands.end(), [](auto &a, auto &b) { return a.size() > b.size(); });
    return anyColumns(pair.done, bands) || anyColumns(turned, bands);
}

// read reads 81 digits, in lines of any length.
std::string read() {
    std::string grid(81, '0');
    for (char &cell : grid) std::cin >> cell;
    return grid;
}

int main() {
    std::array<Pair, 10> pairs;
    int count;
    std::cin >> count;
    for (int i = 0; i < count; i++) {
        pairs.at(i).done = read();
        pairs.at(i).todo = read();
    }
    for (int i = 0; i < count; i++) std::cout << (equivalent(pairs[i]) ? "Yes\n" : "No\n");
}
