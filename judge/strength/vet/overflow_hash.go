package vet

import (
	"go/ast"
	"go/token"
	"go/types"

	"crucible/judge/strength/vet/syntax"
)

// hash reports h % size of a signed h = h*k + x that nothing reduces.
func (o *overflows) hash(e *ast.BinaryExpr) {
	number := e.X
	for call, ok := ast.Unparen(number).(*ast.CallExpr); ok && o.Info.Types[call.Fun].IsType(); call, ok = ast.Unparen(number).(*ast.CallExpr) {
		if _, unsigned := o.width(call); unsigned {
			return
		}
		number = call.Args[0] // int(h) is negative, too
	}
	obj := o.Variable(number)
	if e.Op != token.REM || obj == nil {
		return
	}
	_, unsigned := o.width(number)
	if _, converted := o.width(e); unsigned || converted || o.comparedWithZero(obj) {
		return
	}
	grows, reduced := false, false
	for n := range o.Parent {
		s, ok := n.(*ast.AssignStmt)
		if !ok || len(s.Lhs) != 1 || o.Variable(s.Lhs[0]) != obj || s.Tok == token.DEFINE {
			continue
		}
		switch {
		case s.Tok == token.REM_ASSIGN || s.Tok == token.AND_ASSIGN:
			reduced = true
		case s.Tok == token.MUL_ASSIGN && o.goesOn(s, obj):
			grows = grows || !o.isBase(s.Rhs[0])
		case s.Tok == token.ASSIGN:
			ast.Inspect(s.Rhs[0], func(n ast.Node) bool {
				if b, ok := n.(*ast.BinaryExpr); ok {
					switch b.Op {
					case token.REM, token.AND:
						reduced = reduced || o.Mentions(b, obj)
					case token.MUL:
						var factor ast.Expr
						switch obj {
						case o.Variable(b.X):
							factor = b.Y
						case o.Variable(b.Y):
							factor = b.X
						}
						grows = grows || factor != nil && !o.isBase(factor) && o.goesOn(s, obj)
					case token.SHL:
						// djb2: h<<5 + h
						grows = grows || o.Variable(b.X) == obj && o.goesOn(s, obj) && o.adds(s.Rhs[0], obj)
					}
				}
				return true
			})
		}
	}
	// The remainder itself may be corrected: (h%m + m) % m.
	if up, ok := o.Parent[e].(*ast.BinaryExpr); ok && up.Op == token.ADD {
		return
	}
	if up, ok := o.Parent[e].(*ast.ParenExpr); ok {
		if up, ok := o.Parent[up].(*ast.BinaryExpr); ok && up.Op == token.ADD {
			return
		}
	}
	if grows && !reduced {
		o.report(e, "%s may overflow and be negative, and so is this index; use uint64, or reduce it in each step", obj.Name())
	}
}

// goesOn reports whether a statement changes a variable again and again: in a loop, or in a
// function that is called in loops, if the variable outlives it.
func (o *overflows) goesOn(s ast.Node, obj types.Object) bool {
	loops, _ := o.Loops(s)
	f := o.FunctionAt(s)
	return len(loops) > 0 || f.Repeated && !syntax.DeclaredIn(obj, f.Node)
}

// adds reports whether an expression uses a variable twice.
func (o *overflows) adds(e ast.Expr, obj types.Object) bool {
	uses := 0
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && o.Variable(id) == obj {
			uses++
		}
		return true
	})
	return uses > 1
}

// isBase reports whether a factor is the base of written numbers, so that the value is
// a number of the input.
func (o *overflows) isBase(e ast.Expr) bool {
	n, ok := o.Constant(e)
	return ok && (n == 10 || n == 2 || n == -1)
}

// comparedWithZero reports whether a condition tests the sign of a variable, or of a
// variable that holds its remainder.
func (o *overflows) comparedWithZero(obj types.Object) bool {
	for n := range o.Parent {
		b, ok := n.(*ast.BinaryExpr)
		if !ok || b.Op != token.LSS && b.Op != token.GEQ {
			continue
		}
		if zero, ok := o.Constant(b.Y); !ok || zero != 0 {
			continue
		}
		v := o.Variable(b.X)
		if v == obj {
			return true
		}
		for _, value := range o.Assigned[v] {
			if value.Expr != nil && o.Mentions(value.Expr, obj) {
				return true
			}
		}
	}
	return false
}
