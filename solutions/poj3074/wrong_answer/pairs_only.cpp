// Guesses only in cells with two digits left.
//
// Idea: candidate masks, cells with one candidate and digits with one place in a
// unit first; then both digits of a cell that has two. A board on which every
// blank has three or more is taken for a contradiction, like one on which a blank
// has none.
//
// Source: a rule of thumb taken for a law. In almost all puzzles there always is
// such a cell, and to look for no other is quick.
//
// Time: 20 µs for a usual puzzle. Memory: 1 KB.
// Wrong: where singles come to an end and no cell has two digits left ("Easter
// Monster" and "Golden Nugget" in secret/12-hardest): the blanks are printed as
// they are.
#include <cstdint>
#include <iostream>
#include <string>

static uint16_t lacks[27];  // of rows, columns, boxes
static int unit[27][9];

static void flip(int c, int bit) {
    lacks[c / 9] ^= bit;
    lacks[9 + c % 9] ^= bit;
    lacks[18 + c / 27 * 3 + c % 9 / 3] ^= bit;
}

static bool search(std::string& s) {
    int can[81] = {}, best = -1, digits = 0, fewest = 3;
    bool full = true;
    for (int c = 0; c < 81; c++) {
        if (s[c] != '.') continue;
        full = false;
        can[c] = lacks[c / 9] & lacks[9 + c % 9] & lacks[18 + c / 27 * 3 + c % 9 / 3];
        int n = __builtin_popcount(can[c]);
        if (n < fewest) best = c, fewest = n, digits = can[c];
    }
    if (full) return true;
    for (int u = 0; u < 27 && fewest > 1; u++) {
        int once = 0, twice = 0;
        for (int c : unit[u]) twice |= once & can[c], once |= can[c];
        if (once != lacks[u]) return false;
        for (int c : unit[u]) {
            int single = once & ~twice & can[c];
            if (single) best = c, fewest = 1, digits = single & -single;
        }
    }
    if (best < 0) return false;
    for (; digits; digits &= digits - 1) {
        int bit = digits & -digits;
        flip(best, bit);
        s[best] = char('1' + __builtin_ctz(bit));
        if (search(s)) return true;
        flip(best, bit);
    }
    s[best] = '.';
    return false;
}

int main() {
    for (int i = 0; i < 9; i++) {
        for (int j = 0; j < 9; j++) {
            unit[i][j] = 9 * i + j;
            unit[9 + i][j] = 9 * j + i;
            unit[18 + i][j] = i / 3 * 27 + i % 3 * 3 + j / 3 * 9 + j % 3;
        }
    }
    std::string s;
    while (std::cin >> s && s != "end") {
        for (uint16_t& l : lacks) l = 0x1ff;
        for (int c = 0; c < 81; c++)
            if (s[c] != '.') flip(c, 1 << (s[c] - '1'));
        search(s);
        std::cout << s << '\n';
    }
}
