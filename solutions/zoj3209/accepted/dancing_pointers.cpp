// Treasure Map by dancing links of nodes that point at each other.
//
// Idea: a cell of the map is a column of a 0/1 matrix and a rectangle a row
// with a one for each of its cells; all exact covers are searched, but no
// further than the smallest one known allows: what is blank needs at least as
// many rectangles as the largest of all would. Every one of the matrix is a
// node in two rings, that of its row and that of its column; the columns'
// headers are in a third. Covering a column takes its header out and its rows
// out of all their other columns; as a node that has left a ring still knows
// its neighbours, the same steps backwards restore them. Each step branches on
// a column with the fewest rows left.
//
// Source: D. E. Knuth, "Dancing links" (2000), arXiv cs/0011047, which draws
// it with pointers; the S heuristic is there too.
//
// Time: exponential at worst; the bound keeps it to some thousands of steps
// where covers are many. Memory: 48 bytes for each cell of each rectangle,
// which are 450000 at most and some thousands on a usual map.
//
// Weak: a walk goes all over the memory, where arrays would keep neighbours
// together.
#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

namespace {

constexpr int maxRows = 500;
constexpr int maxOnes = 450000;

struct Node {
    Node *left, *right, *up, *down;
    Node* col;  // the header
    int row;
    int size;  // of a header: the rows left
};

std::array<Node, maxOnes> pool;  // serves every case

class ExactCover {
  public:
    std::array<int, maxRows + 1> area{};  // of a rectangle
    int biggest = 1, least = maxRows + 1;

    explicit ExactCover(int cols) : head(cols + 1) {
        root.left = root.right = &root;
        for (int c = 1; c <= cols; c++) {
            Node* h = &head[c];
            *h = Node{root.left, &root, h, h, nullptr, 0, 0};
            h->left->right = root.left = h;
        }
    }

    ExactCover(const ExactCover&) = delete;  // its nodes point at each other

    void add(int row, const std::vector<int>& cols) {
        Node* first = nullptr;
        for (int c : cols) {
            Node *n = &pool[used++], *h = &head[c];
            *n = Node{n, n, h->up, h, h, row, 0};
            n->up->down = h->up = n;
            h->size++;
            if (!first) {
                first = n;
                continue;
            }
            n->left = first->left;
            n->right = first;
            n->left->right = first->left = n;
        }
    }

    // Looks for covers of fewer than least rectangles. There are chosen of them
    // already, and blank cells are left.
    void search(int chosen, int blank) {
        if (chosen + (blank + biggest - 1) / biggest >= least) return;
        if (root.right == &root) {
            least = chosen;
            return;
        }
        Node* best = root.right;
        for (Node* h = best->right; h != &root; h = h->right)
            if (h->size < best->size) best = h;
        cover(best);
        for (Node* n = best->down; n != best; n = n->down) {
            for (Node* j = n->right; j != n; j = j->right) cover(j->col);
            search(chosen + 1, blank - area[n->row]);
            for (Node* j = n->left; j != n; j = j->left) uncover(j->col);
        }
        uncover(best);
    }

  private:
    Node root{};  // begins the ring of open columns
    std::vector<Node> head;
    int used = 0;

    static void cover(Node* h) {
        h->right->left = h->left;
        h->left->right = h->right;
        for (Node* i = h->down; i != h; i = i->down) {
            for (Node* j = i->right; j != i; j = j->right) {
                j->down->up = j->up;
                j->up->down = j->down;
                j->col->size--;
            }
        }
    }

    static void uncover(Node* h) {
        for (Node* i = h->up; i != h; i = i->up) {
            for (Node* j = i->left; j != i; j = j->left) {
                j->col->size++;
                j->down->up = j->up->down = j;
            }
        }
        h->right->left = h->left->right = h;
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
        ExactCover map(n * m);
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
