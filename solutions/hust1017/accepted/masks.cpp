// Exact cover by sets of rows and of columns in words.
//
// Idea: rows that may still be chosen are a set of bits, and so are the rows
// of a column; what a column has left is an intersection. A chosen row takes
// away all rows that meet it, a set known beforehand. Each step branches on a
// column with the fewest rows left. Nothing is linked and nothing has to be
// undone.
//
// Source: the minimum remaining values rule of S. W. Golomb and L. D. Baumert,
// "Backtrack programming", JACM 12 (1965), on words.
//
// Time: exponential at worst; for most matrices as long as reading them. A
// step looks at all words of all open columns. Memory: 400 KB for the sets of
// all rows and columns.
//
// Weak: many rows of which few are left, as each step looks at the words of
// all.
#include <bitset>
#include <cstdio>
#include <vector>

namespace {

constexpr int maxCols = 1000;

using ColSet = std::bitset<maxCols>;

// number reads the next number, or says that there is none.
bool number(int& n) {
    int c = getchar_unlocked();
    while (c != EOF && !(c >= '0' && c <= '9')) c = getchar_unlocked();
    if (c == EOF) return false;
    for (n = 0; c >= '0' && c <= '9'; c = getchar_unlocked()) n = 10 * n + (c - '0');
    return true;
}

// Its sets of rows have room for so many, as few as will do.
template <std::size_t maxRows>
class ExactCover {
  public:
    using RowSet = std::bitset<maxRows>;

    std::vector<int> chosen;

    ExactCover(int rows, int cols) : has(cols), covers(rows), meets(rows) {}

    void add(int row, int col) {
        has[col].set(row);
        covers[row].set(col);
    }

    bool solve() {
        RowSet alive;
        for (std::size_t row = 0; row < covers.size(); row++) {
            alive.set(row);
            for (std::size_t c = 0; c < has.size(); c++)
                if (covers[row][c]) meets[row] |= has[c];
        }
        std::vector<int> open(has.size());
        for (std::size_t c = 0; c < open.size(); c++) open[c] = int(c);
        return search(alive, open);
    }

  private:
    std::vector<RowSet> has;     // the rows with a one in the column
    std::vector<ColSet> covers;  // the columns of the row
    std::vector<RowSet> meets;   // the rows that have a column in common with the row

    // Says whether the open columns can be covered by rows that are alive. If so,
    // chosen has the rows.
    bool search(const RowSet& alive, const std::vector<int>& open) {
        if (open.empty()) return true;
        RowSet options;
        std::size_t fewest = maxRows + 1;
        for (int c : open) {
            const RowSet left = has[c] & alive;
            const std::size_t n = left.count();
            if (n < fewest) {
                options = left;
                fewest = n;
                if (n == 0) return false;
            }
        }
        for (std::size_t row = options._Find_first(); row < maxRows; row = options._Find_next(row)) {
            std::vector<int> rest;
            rest.reserve(open.size());
            for (int c : open)
                if (!covers[row][c]) rest.push_back(c);
            chosen.push_back(int(row) + 1);
            if (search(alive & ~meets[row], rest)) return true;
            chosen.pop_back();
        }
        return false;
    }
};

template <std::size_t maxRows>
void solve(int n, int m) {
    ExactCover<maxRows> matrix(n, m);
    for (int count, row = 0; row < n && number(count); row++)
        for (int c; count > 0 && number(c); count--) matrix.add(row, c - 1);
    if (!matrix.solve()) {
        puts("NO");
        return;
    }
    printf("%zu", matrix.chosen.size());
    for (int row : matrix.chosen) printf(" %d", row);
    puts("");
}

}  // namespace

int main() {
    int n, m;
    while (number(n) && number(m)) {
        if (n <= 64)
            solve<64>(n, m);
        else if (n <= 256)
            solve<256>(n, m);
        else
            solve<1024>(n, m);
    }
}
