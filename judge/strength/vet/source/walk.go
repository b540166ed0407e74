package source

import (
	"go/ast"
	"go/types"
	"iter"
	"slices"

	"crucible/judge/strength/vet/syntax"
)

// Around returns the nodes around n in its function, innermost first, each with the
// child of it that n is in.
func (p *Program) Around(n ast.Node) iter.Seq2[ast.Node, ast.Node] {
	return func(yield func(child, up ast.Node) bool) {
		for child, up := n, p.Parent[n]; up != nil && p.ByNode[up] == nil; child, up = up, p.Parent[up] {
			if !yield(child, up) {
				return
			}
		}
	}
}

// Calls reports whether the code below n calls a function with one of the names.
func (p *Program) Calls(n ast.Node, names ...string) bool {
	return syntax.Has(n, func(call *ast.CallExpr) bool { return slices.Contains(names, p.Name(call)) })
}

// UsesOwn reports whether an expression uses a variable that the text of n declares.
func (p *Program) UsesOwn(e ast.Expr, n ast.Node) bool {
	return syntax.Has(e, func(id *ast.Ident) bool {
		obj := p.Info.ObjectOf(id)
		return obj != nil && syntax.DeclaredIn(obj, n)
	})
}

// Tests reports whether the condition of an if statement is about a variable.
func (p *Program) Tests(s *ast.IfStmt, obj types.Object) bool {
	return p.Mentions(s.Cond, obj) || p.Mentions(s.Init, obj)
}
