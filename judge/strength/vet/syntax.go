package vet

import (
	"go/ast"
	"go/token"
	"go/types"
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

// isNil reports whether a node is nil, or an interface of a statement or expression is.
func isNil(n ast.Node) bool {
	switch n := n.(type) {
	case nil:
		return true
	case ast.Stmt:
		return n == nil
	case ast.Expr:
		return n == nil
	}
	return false
}

// isOrder reports whether an operator compares by order.
func isOrder(op token.Token) bool {
	return op == token.LSS || op == token.GTR || op == token.LEQ || op == token.GEQ
}

// isComparison reports whether an operator compares.
func isComparison(op token.Token) bool {
	return isOrder(op) || op == token.EQL || op == token.NEQ
}

// within reports whether a node lies in the text of another.
func within(n, outer ast.Node) bool { return n.Pos() >= outer.Pos() && n.End() <= outer.End() }

// declaredIn reports whether a variable is declared in the text of n.
func declaredIn(obj types.Object, n ast.Node) bool {
	return obj.Pos() >= n.Pos() && obj.Pos() < n.End()
}
