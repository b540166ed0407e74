package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"slices"

	"crucible/judge/strength/vet/source"
	"crucible/judge/strength/vet/syntax"
)

// manyFactors is the least modulus for which the product of three reduced numbers may
// overflow 63 bits.
const manyFactors = 1 << 21

// modular reports a product of three or more numbers that is reduced only at its end:
// a * b * c % m, where at least two of them are reduced by m before.
func (o *overflows) modular(e *ast.BinaryExpr) {
	m, ok := o.Constant(e.Y)
	if e.Op != token.REM || !ok || m <= manyFactors || !isInt(o.TypeOf(e)) {
		return
	}
	var all []ast.Expr
	reduced := 0
	for _, f := range syntax.Factors(e.X, nil) {
		if _, _, known := o.interval(f, 4); known || o.IsConstant(f) {
			continue
		}
		all = append(all, f)
		if o.isReduced(f, m) {
			reduced++
		}
	}
	if len(all) >= 3 && reduced >= 2 {
		o.report(e.X, "the product of %d numbers below %d overflows %s; reduce it after each factor", len(all), m, o.TypeOf(e))
	}
}

// isReduced reports whether an expression is a variable, an element or the result of a
// function to which the program assigns remainders of m.
func (o *overflows) isReduced(e ast.Expr, m int64) bool {
	remainder := func(n ast.Node) bool {
		return n != nil && syntax.Has(n, func(b *ast.BinaryExpr) bool {
			by, ok := o.Constant(b.Y)
			return b.Op == token.REM && ok && by == m
		})
	}
	of := func(e ast.Expr) bool {
		if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
			for _, f := range o.Callees(call) {
				if remainder(f.Body) {
					return true
				}
			}
		}
		return e != nil && remainder(e)
	}
	if _, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		return of(e)
	}
	obj := o.Container(e)
	return obj != nil && o.assignsSuch(obj, of)
}

// assignsSuch reports whether a value of which is holds is assigned to a variable or to
// an element of it.
func (o *overflows) assignsSuch(obj types.Object, is func(ast.Expr) bool) bool {
	for n := range o.Parent {
		s, ok := n.(*ast.AssignStmt)
		if !ok {
			continue
		}
		for i, left := range s.Lhs {
			if o.Container(left) == obj && is(syntax.AssignedTo(s, i)) {
				return true
			}
		}
	}
	return false
}

// beyondLimits reports the products in a value that is reduced, if the limits that comments
// state for both factors have a product that does not fit their type.
func (o *overflows) beyondLimits(e *ast.BinaryExpr) {
	if e.Op != token.REM {
		return
	}
	for _, product := range o.terms(e.X, 1, nil) {
		bits, _ := o.width(product)
		a, b := o.statedLimit(product.X), o.statedLimit(product.Y)
		if product.Op == token.MUL && isInt(o.TypeOf(product)) && a*b >= math.Exp2(float64(bits-1)) {
			o.report(product, "the product overflows %s at the stated limits; reduce its factors first, or use bits.Mul64", o.TypeOf(product))
		}
	}
}

// statedLimit returns the limit that comments state for a variable; 0 if there is none, or
// if the program reduces a variable of that name.
func (o *overflows) statedLimit(e ast.Expr) float64 {
	obj, ok := o.Variable(e).(*types.Var)
	if !ok || o.Size.Values[obj.Name()] == 0 {
		return 0
	}
	reduces := func(e ast.Expr) bool {
		return syntax.Has(e, func(b *ast.BinaryExpr) bool { return b.Op == token.REM })
	}
	for other, values := range o.Assigned {
		if other.Name() == obj.Name() && slices.ContainsFunc(values, func(v source.Value) bool { return reduces(v.Expr) }) {
			return 0
		}
	}
	for n := range o.Parent {
		if s, ok := n.(*ast.AssignStmt); ok && s.Tok == token.REM_ASSIGN {
			if v := o.Variable(s.Lhs[0]); v != nil && v.Name() == obj.Name() {
				return 0
			}
		}
	}
	return o.Size.Values[obj.Name()]
}
