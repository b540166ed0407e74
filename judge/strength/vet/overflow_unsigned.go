package vet

import (
	"go/ast"
	"go/token"
	"go/types"

	"crucible/judge/strength/vet/syntax"
)

// difference reports a difference of unsigned variables that no condition compares.
func (o *overflows) difference(e *ast.BinaryExpr) {
	obj := o.Variable(e.X)
	f := o.FunctionAt(e)
	if obj == nil || f == nil || o.IsConstant(e.Y) || o.isParameter(obj) || obj.(*types.Var).IsField() {
		return
	}
	if low, _, ok := o.interval(e, 4); o.compares(e.X, e.Y, nil) || ok && low >= 0 {
		return
	}
	o.report(e, "the difference of unsigned %s wraps around below 0; use int", o.TypeOf(e))
}

// loop reports a loop that runs while an unsigned variable is at least 0.
func (o *overflows) loop(l *ast.ForStmt) {
	cond, ok := l.Cond.(*ast.BinaryExpr)
	if !ok || cond.Op != token.GEQ || !isInt(o.TypeOf(cond.X)) {
		return
	}
	n, ok := o.Constant(cond.Y)
	if _, unsigned := o.width(cond.X); ok && n == 0 && unsigned {
		o.report(cond, "unsigned %s is always 0 or more: it wraps around, and the loop does not end; use int", types.ExprString(cond.X))
	}
}

// belowZero reports a difference of unsigned variables that is compared with 0: it is
// never less, and it is more even if the first one is smaller.
func (o *overflows) belowZero(cond *ast.BinaryExpr) {
	e, ok := ast.Unparen(cond.X).(*ast.BinaryExpr)
	zero, isConst := o.Constant(cond.Y)
	if !ok || !isConst || zero != 0 || !syntax.IsOrder(cond.Op) || e.Op != token.SUB || o.IsConstant(e.X) || o.IsConstant(e.Y) || !isInt(o.TypeOf(e)) {
		return
	}
	if _, unsigned := o.width(e); unsigned && (cond.Op == token.GEQ || cond.Op == token.LSS || !o.compares(e.X, e.Y, cond)) {
		o.report(cond, "the difference of unsigned %s is never below 0; compare %s with %s", o.TypeOf(e), types.ExprString(e.X), types.ExprString(e.Y))
	}
}

// compares reports whether a condition other than one compares the variables a and b.
func (o *overflows) compares(a, b ast.Expr, but ast.Node) bool {
	x, y := o.Variable(a), o.Variable(b)
	for n := range o.Parent {
		if c, ok := n.(*ast.BinaryExpr); ok && n != but && syntax.IsComparison(c.Op) && x != nil && o.Mentions(c, x) && (y == nil || o.Mentions(c, y)) {
			return true
		}
	}
	return false
}
