//! Pentominoes as exact cover, solved by dancing links in arrays.
//!
//! Idea: a piece on five squares is an option that covers these squares, which
//! must be covered, and the piece, which must be only if all twelve are needed.
//! Covering an item takes it and its options out of doubly linked lists in such
//! a way that the same steps backwards restore them. Options lie one after
//! another between spacers, so that only the vertical links dance.
//!
//! Source: D. E. Knuth, "Dancing links" (2000), arXiv cs/0011047, and The Art of
//! Computer Programming, volume 4B (2022), 7.2.2.1, algorithm X.
//!
//! Time: the search always branches on a square or piece with the fewest options
//! left; it grows exponentially with the board, 3 by 20 takes about 50 ms.
//!
//! Memory: some ten thousand nodes of 12 bytes, used again for each board.
//!
//! Weak: every option that leaves is unlinked from each of its other items, one
//! memory access after another.

use std::io::{self, Read};

/// The head of the ring of items is 0, and items are nodes too. The nodes of an
/// option follow each other; the node before and the one behind are spacers,
/// whose item is 0 or less and tells the option (behind it).
#[derive(Clone, Copy, Default)]
struct Node {
    up: usize,
    down: usize,
    item: isize,
}

#[derive(Default)]
struct Matrix {
    left: Vec<usize>,
    right: Vec<usize>,
    size: Vec<u32>,
    node: Vec<Node>,
    spacer: usize, // before the option that comes next
    options: isize,
    count: u64,
}

impl Matrix {
    /// Begins anew. Items are counted from 0; those that must be covered come first.
    fn reset(&mut self, primary: usize, items: usize) {
        self.left = (0..=items).collect();
        self.right = (0..=items).collect();
        self.size = vec![0; items + 1];
        for i in 0..primary {
            self.right[i] = i + 1;
            self.left[i + 1] = i;
        }
        self.right[primary] = 0;
        self.left[0] = primary;
        self.node.clear();
        self.node.extend((0..=items).map(|i| Node {
            up: i,
            down: i,
            item: i as isize,
        }));
        self.spacer = self.node.len();
        self.node.push(Node::default());
        self.options = 0;
        self.count = 0;
    }

    fn add(&mut self, items: &[usize]) {
        for &i in items {
            let (n, it) = (self.node.len(), i + 1);
            let up = self.node[it].up;
            self.node.push(Node {
                up,
                down: it,
                item: it as isize,
            });
            self.node[up].down = n;
            self.node[it].up = n;
            self.size[it] += 1;
        }
        let behind = self.node.len();
        self.node[self.spacer].down = behind - 1;
        self.node.push(Node {
            up: self.spacer + 1,
            down: 0,
            item: -self.options,
        });
        self.spacer = behind;
        self.options += 1;
    }

    fn cover(&mut self, it: usize) {
        let (l, r) = (self.left[it], self.right[it]);
        self.right[l] = r;
        self.left[r] = l;
        let mut n = self.node[it].down;
        while n != it {
            let mut m = n + 1;
            while m != n {
                let Node { up, down, item } = self.node[m];
                if item <= 0 {
                    m = up;
                    continue;
                }
                self.node[up].down = down;
                self.node[down].up = up;
                self.size[item as usize] -= 1;
                m += 1;
            }
            n = self.node[n].down;
        }
    }

    fn uncover(&mut self, it: usize) {
        let mut n = self.node[it].up;
        while n != it {
            let mut m = n - 1;
            while m != n {
                let Node { up, down, item } = self.node[m];
                if item <= 0 {
                    m = down;
                    continue;
                }
                self.size[item as usize] += 1;
                self.node[up].down = m;
                self.node[down].up = m;
                m -= 1;
            }
            n = self.node[n].up;
        }
        let (l, r) = (self.left[it], self.right[it]);
        self.right[l] = it;
        self.left[r] = it;
    }

    fn search(&mut self) {
        let mut best = self.right[0];
        if best == 0 {
            self.count += 1;
            return;
        }
        let mut it = self.right[best];
        while it != 0 && self.size[best] > 0 {
            if self.size[it] < self.size[best] {
                best = it;
            }
            it = self.right[it];
        }
        if self.size[best] == 0 {
            return;
        }
        self.cover(best);
        let mut n = self.node[best].down;
        while n != best {
            let mut m = n + 1;
            while m != n {
                let Node { up, item, .. } = self.node[m];
                if item <= 0 {
                    m = up;
                    continue;
                }
                self.cover(item as usize);
                m += 1;
            }
            self.search();
            m = n - 1;
            while m != n {
                let Node { down, item, .. } = self.node[m];
                if item <= 0 {
                    m = down;
                    continue;
                }
                self.uncover(item as usize);
                m -= 1;
            }
            n = self.node[n].down;
        }
        self.uncover(best);
    }
}

const PIECES: [&str; 12] = [
    ".##/##./.#.",
    "#####",
    "#./#./#./##",
    ".#/.#/##/#.",
    "##/##/#.",
    "###/.#./.#.",
    "#.#/###",
    "#../#../###",
    "#../##./.##",
    ".#./###/.#.",
    ".#/##/.#/.#",
    "##./.#./.##",
];

/// The ways to turn and reflect the pieces: a piece and its squares in reading
/// order, each as its distance from the first on a board that is 32 wide.
fn shapes() -> Vec<(usize, [usize; 5])> {
    let mut all = Vec::new();
    for (p, drawn) in PIECES.iter().enumerate() {
        for turn in 0..8 {
            let mut v = Vec::new();
            for (r, line) in drawn.split('/').enumerate() {
                for (c, ch) in line.bytes().enumerate() {
                    if ch == b'#' {
                        let r = if turn & 1 != 0 { 8 - r } else { 8 + r };
                        let c = if turn & 2 != 0 { 8 - c } else { 8 + c };
                        v.push(if turn & 4 != 0 {
                            32 * c + r
                        } else {
                            32 * r + c
                        });
                    }
                }
            }
            v.sort();
            let shape = (p, [0, 1, 2, 3, 4].map(|i| v[i] - v[0]));
            if !all.contains(&shape) {
                all.push(shape);
            }
        }
    }
    all
}

/// The items of the options, and the number of free squares. A free square is an
/// item that must be covered; a piece comes behind them.
fn options(board: &[&[u8]], shapes: &[(usize, [usize; 5])]) -> (Vec<Vec<usize>>, usize) {
    let mut item = [None; 25 * 32];
    let mut free = 0;
    for (r, line) in board.iter().enumerate() {
        for (c, &ch) in line.iter().enumerate() {
            if ch == b'.' {
                item[32 * r + c] = Some(free);
                free += 1;
            }
        }
    }
    let mut options = Vec::new();
    for first in 0..20 * 32 {
        for (piece, at) in shapes {
            let mut o: Vec<usize> = at.iter().map_while(|d| item[first + d]).collect();
            if o.len() == 5 {
                o.push(free + piece);
                options.push(o);
            }
        }
    }
    (options, free)
}

fn main() {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).unwrap();
    let mut word = text.split_ascii_whitespace();
    let boards = word.next().unwrap().parse().unwrap();
    let shapes = shapes();
    let mut m = Matrix::default();
    for _ in 0..boards {
        let height = word.next().unwrap().parse().unwrap();
        word.next(); // the width; a line has it
        let board: Vec<&[u8]> = (0..height)
            .map(|_| word.next().unwrap().as_bytes())
            .collect();
        let (options, free) = options(&board, &shapes);
        if free % 5 != 0 {
            println!("0");
            continue;
        }
        // All twelve pieces must be used if they are all needed.
        let must = if free == 60 { 72 } else { free };
        m.reset(must, free + 12);
        for o in &options {
            m.add(o);
        }
        m.search();
        println!("{}", m.count);
    }
}
