// Queens as exact cover, solved by dancing links in arrays.
//
// Idea: a queen on a square is an option that covers a row and a column, which
// must be covered, and two diagonals, which may be. Covering an item takes it
// and its options out of doubly linked lists in such a way that the same steps
// backwards restore them. Options lie one after another between spacers, so
// that only the vertical links dance.
//
// Source: D. E. Knuth, "Dancing links" (2000), arXiv cs/0011047, and The Art of
// Computer Programming, volume 4B (2022), 7.2.2.1, algorithm X.
//
// Time: the number of steps is that of a search which always branches on a row
// or column with the fewest squares left; the empty board of 12 takes about 40
// ms.
//
// Memory: some thousand nodes of 12 bytes, used again for each board.
//
// Weak: every option that leaves is unlinked from each of its other items, one
// memory access after another.
#include <initializer_list>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

constexpr int max_items = 48 + 94;
constexpr int max_nodes = 1 + max_items + 5 * 24 * 24 + 1;

// Node 0 is the head of the ring of items, and items are nodes too. The nodes
// of an option follow each other; the node before and the one behind are
// spacers, whose item is 0 or less and tells the option (behind it).
struct node {
    int up, down, item;
};
static node nd[max_nodes];
static int left_of[max_items + 1], right_of[max_items + 1], size[max_items + 1];
static int last, options, solutions;
static std::vector<int> chosen, first;

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
        if (solutions++ == 0) first = chosen;
        return;
    }
    for (int it = right_of[best]; it != 0 && size[best] > 0; it = right_of[it])
        if (size[it] < size[best]) best = it;
    if (size[best] == 0) return;
    cover(best);
    for (int n = nd[best].down; n != best; n = nd[n].down) {
        for (int m = n + 1; m != n; m++) {
            if (nd[m].item <= 0) {
                chosen.push_back(-nd[m].item);
                m = nd[m].up - 1;
            } else {
                cover(nd[m].item);
            }
        }
        search();
        chosen.pop_back();
        for (int m = n - 1; m != n; m--) {
            if (nd[m].item <= 0) m = nd[m].down + 1;
            else uncover(nd[m].item);
        }
    }
    uncover(best);
}

// The squares of the options.
static std::vector<std::pair<int, int>> squares;

// A row or column is an item that must be covered, a diagonal is one that may be.
static void fill(const std::vector<std::string>& board) {
    int n = board.size();
    reset(2 * n, 2 * n + 2 * (2 * n - 1));
    squares.clear();
    for (int r = 0; r < n; r++) {
        int given = board[r].find('Q');
        for (int c = 0; c < n; c++) {
            if (c == given || (given < 0 && board[r][c] == '.')) {
                squares.push_back({r, c});
                add({r, n + c, 2 * n + r + c, 4 * n - 1 + n - 1 - r + c});
            }
        }
    }
}

int main() {
    std::ios::sync_with_stdio(false);
    int t, n;
    std::cin >> t;
    while (t-- > 0) {
        std::cin >> n;
        std::vector<std::string> board(n);
        for (auto& row : board) std::cin >> row;
        fill(board);
        solutions = 0;
        search();
        std::cout << solutions << '\n';
        if (solutions == 0) continue;
        std::vector<int> column(n);
        for (int o : first) column[squares[o].first] = 1 + squares[o].second;
        for (int r = 0; r < n; r++) std::cout << column[r] << (r < n - 1 ? ' ' : '\n');
    }
}
