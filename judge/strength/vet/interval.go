package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"math"
)

// fits reports whether the range of an expression is known to fit a type.
func (o *overflows) fits(e ast.Expr, bits int, unsigned bool) bool {
	low, high, ok := o.interval(e, 6)
	if !ok {
		return false
	}
	if unsigned {
		return high < math.Pow(2, float64(bits)) // a difference below 0 is another rule
	}
	limit := math.Pow(2, float64(bits-1))
	return low >= -limit && high < limit
}

// interval returns the range of an integer expression, if constants decide it. Depth
// bounds how many variables it looks through.
func (o *overflows) interval(e ast.Expr, depth int) (low, high float64, ok bool) {
	e = ast.Unparen(e)
	if n, isConst := o.Constant(e); isConst {
		return float64(n), float64(n), true
	}
	if depth == 0 {
		return 0, 0, false
	}
	switch e := e.(type) {
	case *ast.Ident:
		return o.intervalOf(o.Variable(e), depth-1)
	case *ast.CallExpr:
		if o.Info.Types[e.Fun].IsType() && len(e.Args) == 1 {
			if low, high, ok = o.interval(e.Args[0], depth); ok {
				return low, high, true
			}
			return o.intervalOfType(e.Args[0])
		}
		if n, isArray := o.LenOfArray(e); isArray {
			return float64(n), float64(n), true
		}
	case *ast.IndexExpr:
		return o.intervalOfType(e)
	case *ast.BinaryExpr:
		return o.intervalOfBinary(e, depth)
	}
	return 0, 0, false
}

// intervalOfType returns the range of bytes, which hold characters or digits.
func (o *overflows) intervalOfType(e ast.Expr) (low, high float64, ok bool) {
	if bits, unsigned := o.width(e); bits == 8 && unsigned {
		return 0, 255, true
	}
	return 0, 0, false
}

func (o *overflows) intervalOfBinary(e *ast.BinaryExpr, depth int) (low, high float64, ok bool) {
	if n, isConst := o.Constant(e.Y); isConst {
		switch e.Op {
		case token.REM:
			if _, unsigned := o.width(e); unsigned {
				return 0, float64(n - 1), true
			}
			return -float64(n - 1), float64(n - 1), true
		case token.AND:
			return 0, float64(n), n >= 0
		}
	}
	if n, ok := o.letters(e); ok {
		return 0, n - 1, true
	}
	a, b, ok1 := o.interval(e.X, depth)
	c, d, ok2 := o.interval(e.Y, depth)
	if !ok1 || !ok2 {
		return 0, 0, false
	}
	switch e.Op {
	case token.ADD:
		return a + c, b + d, true
	case token.SUB:
		return a - d, b - c, true
	case token.MUL:
		return min(a*c, a*d, b*c, b*d), max(a*c, a*d, b*c, b*d), true
	case token.QUO:
		if c > 0 {
			return min(a, a/c), max(b, b/c), true
		}
	case token.SHR:
		if a >= 0 {
			return 0, b / math.Pow(2, c), true
		}
	}
	return 0, 0, false
}

// letters returns the number of values of s[i] - 'a', s[i] - 'A' and s[i] - '0'.
func (o *overflows) letters(e *ast.BinaryExpr) (n float64, ok bool) {
	first, isConst := o.Constant(e.Y)
	if bits, unsigned := o.width(e); e.Op != token.SUB || !isConst || bits > 8 || !unsigned || o.IsConstant(e.X) {
		return 0, false
	}
	switch first {
	case 'a', 'A':
		return 26, true
	case '0':
		return 10, true
	}
	return 0, false
}

// intervalOf returns the range of a variable: of the counter of a loop with constant
// bounds, or of the values that are assigned to it.
func (o *overflows) intervalOf(obj types.Object, depth int) (low, high float64, ok bool) {
	if obj == nil {
		return 0, 0, false
	}
	for n := range o.Parent {
		switch l := n.(type) {
		case *ast.RangeStmt:
			if key, isIdent := l.Key.(*ast.Ident); isIdent && l.Tok == token.DEFINE && o.Info.Defs[key] == obj {
				n, known := o.Iterations(l)
				return 0, float64(n - 1), known
			}
			if v, isIdent := l.Value.(*ast.Ident); isIdent && l.Tok == token.DEFINE && o.Info.Defs[v] == obj {
				return 0, 0, false
			}
		case *ast.ForStmt:
			if init, isAssign := l.Init.(*ast.AssignStmt); isAssign && len(init.Lhs) == 1 && o.Variable(init.Lhs[0]) == obj {
				return o.intervalOfCounter(l, init, depth)
			}
		case *ast.IncDecStmt:
			if o.Variable(l.X) == obj && !o.isPost(l) {
				return 0, 0, false
			}
		case *ast.AssignStmt:
			if l.Tok != token.ASSIGN && l.Tok != token.DEFINE && o.Variable(l.Lhs[0]) == obj && !o.isPost(l) {
				return 0, 0, false
			}
		case *ast.UnaryExpr:
			if l.Op == token.AND && o.Variable(l.X) == obj {
				return 0, 0, false // it may be read
			}
		}
	}
	values := o.Assigned[obj]
	if len(values) == 0 || o.isParameter(obj) && o.escapes(obj) {
		return 0, 0, false
	}
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		a, b, known := 0.0, 0.0, false
		if v.Result < 0 {
			a, b, known = o.interval(v.Expr, depth)
		}
		if !known {
			return 0, 0, false
		}
		low, high = min(low, a), max(high, b)
	}
	return low, high, true
}

// escapes reports whether a parameter may have other values than those of the calls
// in the program.
func (o *overflows) escapes(obj types.Object) bool {
	for _, f := range o.Funcs {
		for _, param := range o.Parameters(f) {
			if param == obj {
				return len(f.Sites) == 0
			}
		}
	}
	return true
}

func (o *overflows) intervalOfCounter(l *ast.ForStmt, init *ast.AssignStmt, depth int) (low, high float64, ok bool) {
	cond, isBinary := l.Cond.(*ast.BinaryExpr)
	if !isBinary {
		return 0, 0, false
	}
	a, b, ok1 := o.interval(init.Rhs[0], depth)
	c, d, ok2 := o.interval(cond.Y, depth)
	if !ok1 || !ok2 {
		return 0, 0, false
	}
	return min(a, c), max(b, d), true
}

func (o *overflows) isPost(s ast.Stmt) bool {
	l, ok := o.Parent[s].(*ast.ForStmt)
	return ok && l.Post == s
}
