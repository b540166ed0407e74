// Pentominoes by masks: one word for the free squares of the board.
//
// Idea: each free square has a list of the placements that cover it, as words.
// A step branches on a square with the fewest placements that still fit, and
// finds it by trying them all; nothing is linked, nothing is undone.
//
// Source: folklore of bitboards; the rule of the fewest choices is in S. W.
// Golomb and L. D. Baumert, "Backtrack programming", JACM 12 (1965), whose
// example are pentominoes.
//
// Time: 3 by 20 takes about 50 ms. Memory: 20 000 placements of 16 bytes.
// Weak: each step looks at some thousand placements, most of them in vain, and a
// piece that has no place left is not seen.
#include <algorithm>
#include <array>
#include <climits>
#include <cstdint>
#include <iostream>
#include <set>
#include <string>
#include <vector>

// A shape is one way to turn and reflect a piece: its squares in reading order,
// each as its distance from the first on a board that is 32 wide.
struct shape {
    int piece;
    std::array<int, 5> at;
};

static const char* pieces[12] = {
    ".##/##./.#.", "#####",       "#./#./#./##", ".#/.#/##/#.", "##/##/#.",     "###/.#./.#.",
    "#.#/###",     "#../#../###", "#../##./.##", ".#./###/.#.", ".#/##/.#/.#", "##./.#./.##",
};

static std::vector<shape> shapes() {
    std::vector<shape> all;
    for (int p = 0; p < 12; p++) {
        std::set<std::array<int, 5>> seen;
        for (int turn = 0; turn < 8; turn++) {
            std::array<int, 5> v;
            int k = 0, row = 0, col = 0;
            for (const char* s = pieces[p]; *s; s++) {
                if (*s == '#') {
                    int r = turn & 1 ? -row : row, c = turn & 2 ? -col : col;
                    v[k++] = turn & 4 ? 32 * c + r : 32 * r + c;
                }
                if (*s == '/') row++, col = 0;
                else col++;
            }
            std::sort(v.begin(), v.end());
            for (int i = 4; i >= 0; i--) v[i] -= v[0];
            if (seen.insert(v).second) all.push_back({p, v});
        }
    }
    return all;
}

// A placement is a piece on five free squares.
struct placement {
    uint64_t squares;
    int piece;  // one bit
};

static std::vector<placement> on[60];  // those on each free square
static int solutions;

// fill finds the placements of a board and returns its free squares.
static uint64_t fill(const std::vector<std::string>& board, const std::vector<shape>& all) {
    static int number[25 * 32];  // of the free squares, from 1
    std::fill(number, number + 25 * 32, 0);
    int n = 0;
    for (size_t r = 0; r < board.size(); r++)
        for (size_t c = 0; c < board[r].size(); c++)
            if (board[r][c] == '.') {
                on[n].clear();
                number[32 * r + c] = ++n;
            }
    for (int first = 0; first < 20 * 32; first++) {
        for (const shape& s : all) {
            uint64_t squares = 0;
            bool fits = true;
            for (int d : s.at) {
                int i = number[first + d];
                fits = fits && i > 0;
                if (fits) squares |= uint64_t(1) << (i - 1);
            }
            if (!fits) continue;
            for (int d : s.at) on[number[first + d] - 1].push_back({squares, 1 << s.piece});
        }
    }
    return (uint64_t(1) << n) - 1;
}

static void search(uint64_t free, int used) {
    if (free == 0) {
        solutions++;
        return;
    }
    int best = 0, fewest = INT_MAX;
    for (uint64_t open = free; open && fewest > 1; open &= open - 1) {
        int i = __builtin_ctzll(open), n = 0;
        for (const placement& p : on[i])
            if (!(p.squares & ~free) && !(p.piece & used) && ++n >= fewest) break;
        if (n < fewest) best = i, fewest = n;
    }
    if (fewest == 0) return;
    for (const placement& p : on[best])
        if (!(p.squares & ~free) && !(p.piece & used)) search(free & ~p.squares, used | p.piece);
}

int main() {
    const std::vector<shape> all = shapes();
    int t, height, width;
    std::cin >> t;
    while (t-- > 0) {
        std::cin >> height >> width;
        std::vector<std::string> board(height);
        for (auto& row : board) std::cin >> row;
        solutions = 0;
        uint64_t free = fill(board, all);
        if (__builtin_popcountll(free) % 5 == 0) search(free, 0);
        std::cout << solutions << '\n';
    }
}
