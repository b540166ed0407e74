// Idea: as all_row_orders.go. Only columns are searched; the orders of the rows, at
// most 1296, are bits that are all tried at once. A digit that depends on the order is
// four planes of such bits, so whole planes are compared, as many orders at a
// time as the machine's registers hold. Nothing is done about symmetries.
//
// Source: own; the turn is from the jury's solution of NWERC 2006.
//
// Time: at most 2 * 6381 placements of a column, each a few passes over 21 words.
// Memory: 57 KiB, and 14 KiB for each of at most 512 sets of rows: 7 MiB.
//
// Weak on eight to thirteen givens with few equal digits against a completed grid that
// looks the same from many sides: about a millisecond.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <vector>

namespace {

const int kWords = 22;  // 1296 bits, and even, so that pairs fill registers

using Orders = std::array<std::uint64_t, kWords>;
using Digit = std::array<Orders, 4>;
using Grid = std::array<int, 81>;  // 0 is blank

struct Given {
    int row, digit;
};

// Where three bands or stacks go; -1 is nowhere yet.
struct Thirds {
    std::array<int, 3> image{-1, -1, -1};

    bool may(int line, int to) const {
        const int i = image[line / 3], t = to / 3;
        return i >= 0 ? i == t : std::find(image.begin(), image.end(), t) == image.end();
    }
    Thirds with(int line, int to) const {
        Thirds next = *this;
        next.image[line / 3] = to / 3;
        return next;
    }
};

// The orders of some rows: in which of them a row becomes which.
struct RowOrders {
    int count = 0;
    std::array<std::array<Orders, 9>, 9> becomes{};

    explicit RowOrders(unsigned rows) {
        std::array<int, 9> image{};
        list(rows, 0, 0, {}, image);
    }

    static const RowOrders &of(unsigned rows) {
        static std::map<unsigned, RowOrders> known;
        auto found = known.find(rows);
        if (found == known.end()) found = known.emplace(rows, RowOrders(rows)).first;
        return found->second;
    }

  private:
    // Lists the images that the rows from r on can have.
    void list(unsigned rows, int r, unsigned taken, Thirds bands, std::array<int, 9> &image) {
        while (r < 9 && !(rows >> r & 1)) r++;
        if (r == 9) {
            for (int i = 0; i < 9; i++)
                if (rows >> i & 1) becomes[i][image[i]][count / 64] |= std::uint64_t{1} << count % 64;
            count++;
            return;
        }
        for (int to = 0; to < 9; to++) {
            if ((taken >> to & 1) || !bands.may(r, to)) continue;
            image[r] = to;
            list(rows, r + 1, taken | 1u << to, bands.with(r, to), image);
        }
    }
};

class Search {
  public:
    Search(const Grid &done, const Grid &todo, bool transposed) {
        unsigned rows = 0;
        for (int i = 0; i < 81; i++) {
            if (todo[i] == 0) continue;
            const int r = transposed ? i % 9 : i / 9, c = transposed ? i / 9 : i % 9;
            givens_[c].push_back({r, todo[i]});
            rows |= 1u << r;
        }
        const RowOrders &orders = RowOrders::of(rows);
        count_ = orders.count;
        for (int r = 0; r < 9; r++) {
            if (!(rows >> r & 1)) continue;
            for (int c = 0; c < 9; c++) {
                shows_[r][c].fill(Orders{});
                for (int v = 0; v < 9; v++)
                    for (int k = 0; k < 4; k++)
                        if (done[9 * v + c] >> k & 1)
                            for (int w = 0; w < kWords; w++) shows_[r][c][k][w] |= orders.becomes[r][v][w];
            }
        }
        plan();
    }

    bool run() {
        Orders all{};
        for (int i = 0; i < count_; i++) all[i / 64] |= std::uint64_t{1} << i % 64;
        return from(0, all, 0, {});
    }

  private:
    // Of the orders of the columns with givens that start with one and always go on
    // with the most equal digits for its images, takes the cheapest.
    void plan() {
        double cheapest = std::numeric_limits<double>::infinity();
        for (int start = 0; start < 9; start++) {
            if (givens_[start].empty()) continue;
            std::vector<int> sequence;
            std::array<int, 3> placed{};
            std::array<bool, 10> seen{};
            auto images = [&](int c) {
                int open = 0;
                for (int n : placed) open += n > 0;
                return placed[c / 3] > 0 ? 3 - placed[c / 3] : 3 * (3 - open);
            };
            double nodes = 1, alive = count_, sum = 0;
            for (int c = start; c >= 0;) {
                nodes *= images(c);
                placed[c / 3]++;
                sequence.push_back(c);
                for (auto &g : givens_[c]) {
                    if (seen[g.digit]) alive /= 8;
                    seen[g.digit] = true;
                }
                sum += nodes * std::min(1.0, alive);
                c = -1;
                double best = 0;
                for (int x = 0; x < 9; x++) {
                    if (givens_[x].empty() || std::find(sequence.begin(), sequence.end(), x) != sequence.end()) continue;
                    double worth = 1.0 / images(x) + 1e-6 * givens_[x].size();
                    for (auto &g : givens_[x])
                        if (seen[g.digit]) worth *= 8;
                    if (worth > best) best = worth, c = x;
                }
            }
            if (sum < cheapest) cheapest = sum, plan_ = sequence;
        }
    }

    bool from(size_t n, const Orders &left, unsigned taken, Thirds stacks) {
        if (n == plan_.size()) return true;
        const int c = plan_[n];
        for (int to = 0; to < 9; to++) {
            if ((taken >> to & 1) || !stacks.may(c, to)) continue;
            Orders rest = left;
            if (!agree(c, to, rest)) continue;
            unsigned fresh = 0;
            for (auto &g : givens_[c])
                if (!first_[g.digit]) {
                    first_[g.digit] = &shows_[g.row][to];
                    row_[g.digit] = g.row;
                    fresh |= 1u << g.digit;
                }
            if (from(n + 1, rest, taken | 1u << to, stacks.with(c, to))) return true;
            for (int d = 1; d < 10; d++)
                if (fresh >> d & 1) first_[d] = nullptr;
        }
        return false;
    }

    // Takes from rest what the givens of column c forbid if it becomes column to.
    bool agree(int c, int to, Orders &rest) const {
        for (auto &g : givens_[c])
            if (first_[g.digit] && !compare<true>(shows_[g.row][to], *first_[g.digit], rest)) return false;
        for (auto &g : givens_[c]) {
            if (first_[g.digit]) continue;
            for (int d = 1; d < 10; d++)
                if (first_[d] && row_[d] != g.row && !compare<false>(shows_[g.row][to], *first_[d], rest)) return false;
        }
        return true;
    }

    template <bool equal>
    static bool compare(const Digit &x, const Digit &y, Orders &rest) {
        std::uint64_t any = 0;
        for (int w = 0; w < kWords; w++) {
            const std::uint64_t differ =
                (x[0][w] ^ y[0][w]) | (x[1][w] ^ y[1][w]) | (x[2][w] ^ y[2][w]) | (x[3][w] ^ y[3][w]);
            rest[w] &= equal ? ~differ : differ;
            any |= rest[w];
        }
        return any != 0;
    }

    std::array<std::vector<Given>, 9> givens_;      // by column
    std::array<std::array<Digit, 9>, 9> shows_;     // by row and image of the column
    int count_ = 0;                                 // orders of the rows
    std::vector<int> plan_;                         // columns
    std::array<const Digit *, 10> first_{};         // what the first given of a digit shows
    std::array<int, 10> row_{};                     // and its row
};

Grid read() {
    Grid grid;
    for (int &cell : grid)
        if (std::scanf(" %1d", &cell) != 1) std::exit(1);
    return grid;
}

}  // namespace

int main() {
    int pairs;
    if (std::scanf("%d", &pairs) != 1) return 1;
    while (pairs-- > 0) {
        const Grid done = read(), todo = read();
        const bool yes = Search(done, todo, false).run() || Search(done, todo, true).run();
        std::puts(yes ? "Yes" : "No");
    }
}
