package main

import "fmt"

type node struct {
	key         int
	left, right *node
}

func (t *node) add(key int) *node {
	if t == nil {
		return &node{key: key}
	}
	side := &t.right
	if key < t.key {
		side = &t.left
	}
	*side = (*side).add(key) // want `add calls itself once for each level of a tree that nothing balances`
	return t
}

func (t *node) contains(key int) bool {
	for t != nil && t.key != key {
		side := t.right
		if key < t.key {
			side = t.left
		}
		t = side
	}
	return t != nil
}

func main() {
	var n, key int
	fmt.Scan(&n)
	var root *node
	for range n {
		fmt.Scan(&key)
		fmt.Println(root.contains(key))
		root = root.add(key)
	}
}
