//! Idea: like columns_then_rows.go: all nine columns are fixed first, then the
//! rows, one band after another. Each cell of a band that is not blank must
//! agree with a partial renumbering of the digits, which goes from band to band
//! by value, so that nothing has to be undone.
//!
//! Source: a published accepted program for NWERC 2006, written anew with a
//! one-to-one renumbering (the published one lets two digits become the same).
//!
//! Time: at most 2 * 1296 * 1530 bands compared. Memory: constant.
//!
//! Weak on few givens, which let most of the first two bands pass.

use std::cmp::Reverse;
use std::io::Read;

type Grid = [[u8; 9]; 9];

const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// A partial one-to-one map of digits, four bits for each image and each
/// preimage; 0 is none.
#[derive(Clone, Copy)]
struct Renumbering {
    images: u64,
    preimages: u64,
}

impl Renumbering {
    fn with(self, digit: u8, image: u8) -> Option<Renumbering> {
        let (d, i) = (4 * digit as u32, 4 * image as u32);
        match (self.images >> d & 15, self.preimages >> i & 15) {
            (0, 0) => Some(Renumbering {
                images: self.images | (image as u64) << d,
                preimages: self.preimages | (digit as u64) << i,
            }),
            (known, _) if known == image as u64 => Some(self),
            _ => None,
        }
    }
}

struct Cell {
    row: usize,
    col: usize,
    digit: u8,
}

/// The cells of the three bands that are not blank, the fullest band first.
fn givens(todo: &Grid) -> [Vec<Cell>; 3] {
    let mut bands: [Vec<Cell>; 3] = Default::default();
    for (r, line) in todo.iter().enumerate() {
        for (col, &digit) in line.iter().enumerate() {
            if digit > 0 {
                bands[r / 3].push(Cell { row: r % 3, col, digit });
            }
        }
    }
    bands.sort_by_key(|band| Reverse(band.len()));
    bands
}

/// Places the bands of the incomplete grid that are left on the free bands of
/// `done`, whose columns are read in the order `cols`.
fn place(done: &Grid, cols: &[usize; 9], bands: &[Vec<Cell>], free: &[usize], map: Renumbering) -> bool {
    let (band, rest) = match bands.split_first() {
        Some((band, rest)) if !band.is_empty() => (band, rest),
        _ => return true,
    };
    free.iter().any(|&to| {
        let mut others = [0; 2];
        let mut n = 0;
        for &f in free.iter().filter(|&&f| f != to) {
            others[n] = f;
            n += 1;
        }
        ORDERS.iter().any(|order| {
            band.iter()
                .try_fold(map, |m, c| m.with(c.digit, done[3 * to + order[c.row]][cols[c.col]]))
                .map_or(false, |m| place(done, cols, rest, &others[..n], m))
        })
    })
}

fn some_columns(done: &Grid, bands: &[Vec<Cell>; 3]) -> bool {
    let blank = Renumbering { images: 0, preimages: 0 };
    ORDERS.iter().any(|stacks| {
        (0..216).any(|n| {
            let inner = [ORDERS[n / 36], ORDERS[n / 6 % 6], ORDERS[n % 6]];
            let mut cols = [0; 9];
            for (c, col) in cols.iter_mut().enumerate() {
                *col = 3 * stacks[c / 3] + inner[c / 3][c % 3];
            }
            place(done, &cols, bands, &[0, 1, 2], blank)
        })
    })
}

fn equivalent(done: &Grid, todo: &Grid) -> bool {
    let mut turned = *done;
    for r in 0..9 {
        for c in 0..9 {
            turned[c][8 - r] = done[r][c];
        }
    }
    let bands = givens(todo);
    some_columns(done, &bands) || some_columns(&turned, &bands)
}

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let mut words = text.split_ascii_whitespace();
    let pairs: usize = words.next().unwrap().parse().unwrap();
    let mut digits = words.flat_map(str::bytes).map(|b| b - b'0');
    let mut grid = || {
        let mut grid = [[0; 9]; 9];
        for cell in grid.iter_mut().flatten() {
            *cell = digits.next().unwrap();
        }
        grid
    };
    for _ in 0..pairs {
        let done = grid();
        let todo = grid();
        println!("{}", if equivalent(&done, &todo) { "Yes" } else { "No" });
    }
}
