// Treasure Map by an orthogonal list with row and column headers.
//
// Idea: a cell of the map is a column of a 0/1 matrix and a rectangle a row
// with a one for each of its cells; all exact covers are searched, but no
// further than the smallest one known allows: what is blank needs at least as
// many rectangles as the largest of all would. Every one of the matrix is a
// node in two rings, one along its row and one along its column, each through
// a header; the column headers form a ring of their own. Covering a column
// takes its header out of that ring and the rows it meets out of all their
// other columns; uncovering does the same backwards. Each step branches on a
// column with the fewest rows left.
//
// Source: a published solution of the sudoku problem with the two-way
// orthogonal list, here for any matrix. That one makes its headers and nodes
// anew for each case and frees none; here one array of nodes serves all.
//
// Time: exponential at worst; the bound keeps it to some thousands of steps
// where covers are many. Memory: 48 bytes for each cell of each rectangle,
// which are 450000 at most and some thousands on a usual map.
//
// Weak: row headers serve only to know where a row begins, and each walk along
// a row must step over one.
use std::io::{self, Read, Write};
use std::ptr;

const MAX_ROWS: usize = 500;
const MAX_COLS: usize = 900;
const MAX_ONES: usize = 450000;

struct Node {
    up: *mut Node,
    down: *mut Node,
    left: *mut Node,
    right: *mut Node,
    row: usize, // from 1; 0 in the headers of columns
    col: usize, // from 1; 0 in the headers of rows
}

struct ExactCover {
    pool: Vec<Node>, // never more than its capacity, so that no node moves; its length stays 0
    used: usize,
    col_head: *mut Node, // headers of columns side by side; the first begins the ring of open ones
    count: Vec<usize>,   // rows left in a column
    area: Vec<usize>, // of a rectangle
    biggest: usize,
    least: usize,
}

// All pointers lead into the pool, to nodes that `make` has written since the
// last reset: that is what every unsafe block here relies on.
impl ExactCover {
    fn new() -> Self {
        ExactCover {
            pool: Vec::with_capacity(1 + MAX_COLS + MAX_ROWS + MAX_ONES),
            used: 0,
            col_head: ptr::null_mut(),
            count: vec![0; MAX_COLS + 1],
            area: vec![0],
            biggest: 1,
            least: usize::MAX,
        }
    }

    // Makes a node that is alone in both of its rings.
    fn make(&mut self, row: usize, col: usize) -> *mut Node {
        assert!(self.used < self.pool.capacity());
        unsafe {
            let n = self.pool.as_mut_ptr().add(self.used);
            self.used += 1;
            n.write(Node { up: n, down: n, left: n, right: n, row, col });
            n
        }
    }

    // Forgets all rows; the first nodes become the headers of columns.
    fn reset(&mut self, cols: usize) {
        self.used = 0;
        self.count.fill(0);
        self.col_head = self.make(0, 0);
        for col in 1..=cols {
            let h = self.make(0, col);
            unsafe { link_left(h, self.col_head) };
        }
    }

    // Makes the row's header, and puts a node at the end of the row's ring and of
    // each column's ring.
    fn add(&mut self, row: usize, cols: &[usize]) {
        let r = self.make(row, 0);
        for &col in cols {
            let n = self.make(row, col);
            unsafe {
                let c = self.col_head.add(col);
                (*n).up = (*c).up;
                (*n).down = c;
                (*(*n).up).down = n;
                (*c).up = n;
                link_left(n, r);
            }
            self.count[col] += 1;
        }
    }

    fn cover(&mut self, c: *mut Node) {
        unsafe {
            (*(*c).left).right = (*c).right;
            (*(*c).right).left = (*c).left;
            let mut i = (*c).down;
            while i != c {
                let mut j = (*i).right;
                while j != i {
                    if (*j).col != 0 {
                        (*(*j).up).down = (*j).down;
                        (*(*j).down).up = (*j).up;
                        self.count[(*j).col] -= 1;
                    }
                    j = (*j).right;
                }
                i = (*i).down;
            }
        }
    }

    fn uncover(&mut self, c: *mut Node) {
        unsafe {
            let mut i = (*c).up;
            while i != c {
                let mut j = (*i).left;
                while j != i {
                    if (*j).col != 0 {
                        self.count[(*j).col] += 1;
                        (*(*j).up).down = j;
                        (*(*j).down).up = j;
                    }
                    j = (*j).left;
                }
                i = (*i).up;
            }
            (*(*c).left).right = c;
            (*(*c).right).left = c;
        }
    }

    // Looks for covers of fewer than least rectangles. There are chosen of them
    // already, and blank cells are left.
    fn search(&mut self, chosen: usize, blank: usize) {
        if chosen + (blank + self.biggest - 1) / self.biggest >= self.least {
            return;
        }
        unsafe {
            let first = self.col_head;
            let mut best = (*first).right;
            if best == first {
                self.least = chosen;
                return;
            }
            let mut c = (*best).right;
            while c != first {
                if self.count[(*c).col] < self.count[(*best).col] {
                    best = c;
                }
                c = (*c).right;
            }
            self.cover(best);
            let mut i = (*best).down;
            while i != best {
                let mut j = (*i).right;
                while j != i {
                    if (*j).col != 0 {
                        self.cover(first.add((*j).col));
                    }
                    j = (*j).right;
                }
                self.search(chosen + 1, blank - self.area[(*i).row]);
                j = (*i).left;
                while j != i {
                    if (*j).col != 0 {
                        self.uncover(first.add((*j).col));
                    }
                    j = (*j).left;
                }
                i = (*i).down;
            }
            self.uncover(best);
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
