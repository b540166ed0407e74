// Treasure Map by dancing links of nodes that point at each other.
//
// Idea: a cell of the map is a column of a 0/1 matrix and a rectangle a row
// with a one for each of its cells; all exact covers are searched, but no
// further than the smallest one known allows: what is blank needs at least as
// many rectangles as the largest of all would. Every one of the matrix is a
// node in two rings, that of its row and that of its column; the columns'
// headers are in a third. Covering a column takes its header out and its rows
// out of all their other columns; as a node that has left a ring still knows
// its neighbours, the same steps backwards restore them. Each step branches on
// a column with the fewest rows left.
//
// Source: D. E. Knuth, "Dancing links" (2000), arXiv cs/0011047, which draws
// it with pointers; the S heuristic is there too.
//
// Time: exponential at worst; the bound keeps it to some thousands of steps
// where covers are many. Memory: 56 bytes for each cell of each rectangle,
// which are 450000 at most and some thousands on a usual map.
//
// Weak: a walk goes all over the memory, where arrays would keep neighbours
// together.
use std::io::{self, Read, Write};
use std::ptr;

const MAX_COLS: usize = 900;
const MAX_ONES: usize = 450000;

struct Node {
    left: *mut Node,
    right: *mut Node,
    up: *mut Node,
    down: *mut Node,
    col: *mut Node, // the header
    row: usize,
    size: usize, // of a header: the rows left
}

struct ExactCover {
    pool: Vec<Node>, // never more than its capacity, so that no node moves; its length stays 0
    used: usize,
    root: *mut Node, // begins the ring of open columns
    area: Vec<usize>, // of a rectangle
    biggest: usize,
    least: usize,
}

// All pointers lead into the pool, to nodes that `make` has written since the
// last reset: that is what every unsafe block here relies on.
impl ExactCover {
    fn new() -> Self {
        ExactCover {
            pool: Vec::with_capacity(1 + MAX_COLS + MAX_ONES),
            used: 0,
            root: ptr::null_mut(),
            area: vec![0],
            biggest: 1,
            least: usize::MAX,
        }
    }

    // Makes a node that is alone in both of its rings.
    fn make(&mut self, col: *mut Node, row: usize) -> *mut Node {
        assert!(self.used < self.pool.capacity());
        unsafe {
            let n = self.pool.as_mut_ptr().add(self.used);
            self.used += 1;
            n.write(Node { left: n, right: n, up: n, down: n, col, row, size: 0 });
            n
        }
    }

    // Forgets all rows; the first nodes become the root and the headers.
    fn reset(&mut self, cols: usize) {
        self.used = 0;
        self.root = self.make(ptr::null_mut(), 0);
        for _ in 0..cols {
            let h = self.make(ptr::null_mut(), 0);
            unsafe { link_left(h, self.root) };
        }
    }

    fn add(&mut self, row: usize, cols: &[usize]) {
        let mut first: *mut Node = ptr::null_mut();
        for &c in cols {
            unsafe {
                let h = self.root.add(c);
                let n = self.make(h, row);
                (*n).up = (*h).up;
                (*n).down = h;
                (*(*n).up).down = n;
                (*h).up = n;
                (*h).size += 1;
                if first.is_null() {
                    first = n;
                } else {
                    link_left(n, first);
                }
            }
        }
    }

    // Looks for covers of fewer than least rectangles. There are chosen of them
    // already, and blank cells are left.
    fn search(&mut self, chosen: usize, blank: usize) {
        if chosen + (blank + self.biggest - 1) / self.biggest >= self.least {
            return;
        }
        unsafe {
            let root = self.root;
            let mut best = (*root).right;
            if best == root {
                self.least = chosen;
                return;
            }
            let mut h = (*best).right;
            while h != root {
                if (*h).size < (*best).size {
                    best = h;
                }
                h = (*h).right;
            }
            cover(best);
            let mut n = (*best).down;
            while n != best {
                let mut j = (*n).right;
                while j != n {
                    cover((*j).col);
                    j = (*j).right;
                }
                self.search(chosen + 1, blank - self.area[(*n).row]);
                j = (*n).left;
                while j != n {
                    uncover((*j).col);
                    j = (*j).left;
                }
                n = (*n).down;
            }
            uncover(best);
        }
    }
}

// Puts n into a ring, to the left of another node.
unsafe fn link_left(n: *mut Node, of: *mut Node) {
    unsafe {
        (*n).left = (*of).left;
        (*n).right = of;
        (*(*n).left).right = n;
        (*of).left = n;
    }
}

unsafe fn cover(h: *mut Node) {
    unsafe {
        (*(*h).right).left = (*h).left;
        (*(*h).left).right = (*h).right;
        let mut i = (*h).down;
        while i != h {
            let mut j = (*i).right;
            while j != i {
                (*(*j).down).up = (*j).up;
                (*(*j).up).down = (*j).down;
                (*(*j).col).size -= 1;
                j = (*j).right;
            }
            i = (*i).down;
        }
    }
}

unsafe fn uncover(h: *mut Node) {
    unsafe {
        let mut i = (*h).up;
        while i != h {
            let mut j = (*i).left;
            while j != i {
                (*(*j).col).size += 1;
                (*(*j).down).up = j;
                (*(*j).up).down = j;
                j = (*j).left;
            }
            i = (*i).up;
        }
        (*(*h).right).left = h;
        (*(*h).left).right = h;
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
    let mut map = ExactCover::new();
    for _ in 0..number() {
        let (n, m, p) = (number(), number(), number());
        map.reset(n * m);
        map.area.truncate(1);
        (map.biggest, map.least) = (1, usize::MAX);
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
