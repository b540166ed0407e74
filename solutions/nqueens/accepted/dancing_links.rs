//! Queens as exact cover, solved by dancing links in arrays.
//!
//! Idea: a queen on a square is an option that covers a row and a column, which
//! must be covered, and two diagonals, which may be. Covering an item takes it
//! and its options out of doubly linked lists in such a way that the same steps
//! backwards restore them. Options lie one after another between spacers, so
//! that only the vertical links dance.
//!
//! Source: D. E. Knuth, "Dancing links" (2000), arXiv cs/0011047, and The Art of
//! Computer Programming, volume 4B (2022), 7.2.2.1, algorithm X.
//!
//! Time: the number of steps is that of a search which always branches on a row
//! or column with the fewest squares left; the empty board of 12 takes about 40
//! ms.
//!
//! Memory: some thousand nodes of 12 bytes, used again for each board.
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
    chosen: Vec<usize>,
    first: Vec<usize>,
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
            if self.count == 0 {
                self.first = self.chosen.clone();
            }
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
                    self.chosen.push(-item as usize);
                    m = up;
                    continue;
                }
                self.cover(item as usize);
                m += 1;
            }
            self.search();
            self.chosen.pop();
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

/// The items of the options, and their squares. A row or column is an item that
/// must be covered, a diagonal is one that may be.
fn options(board: &[&[u8]]) -> (Vec<Vec<usize>>, Vec<(usize, usize)>) {
    let n = board.len();
    let (mut options, mut squares) = (Vec::new(), Vec::new());
    for (r, line) in board.iter().enumerate() {
        let given = line.iter().position(|&ch| ch == b'Q');
        for c in 0..n {
            if given == Some(c) || given.is_none() && line[c] == b'.' {
                options.push(vec![r, n + c, 2 * n + r + c, 4 * n - 1 + n - 1 - r + c]);
                squares.push((r, c));
            }
        }
    }
    (options, squares)
}

fn main() {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).unwrap();
    let mut word = text.split_ascii_whitespace();
    let boards = word.next().unwrap().parse().unwrap();
    let mut m = Matrix::default();
    for _ in 0..boards {
        let n = word.next().unwrap().parse().unwrap();
        let board: Vec<&[u8]> = (0..n).map(|_| word.next().unwrap().as_bytes()).collect();
        let (options, squares) = options(&board);
        m.reset(2 * n, 6 * n - 2);
        for o in &options {
            m.add(o);
        }
        m.search();
        println!("{}", m.count);
        if m.count > 0 {
            let mut column = vec![String::new(); n];
            for &o in &m.first {
                column[squares[o].0] = (squares[o].1 + 1).to_string();
            }
            println!("{}", column.join(" "));
        }
    }
}
