// Sudoku as exact cover 729×324 on linked nodes without any headers.
//
// Idea: a column's list ends in nullptr and is entered at its last node; a row
// that contradicts a chosen one leaves all its columns and is marked gone, as a
// column may still be entered through it. Rows come back in reverse order, so a
// gone node's pointers still lead to all nodes that are there.
//
// Source: the algorithm of a published solution of POJ 3074 by CNYALI_LK,
// which allocates all nodes anew for each puzzle and frees none
// (run_time_error/leak.cpp); here one array of nodes serves every puzzle.
//
// Time: exponential at worst; about 0.1 ms for a usual puzzle, 1 ms for the
// hardest known. Memory: 2916 nodes of 40 bytes, whatever the number of puzzles.
// Weak: all 324 columns are looked at in each step, and gone rows are walked
// over again.
#include <array>
#include <iostream>
#include <string>
#include <vector>

namespace {

struct Node {
    Node *up = nullptr, *down = nullptr, *left = nullptr;
    int row = 0, col = 0;
    bool gone = false;
};

class ExactCover {
  public:
    explicit ExactCover(const std::string& puzzle) {
        used = 0;
        for (int cell = 0; cell < 81; cell++) {
            int r = cell / 9, c = cell % 9, box = r / 3 * 3 + c / 3;
            for (int d = 0; d < 9; d++) {
                if (puzzle[cell] != '.' && puzzle[cell] != '1' + d) continue;
                int row = 9 * cell + d;
                for (int col : {cell, 81 + 9 * r + d, 162 + 9 * c + d, 243 + 9 * box + d})
                    add(row, col);
            }
        }
    }

    bool search(std::string& answer) {
        int best = -1, fewest = 10;
        for (int col = 0; col < 324; col++) {
            if (!covered[col] && count[col] < fewest) {
                best = col;
                fewest = count[col];
            }
        }
        if (best < 0) return true;
        if (fewest == 0) return false;
        const size_t mark = taken.size();
        for (Node* n = lastCol[best]; n; n = n->up) {
            if (n->gone) continue;
            choose(n->row);
            answer[n->row / 9] = char('1' + n->row % 9);
            if (search(answer)) return true;
            for (Node* m = lastRow[n->row]; m; m = m->left) covered[m->col] = false;
            for (; taken.size() > mark; taken.pop_back()) putBack(taken.back());
        }
        return false;
    }

  private:
    static std::array<Node, 4 * 729> pool;
    static int used;

    std::array<Node*, 729> lastRow{};
    std::array<Node*, 324> lastCol{};
    std::array<int, 324> count{};
    std::array<bool, 324> covered{};
    std::vector<int> taken;

    void add(int row, int col) {
        Node* n = &pool[used++];
        *n = Node{lastCol[col], nullptr, lastRow[row], row, col, false};
        if (n->up) n->up->down = n;
        lastRow[row] = lastCol[col] = n;
        count[col]++;
    }

    void takeOut(int row) {
        if (lastRow[row]->gone) return;
        taken.push_back(row);
        for (Node* n = lastRow[row]; n; n = n->left) {
            n->gone = true;
            if (n->up) n->up->down = n->down;
            if (n->down) n->down->up = n->up;
            count[n->col]--;
        }
    }

    void putBack(int row) {
        for (Node* n = lastRow[row]; n; n = n->left) {
            n->gone = false;
            if (n->up) n->up->down = n;
            if (n->down) n->down->up = n;
            count[n->col]++;
        }
    }

    void choose(int row) {
        for (Node* n = lastRow[row]; n; n = n->left) {
            covered[n->col] = true;
            for (Node* other = n->up; other; other = other->up) takeOut(other->row);
            for (Node* other = n->down; other; other = other->down) takeOut(other->row);
        }
        takeOut(row);
    }
};

std::array<Node, 4 * 729> ExactCover::pool;
int ExactCover::used;

}  // namespace

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    std::string puzzle, answer(81, '.');
    while (std::cin >> puzzle && puzzle.size() == 81) {
        ExactCover(puzzle).search(answer);
        std::cout << answer << '\n';
    }
}
