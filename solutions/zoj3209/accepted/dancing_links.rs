// Treasure Map by dancing links in arrays.
//
// Idea: a cell of the map is a column of a 0/1 matrix and a rectangle a row
// with a one for each of its cells; all exact covers are searched, but no
// further than the smallest one known allows: what is blank needs at least as
// many rectangles as the largest of all would. The ones of the matrix are
// nodes in the rings of their columns. Covering a column takes it out of the
// ring of open columns and its rows out of all their other columns, in such a
// way that the same steps backwards restore them. Each step branches on a
// column with the fewest rows left. A row's nodes are side by side in the
// arrays, so that it needs no links of its own, only a spacer at each end.
//
// Source: D. E. Knuth, "The Art of Computer Programming", volume 4B (2022),
// section 7.2.2.1, algorithm X with the MRV heuristic; first in his "Dancing
// links" (2000), arXiv cs/0011047.
//
// Time: exponential at worst; the bound keeps it to some thousands of steps
// where covers are many. Memory: 32 bytes for each cell of each rectangle,
// which are 450000 at most and some thousands on a usual map.
//
// Weak: all open columns are looked at in each step, although few of their
// sizes have changed.
use std::io::{self, Read, Write};

#[derive(Clone, Copy)]
struct Node {
    up: usize,
    down: usize,
    col: usize, // 0 in a spacer
    row: usize, // of a spacer: the row before it
}

struct ExactCover {
    left: Vec<usize>, // the ring of open columns, from 0
    right: Vec<usize>,
    size: Vec<usize>, // rows left in a column
    node: Vec<Node>,  // first the columns' headers
    area: Vec<usize>, // of a rectangle
    biggest: usize,
    least: usize,
}

impl ExactCover {
    fn new(cols: usize) -> Self {
        let mut node: Vec<Node> = (0..=cols).map(|c| Node { up: c, down: c, col: c, row: 0 }).collect();
        node.push(node[0]); // the first spacer
        ExactCover {
            left: (0..=cols).map(|c| if c > 0 { c - 1 } else { cols }).collect(),
            right: (0..=cols).map(|c| if c < cols { c + 1 } else { 0 }).collect(),
            size: vec![0; cols + 1],
            node,
            area: vec![0],
            biggest: 1,
            least: usize::MAX,
        }
    }

    // Puts a row's nodes side by side, with a spacer before and after. The spacer
    // after leads up to the row's first node, the one before down to its last.
    fn add(&mut self, row: usize, cols: &[usize]) {
        let first = self.node.len();
        for &col in cols {
            let (n, up) = (self.node.len(), self.node[col].up);
            self.node.push(Node { up, down: col, col, row });
            self.node[up].down = n;
            self.node[col].up = n;
            self.size[col] += 1;
        }
        self.node[first - 1].down = self.node.len() - 1;
        self.node.push(Node { up: first, down: 0, col: 0, row });
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

    // Looks for covers of fewer than least rectangles. There are chosen of them
    // already, and blank cells are left.
    fn search(&mut self, chosen: usize, blank: usize) {
        if chosen + (blank + self.biggest - 1) / self.biggest >= self.least {
            return;
        }
        let mut best = self.right[0];
        if best == 0 {
            self.least = chosen;
            return;
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
            self.search(chosen + 1, blank - self.area[self.node[n].row]);
            j = self.before(n);
            while j != n {
                self.uncover(self.node[j].col);
                j = self.before(j);
            }
            n = self.node[n].down;
        }
        self.uncover(best);
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
        let mut map = ExactCover::new(n * m);
        for row in 1..=p {
            let (x1, y1, x2, y2) = (number(), number(), number(), number());
            let cells: Vec<usize> = (x1..x2).flat_map(|x| (y1..y2).map(move |y| 1 + m * x + y)).collect();
            map.area.push(cells.len());
            map.biggest = map.biggest.max(cells.len());
            map.add(row, &cells);
        }
        map.search(0, n * m);
        if map.least > p {
            writeln!(out, "-1")?;
        } else {
            writeln!(out, "{}", map.least)?;
        }
    }
    out.flush()
}
