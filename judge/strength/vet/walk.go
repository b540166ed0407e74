package vet

import (
	"go/ast"
	"iter"
	"slices"
)

// Around returns the nodes around n in its function, innermost first, each with the
// child of it that n is in.
func (p *program) Around(n ast.Node) iter.Seq2[ast.Node, ast.Node] {
	return func(yield func(child, up ast.Node) bool) {
		for child, up := n, p.Parent[n]; up != nil && p.ByNode[up] == nil; child, up = up, p.Parent[up] {
			if !yield(child, up) {
				return
			}
		}
	}
}

// calls returns the calls of all functions, each with its function.
func (p *program) calls() iter.Seq2[*ast.CallExpr, *function] {
	return func(yield func(*ast.CallExpr, *function) bool) {
		for _, f := range p.Funcs {
			for _, call := range f.Calls {
				if !yield(call, f) {
					return
				}
			}
		}
	}
}

// Calls reports whether the code below n calls a function with one of the names.
func (p *program) Calls(n ast.Node, names ...string) bool {
	return has(n, func(call *ast.CallExpr) bool { return slices.Contains(names, p.Name(call)) })
}
