package vet

import (
	"go/ast"
	"go/types"
	"iter"
	"slices"

	"crucible/judge/vet/syntax"
)

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

// calls reports whether the code below n calls a function with one of the names.
func (p *program) calls(n ast.Node, names ...string) bool {
	return syntax.Has(n, func(call *ast.CallExpr) bool { return slices.Contains(names, p.name(call)) })
}

// usesOwn reports whether an expression uses a variable that the text of n declares.
func (p *program) usesOwn(e ast.Expr, n ast.Node) bool {
	return syntax.Has(e, func(id *ast.Ident) bool {
		obj := p.info.ObjectOf(id)
		return obj != nil && syntax.DeclaredIn(obj, n)
	})
}

// tests reports whether the condition of an if statement is about a variable.
func (p *program) tests(s *ast.IfStmt, obj types.Object) bool {
	return p.mentions(s.Cond, obj) || p.mentions(s.Init, obj)
}
