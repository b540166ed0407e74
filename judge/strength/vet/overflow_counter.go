package vet

import (
	"go/ast"
	"go/token"
	"slices"

	"crucible/judge/strength/vet/syntax"
)

// storedCounter reports the counter of a loop that is converted to 8 or 16 bits, where it
// becomes an element, and comes to more than they hold: as a comment says, or because 8
// bits are few for a loop that nothing limits.
func (o *overflows) storedCounter(call *ast.CallExpr) {
	if !o.Info.Types[call.Fun].IsType() || len(call.Args) != 1 || !isInt(o.TypeOf(call)) || !o.isCounter(call.Args[0]) || !o.becomesElement(call) {
		return
	}
	bits, unsigned := o.width(call)
	from, _ := o.width(call.Args[0])
	if bits > 16 || from <= bits {
		return
	}
	most := 1 << bits
	if !unsigned {
		most /= 2
	}
	if _, _, known := o.interval(call.Args[0], 4); !known && (o.Size.Most > most || o.Size.Most == 0 && bits == 8) {
		o.report(call, "%s cannot hold a counter above %d; store an int", o.TypeOf(call), most-1)
	}
}

// isCounter reports whether an expression is the variable of a loop around it.
func (o *overflows) isCounter(e ast.Expr) bool {
	obj := o.Variable(e)
	if obj == nil {
		return false
	}
	for _, up := range o.program.Around(e) {
		switch l := up.(type) {
		case *ast.RangeStmt:
			if key, ok := l.Key.(*ast.Ident); ok && o.Variable(key) == obj {
				return o.isSequence(l.X)
			}
		case *ast.ForStmt:
			if post, ok := l.Post.(*ast.IncDecStmt); ok && o.Variable(post.X) == obj {
				return post.Tok == token.INC
			}
		}
	}
	return false
}

// becomesElement reports whether a value is appended to a slice or assigned to an element.
func (o *overflows) becomesElement(e ast.Expr) bool {
	switch up := o.Parent[e].(type) {
	case *ast.CallExpr:
		return o.Name(up) == "append" && up.Args[0] != e
	case *ast.AssignStmt:
		i := slices.Index(up.Rhs, e)
		return i >= 0 && len(up.Lhs) == len(up.Rhs) && syntax.Indexed(up.Lhs[i])
	}
	return false
}
