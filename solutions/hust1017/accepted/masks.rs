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
use std::io::{self, Read, Write};

const WORDS: usize = 16; // for 1000 rows or columns

type Set = [u64; WORDS];

fn insert(set: &mut Set, i: usize) {
    set[i / 64] |= 1 << (i % 64);
}

// Calls visit for each element, from the least, until it says that it is done.
fn any(set: &Set, mut visit: impl FnMut(usize) -> bool) -> bool {
    for (w, &word) in set.iter().enumerate() {
        let mut rest = word;
        while rest != 0 {
            if visit(64 * w + rest.trailing_zeros() as usize) {
                return true;
            }
            rest &= rest - 1;
        }
    }
    false
}

fn without(a: &Set, b: &Set) -> Set {
    std::array::from_fn(|i| a[i] & !b[i])
}

struct ExactCover {
    has: Vec<Set>,    // the rows with a one in the column
    covers: Vec<Set>, // the columns of the row
    meets: Vec<Set>,  // the rows that have a column in common with the row
    words: usize,     // of a set of rows in use
    chosen: Vec<usize>,
}

impl ExactCover {
    // Says whether the open columns can be covered by rows that are alive. If so,
    // chosen has the rows.
    fn search(&mut self, alive: &Set, open: &Set) -> bool {
        let (mut best, mut fewest) = (None, u32::MAX);
        any(open, |c| {
            let left: u32 =
                self.has[c][..self.words].iter().zip(alive).map(|(a, b)| (a & b).count_ones()).sum();
            if left < fewest {
                (best, fewest) = (Some(c), left);
            }
            fewest == 0
        });
        let best = match best {
            Some(best) => best,
            None => return true,
        };
        let options: Set = std::array::from_fn(|i| self.has[best][i] & alive[i]);
        any(&options, |row| {
            self.chosen.push(row + 1);
            let (less, rest) = (without(alive, &self.meets[row]), without(open, &self.covers[row]));
            if self.search(&less, &rest) {
                return true;
            }
            self.chosen.pop();
            false
        })
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
    let mut out = io::BufWriter::new(io::stdout());
    while let (Some(n), Some(m)) = (input.next(), input.next()) {
        let mut has = vec![[0; WORDS]; m];
        let (mut covers, mut meets) = (vec![[0; WORDS]; n], vec![[0; WORDS]; n]);
        let (mut alive, mut open) = ([0; WORDS], [0; WORDS]);
        (0..m).for_each(|c| insert(&mut open, c));
        for row in 0..n {
            insert(&mut alive, row);
            for _ in 0..input.next().unwrap_or(0) {
                let c = input.next().unwrap_or(1) - 1;
                insert(&mut has[c], row);
                insert(&mut covers[row], c);
            }
        }
        for row in 0..n {
            any(&covers[row], |c| {
                meets[row].iter_mut().zip(&has[c]).for_each(|(a, b)| *a |= b);
                false
            });
        }
        let mut matrix = ExactCover { has, covers, meets, words: (n + 63) / 64, chosen: Vec::new() };
        if !matrix.search(&alive, &open) {
            writeln!(out, "NO")?;
            continue;
        }
        write!(out, "{}", matrix.chosen.len())?;
        for row in &matrix.chosen {
            write!(out, " {row}")?;
        }
        writeln!(out)?;
    }
    out.flush()
}
