// Sudoku as exact cover 729×324 on linked nodes without any headers.
//
// Idea: lists end in NONE; a column knows its last node, a row (one digit in one
// cell) is four nodes in a line. A row that contradicts a chosen one leaves all
// its columns but keeps its own links, so that rows can come back in the reverse
// order. A column that is left with one row is the next step, one that is left
// with none ends the branch; otherwise one with the fewest rows is looked for.
// Links are indices of one array: what Rust makes of pointers that come and go.
//
// Source: the algorithm of a published solution of POJ 3074 by CNYALI_LK, which
// allocates all nodes anew for each puzzle and frees none
// (run_time_error/leak.cpp); here they serve every puzzle.
//
// Time: exponential at worst; 30 µs for a puzzle with 17 givens, 1 ms for the
// hardest known. Memory: 2916 nodes of 8 bytes.
// Weak: no headers, so every link at an end of a list is a case of its own.
use std::io::{self, BufRead, Write};

const NONE: u16 = u16::MAX;

#[derive(Clone, Copy, Default)]
struct Node {
    up: u16,
    down: u16,
    col: u16,
    row: u16, // 9·cell + digit - 1
}

#[derive(Clone, Copy)]
struct Column {
    last: u16,
    rows: u8, // that are left
    covered: bool,
}

struct ExactCover {
    pool: Vec<Node>,
    columns: Vec<Column>,
    first: [u16; 729],  // the first node of a row
    taken: Vec<u16>,    // first nodes of the rows taken out, in order
    forced: Vec<usize>, // columns left with one row, since the last step back
    empty: bool,        // a column was left with none
}

fn columns_of(cell: usize, d: usize) -> [usize; 4] {
    let (r, c) = (cell / 9, cell % 9);
    [cell, 81 + 9 * r + d, 162 + 9 * c + d, 243 + 9 * (r / 3 * 3 + c / 3) + d]
}

impl ExactCover {
    fn solve(&mut self, puzzle: &mut [u8]) {
        self.pool.clear();
        self.columns.fill(Column { last: NONE, rows: 0, covered: false });
        self.taken.clear();
        self.forced.clear();
        self.empty = false;
        for cell in (0..81).filter(|&c| puzzle[c] != b'.') {
            for col in columns_of(cell, (puzzle[cell] - b'1') as usize) {
                self.columns[col].covered = true;
            }
        }
        for cell in (0..81).filter(|&c| puzzle[c] == b'.') {
            for d in 0..9 {
                let four = columns_of(cell, d);
                if four.iter().all(|&col| !self.columns[col].covered) {
                    self.add(9 * cell + d, four);
                }
            }
        }
        for col in 0..324 {
            if self.columns[col].rows == 1 {
                self.forced.push(col);
            }
        }
        self.search(puzzle);
    }

    fn add(&mut self, row: usize, four: [usize; 4]) {
        self.first[row] = self.pool.len() as u16;
        for col in four {
            let n = self.pool.len() as u16;
            let c = &mut self.columns[col];
            self.pool.push(Node { up: c.last, down: NONE, col: col as u16, row: row as u16 });
            if c.last != NONE {
                self.pool[c.last as usize].down = n;
            }
            c.last = n;
            c.rows += 1;
        }
    }

    fn take_out(&mut self, first: u16) {
        self.taken.push(first);
        for n in first as usize..first as usize + 4 {
            let Node { up, down, col, .. } = self.pool[n];
            if up != NONE {
                self.pool[up as usize].down = down;
            }
            let c = &mut self.columns[col as usize];
            if down != NONE {
                self.pool[down as usize].up = up;
            } else {
                c.last = up;
            }
            c.rows -= 1;
            if c.rows > 1 || c.covered {
                continue;
            }
            if c.rows == 1 {
                self.forced.push(col as usize);
            } else {
                self.empty = true;
            }
        }
    }

    fn put_back(&mut self, first: u16) {
        for n in (first..first + 4).rev() {
            let Node { up, down, col, .. } = self.pool[n as usize];
            if up != NONE {
                self.pool[up as usize].down = n;
            }
            let c = &mut self.columns[col as usize];
            if down != NONE {
                self.pool[down as usize].up = n;
            } else {
                c.last = n;
            }
            c.rows += 1;
        }
    }

    fn take_out_all(&mut self, mut n: u16, link: fn(&Node) -> u16) {
        while n != NONE {
            self.take_out(self.first[self.pool[n as usize].row as usize]);
            n = link(&self.pool[n as usize]);
        }
    }

    /// Covers the columns of a row and takes out all other rows that meet it.
    /// Returns whether every column still has a row.
    fn choose(&mut self, first: u16) -> bool {
        let four = first as usize..first as usize + 4;
        for n in four.clone() {
            self.columns[self.pool[n].col as usize].covered = true;
        }
        for n in four {
            self.take_out_all(self.pool[n].up, |n| n.up);
            self.take_out_all(self.pool[n].down, |n| n.down);
            if self.empty {
                return false;
            }
        }
        true
    }

    fn next(&mut self) -> Option<usize> {
        while let Some(col) = self.forced.pop() {
            if !self.columns[col].covered {
                return Some(col);
            }
        }
        (0..324).filter(|&c| !self.columns[c].covered).min_by_key(|&c| self.columns[c].rows)
    }

    fn search(&mut self, answer: &mut [u8]) -> bool {
        let best = match self.next() {
            Some(best) => best,
            None => return true,
        };
        let mark = self.taken.len();
        let mut n = self.columns[best].last;
        while n != NONE {
            let row = self.pool[n as usize].row as usize;
            let first = self.first[row];
            if self.choose(first) && self.search(answer) {
                answer[row / 9] = b'1' + (row % 9) as u8;
                return true;
            }
            for m in first as usize..first as usize + 4 {
                self.columns[self.pool[m].col as usize].covered = false;
            }
            while self.taken.len() > mark {
                let row = self.taken.pop().unwrap();
                self.put_back(row);
            }
            self.forced.clear();
            self.empty = false;
            n = self.pool[n as usize].up;
        }
        false
    }
}

fn main() {
    let mut sudoku = ExactCover {
        pool: Vec::with_capacity(4 * 729),
        columns: vec![Column { last: NONE, rows: 0, covered: false }; 324],
        first: [0; 729],
        taken: Vec::new(),
        forced: Vec::new(),
        empty: false,
    };
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let mut puzzle = line.unwrap().into_bytes();
        if puzzle.len() != 81 {
            break;
        }
        sudoku.solve(&mut puzzle);
        puzzle.push(b'\n');
        out.write_all(&puzzle).unwrap();
    }
}
