// Exact cover by an orthogonal list with row and column headers.
//
// Idea: every one of the matrix is a node in two rings, one along its row and
// one along its column, each through a header; the column headers form a ring
// of their own. Covering a column takes its header out of that ring and the
// rows it meets out of all their other columns; uncovering does the same
// backwards. Each step branches on a column with the fewest rows left.
//
// Source: a published solution of the sudoku problem with the two-way
// orthogonal list, here for any matrix. That one makes its headers and nodes
// anew for each case and frees none; here one array of nodes serves all.
//
// Time: exponential at worst; for most matrices as long as reading them.
// Memory: at most 100000 nodes of 40 bytes.
//
// Weak: row headers serve only to know where a row begins, and each walk along
// a row must step over one.
#include <array>
#include <cstdio>
#include <vector>

namespace {

constexpr int maxOnes = 100000;

struct Node {
    Node *up, *down, *left, *right;
    int row, col;  // from 1; 0 in the headers of the other kind
};

std::array<Node, maxOnes> pool;  // serves every case

class ExactCover {
  public:
    std::vector<int> chosen;

    ExactCover(int rows, int cols) : rowHead(rows + 1), colHead(cols + 1), count(cols + 1) {
        for (int c = 0; c <= cols; c++) {
            Node* h = &colHead[c];
            *h = Node{h, h, &colHead[c > 0 ? c - 1 : cols], &colHead[c < cols ? c + 1 : 0], 0, c};
        }
    }

    ExactCover(const ExactCover&) = delete;  // its nodes point at each other

    // Puts a node at the end of the row's ring and of each column's ring.
    void add(int row, const std::vector<int>& cols) {
        Node* r = &rowHead[row];
        *r = Node{nullptr, nullptr, r, r, row, 0};
        for (int col : cols) {
            Node *n = &pool[used++], *c = &colHead[col];
            *n = Node{c->up, c, r->left, r, row, col};
            n->up->down = c->up = n;
            n->left->right = r->left = n;
            count[col]++;
        }
    }

    // Says whether the open columns can be covered. If so, chosen has the rows.
    bool search() {
        Node* const first = &colHead[0];
        if (first->right == first) return true;
        Node* best = first->right;
        for (Node* c = best->right; c != first; c = c->right)
            if (count[c->col] < count[best->col]) best = c;
        cover(best);
        for (Node* i = best->down; i != best; i = i->down) {
            for (Node* j = i->right; j != i; j = j->right)
                if (j->col) cover(&colHead[j->col]);
            chosen.push_back(i->row);
            if (search()) return true;
            chosen.pop_back();
            for (Node* j = i->left; j != i; j = j->left)
                if (j->col) uncover(&colHead[j->col]);
        }
        uncover(best);
        return false;
    }

  private:
    std::vector<Node> rowHead;  // rowHead[0] is not used
    std::vector<Node> colHead;  // colHead[0] begins the ring of open columns
    std::vector<int> count;     // rows left in a column
    int used = 0;

    void cover(Node* c) {
        c->left->right = c->right;
        c->right->left = c->left;
        for (Node* i = c->down; i != c; i = i->down) {
            for (Node* j = i->right; j != i; j = j->right) {
                if (!j->col) continue;
                j->up->down = j->down;
                j->down->up = j->up;
                count[j->col]--;
            }
        }
    }

    void uncover(Node* c) {
        for (Node* i = c->up; i != c; i = i->up) {
            for (Node* j = i->left; j != i; j = j->left) {
                if (!j->col) continue;
                count[j->col]++;
                j->up->down = j->down->up = j;
            }
        }
        c->left->right = c->right->left = c;
    }
};

// number reads the next number, or says that there is none.
bool number(int& n) {
    int c = getchar_unlocked();
    while (c != EOF && !(c >= '0' && c <= '9')) c = getchar_unlocked();
    if (c == EOF) return false;
    for (n = 0; c >= '0' && c <= '9'; c = getchar_unlocked()) n = 10 * n + (c - '0');
    return true;
}

}  // namespace

int main() {
    int n, m;
    std::vector<int> ones;
    while (number(n) && number(m)) {
        ExactCover matrix(n, m);
        for (int count, row = 1; row <= n && number(count); row++) {
            ones.resize(count);
            for (int& c : ones) number(c);
            matrix.add(row, ones);
        }
        if (!matrix.search()) {
            puts("NO");
            continue;
        }
        printf("%zu", matrix.chosen.size());
        for (int row : matrix.chosen) printf(" %d", row);
        puts("");
    }
}
