package vet

import (
	"go/ast"
	"go/token"
	"go/types"

	"crucible/judge/vet/syntax"
)

// manyFactors is the least modulus for which the product of three reduced numbers may
// overflow 63 bits.
const manyFactors = 1 << 21

// modular reports a product of three or more numbers that is reduced only at its end:
// a * b * c % m, where at least two of them are reduced by m before.
func (o *overflows) modular(e *ast.BinaryExpr) {
	m, ok := o.constant(e.Y)
	if e.Op != token.REM || !ok || m <= manyFactors || !isInt(o.typeOf(e)) {
		return
	}
	var all []ast.Expr
	reduced := 0
	for _, f := range syntax.Factors(e.X, nil) {
		if _, _, known := o.interval(f, 4); known || o.isConstant(f) {
			continue
		}
		all = append(all, f)
		if o.isReduced(f, m) {
			reduced++
		}
	}
	if len(all) >= 3 && reduced >= 2 {
		o.report(e.X, "the product of %d numbers below %d overflows %s; reduce it after each factor", len(all), m, o.typeOf(e))
	}
}

// isReduced reports whether an expression is a variable, an element or the result of a
// function to which the program assigns remainders of m.
func (o *overflows) isReduced(e ast.Expr, m int64) bool {
	remainder := func(n ast.Node) bool {
		return n != nil && syntax.Has(n, func(b *ast.BinaryExpr) bool {
			by, ok := o.constant(b.Y)
			return b.Op == token.REM && ok && by == m
		})
	}
	of := func(e ast.Expr) bool {
		if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
			for _, f := range o.callees(call) {
				if remainder(f.body) {
					return true
				}
			}
		}
		return e != nil && remainder(e)
	}
	if _, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		return of(e)
	}
	obj := o.container(e)
	return obj != nil && o.assignsSuch(obj, of)
}

// assignsSuch reports whether a value of which is holds is assigned to a variable or to
// an element of it.
func (o *overflows) assignsSuch(obj types.Object, is func(ast.Expr) bool) bool {
	for n := range o.parent {
		s, ok := n.(*ast.AssignStmt)
		if !ok {
			continue
		}
		for i, left := range s.Lhs {
			if o.container(left) == obj && is(syntax.AssignedTo(s, i)) {
				return true
			}
		}
	}
	return false
}
