// Pentominoes as exact cover, solved by dancing links in arrays.
//
// Idea: a piece on five squares is an option that covers these squares, which
// must be covered, and the piece, which must be only if all twelve are needed.
// Covering an item takes it and its options out of doubly linked lists in such
// a way that the same steps backwards restore them. Options lie one after
// another between spacers, so that only the vertical links dance.
//
// Source: D. E. Knuth, "Dancing links" (2000), arXiv cs/0011047, and The Art of
// Computer Programming, volume 4B (2022), 7.2.2.1, algorithm X.
//
// Time: the search always branches on a square or piece with the fewest options
// left; it grows exponentially with the board, 3 by 20 takes about 50 ms.
//
// Memory: some ten thousand nodes of 12 bytes, used again for each board.
//
// Weak: every option that leaves is unlinked from each of its other items, one
// memory access after another.
#include <algorithm>
#include <array>
#include <initializer_list>
#include <iostream>
#include <set>
#include <string>
#include <vector>

constexpr int max_items = 72;
constexpr int max_nodes = 1 + max_items + 7 * 63 * 60 + 1;

// Node 0 is the head of the ring of items, and items are nodes too. The nodes
// of an option follow each other; the node before and the one behind are
// spacers, whose item is 0 or less and tells the option (behind it).
struct node {
    int up, down, item;
};
static node nd[max_nodes];
static int left_of[max_items + 1], right_of[max_items + 1], size[max_items + 1];
static int last, options, solutions;

// Items are counted from 0; those that must be covered come first.
static void reset(int primary, int items) {
    for (int i = 0; i <= items; i++) {
        left_of[i] = right_of[i] = i;
        size[i] = 0;
        nd[i] = {i, i, i};
    }
    for (int i = 0; i < primary; i++) right_of[i] = i + 1, left_of[i + 1] = i;
    right_of[primary] = 0;
    left_of[0] = primary;
    last = items + 1;
    options = 0;
    nd[last].item = 0;
}

static void add(std::initializer_list<int> items) {
    int spacer = last;
    for (int i : items) {
        int it = i + 1;
        nd[++last] = {nd[it].up, it, it};
        nd[nd[it].up].down = last;
        nd[it].up = last;
        size[it]++;
    }
    nd[spacer].down = last++;
    nd[last].item = -options++;
    nd[last].up = spacer + 1;
}

static void cover(int it) {
    right_of[left_of[it]] = right_of[it];
    left_of[right_of[it]] = left_of[it];
    for (int n = nd[it].down; n != it; n = nd[n].down) {
        for (int m = n + 1; m != n; m++) {
            auto [up, down, other] = nd[m];
            if (other <= 0) {
                m = up - 1;
                continue;
            }
            nd[up].down = down;
            nd[down].up = up;
            size[other]--;
        }
    }
}

static void uncover(int it) {
    for (int n = nd[it].up; n != it; n = nd[n].up) {
        for (int m = n - 1; m != n; m--) {
            auto [up, down, other] = nd[m];
            if (other <= 0) {
                m = down + 1;
                continue;
            }
            size[other]++;
            nd[up].down = nd[down].up = m;
        }
    }
    right_of[left_of[it]] = left_of[right_of[it]] = it;
}

static void search() {
    int best = right_of[0];
    if (best == 0) {
        solutions++;
        return;
    }
    for (int it = right_of[best]; it != 0 && size[best] > 0; it = right_of[it])
        if (size[it] < size[best]) best = it;
    if (size[best] == 0) return;
    cover(best);
    for (int n = nd[best].down; n != best; n = nd[n].down) {
        for (int m = n + 1; m != n; m++) {
            if (nd[m].item <= 0) {
                m = nd[m].up - 1;
            } else {
                cover(nd[m].item);
            }
        }
        search();
        for (int m = n - 1; m != n; m--) {
            if (nd[m].item <= 0) m = nd[m].down + 1;
            else uncover(nd[m].item);
        }
    }
    uncover(best);
}

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

// A free square is an item that must be covered; a piece is one too if all
// twelve are needed, and else may be. Says whether there can be a tiling.
static bool fill(const std::vector<std::string>& board, const std::vector<shape>& all) {
    static int item[25 * 32];  // from 1; 0 where no piece may lie
    std::fill(item, item + 25 * 32, 0);
    int free = 0;
    for (size_t r = 0; r < board.size(); r++)
        for (size_t c = 0; c < board[r].size(); c++)
            if (board[r][c] == '.') item[32 * r + c] = ++free;
    if (free % 5) return false;
    if (free == 60) reset(72, 72);
    else reset(free, free + 12);
    for (int first = 0; first < 20 * 32; first++) {
        for (const shape& s : all) {
            int o[5];
            bool fits = true;
            for (int i = 0; i < 5; i++) {
                o[i] = item[first + s.at[i]] - 1;
                fits = fits && o[i] >= 0;
            }
            if (fits) add({o[0], o[1], o[2], o[3], o[4], free + s.piece});
        }
    }
    return true;
}

int main() {
    std::ios::sync_with_stdio(false);
    const std::vector<shape> all = shapes();
    int t, height, width;
    std::cin >> t;
    while (t-- > 0) {
        std::cin >> height >> width;
        std::vector<std::string> board(height);
        for (auto& row : board) std::cin >> row;
        solutions = 0;
        if (fill(board, all)) search();
        std::cout << solutions << '\n';
    }
}
