package vet

import (
	"go/ast"
	"go/token"
	"go/types"
)

// difference reports a difference of unsigned variables that no condition compares.
func (o *overflows) difference(e *ast.BinaryExpr) {
	obj := o.variable(e.X)
	f := o.functionAt(e)
	if obj == nil || f == nil || o.isConstant(e.Y) || o.isParameter(obj) || obj.(*types.Var).IsField() {
		return
	}
	other := o.variable(e.Y)
	compared := false
	for n := range o.parent {
		b, ok := n.(*ast.BinaryExpr)
		if !ok {
			continue
		}
		switch b.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			if o.mentions(b, obj) && (other == nil || o.mentions(b, other)) {
				compared = true
			}
		}
	}
	if low, _, ok := o.interval(e, 4); compared || ok && low >= 0 {
		return
	}
	o.report(e, "the difference of unsigned %s wraps around below 0; use int", o.typeOf(e))
}

// loop reports a loop that runs while an unsigned variable is at least 0.
func (o *overflows) loop(l *ast.ForStmt) {
	cond, ok := l.Cond.(*ast.BinaryExpr)
	if !ok || cond.Op != token.GEQ || !isInt(o.typeOf(cond.X)) {
		return
	}
	n, ok := o.constant(cond.Y)
	if _, unsigned := o.width(cond.X); ok && n == 0 && unsigned {
		o.report(cond, "unsigned %s is always 0 or more: it wraps around, and the loop does not end; use int", types.ExprString(cond.X))
	}
}
