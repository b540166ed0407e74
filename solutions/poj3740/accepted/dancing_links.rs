// Easy Finding by dancing links in arrays.
//
// Idea: the ones of the matrix are nodes in the rings of their columns.
// Covering a column takes it out of the ring of open columns and its rows out
// of all their other columns, in such a way that the same steps backwards
// restore them. Each step branches on a column with the fewest rows left. A
// row's nodes are side by side in the arrays, so that it needs no links of its
// own, only a spacer at each end.
//
// Source: D. E. Knuth, "The Art of Computer Programming", volume 4B (2022),
// section 7.2.2.1, algorithm X with the MRV heuristic; first in his "Dancing
// links" (2000), arXiv cs/0011047.
//
// Time: a step takes the rows of a column, and each of those leaves all
// columns, so that there are at most 3^(16/3), some 350, ends of the search,
// whatever the matrix. Reading it takes as long. Memory: at most 4800 nodes of
// 24 bytes.
//
// Weak: all open columns are looked at in each step, although few of their
// sizes have changed.
use std::io::{self, Read, Write};

#[derive(Clone, Copy)]
struct Node {
    up: usize,
    down: usize,
    col: usize, // 0 in a spacer
}

struct ExactCover {
    left: Vec<usize>, // the ring of open columns, from 0
    right: Vec<usize>,
    size: Vec<usize>, // rows left in a column
    node: Vec<Node>,  // first the columns' headers
}

impl ExactCover {
    fn new(cols: usize) -> Self {
        let mut node: Vec<Node> = (0..=cols).map(|c| Node { up: c, down: c, col: c }).collect();
        node.push(node[0]); // the first spacer
        ExactCover {
            left: (0..=cols).map(|c| if c > 0 { c - 1 } else { cols }).collect(),
            right: (0..=cols).map(|c| if c < cols { c + 1 } else { 0 }).collect(),
            size: vec![0; cols + 1],
            node,
        }
    }

    // Puts a row's nodes side by side, with a spacer before and after. The spacer
    // after leads up to the row's first node, the one before down to its last.
    fn add(&mut self, cols: &[usize]) {
        let first = self.node.len();
        for &col in cols {
            let (n, up) = (self.node.len(), self.node[col].up);
            self.node.push(Node { up, down: col, col });
            self.node[up].down = n;
            self.node[col].up = n;
            self.size[col] += 1;
        }
        self.node[first - 1].down = self.node.len() - 1;
        self.node.push(Node { up: first, down: 0, col: 0 });
    }

    // The node after n in its row, round and round.
    fn after(&self, n: usize) -> usize {
        let next = self.node[n + 1];
        if next.col == 0 { next.up } else { n + 1 }
    }

    fn before(&self, n: usize) -> usize {
        let next = self.node[n - 1];
        if next.col == 0 { next.down } else { n - 1 }
    }

    fn cover(&mut self, c: usize) {
        let (l, r) = (self.left[c], self.right[c]);
        self.left[r] = l;
        self.right[l] = r;
        let mut i = self.node[c].down;
        while i != c {
            let mut j = self.after(i);
            while j != i {
                let Node { up, down, col, .. } = self.node[j];
                self.node[down].up = up;
                self.node[up].down = down;
                self.size[col] -= 1;
                j = self.after(j);
            }
            i = self.node[i].down;
        }
    }

    fn uncover(&mut self, c: usize) {
        let mut i = self.node[c].up;
        while i != c {
            let mut j = self.before(i);
            while j != i {
                let Node { up, down, col, .. } = self.node[j];
                self.size[col] += 1;
                self.node[down].up = j;
                self.node[up].down = j;
                j = self.before(j);
            }
            i = self.node[i].up;
        }
        let (l, r) = (self.left[c], self.right[c]);
        self.left[r] = c;
        self.right[l] = c;
    }

    // Says whether the open columns can be covered.
    fn search(&mut self) -> bool {
        let mut best = self.right[0];
        if best == 0 {
            return true;
        }
        let mut c = self.right[best];
        while c != 0 {
            if self.size[c] < self.size[best] {
                best = c;
            }
            c = self.right[c];
        }
        self.cover(best);
        let mut n = self.node[best].down;
        while n != best {
            let mut j = self.after(n);
            while j != n {
                self.cover(self.node[j].col);
                j = self.after(j);
            }
            if self.search() {
                return true;
            }
            j = self.before(n);
            while j != n {
                self.uncover(self.node[j].col);
                j = self.before(j);
            }
            n = self.node[n].down;
        }
        self.uncover(best);
        false
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
    let mut number = move || input.next();
    let mut out = io::BufWriter::new(io::stdout());
    while let (Some(m), Some(n)) = (number(), number()) {
        let mut matrix = ExactCover::new(n);
        for _ in 0..m {
            let ones: Vec<usize> = (1..=n).filter(|_| number() == Some(1)).collect();
            matrix.add(&ones);
        }
        let answer = if matrix.search() { "Yes, I found it" } else { "It is impossible" };
        writeln!(out, "{answer}")?;
    }
    out.flush()
}
