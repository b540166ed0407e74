// Easy Finding by dancing links in arrays.
//
// Idea: the ones of the matrix are nodes in the rings of their columns.
// Covering a column takes it out of the ring of open columns and its rows out
// of all their other columns, in such a way that the same steps backwards
// restore them. Each step branches on a column with the fewest rows left. A
// row's nodes are side by side in the arrays, so that it needs no links of its
// own, only a spacer at each end.
//
// Source: D. E. Knuth, "The Art of Computer Programming", volume 4B (2022),
// section 7.2.2.1, algorithm X with the MRV heuristic; first in his "Dancing
// links" (2000), arXiv cs/0011047.
//
// Time: a step takes the rows of a column, and each of those leaves all
// columns, so that there are at most 3^(16/3), some 350, ends of the search,
// whatever the matrix. Reading it takes as long. Memory: at most 4800 nodes of
// 12 bytes.
//
// Weak: all open columns are looked at in each step, although few of their
// sizes have changed.
#include <cstdio>
#include <vector>

namespace {

class ExactCover {
  public:
    explicit ExactCover(int cols) : left(cols + 1), right(cols + 1), size(cols + 1) {
        for (int c = 0; c <= cols; c++) {
            left[c] = c > 0 ? c - 1 : cols;
            right[c] = c < cols ? c + 1 : 0;
            nodes.push_back({c, c, c});
        }
        nodes.push_back({0, 0, 0});  // the first spacer
    }

    // Puts a row's nodes side by side, with a spacer before and after. The spacer
    // after leads up to the row's first node, the one before down to its last.
    void add(int row, const std::vector<int>& cols) {
        const int first = int(nodes.size());
        for (int c : cols) {
            const int n = int(nodes.size());
            nodes.push_back({nodes[c].up, c, c});
            nodes[nodes[c].up].down = n;
            nodes[c].up = n;
            size[c]++;
        }
        nodes[first - 1].down = int(nodes.size()) - 1;
        nodes.push_back({first, 0, -row});
    }

    // Says whether the open columns can be covered.
    bool search() {
        if (right[0] == 0) return true;
        int best = right[0];
        for (int c = right[best]; c != 0; c = right[c])
            if (size[c] < size[best]) best = c;
        cover(best);
        for (int n = nodes[best].down; n != best; n = nodes[n].down) {
            forward(n, [this](int j) { cover(nodes[j].col); });
            if (search()) return true;
            backward(n, [this](int j) { uncover(nodes[j].col); });
        }
        uncover(best);
        return false;
    }

  private:
    struct Node {
        int up, down;
        int col;  // of a spacer: minus the row before it
    };

    std::vector<int> left, right;  // the ring of open columns, from 0
    std::vector<int> size;         // rows left in a column
    std::vector<Node> nodes;       // first the columns' headers

    // Visits the other nodes of n's row, to the right and round.
    template <class Visit>
    void forward(int n, Visit visit) {
        for (int j = n + 1; j != n;) {
            if (nodes[j].col <= 0)
                j = nodes[j].up;
            else
                visit(j++);
        }
    }

    // Visits them in the opposite order.
    template <class Visit>
    void backward(int n, Visit visit) {
        for (int j = n - 1; j != n;) {
            if (nodes[j].col <= 0)
                j = nodes[j].down;
            else
                visit(j--);
        }
    }

    void cover(int c) {
        left[right[c]] = left[c];
        right[left[c]] = right[c];
        for (int i = nodes[c].down; i != c; i = nodes[i].down) {
            forward(i, [this](int j) {
                const Node& n = nodes[j];
                nodes[n.down].up = n.up;
                nodes[n.up].down = n.down;
                size[n.col]--;
            });
        }
    }

    void uncover(int c) {
        for (int i = nodes[c].up; i != c; i = nodes[i].up) {
            backward(i, [this](int j) {
                const Node& n = nodes[j];
                size[n.col]++;
                nodes[n.down].up = nodes[n.up].down = j;
            });
        }
        left[right[c]] = right[left[c]] = c;
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
    int m, n;
    std::vector<int> ones;
    while (number(m) && number(n)) {
        ExactCover matrix(n);
        for (int row = 1; row <= m; row++) {
            ones.clear();
            for (int bit, c = 1; c <= n && number(bit); c++)
                if (bit) ones.push_back(c);
            matrix.add(row, ones);
        }
        puts(matrix.search() ? "Yes, I found it" : "It is impossible");
    }
}
