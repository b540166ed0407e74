// Exact cover on linked nodes that are never freed: it exhausts the memory.
//
// Idea: as accepted/bare_links.cpp, but every node is allocated anew for every
// puzzle, rows that givens rule out have nodes too, all columns are looked at in
// each step, and lists are entered through rows that are gone. Of 30 givens remain 489 rows, of 17 givens 593, each of four nodes of
// 48 bytes with the allocator's share: 94 to 114 KB a puzzle.
//
// Source: what a published solution of POJ 3074 by CNYALI_LK does; its nodes are
// larger.
//
// Time: 0.2 ms for a usual puzzle, half of it page faults.
// Memory: 64 MiB after 600 puzzles or so, 180 MB for 2000.
// Crashes: in files with more.
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

struct Node {
    Node *up, *down, *left;
    int row, col;
    bool gone;
};

static Node *lastRow[729], *lastCol[324];
static int count[324];
static bool covered[324];
static std::vector<int> taken;

static void add(int row, int col) {
    Node* n = new Node{lastCol[col], nullptr, lastRow[row], row, col, false};
    if (n->up) n->up->down = n;
    lastRow[row] = lastCol[col] = n;
    count[col]++;
}

static void build(const std::string& puzzle) {
    std::memset(lastRow, 0, sizeof lastRow);
    std::memset(lastCol, 0, sizeof lastCol);
    std::memset(count, 0, sizeof count);
    std::memset(covered, 0, sizeof covered);
    taken.clear();
    for (int cell = 0; cell < 81; cell++) {
        int r = cell / 9, c = cell % 9, box = r / 3 * 3 + c / 3;
        for (int d = 0; d < 9; d++) {
            if (puzzle[cell] != '.' && puzzle[cell] != '1' + d) continue;
            int row = 9 * cell + d;
            add(row, cell);
            add(row, 81 + 9 * r + d);
            add(row, 162 + 9 * c + d);
            add(row, 243 + 9 * box + d);
        }
    }
}

static void takeOut(int row) {
    if (lastRow[row]->gone) return;
    taken.push_back(row);
    for (Node* n = lastRow[row]; n; n = n->left) {
        n->gone = true;
        if (n->up) n->up->down = n->down;
        if (n->down) n->down->up = n->up;
        count[n->col]--;
    }
}

static void putBack(int row) {
    for (Node* n = lastRow[row]; n; n = n->left) {
        n->gone = false;
        if (n->up) n->up->down = n;
        if (n->down) n->down->up = n;
        count[n->col]++;
    }
}

static bool search(std::string& answer) {
    int best = -1, fewest = 10;
    for (int col = 0; col < 324; col++)
        if (!covered[col] && count[col] < fewest) fewest = count[best = col];
    if (best < 0) return true;
    if (fewest == 0) return false;
    size_t mark = taken.size();
    for (Node* n = lastCol[best]; n; n = n->up) {
        if (n->gone) continue;
        for (Node* m = lastRow[n->row]; m; m = m->left) {
            covered[m->col] = true;
            for (Node* other = m->up; other; other = other->up) takeOut(other->row);
            for (Node* other = m->down; other; other = other->down) takeOut(other->row);
        }
        takeOut(n->row);
        answer[n->row / 9] = char('1' + n->row % 9);
        if (search(answer)) return true;
        for (Node* m = lastRow[n->row]; m; m = m->left) covered[m->col] = false;
        for (; taken.size() > mark; taken.pop_back()) putBack(taken.back());
    }
    return false;
}

int main() {
    std::string puzzle, answer(81, '.');
    while (std::cin >> puzzle && puzzle != "end") {
        build(puzzle);
        search(answer);
        std::cout << answer << '\n';
    }
}
