// Rows that cover every column at least once.
//
// Idea: go over the rows and take each that has a column which none before it
// had.
//
// Source: the statement read as any cover.
//
// Time: as long as reading. Memory: 1 KB.
//
// Wrong: where taken rows overlap; where no exact cover exists but every
// column has a row.
#include <cstdio>
#include <vector>

namespace {

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
    while (number(n) && number(m)) {
        std::vector<bool> covered(m + 1);
        std::vector<int> chosen;
        int left = m;
        for (int count, row = 1; row <= n && number(count); row++) {
            const int before = left;
            for (int c; count > 0 && number(c); count--) {
                if (covered[c]) continue;
                covered[c] = true;
                left--;
            }
            if (left < before) chosen.push_back(row);
        }
        if (left > 0) {
            puts("NO");
            continue;
        }
        printf("%zu", chosen.size());
        for (int row : chosen) printf(" %d", row);
        puts("");
    }
}
