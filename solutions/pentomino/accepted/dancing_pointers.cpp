// Pentominoes as exact cover, solved by dancing links with pointers.
//
// Idea: a piece on five squares is an option that covers these squares, which
// must be covered, and the piece, which must be only if all twelve are needed.
// Every one of the matrix is a node in two rings, one along its option and one
// along its item, the latter through a head; a node that has left a ring still
// knows its neighbours and can return.
//
// Source: D. E. Knuth, "Dancing links" (2000), arXiv cs/0011047; the first idea
// is by H. Hitotumatu and K. Noshita (1979).
//
// Time: the search always branches on a square or piece with the fewest options
// left; it grows exponentially with the board, 3 by 20 takes about 50 ms.
//
// Memory: 22 680 nodes of 48 bytes, used again for each board.
//
// Weak: a pointer is twice as long as an index, and two of the four never
// change.
#include <algorithm>
#include <array>
#include <initializer_list>
#include <iostream>
#include <set>
#include <string>
#include <vector>

// A node is a one of the matrix, or the head of an item.
struct node {
    node *up, *down, *left, *right, *head;
    int size;    // of an item
};

static node heads[72], pool[6 * 63 * 60], ring;
static int used, options, solutions;

// Items are counted from 0; those that must be covered come first.
static void reset(int primary, int items) {
    ring.left = ring.right = &ring;
    for (int i = 0; i < items; i++) {
        node* h = &heads[i];
        h->up = h->down = h->left = h->right = h->head = h;
        h->size = 0;
        if (i < primary) {
            h->left = ring.left;
            h->right = &ring;
            h->left->right = ring.left = h;
        }
    }
    used = options = 0;
}

static void add(std::initializer_list<int> items) {
    node* begin = &pool[used];
    begin->left = begin->right = begin;
    for (int it : items) {
        node *n = &pool[used++], *h = &heads[it];
        n->up = h->up;
        n->down = n->head = h;
        n->up->down = h->up = n;
        h->size++;
        if (n == begin) continue;
        n->left = begin->left;
        n->right = begin;
        n->left->right = begin->left = n;
    }
    options++;
}

static void cover(node* h) {
    h->left->right = h->right;
    h->right->left = h->left;
    for (node* n = h->down; n != h; n = n->down)
        for (node* m = n->right; m != n; m = m->right) {
            m->up->down = m->down;
            m->down->up = m->up;
            m->head->size--;
        }
}

static void uncover(node* h) {
    for (node* n = h->up; n != h; n = n->up)
        for (node* m = n->left; m != n; m = m->left) {
            m->head->size++;
            m->up->down = m->down->up = m;
        }
    h->left->right = h->right->left = h;
}

static void search() {
    node* best = ring.right;
    if (best == &ring) {
        solutions++;
        return;
    }
    for (node* h = best->right; h != &ring && best->size > 0; h = h->right)
        if (h->size < best->size) best = h;
    if (best->size == 0) return;
    cover(best);
    for (node* n = best->down; n != best; n = n->down) {
        for (node* m = n->right; m != n; m = m->right) cover(m->head);
        search();
        for (node* m = n->left; m != n; m = m->left) uncover(m->head);
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
