// Sudoku as exact cover 729×324 on linked nodes without any headers.
//
// Idea: lists end in nullptr; a column and a row (one digit in one cell) know
// their last node. A row that contradicts a chosen one leaves all its columns
// but keeps its own links, so that rows can come back in the reverse order. A
// column that is left with one row is the next step, one that is left with none
// ends the branch; otherwise one with the fewest rows is looked for.
//
// Source: the algorithm of a published solution of POJ 3074 by CNYALI_LK, which
// looks at all columns in each step, marks rows that are gone, and allocates all
// nodes anew for each puzzle and frees none (run_time_error/leak.cpp); here one
// array of nodes serves every puzzle, and rows that givens rule out are left out.
//
// Time: exponential at worst; 30 µs for a puzzle with 17 givens, 1 ms for the
// hardest known. Memory: 2916 nodes of 40 bytes, whatever the number of puzzles.
// Weak: no headers, so every link at an end of a list is a case of its own.
#include <array>
#include <iostream>
#include <string>
#include <vector>

namespace {

struct Node;

struct Column {
    Node* last = nullptr;
    int rows = 0;  // that are left
    bool covered = false;
};

struct Node {
    Node *up, *down, *left;
    Column* in;
    int row;  // 9·cell + digit - 1
};

class ExactCover {
  public:
    void solve(std::string& puzzle) {
        columns.fill({});
        forced.clear();
        taken.clear();
        empty = false;
        used = 0;
        for (int cell = 0; cell < 81; cell++)
            if (puzzle[cell] != '.')
                for (Column* c : of(cell, puzzle[cell] - '1')) c->covered = true;
        for (int cell = 0; cell < 81; cell++)
            for (int d = 0; d < 9 && puzzle[cell] == '.'; d++) {
                auto four = of(cell, d);
                if (!four[1]->covered && !four[2]->covered && !four[3]->covered) add(9 * cell + d, four);
            }
        for (Column& c : columns)
            if (c.rows == 1) forced.push_back(&c);
        search(puzzle);
    }

  private:
    std::array<Node, 4 * 729> pool;
    int used = 0;
    std::array<Node*, 729> lastRow;
    std::array<Column, 324> columns;
    std::vector<Node*> taken;     // rows taken out, in order
    std::vector<Column*> forced;  // left with one row, since the last step back
    bool empty = false;           // a column was left with none

    std::array<Column*, 4> of(int cell, int d) {
        int r = cell / 9, c = cell % 9;
        return {&columns[cell], &columns[81 + 9 * r + d], &columns[162 + 9 * c + d],
                &columns[243 + 9 * (r / 3 * 3 + c / 3) + d]};
    }

    void add(int row, const std::array<Column*, 4>& four) {
        Node* left = nullptr;
        for (Column* in : four) {
            Node* n = &pool[used++];
            *n = Node{in->last, nullptr, left, in, row};
            if (n->up) n->up->down = n;
            in->last = left = n;
            in->rows++;
        }
        lastRow[row] = left;
    }

    void takeOut(Node* row) {
        taken.push_back(row);
        for (Node* n = row; n; n = n->left) {
            if (n->up) n->up->down = n->down;
            if (n->down)
                n->down->up = n->up;
            else
                n->in->last = n->up;
            if (--n->in->rows > 1 || n->in->covered) continue;
            if (n->in->rows == 1)
                forced.push_back(n->in);
            else
                empty = true;
        }
    }

    void putBack(Node* row) {
        for (Node* n = row; n; n = n->left) {
            n->in->rows++;
            if (n->up) n->up->down = n;
            if (n->down)
                n->down->up = n;
            else
                n->in->last = n;
        }
    }

    // choose covers the columns of a row and takes out all other rows that meet
    // it. It returns whether every column still has a row.
    bool choose(Node* row) {
        for (Node* n = row; n; n = n->left) n->in->covered = true;
        for (Node* n = row; n && !empty; n = n->left) {
            for (Node* other = n->up; other; other = other->up) takeOut(lastRow[other->row]);
            for (Node* other = n->down; other; other = other->down) takeOut(lastRow[other->row]);
        }
        return !empty;
    }

    Column* next() {
        while (!forced.empty()) {
            Column* c = forced.back();
            forced.pop_back();
            if (!c->covered) return c;
        }
        Column* best = nullptr;
        for (Column& c : columns)
            if (!c.covered && (!best || c.rows < best->rows)) best = &c;
        return best;
    }

    bool search(std::string& answer) {
        Column* best = next();
        if (!best) return true;
        const size_t mark = taken.size();
        for (Node* n = best->last; n; n = n->up) {
            if (choose(lastRow[n->row]) && search(answer)) {
                answer[n->row / 9] = char('1' + n->row % 9);
                return true;
            }
            for (Node* m = lastRow[n->row]; m; m = m->left) m->in->covered = false;
            for (; taken.size() > mark; taken.pop_back()) putBack(taken.back());
            forced.clear();
            empty = false;
        }
        return false;
    }
};

ExactCover sudoku;

}  // namespace

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    std::string puzzle;
    while (std::cin >> puzzle && puzzle.size() == 81) {
        sudoku.solve(puzzle);
        std::cout << puzzle << '\n';
    }
}
