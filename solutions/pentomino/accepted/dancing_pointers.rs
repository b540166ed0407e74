//! Pentominoes as exact cover, solved by dancing links with pointers.
//!
//! Idea: a piece on five squares is an option that covers these squares, which
//! must be covered, and the piece, which must be only if all twelve are needed.
//! Every one of the matrix is a node in two rings, one along its option and one
//! along its item, the latter through a head; a node that has left a ring still
//! knows its neighbours and can return.
//!
//! Source: D. E. Knuth, "Dancing links" (2000), arXiv cs/0011047; the first idea
//! is by H. Hitotumatu and K. Noshita (1979).
//!
//! Time: the search always branches on a square or piece with the fewest options
//! left; it grows exponentially with the board, 3 by 20 takes about 50 ms.
//!
//! Memory: 22 680 nodes of 48 bytes, used again for each board.
//!
//! Weak: a pointer is twice as long as an index, and two of the four never
//! change.

use std::cell::Cell;
use std::io::{self, Read};

type Link<'a> = Cell<Option<&'a Node<'a>>>;

/// A one of the matrix, or the head of an item. References cannot be changed
/// while they are shared, but cells that hold them can.
#[derive(Default)]
struct Node<'a> {
    up: Link<'a>,
    down: Link<'a>,
    left: Link<'a>,
    right: Link<'a>,
    head: Link<'a>,
    size: Cell<u32>, // of an item
}

/// Every node of a matrix is in rings.
fn at<'a>(link: &Link<'a>) -> &'a Node<'a> {
    link.get().unwrap()
}

fn same<'a>(a: &Node<'a>, b: &Node<'a>) -> bool {
    std::ptr::eq(a, b)
}

impl<'a> Node<'a> {
    /// Puts the node, alone, between a place in a column and the one above it.
    fn above(&'a self, n: &'a Node<'a>) {
        self.up.set(n.up.get());
        self.down.set(Some(n));
        at(&n.up).down.set(Some(self));
        n.up.set(Some(self));
    }

    fn before(&'a self, n: &'a Node<'a>) {
        self.left.set(n.left.get());
        self.right.set(Some(n));
        at(&n.left).right.set(Some(self));
        n.left.set(Some(self));
    }

    fn alone(&'a self) {
        for link in [&self.up, &self.down, &self.left, &self.right, &self.head] {
            link.set(Some(self));
        }
        self.size.set(0);
    }
}

#[derive(Default)]
struct Found {
    count: u64,
}

/// Links the options between the nodes, of which node 0 is the ring of the items
/// that must be covered, nodes 1 to items are these and the others.
fn link<'a>(nodes: &'a [Node<'a>], primary: usize, items: usize, options: &[Vec<usize>]) {
    let (heads, mut rest) = nodes.split_at(1 + items);
    for (i, h) in heads.iter().enumerate() {
        h.alone();
        if 0 < i && i <= primary {
            h.before(&heads[0]);
        }
    }
    for option in options {
        let (row, behind) = rest.split_at(option.len());
        for (n, &it) in row.iter().zip(option) {
            n.alone();
            n.above(&heads[1 + it]);
            n.head.set(Some(&heads[1 + it]));
            heads[1 + it].size.set(heads[1 + it].size.get() + 1);
            if !same(n, &row[0]) {
                n.before(&row[0]);
            }
        }
        rest = behind;
    }
}

fn cover<'a>(h: &'a Node<'a>) {
    at(&h.left).right.set(h.right.get());
    at(&h.right).left.set(h.left.get());
    let mut n = at(&h.down);
    while !same(n, h) {
        let mut m = at(&n.right);
        while !same(m, n) {
            at(&m.up).down.set(m.down.get());
            at(&m.down).up.set(m.up.get());
            let size = &at(&m.head).size;
            size.set(size.get() - 1);
            m = at(&m.right);
        }
        n = at(&n.down);
    }
}

fn uncover<'a>(h: &'a Node<'a>) {
    let mut n = at(&h.up);
    while !same(n, h) {
        let mut m = at(&n.left);
        while !same(m, n) {
            let size = &at(&m.head).size;
            size.set(size.get() + 1);
            at(&m.up).down.set(Some(m));
            at(&m.down).up.set(Some(m));
            m = at(&m.left);
        }
        n = at(&n.up);
    }
    at(&h.left).right.set(Some(h));
    at(&h.right).left.set(Some(h));
}

fn search<'a>(ring: &'a Node<'a>, found: &mut Found) {
    let mut best = at(&ring.right);
    if same(best, ring) {
        found.count += 1;
        return;
    }
    let mut h = at(&best.right);
    while !same(h, ring) && best.size.get() > 0 {
        if h.size.get() < best.size.get() {
            best = h;
        }
        h = at(&h.right);
    }
    if best.size.get() == 0 {
        return;
    }
    cover(best);
    let mut n = at(&best.down);
    while !same(n, best) {
        let mut m = at(&n.right);
        while !same(m, n) {
            cover(at(&m.head));
            m = at(&m.right);
        }
        search(ring, found);
        m = at(&n.left);
        while !same(m, n) {
            uncover(at(&m.head));
            m = at(&m.left);
        }
        n = at(&n.down);
    }
    uncover(best);
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
        let ones: usize = options.iter().map(Vec::len).sum();
        let nodes: Vec<Node> = (0..1 + free + 12 + ones).map(|_| Node::default()).collect();
        link(&nodes, must, free + 12, &options);
        let mut found = Found::default();
        search(&nodes[0], &mut found);
        println!("{}", found.count);
    }
}
