package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"crucible/judge/strength/vet/source"
	"crucible/judge/strength/vet/syntax"
)

// Overflow finds indices and sizes whose computation overflows.
var Overflow = &analysis.Analyzer{
	Name: "overflow",
	Doc: `find integer overflow in index arithmetic

An index is computed in the type of its operands, even if it is converted to int
afterwards. Reported are, where the result is an index, a bound of a slice or a size:

- products of variables of 32 bits or fewer, unless their ranges are known to fit;
- sums and products of 8 or 16 bits of what was converted from a larger type;
- the middle (low + high) / 2 of variables of 32 bits or fewer, also where it is no
  index if they have 16 bits or a limit of 2^30;
- products of letters, as (s[i]-'a')*26;
- conversions of products to 32 bits or fewer;
- conversions of products and shifts of 32 bits or fewer, and of sums with these, to more
  bits, which are too late, also where the result is no index;
- products of three numbers that are reduced by the same modulus, which must be reduced
  after each factor, also where the result is no index;
- products that are reduced by a modulus, of variables whose limits, as comments state them
  (k <= 10^18, d <= 10^9), have a product that does not fit;
- h % size of a signed hash or random number h = h*k + x that may overflow, and is
  negative then;
- sums of two elements of a table whose elements start at a constant that is more than
  half of the largest value, as math.MaxInt, if no condition compares them with it, also
  where the result is no index;
- counters of loops that are stored as elements of 8 or 16 bits, if a comment states a
  count that these bits cannot hold, or, for 8 bits, if nothing limits the loop;
- differences of unsigned variables that nothing compares, or that are compared with 0,
  and loops that run while an unsigned variable is 0 or more.

Unsigned products that are shifted, masked or reduced are hashes and not reported.`,
	Requires: []*analysis.Analyzer{programs},
	Run:      runOverflow,
}

func runOverflow(pass *analysis.Pass) (any, error) {
	p := programOf(pass)
	o := &overflows{program: p, pass: pass, reported: make(map[ast.Node]bool)}
	for _, f := range p.Funcs {
		ast.Inspect(f.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return n == f.Node
			case *ast.IndexExpr:
				if o.isSequence(n.X) || o.isMapElement(n) && o.signed(n.Index) {
					o.sink(n.Index)
				}
			case *ast.SliceExpr:
				for _, bound := range []ast.Expr{n.Low, n.High, n.Max} {
					if bound != nil {
						o.sink(bound)
					}
				}
			case *ast.CallExpr:
				o.widened(n)
				o.storedCounter(n)
				if p.Name(n) == "make" {
					for _, size := range n.Args[1:] {
						o.sink(size)
					}
				}
			case *ast.ForStmt:
				o.loop(n)
			case *ast.BinaryExpr:
				o.middle(n, false)
				o.infinite(n)
				o.modular(n)
				o.beyondLimits(n)
				o.belowZero(n)
			}
			return true
		})
	}
	return nil, nil
}

type overflows struct {
	*program
	pass     *analysis.Pass
	reported map[ast.Node]bool
}

// isSequence reports whether e is indexed by integers that may be out of range.
func (o *overflows) isSequence(e ast.Expr) bool {
	t := o.TypeOf(e)
	if t == nil {
		return false
	}
	switch t := t.Underlying().(type) {
	case *types.Slice, *types.Array, *types.Basic:
		return true
	case *types.Pointer:
		_, ok := t.Elem().Underlying().(*types.Array)
		return ok
	}
	return false
}

// signed reports whether an expression has a signed type of 32 bits or fewer.
func (o *overflows) signed(e ast.Expr) bool {
	bits, unsigned := o.width(e)
	return bits <= 32 && !unsigned
}

// widened reports a product of variables or a shift by a variable, of 32 bits or fewer,
// that is converted to more bits after it may have overflowed.
func (o *overflows) widened(call *ast.CallExpr) {
	if tv := o.Info.Types[call.Fun]; !tv.IsType() || len(call.Args) != 1 || !isInt(tv.Type) {
		return
	}
	for _, e := range o.terms(call.Args[0], 2, nil) {
		if !o.signed(e) || o.IsConstant(e.Y) || e.Op != token.SHL && (e.Op != token.MUL || o.IsConstant(e.X)) {
			continue
		}
		bits, _ := o.width(e)
		if to, _ := o.width(call); to > bits && !o.fits(e, bits, false) && !syntax.Has(e, o.isLetter) {
			o.report(e, "the result may overflow %s before it is converted; convert its operands first", o.TypeOf(e))
		}
	}
}

// terms appends the products and shifts whose sum, or a part of it, is the value of e,
// through so many variables at most that have only one value.
func (o *overflows) terms(e ast.Expr, depth int, all []*ast.BinaryExpr) []*ast.BinaryExpr {
	if obj := o.Variable(e); obj != nil && depth > 0 && !o.isParameter(obj) && !o.IsGlobal(obj) && len(o.Assigned[obj]) == 1 && o.Assigned[obj][0].Result < 0 {
		return o.terms(o.Assigned[obj][0].Expr, depth-1, all)
	}
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok {
		return all
	}
	switch b.Op {
	case token.ADD, token.SUB:
		return o.terms(b.Y, depth, o.terms(b.X, depth, all))
	case token.QUO:
		return o.terms(b.X, depth, all)
	}
	return append(all, b)
}

// infinite reports the sum of two elements of a table that may both be an infinity which
// overflows then, unless a condition compares elements with it.
func (o *overflows) infinite(sum *ast.BinaryExpr) {
	table := o.Container(sum.X)
	if sum.Op != token.ADD || table == nil || o.Container(sum.Y) != table || !syntax.Indexed(sum.X) || !syntax.Indexed(sum.Y) || !isInt(o.TypeOf(sum)) {
		return
	}
	bits, unsigned := o.width(sum)
	if unsigned {
		return
	}
	half := int64(1)<<(bits-2) - 1
	isElement := func(e ast.Expr) bool { return syntax.Indexed(e) && o.Container(e) == table }
	isHuge := func(e ast.Expr) bool {
		n, ok := o.Constant(e)
		return ok && n > half
	}
	starts, compared := false, false
	loop := ast.Node(nil) // the outermost one around the sum
	for _, up := range o.program.Around(sum) {
		if syntax.IsLoop(up) {
			loop = up
		}
	}
	for n := range o.Parent {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				starts = starts || n.Tok == token.ASSIGN && isElement(left) && isHuge(syntax.AssignedTo(n, i))
			}
		case *ast.BinaryExpr:
			// A smaller constant may be compared with, too: d[i][j] < inf/2.
			near := loop == nil || syntax.Within(n, loop) || o.FunctionAt(n) != o.FunctionAt(sum)
			compared = compared || near && (isElement(n.X) && o.IsConstant(n.Y) || isElement(n.Y) && o.IsConstant(n.X))
		}
	}
	if starts && !compared {
		o.report(sum, "the sum overflows %s if both elements of %s are still at their start value; use a smaller one", o.TypeOf(sum), table.Name())
	}
}

// sink examines an expression whose value is an index.
func (o *overflows) sink(e ast.Expr) { o.examine(e, false, make(map[any]bool)) }

// examine reports the overflows in e, in the values of its variables and in what the
// functions that it calls return. Reduced says that the result is shifted, masked or
// reduced.
func (o *overflows) examine(e ast.Expr, reduced bool, seen map[any]bool) {
	e = ast.Unparen(e)
	if v := o.Info.Types[e]; v.Value != nil || !isInt(v.Type) {
		return
	}
	switch e := e.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		obj := o.Variable(e)
		if obj == nil || seen[obj] || len(seen) > 20 {
			return
		}
		seen[obj] = true
		if o.isParameter(obj) {
			return // the caller's arithmetic is reported where it is an index there
		}
		for _, v := range o.Assigned[obj] {
			if v.Result < 0 {
				o.examine(v.Expr, reduced, seen)
			} else {
				o.results(v.Expr, v.Result, reduced, seen)
			}
		}
	case *ast.CallExpr:
		if tv := o.Info.Types[e.Fun]; tv.IsType() && len(e.Args) == 1 {
			o.conversion(e)
			o.examine(e.Args[0], reduced, seen)
			return
		}
		o.results(e, 0, reduced, seen)
	case *ast.BinaryExpr:
		o.binary(e, reduced)
		switch e.Op {
		case token.REM, token.SHR, token.AND:
			o.hash(e)
			o.examine(e.X, true, seen)
			o.examine(e.Y, true, seen)
		case token.SHL, token.QUO:
			o.examine(e.X, reduced, seen)
		default:
			o.examine(e.X, reduced, seen)
			o.examine(e.Y, reduced, seen)
		}
	}
}

// results examines a result of the functions that a call may call.
func (o *overflows) results(e ast.Expr, i int, reduced bool, seen map[any]bool) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return
	}
	for _, f := range o.Callees(call) {
		if seen[f] {
			continue
		}
		seen[f] = true
		for _, r := range f.Returns {
			if i < len(r.Results) {
				o.examine(r.Results[i], reduced, seen)
			}
		}
	}
}

func (o *overflows) report(n ast.Node, format string, args ...any) {
	if !o.reported[n] {
		o.reported[n] = true
		o.pass.ReportRangef(n, format, args...)
	}
}

// binary reports a product, sum or middle that may overflow its type.
func (o *overflows) binary(e *ast.BinaryExpr, reduced bool) {
	bits, unsigned := o.width(e)
	if unsigned && bits >= 32 && e.Op == token.SUB && !reduced {
		o.difference(e)
	}
	if bits >= 64 {
		return
	}
	name := o.TypeOf(e).String()
	if o.middle(e, true) || reduced && unsigned || o.fits(e, bits, unsigned) {
		return
	}
	switch e.Op {
	case token.MUL:
		both := !o.IsConstant(e.X) && !o.IsConstant(e.Y)
		if both && bits == 32 || bits < 32 && (o.converted(e.X) || o.converted(e.Y) || syntax.Has(e, o.isLetter)) {
			o.report(e, "the product of this index may overflow %s; convert its operands to int first", name)
		}
	case token.ADD:
		if bits < 32 && (o.converted(e.X) || o.converted(e.Y)) {
			o.report(e, "the sum of this index may overflow %s; convert its operands to int first", name)
		}
	}
}

// middle reports whether e is (low + high) / 2 of 32 bits or fewer, and reports the
// overflow of the sum: of an index, of 8 or 16 bits, or if a limit is 2^30 or more.
func (o *overflows) middle(e *ast.BinaryExpr, index bool) bool {
	bits, unsigned := o.width(e)
	sum, ok := ast.Unparen(e.X).(*ast.BinaryExpr)
	if !ok || !o.halves(e) || sum.Op != token.ADD || bits > 32 {
		return false
	}
	if !o.fits(sum, bits, unsigned) && !o.IsConstant(sum.X) && !o.IsConstant(sum.Y) && (index || bits <= 16 || o.isLimit(sum.X) || o.isLimit(sum.Y)) {
		o.report(sum, "the sum may overflow %s before it is halved; compute low + (high-low)/2, or use int", o.TypeOf(e))
	}
	return true
}

// isLimit reports whether a constant of 2^30 or more is assigned to a variable.
func (o *overflows) isLimit(e ast.Expr) bool {
	return slices.ContainsFunc(o.Assigned[o.Variable(e)], func(v source.Value) bool {
		n, ok := o.Constant(v.Expr)
		return ok && n >= 1<<30
	})
}

// isLetter reports whether e is the number of a character of 8 bits: s[i] - 'a'.
func (o *overflows) isLetter(e *ast.BinaryExpr) bool {
	_, ok := o.letters(e)
	return ok
}

// halves reports whether an expression is x/2 or x>>1.
func (o *overflows) halves(e *ast.BinaryExpr) bool {
	n, ok := o.Constant(e.Y)
	return ok && (e.Op == token.QUO && n == 2 || e.Op == token.SHR && n == 1)
}

// converted reports whether an operand was an int of unknown range before it was
// converted to its narrow type, perhaps in a variable.
func (o *overflows) converted(e ast.Expr) bool {
	e = ast.Unparen(e)
	if b, ok := e.(*ast.BinaryExpr); ok {
		return o.converted(b.X) || o.converted(b.Y)
	}
	if obj := o.Variable(e); obj != nil && !o.isParameter(obj) {
		for _, v := range o.Assigned[obj] {
			if _, ok := ast.Unparen(v.Expr).(*ast.CallExpr); ok && v.Result < 0 && o.converted(v.Expr) {
				return true
			}
		}
	}
	call, ok := e.(*ast.CallExpr)
	if !ok || !o.Info.Types[call.Fun].IsType() || len(call.Args) != 1 {
		return false
	}
	from, _ := o.width(call.Args[0])
	_, _, known := o.interval(call.Args[0], 4)
	return from > 16 && !known && !o.isByteOf(call.Args[0])
}

// isByteOf reports whether an expression takes a part of a number, as s >> 8.
func (o *overflows) isByteOf(e ast.Expr) bool {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	return ok && (b.Op == token.SHR || b.Op == token.AND || b.Op == token.REM || b.Op == token.QUO)
}

// conversion reports a product that is cut to 32 bits or fewer.
func (o *overflows) conversion(call *ast.CallExpr) {
	to, unsigned := o.width(call)
	from, _ := o.width(call.Args[0])
	product, ok := ast.Unparen(call.Args[0]).(*ast.BinaryExpr)
	if !ok || to >= from || o.fits(product, to, unsigned) {
		return
	}
	for product.Op == token.ADD || product.Op == token.SUB {
		inner, ok := ast.Unparen(product.X).(*ast.BinaryExpr)
		if !ok {
			return
		}
		product = inner
	}
	if product.Op == token.MUL && (to <= 16 || !o.IsConstant(product.X) && !o.IsConstant(product.Y)) {
		o.report(call, "the conversion to %s may cut this index; keep it an int", o.TypeOf(call))
	}
}

// width returns the bits of an integer type. A type parameter or a value that is no
// integer has 64.
func (o *overflows) width(e ast.Expr) (bits int, unsigned bool) {
	t := o.TypeOf(e)
	if t == nil {
		return 64, false
	}
	b, ok := t.Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsInteger == 0 {
		return 64, false
	}
	switch b.Kind() {
	case types.Int8, types.Uint8:
		bits = 8
	case types.Int16, types.Uint16:
		bits = 16
	case types.Int32, types.Uint32:
		bits = 32
	default:
		bits = 64
	}
	return bits, b.Info()&types.IsUnsigned != 0
}
