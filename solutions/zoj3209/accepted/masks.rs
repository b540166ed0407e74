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
use std::io::{self, Read, Write};

type RectSet = [u64; 8]; // of 500
type CellSet = [u64; 15]; // of 900

// The cells from (x1, y1) to before (x2, y2).
#[derive(Clone, Copy, PartialEq)]
struct Rect {
    x1: usize,
    y1: usize,
    x2: usize,
    y2: usize,
}

impl Rect {
    fn area(&self) -> usize {
        (self.x2 - self.x1) * (self.y2 - self.y1)
    }

    fn overlaps(&self, r: &Rect) -> bool {
        self.x1 < r.x2 && r.x1 < self.x2 && self.y1 < r.y2 && r.y1 < self.y2
    }
}

fn insert(set: &mut [u64], i: usize) {
    set[i / 64] |= 1 << (i % 64);
}

// Calls visit for each element, from the least.
fn each(set: &[u64], mut visit: impl FnMut(usize)) {
    for (w, &word) in set.iter().enumerate() {
        let mut rest = word;
        while rest != 0 {
            visit(64 * w + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }
}

fn without<const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    std::array::from_fn(|i| a[i] & !b[i])
}

struct Map {
    rects: Vec<Rect>,
    on: Vec<RectSet>,       // the rectangles on a cell
    cells: Vec<CellSet>,    // the cells of a rectangle
    overlaps: Vec<RectSet>, // the rectangles that share a cell with one
    least: usize,
}

impl Map {
    fn new(n: usize, m: usize, mut rects: Vec<Rect>) -> Self {
        rects.sort_by_key(|r| (usize::MAX - r.area(), r.x1, r.y1, r.x2));
        rects.dedup();
        let p = rects.len();
        let mut map = Map {
            on: vec![[0; 8]; n * m],
            cells: vec![[0; 15]; p],
            overlaps: vec![[0; 8]; p],
            least: p + 1,
            rects,
        };
        for (r, rect) in map.rects.iter().enumerate() {
            for x in rect.x1..rect.x2 {
                for y in rect.y1..rect.y2 {
                    insert(&mut map.on[m * x + y], r);
                    insert(&mut map.cells[r], m * x + y);
                }
            }
            for (s, other) in map.rects.iter().enumerate() {
                if rect.overlaps(other) {
                    insert(&mut map.overlaps[r], s);
                }
            }
        }
        map
    }

    // Looks for covers of the blank cells by rectangles that are alive, so that
    // there are fewer than least with those chosen already.
    fn search(&mut self, alive: &RectSet, blank: &CellSet, chosen: usize, left: usize) {
        if left == 0 {
            self.least = self.least.min(chosen);
            return;
        }
        let w = match alive.iter().position(|&word| word != 0) {
            Some(w) => w,
            None => return,
        };
        let biggest = self.rects[64 * w + alive[w].trailing_zeros() as usize].area();
        if chosen + (left + biggest - 1) / biggest >= self.least {
            return;
        }
        let (mut options, mut fewest) = ([0; 8], u32::MAX);
        each(blank, |c| {
            let here: RectSet = std::array::from_fn(|i| self.on[c][i] & alive[i]);
            let n = here.iter().map(|word| word.count_ones()).sum();
            if n < fewest {
                (options, fewest) = (here, n);
            }
        });
        each(&options, |r| {
            let (less, rest) = (without(alive, &self.overlaps[r]), without(blank, &self.cells[r]));
            self.search(&less, &rest, chosen + 1, left - self.rects[r].area());
        });
    }
}

// Numbers takes the input apart.
struct Numbers(Vec<u8>, usize);

impl Iterator for Numbers {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        while !self.0.get(self.1)?.is_ascii_digit() {
            self.1 += 1;
        }
        let mut n = 0;
        while let Some(d) = self.0.get(self.1).filter(|c| c.is_ascii_digit()) {
            n = 10 * n + usize::from(d - b'0');
            self.1 += 1;
        }
        Some(n)
    }
}

fn main() -> io::Result<()> {
    let mut text = Vec::new();
    io::stdin().read_to_end(&mut text)?;
    let mut input = Numbers(text, 0);
    let mut number = move || input.next().unwrap_or(0);
    let mut out = io::BufWriter::new(io::stdout());
    for _ in 0..number() {
        let (n, m, p) = (number(), number(), number());
        let rects = (0..p).map(|_| Rect { x1: number(), y1: number(), x2: number(), y2: number() }).collect();
        let mut map = Map::new(n, m, rects);
        let (mut alive, mut blank) = ([0; 8], [0; 15]);
        (0..map.rects.len()).for_each(|r| insert(&mut alive, r));
        (0..n * m).for_each(|c| insert(&mut blank, c));
        map.search(&alive, &blank, 0, n * m);
        if map.least > map.rects.len() {
            writeln!(out, "-1")?;
        } else {
            writeln!(out, "{}", map.least)?;
        }
    }
    out.flush()
}
