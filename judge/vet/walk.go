package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"slices"
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

// isComparison reports whether an operator compares.
func isComparison(op token.Token) bool {
	return isOrder(op) || op == token.EQL || op == token.NEQ
}

// assignedTo returns what an assignment gives to its variable i: a value, or the call
// that returns several.
func assignedTo(s *ast.AssignStmt, i int) ast.Expr { return s.Rhs[min(i, len(s.Rhs)-1)] }

func isLoop(n ast.Node) bool { return loopBody(n) != nil }

// loopBody returns the body of a loop; nil for other nodes.
func loopBody(n ast.Node) *ast.BlockStmt {
	switch l := n.(type) {
	case *ast.ForStmt:
		return l.Body
	case *ast.RangeStmt:
		return l.Body
	}
	return nil
}

// calls reports whether the code below n calls a function with one of the names.
func (p *program) calls(n ast.Node, names ...string) bool {
	return has(n, func(call *ast.CallExpr) bool { return slices.Contains(names, p.name(call)) })
}

// usesOwn reports whether an expression uses a variable that the text of n declares.
func (p *program) usesOwn(e ast.Expr, n ast.Node) bool {
	return has(e, func(id *ast.Ident) bool {
		obj := p.info.ObjectOf(id)
		return obj != nil && declaredIn(obj, n)
	})
}

// tests reports whether the condition of an if statement is about a variable.
func (p *program) tests(s *ast.IfStmt, obj types.Object) bool {
	return p.mentions(s.Cond, obj) || p.mentions(s.Init, obj)
}
