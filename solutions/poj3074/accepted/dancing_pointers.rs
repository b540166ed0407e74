// Sudoku as exact cover, solved by dancing links with a reference for each link.
//
// Idea: a one of the 729×324 matrix is a node in two rings, the ones of its
// column, through a header, and the four of its row, which need none. Covering a
// column takes its header out of the ring of headers and its rows out of all
// other columns; the same steps backwards put them back. A column with the
// fewest rows is next. Every node lives as long as the others, so links are
// plain references in cells, without a word of unsafe code.
//
// Source: D. E. Knuth, "Dancing links" (2000), arXiv cs/0011047, as the paper
// draws it.
//
// Time: exponential at worst; 30 µs for a puzzle with 17 givens, 1 ms for the
// hardest known. The matrix is linked once; the givens' columns are covered for
// a puzzle and uncovered after it.
// Memory: 3241 nodes of 48 bytes.
// Weak: each link is asked whether it is there, as a reference cannot be made
// before what it refers to.
use std::cell::Cell;
use std::io::{self, BufRead, Write};

type Link<'a> = Cell<Option<&'a Node<'a>>>;

#[derive(Default)]
struct Node<'a> {
    left: Link<'a>,
    right: Link<'a>,
    up: Link<'a>,
    down: Link<'a>,
    head: Link<'a>,
    n: Cell<u32>, // of a header: its rows; else 9·cell + digit - 1
}

impl<'a> Node<'a> {
    fn left(&self) -> &'a Node<'a> {
        self.left.get().unwrap()
    }
    fn right(&self) -> &'a Node<'a> {
        self.right.get().unwrap()
    }
    fn up(&self) -> &'a Node<'a> {
        self.up.get().unwrap()
    }
    fn down(&self) -> &'a Node<'a> {
        self.down.get().unwrap()
    }
    fn head(&self) -> &'a Node<'a> {
        self.head.get().unwrap()
    }
}

/// A walk along one of four directions from a node, without that node, until
/// it is met again.
fn ring<'a>(from: &'a Node<'a>, step: fn(&Node<'a>) -> &'a Node<'a>) -> impl Iterator<Item = &'a Node<'a>> {
    let mut at = from;
    std::iter::from_fn(move || {
        at = step(at);
        (!std::ptr::eq(at, from)).then_some(at)
    })
}

/// Nodes: the root, the headers 1..=324, and four for each row.
fn build<'a>(nodes: &'a [Node<'a>]) {
    for i in 0..325 {
        let h = &nodes[i];
        h.left.set(Some(&nodes[(i + 324) % 325]));
        h.right.set(Some(&nodes[(i + 1) % 325]));
        h.up.set(Some(h));
        h.down.set(Some(h));
    }
    for (row, four) in nodes[325..].chunks(4).enumerate() {
        let (cell, d) = (row / 9, row % 9);
        let (r, c) = (cell / 9, cell % 9);
        let cols = [1 + cell, 82 + 9 * r + d, 163 + 9 * c + d, 244 + 9 * (r / 3 * 3 + c / 3) + d];
        for (k, n) in four.iter().enumerate() {
            let h = &nodes[cols[k]];
            n.left.set(Some(&four[(k + 3) % 4]));
            n.right.set(Some(&four[(k + 1) % 4]));
            n.up.set(h.up.get());
            n.down.set(Some(h));
            n.head.set(Some(h));
            n.n.set(row as u32);
            n.up().down.set(Some(n));
            h.up.set(Some(n));
            h.n.set(h.n.get() + 1);
        }
    }
}

fn cover<'a>(h: &'a Node<'a>) {
    h.left().right.set(h.right.get());
    h.right().left.set(h.left.get());
    for i in ring(h, Node::down) {
        for j in ring(i, Node::right) {
            j.up().down.set(j.down.get());
            j.down().up.set(j.up.get());
            j.head().n.set(j.head().n.get() - 1);
        }
    }
}

fn uncover<'a>(h: &'a Node<'a>) {
    for i in ring(h, Node::up) {
        for j in ring(i, Node::left) {
            j.head().n.set(j.head().n.get() + 1);
            j.up().down.set(Some(j));
            j.down().up.set(Some(j));
        }
    }
    h.left().right.set(Some(h));
    h.right().left.set(Some(h));
}

fn search<'a>(root: &'a Node<'a>, answer: &mut [u8]) -> bool {
    let mut best = root.right();
    if std::ptr::eq(best, root) {
        return true;
    }
    for h in ring(root, Node::right) {
        if h.n.get() < best.n.get() {
            best = h;
        }
        if best.n.get() < 2 {
            break;
        }
    }
    cover(best);
    let mut found = false;
    for i in ring(best, Node::down) {
        for j in ring(i, Node::right) {
            cover(j.head());
        }
        answer[i.n.get() as usize / 9] = b'1' + (i.n.get() % 9) as u8;
        found = search(root, answer);
        for j in ring(i, Node::left) {
            uncover(j.head());
        }
        if found {
            break;
        }
    }
    uncover(best);
    found
}

/// Fills in the blanks. The links are as before afterwards.
fn solve<'a>(nodes: &'a [Node<'a>], puzzle: &mut [u8]) {
    let mut covered = Vec::new();
    for cell in (0..81).filter(|&c| puzzle[c] != b'.') {
        let first = 325 + 4 * (9 * cell + (puzzle[cell] - b'1') as usize);
        for n in &nodes[first..first + 4] {
            cover(n.head());
            covered.push(n.head());
        }
    }
    search(&nodes[0], puzzle);
    for h in covered.into_iter().rev() {
        uncover(h);
    }
}

fn main() {
    let nodes: Vec<Node> = (0..325 + 4 * 729).map(|_| Node::default()).collect();
    build(&nodes);
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let mut puzzle = line.unwrap().into_bytes();
        if puzzle.len() != 81 {
            break;
        }
        solve(&nodes, &mut puzzle);
        puzzle.push(b'\n');
        out.write_all(&puzzle).unwrap();
    }
}
