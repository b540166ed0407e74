package main

import (
	"bufio"
	"fmt"
	"os"
)

var parent, packed, size, sized [1000000]int

func find(v int) int {
	if parent[v] == v {
		return v
	}
	return find(parent[v]) // want `find calls itself once for each element of a list: as deep as the input`
}

// compressed shortens the paths that it walks.
func compressed(v int) int {
	if packed[v] != v {
		packed[v] = compressed(packed[v])
	}
	return packed[v]
}

// bySize has short paths, since unite puts the smaller tree below the larger one.
func bySize(v int) int {
	if sized[v] == v {
		return v
	}
	return bySize(sized[v])
}

func unite(a, b int) {
	if size[a] < size[b] {
		a, b = b, a
	}
	sized[b] = a
	size[a] += size[b]
}

// depth visits the vertices of a tree without marks.
func depth(children [][]int, v int) (d int) {
	for _, w := range children[v] {
		d = max(d, 1+depth(children, w)) // want `depth calls itself once for each vertex that it visits`
	}
	return d
}

func main() {
	in := bufio.NewReader(os.Stdin)
	var n int
	fmt.Fscan(in, &n)
	children := make([][]int, n)
	for v := range n {
		fmt.Fscan(in, &parent[v], &packed[v])
		children[parent[v]] = append(children[parent[v]], v)
		unite(bySize(v), bySize(packed[v]))
	}
	fmt.Println(find(0), compressed(0), depth(children, 0))
}
