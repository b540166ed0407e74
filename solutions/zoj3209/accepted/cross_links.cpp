// Treasure Map by an orthogonal list with row and column headers.
//
// Idea: a cell of the map is a column of a 0/1 matrix and a rectangle a row
// with a one for each of its cells; all exact covers are searched, but no
// further than the smallest one known allows: what is blank needs at least as
// many rectangles as the largest of all would. Every one of the matrix is a
// node in two rings, one along its row and one along its column, each through
// a header; the column headers form a ring of their own. Covering a column
// takes its header out of that ring and the rows it meets out of all their
// other columns; uncovering does the same backwards. Each step branches on a
// column with the fewest rows left.
//
// Source: a published solution of the sudoku problem with the two-way
// orthogonal list, here for any matrix. That one makes its headers and nodes
// anew for each case and frees none; here one array of nodes serves all.
//
// Time: exponential at worst; the bound keeps it to some thousands of steps
// where covers are many. Memory: 40 bytes for each cell of each rectangle,
// which are 450000 at most and some thousands on a usual map.
//
// Weak: row headers serve only to know where a row begins, and each walk along
// a row must step over one.
#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

namespace {

constexpr int maxRows = 500;
constexpr int maxOnes = 450000;

struct Node {
    Node *up, *down, *left, *right;
    int row, col;  // from 1; 0 in the headers of the other kind
};

std::array<Node, maxOnes> pool;  // serves every case

class ExactCover {
  public:
    std::array<int, maxRows + 1> area{};  // of a rectangle
    int biggest = 1, least = maxRows + 1;

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

    // Looks for covers of fewer than least rectangles. There are chosen of them
    // already, and blank cells are left.
    void search(int chosen, int blank) {
        if (chosen + (blank + biggest - 1) / biggest >= least) return;
        Node* const first = &colHead[0];
        if (first->right == first) {
            least = chosen;
            return;
        }
        Node* best = first->right;
        for (Node* c = best->right; c != first; c = c->right)
            if (count[c->col] < count[best->col]) best = c;
        cover(best);
        for (Node* i = best->down; i != best; i = i->down) {
            for (Node* j = i->right; j != i; j = j->right)
                if (j->col) cover(&colHead[j->col]);
            search(chosen + 1, blank - area[i->row]);
            for (Node* j = i->left; j != i; j = j->left)
                if (j->col) uncover(&colHead[j->col]);
        }
        uncover(best);
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
    int cases, n, m, p;
    std::vector<int> cells;
    for (number(cases); cases > 0 && number(n) && number(m) && number(p); cases--) {
        ExactCover map(p, n * m);
        map.least = p + 1;
        for (int row = 1; row <= p; row++) {
            int x1, y1, x2, y2;
            if (!(number(x1) && number(y1) && number(x2) && number(y2))) break;
            cells.clear();
            for (int x = x1; x < x2; x++)
                for (int y = y1; y < y2; y++) cells.push_back(1 + m * x + y);
            map.area[row] = int(cells.size());
            map.biggest = std::max(map.biggest, map.area[row]);
            map.add(row, cells);
        }
        map.search(0, n * m);
        printf("%d\n", map.least > p ? -1 : map.least);
    }
}
