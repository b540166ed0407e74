// Package syntax answers questions about syntax trees, without types.
package syntax

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Has reports whether f holds for a node of type T below n, or for n itself.
func Has[T ast.Node](n ast.Node, f func(T) bool) bool {
	if IsNil(n) {
		return false
	}
	for n := range ast.Preorder(n) {
		if t, ok := n.(T); ok && f(t) {
			return true
		}
	}
	return false
}

// IsNil reports whether a node is nil, or an interface of a statement or expression is.
func IsNil(n ast.Node) bool {
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

// IsLoop reports whether a node is a for statement.
func IsLoop(n ast.Node) bool { return LoopBody(n) != nil }

// LoopBody returns the body of a loop; nil for other nodes.
func LoopBody(n ast.Node) *ast.BlockStmt {
	switch l := n.(type) {
	case *ast.ForStmt:
		return l.Body
	case *ast.RangeStmt:
		return l.Body
	}
	return nil
}

// AssignedTo returns what an assignment gives to its variable i: a value, or the call
// that returns several.
func AssignedTo(s *ast.AssignStmt, i int) ast.Expr { return s.Rhs[min(i, len(s.Rhs)-1)] }

// IsOrder reports whether an operator compares by order.
func IsOrder(op token.Token) bool {
	return op == token.LSS || op == token.GTR || op == token.LEQ || op == token.GEQ
}

// IsComparison reports whether an operator compares.
func IsComparison(op token.Token) bool {
	return IsOrder(op) || op == token.EQL || op == token.NEQ
}

// IsSwap reports whether a statement swaps two elements: a[i], a[j] = a[j], a[i].
func IsSwap(s *ast.AssignStmt) bool {
	return len(s.Lhs) == 2 && len(s.Rhs) == 2 && Indexed(s.Lhs[0]) &&
		types.ExprString(s.Lhs[0]) == types.ExprString(s.Rhs[1]) && types.ExprString(s.Lhs[1]) == types.ExprString(s.Rhs[0])
}

// Leaves reports whether a block ends with return, continue or break.
func Leaves(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	switch b.List[len(b.List)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// LeftBefore reports whether f holds for an if statement before child in a block that
// leaves the block.
func LeftBefore(block *ast.BlockStmt, child ast.Node, f func(*ast.IfStmt) bool) bool {
	return slices.ContainsFunc(block.List, func(s ast.Stmt) bool {
		i, ok := s.(*ast.IfStmt)
		return ok && s.End() <= child.Pos() && Leaves(i.Body) && f(i)
	})
}

// UsesSame reports whether an expression uses the variable or element that is
// assigned.
func UsesSame(e, left ast.Expr) bool {
	text := types.ExprString(ast.Unparen(left))
	return Has(e, func(sub ast.Expr) bool { return types.ExprString(sub) == text })
}

// Factors appends the factors of a product.
func Factors(e ast.Expr, all []ast.Expr) []ast.Expr {
	if b, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && b.Op == token.MUL {
		return Factors(b.Y, Factors(b.X, all))
	}
	return append(all, e)
}

// Indexed reports whether an expression is an element of a list or a map.
func Indexed(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.IndexExpr)
	return ok
}

// Within reports whether a node lies in the text of another.
func Within(n, outer ast.Node) bool { return n.Pos() >= outer.Pos() && n.End() <= outer.End() }

// DeclaredIn reports whether a variable is declared in the text of n.
func DeclaredIn(obj types.Object, n ast.Node) bool {
	return obj.Pos() >= n.Pos() && obj.Pos() < n.End()
}
