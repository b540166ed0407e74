package vet

import (
	"go/ast"
	"go/token"
	"go/types"
)

// hash reports h % size of a signed h = h*k + x that nothing reduces.
func (o *overflows) hash(e *ast.BinaryExpr) {
	obj := o.variable(e.X)
	if e.Op != token.REM || obj == nil {
		return
	}
	if _, unsigned := o.width(e); unsigned || o.comparedWithZero(obj) {
		return
	}
	grows, reduced := false, false
	for n := range o.parent {
		s, ok := n.(*ast.AssignStmt)
		if !ok || len(s.Lhs) != 1 || o.variable(s.Lhs[0]) != obj || s.Tok == token.DEFINE {
			continue
		}
		switch {
		case s.Tok == token.REM_ASSIGN || s.Tok == token.AND_ASSIGN:
			reduced = true
		case s.Tok == token.MUL_ASSIGN && len(o.around(s)) > 0:
			grows = grows || !o.isBase(s.Rhs[0])
		case s.Tok == token.ASSIGN:
			ast.Inspect(s.Rhs[0], func(n ast.Node) bool {
				if b, ok := n.(*ast.BinaryExpr); ok {
					switch b.Op {
					case token.REM, token.AND:
						reduced = reduced || o.mentions(b, obj)
					case token.MUL:
						var factor ast.Expr
						switch obj {
						case o.variable(b.X):
							factor = b.Y
						case o.variable(b.Y):
							factor = b.X
						}
						grows = grows || factor != nil && !o.isBase(factor) && len(o.around(s)) > 0
					case token.SHL:
						// djb2: h<<5 + h
						grows = grows || o.variable(b.X) == obj && len(o.around(s)) > 0 && o.adds(s.Rhs[0], obj)
					}
				}
				return true
			})
		}
	}
	// The remainder itself may be corrected: (h%m + m) % m.
	if up, ok := o.parent[e].(*ast.BinaryExpr); ok && up.Op == token.ADD {
		return
	}
	if up, ok := o.parent[e].(*ast.ParenExpr); ok {
		if up, ok := o.parent[up].(*ast.BinaryExpr); ok && up.Op == token.ADD {
			return
		}
	}
	if grows && !reduced {
		o.report(e, "%s may overflow and be negative, and so is this index; use uint64, or reduce it in each step", obj.Name())
	}
}

// around returns the loops around a node, and a function that calls itself or is
// called in loops counts as one.
func (o *overflows) around(n ast.Node) []ast.Stmt {
	loops, _ := o.loops(n)
	return loops
}

// adds reports whether an expression uses a variable twice.
func (o *overflows) adds(e ast.Expr, obj types.Object) bool {
	uses := 0
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && o.variable(id) == obj {
			uses++
		}
		return true
	})
	return uses > 1
}

// isBase reports whether a factor is the base of written numbers, so that the value is
// a number of the input.
func (o *overflows) isBase(e ast.Expr) bool {
	n, ok := o.constant(e)
	return ok && (n == 10 || n == 2 || n == -1)
}

// comparedWithZero reports whether a condition tests the sign of a variable, or of a
// variable that holds its remainder.
func (o *overflows) comparedWithZero(obj types.Object) bool {
	for n := range o.parent {
		b, ok := n.(*ast.BinaryExpr)
		if !ok || b.Op != token.LSS && b.Op != token.GEQ {
			continue
		}
		if zero, ok := o.constant(b.Y); !ok || zero != 0 {
			continue
		}
		v := o.variable(b.X)
		if v == obj {
			return true
		}
		for _, value := range o.assigned[v] {
			if value.expr != nil && o.mentions(value.expr, obj) {
				return true
			}
		}
	}
	return false
}
