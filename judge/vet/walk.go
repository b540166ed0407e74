package vet

import (
	"go/ast"
	"go/token"
	"iter"
)

// has reports whether f holds for a node of type T below n, or for n itself.
func has[T ast.Node](n ast.Node, f func(T) bool) bool {
	if isNil(n) {
		return false
	}
	for n := range ast.Preorder(n) {
		if t, ok := n.(T); ok && f(t) {
			return true
		}
	}
	return false
}

// around returns the nodes around n in its function, innermost first, each with the
// child of it that n is in.
func (p *program) around(n ast.Node) iter.Seq2[ast.Node, ast.Node] {
	return func(yield func(child, up ast.Node) bool) {
		for child, up := n, p.parent[n]; up != nil && p.byNode[up] == nil; child, up = up, p.parent[up] {
			if !yield(child, up) {
				return
			}
		}
	}
}

// isOrder reports whether an operator compares by order.
func isOrder(op token.Token) bool {
	return op == token.LSS || op == token.GTR || op == token.LEQ || op == token.GEQ
}
