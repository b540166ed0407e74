// Treasure Map by sets of rectangles and of cells in words.
//
// Idea: rectangles that may still be taken are a set of bits, and so are the
// rectangles on a cell; what a cell has left is an intersection. A taken
// rectangle takes away all that overlap it, a set known beforehand. Each step
// branches on a cell with the fewest rectangles left. Rectangles are numbered
// from the largest down, so that the first one left tells how many more are
// needed at least; equal ones count once.
//
// Source: the minimum remaining values rule of S. W. Golomb and L. D. Baumert,
// "Backtrack programming", JACM 12 (1965), on words.
//
// Time: exponential at worst. A step looks at 8 words for each blank cell.
// Memory: 160 KB for the sets of all rectangles and cells.
//
// Weak: many rectangles of which few are left, as each step looks at the words
// of all.
#include <algorithm>
#include <bitset>
#include <cstdio>
#include <tuple>
#include <vector>

namespace {

constexpr int maxRects = 500, maxCells = 900;

using RectSet = std::bitset<maxRects>;
using CellSet = std::bitset<maxCells>;

struct Rect {
    int x1, y1, x2, y2;  // the cells from (x1, y1) to before (x2, y2)

    int area() const { return (x2 - x1) * (y2 - y1); }
    bool overlaps(const Rect& r) const { return x1 < r.x2 && r.x1 < x2 && y1 < r.y2 && r.y1 < y2; }
    auto key() const { return std::tuple(-area(), x1, y1, x2); }  // the largest first
};

// number reads the next number, or says that there is none.
bool number(int& n) {
    int c = getchar_unlocked();
    while (c != EOF && !(c >= '0' && c <= '9')) c = getchar_unlocked();
    if (c == EOF) return false;
    for (n = 0; c >= '0' && c <= '9'; c = getchar_unlocked()) n = 10 * n + (c - '0');
    return true;
}

class Map {
  public:
    int least;

    Map(int n, int m, const std::vector<Rect>& all)
        : least(int(all.size()) + 1), rects(all), on(n * m), cells(all.size()), overlaps(all.size()) {
        CellSet blank;
        for (int c = 0; c < n * m; c++) blank.set(c);
        RectSet alive;
        for (std::size_t r = 0; r < rects.size(); r++) {
            const Rect& rect = rects[r];
            alive.set(r);
            for (int x = rect.x1; x < rect.x2; x++) {
                for (int y = rect.y1; y < rect.y2; y++) {
                    on[m * x + y].set(r);
                    cells[r].set(m * x + y);
                }
            }
            for (std::size_t s = 0; s < rects.size(); s++)
                if (rect.overlaps(rects[s])) overlaps[r].set(s);
        }
        search(alive, blank, 0, n * m);
    }

  private:
    std::vector<Rect> rects;
    std::vector<RectSet> on;        // the rectangles on a cell
    std::vector<CellSet> cells;     // the cells of a rectangle
    std::vector<RectSet> overlaps;  // the rectangles that share a cell with one

    // Looks for covers of the blank cells by rectangles that are alive, so that
    // there are fewer than least with those chosen already.
    void search(const RectSet& alive, const CellSet& blank, int chosen, int left) {
        if (left == 0) {
            least = std::min(least, chosen);
            return;
        }
        if (alive.none()) return;
        const int biggest = rects[alive._Find_first()].area();
        if (chosen + (left + biggest - 1) / biggest >= least) return;
        RectSet options;
        std::size_t fewest = maxRects + 1;
        for (std::size_t c = blank._Find_first(); c < maxCells; c = blank._Find_next(c)) {
            const RectSet here = on[c] & alive;
            const std::size_t n = here.count();
            if (n < fewest) {
                options = here;
                fewest = n;
            }
        }
        for (std::size_t r = options._Find_first(); r < maxRects; r = options._Find_next(r))
            search(alive & ~overlaps[r], blank & ~cells[r], chosen + 1, left - rects[r].area());
    }
};

}  // namespace

int main() {
    int cases, n, m, p;
    for (number(cases); cases > 0 && number(n) && number(m) && number(p); cases--) {
        std::vector<Rect> rects(p);
        for (Rect& r : rects)
            if (!(number(r.x1) && number(r.y1) && number(r.x2) && number(r.y2))) return 0;
        const auto before = [](const Rect& a, const Rect& b) { return a.key() < b.key(); };
        const auto same = [](const Rect& a, const Rect& b) { return a.key() == b.key(); };
        std::sort(rects.begin(), rects.end(), before);
        rects.erase(std::unique(rects.begin(), rects.end(), same), rects.end());
        const Map map(n, m, rects);
        printf("%d\n", map.least > int(rects.size()) ? -1 : map.least);
    }
}
