// Queens as exact cover, solved by dancing links with pointers.
//
// Idea: a queen on a square is an option that covers a row and a column, which
// must be covered, and two diagonals, which may be. Every one of the matrix is
// a node in two rings, one along its option and one along its item, the latter
// through a head; a node that has left a ring still knows its neighbours and
// can return.
//
// Source: D. E. Knuth, "Dancing links" (2000), arXiv cs/0011047; the first idea
// is by H. Hitotumatu and K. Noshita (1979).
//
// Time: the number of steps is that of a search which always branches on a row
// or column with the fewest squares left; the empty board of 12 takes about 30
// ms.
//
// Memory: 2304 nodes of 56 bytes, used again for each board.
//
// Weak: a pointer is twice as long as an index, and two of the four never
// change.
#include <initializer_list>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

// A node is a one of the matrix, or the head of an item.
struct node {
    node *up, *down, *left, *right, *head;
    int size;    // of an item
    int option;
};

static node heads[48 + 94], pool[4 * 24 * 24], ring;
static int used, options, solutions;
static std::vector<int> chosen, first;

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
        n->option = options;
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
        if (solutions++ == 0) first = chosen;
        return;
    }
    for (node* h = best->right; h != &ring && best->size > 0; h = h->right)
        if (h->size < best->size) best = h;
    if (best->size == 0) return;
    cover(best);
    for (node* n = best->down; n != best; n = n->down) {
        chosen.push_back(n->option);
        for (node* m = n->right; m != n; m = m->right) cover(m->head);
        search();
        for (node* m = n->left; m != n; m = m->left) uncover(m->head);
        chosen.pop_back();
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
