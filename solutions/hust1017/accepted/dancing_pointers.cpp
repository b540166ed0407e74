// Exact cover by dancing links of nodes that point at each other.
//
// Idea: every one of the matrix is a node in two rings, that of its row and
// that of its column; the columns' headers are in a third. Covering a column
// takes its header out and its rows out of all their other columns; as a node
// that has left a ring still knows its neighbours, the same steps backwards
// restore them. Each step branches on a column with the fewest rows left.
//
// Source: D. E. Knuth, "Dancing links" (2000), arXiv cs/0011047, which draws
// it with pointers; the S heuristic is there too.
//
// Time: exponential at worst; for most matrices as long as reading them.
// Memory: at most 100000 nodes of 48 bytes.
//
// Weak: a walk goes all over the memory, where arrays would keep neighbours
// together.
#include <array>
#include <cstdio>
#include <vector>

namespace {

constexpr int maxOnes = 100000;

struct Node {
    Node *left, *right, *up, *down;
    Node* col;  // the header
    int row;
    int size;  // of a header: the rows left
};

std::array<Node, maxOnes> pool;  // serves every case

class ExactCover {
  public:
    std::vector<int> chosen;

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

    // Says whether the open columns can be covered. If so, chosen has the rows.
    bool search() {
        if (root.right == &root) return true;
        Node* best = root.right;
        for (Node* h = best->right; h != &root; h = h->right)
            if (h->size < best->size) best = h;
        cover(best);
        for (Node* n = best->down; n != best; n = n->down) {
            for (Node* j = n->right; j != n; j = j->right) cover(j->col);
            chosen.push_back(n->row);
            if (search()) return true;
            chosen.pop_back();
            for (Node* j = n->left; j != n; j = j->left) uncover(j->col);
        }
        uncover(best);
        return false;
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
    int n, m;
    std::vector<int> ones;
    while (number(n) && number(m)) {
        ExactCover matrix(m);
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
