// Sudoku as exact cover on an orthogonal list with row and column headers.
//
// Idea: every one of the matrix is a node in two rings, one along its row and
// one along its column, each through a header; the column headers form a ring
// of their own. Covering a column takes its header out of that ring and the
// rows it meets out of all their other columns; uncovering does the same
// backwards. A blank cell has up to nine rows of the matrix, a given one; rows
// that a given rules out are not linked at all.
//
// Source: a published solution of the sudoku problem with the two-way
// orthogonal list. It allocates headers and nodes anew for each sudoku and frees
// none, 160 KB a time; here the nodes of one array serve all.
//
// Time: exponential at worst; below 0.1 ms for a usual puzzle, 1 ms for the
// hardest known. Memory: 3970 nodes of 40 bytes, whatever the number of sudokus.
// Weak: row headers serve only to know where a row begins, and each walk along
// a row must step over one.
#include <array>
#include <iostream>
#include <string>

struct Node {
    Node *up, *down, *left, *right;
    int row, col;  // from 1; 0 in the headers of the other kind
};

class CrossLinks {
  public:
    // solve replaces the blanks of a puzzle, row by row, by digits.
    void solve(std::string& puzzle) {
        reset();
        std::array<unsigned, 9> row{}, col{}, box{};  // the digits given there
        for (int at = 0; at < 81; at++) {
            if (puzzle[at] == '0') continue;
            const unsigned bit = 1u << (puzzle[at] - '1');
            row[at / 9] |= bit;
            col[at % 9] |= bit;
            box[at / 27 * 3 + at % 9 / 3] |= bit;
        }
        int option = 0;
        for (int at = 0; at < 81; at++) {
            const int r = at / 9, c = at % 9, b = r / 3 * 3 + c / 3;
            const unsigned can =
                puzzle[at] == '0' ? ~(row[r] | col[c] | box[b]) : 1u << (puzzle[at] - '1');
            for (int d = 0; d < 9; d++) {
                if (!(can >> d & 1)) continue;
                option++;
                cell[option] = at;
                digit[option] = char('1' + d);
                for (int column : {1 + at, 82 + 9 * r + d, 163 + 9 * c + d, 244 + 9 * b + d})
                    link(option, column);
            }
        }
        dance(puzzle);
    }

  private:
    std::array<Node, 4 * 729> pool;
    std::array<Node, 730> rowHead;
    std::array<Node, 325> colHead;  // the first begins the ring of columns
    std::array<int, 325> count;
    std::array<int, 730> cell;
    std::array<char, 730> digit;
    int used = 0;

    void reset() {
        used = 0;
        count.fill(0);
        for (int i = 0; i < 730; i++) {
            Node* h = &rowHead[i];
            *h = {nullptr, nullptr, h, h, i, 0};
        }
        for (int i = 0; i < 325; i++) {
            Node* h = &colHead[i];
            *h = {h, h, &colHead[(i + 324) % 325], &colHead[(i + 1) % 325], 0, i};
        }
    }

    // link puts a node at the end of its row's ring and its column's ring.
    void link(int row, int col) {
        Node *n = &pool[used++], *r = &rowHead[row], *c = &colHead[col];
        *n = {c->up, c, r->left, r, row, col};
        n->up->down = c->up = n;
        n->left->right = r->left = n;
        count[col]++;
    }

    void cover(Node* c) {
        c->left->right = c->right;
        c->right->left = c->left;
        for (Node* i = c->down; i != c; i = i->down) {
            for (Node* j = i->right; j != i; j = j->right) {
                if (j->col == 0) continue;
                j->up->down = j->down;
                j->down->up = j->up;
                count[j->col]--;
            }
        }
    }

    void uncover(Node* c) {
        for (Node* i = c->up; i != c; i = i->up) {
            for (Node* j = i->left; j != i; j = j->left) {
                if (j->col == 0) continue;
                count[j->col]++;
                j->up->down = j->down->up = j;
            }
        }
        c->left->right = c->right->left = c;
    }

    bool dance(std::string& answer) {
        Node* first = &colHead[0];
        if (first->right == first) return true;
        Node* best = first->right;
        for (Node* c = best->right; c != first && count[best->col] > 1; c = c->right)
            if (count[c->col] < count[best->col]) best = c;
        cover(best);
        for (Node* i = best->down; i != best; i = i->down) {
            answer[cell[i->row]] = digit[i->row];
            for (Node* j = i->right; j != i; j = j->right)
                if (j->col != 0) cover(&colHead[j->col]);
            if (dance(answer)) return true;
            for (Node* j = i->left; j != i; j = j->left)
                if (j->col != 0) uncover(&colHead[j->col]);
        }
        uncover(best);
        return false;
    }
};

static CrossLinks links;

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int t;
    std::cin >> t;
    while (t-- > 0) {
        std::string grid, row;
        for (int r = 0; r < 9; r++) {
            std::cin >> row;
            grid += row;
        }
        links.solve(grid);
        for (int r = 0; r < 9; r++) std::cout << grid.substr(9 * r, 9) << '\n';
    }
}
