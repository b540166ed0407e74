"""Easy Finding by dancing links of objects that refer to each other.

Idea: every one of the matrix is an object in two rings, that of its row and
that of its column; the columns' headers are in a third. Covering a column
takes its header out and its rows out of all their other columns; as an object
that has left a ring still knows its neighbours, the same steps backwards
restore them. Each step branches on a column with the fewest rows left.

Source: D. E. Knuth, "Dancing links" (2000), arXiv cs/0011047, which draws it
with pointers; the S heuristic is there too.

Time: at most 3^(16/3), some 350, ends of the search, whatever the matrix; for
most matrices as long as making 4800 objects. Memory: 2 MB of objects, freed
with their matrix, beside the interpreter's 10 MB.

Weak: the making of objects, which most matrices hardly need.
"""
import sys


class Node:
    __slots__ = ('up', 'down', 'left', 'right', 'head', 'size')

    def __init__(self, head):
        self.up = self.down = self.left = self.right = self
        self.head = head  # of the column; None in a header
        self.size = 0  # of a header: the rows left

    def join(self, ring):
        """Goes into a ring of a row or of headers, to the left of a node."""
        self.left, self.right = ring.left, ring
        self.left.right = ring.left = self


def cover(head):
    head.left.right, head.right.left = head.right, head.left
    i = head.down
    while i is not head:
        j = i.right
        while j is not i:
            j.up.down, j.down.up = j.down, j.up
            j.head.size -= 1
            j = j.right
        i = i.down


def uncover(head):
    i = head.up
    while i is not head:
        j = i.left
        while j is not i:
            j.head.size += 1
            j.up.down = j.down.up = j
            j = j.left
        i = i.up
    head.left.right = head.right.left = head


def search(root):
    best = h = root.right
    if h is root:
        return True
    while h is not root:
        if h.size < best.size:
            best = h
        h = h.right
    cover(best)
    n = best.down
    while n is not best:
        j = n.right
        while j is not n:
            cover(j.head)
            j = j.right
        if search(root):
            return True
        j = n.left
        while j is not n:
            uncover(j.head)
            j = j.left
        n = n.down
    uncover(best)
    return False


def link(rows, cols):
    """Makes the nodes of a matrix and returns the root of its headers."""
    root = Node(None)
    heads = [Node(None) for _ in range(cols)]
    for h in heads:
        h.join(root)
    for row in rows:
        first = None
        for c, bit in enumerate(row):
            if bit == '0':
                continue
            h = heads[c]
            n = Node(h)
            n.up, n.down = h.up, h
            n.up.down = h.up = n
            h.size += 1
            if first:
                n.join(first)
            else:
                first = n
    return root


def main():
    lines = iter(sys.stdin)
    for size in lines:
        m, n = map(int, size.split())
        root = link([next(lines).split() for _ in range(m)], n)
        print('Yes, I found it' if search(root) else 'It is impossible')


main()
