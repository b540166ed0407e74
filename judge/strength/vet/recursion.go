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

// Recursion finds functions that may recurse as deep as the input is large.
var Recursion = &analysis.Analyzer{
	Name: "recursion",
	Doc: `find recursion as deep as the input

A depth-first search of a path of 1,000,000 vertices has 1,000,000 open calls. The
stack of Go grows, but its 100 bytes or more for each call count towards the memory
limit, and copying it takes time.

Reported are functions that visit each vertex of a graph or grid once, functions
that recurse by a constant step towards a bound that is not constant, and functions
that follow a list, insert into a search tree that nothing balances, or parse nested
input. Not reported is recursion that divides its range (halves,
remainders), tries choices that it takes back, has a constant bound, or whose input is
small, as comments say: n <= 10.`,
	Requires: []*analysis.Analyzer{programs},
	Run:      runRecursion,
}

func runRecursion(pass *analysis.Pass) (any, error) {
	p := programOf(pass)
	for _, f := range p.Funcs {
		var own []*ast.CallExpr // calls of f in its body, and in literals there
		for _, g := range p.Funcs {
			if g == f || syntax.Within(g.Node, f.Body) {
				for _, call := range g.Calls {
					for _, callee := range p.Callees(call) {
						if callee == f {
							own = append(own, call)
						}
					}
				}
			}
		}
		if len(own) == 0 {
			own = p.mutual(f)
		}
		if len(own) == 0 {
			continue
		}
		r := recursion{p, f, own}
		dimensions := 1
		if slices.ContainsFunc(own, r.movesInGrid) {
			dimensions = 2
		}
		if p.Few(dimensions, source.ManyValues) {
			continue
		}
		var why string
		switch {
		case r.traverses():
			why = "once for each vertex that it visits"
		case r.counts():
			why = "once for each step of the input"
		case r.follows():
			why = "once for each element of a list"
		case r.descends():
			why = "once for each level of a tree that nothing balances"
		case r.parses():
			why = "once for each nested part of the input"
		default:
			continue
		}
		pass.ReportRangef(own[0], "%s calls itself %s: as deep as the input; use a loop with a stack of its own", p.functionName(f), why)
	}
	return nil, nil
}

// mutual returns the calls in f that lead back to f, if f is the first in the source of
// the functions that call each other.
func (p *program) mutual(f *source.Function) (all []*ast.CallExpr) {
	for g := range p.Reaches(f) {
		if g.Node.Pos() < f.Node.Pos() && p.Reaches(g)[f] {
			return nil
		}
	}
	for _, call := range f.Calls {
		if slices.ContainsFunc(p.Callees(call), func(g *source.Function) bool { return p.Reaches(g)[f] }) {
			all = append(all, call)
		}
	}
	return all
}

// functionName returns the name of a function, or of the variable that holds it.
func (p *program) functionName(f *source.Function) string {
	if d, ok := f.Node.(*ast.FuncDecl); ok {
		return d.Name.Name
	}
	for obj, values := range p.Assigned {
		for _, v := range values {
			if ast.Unparen(v.Expr) == f.Node && !p.isParameter(obj) {
				return obj.Name()
			}
		}
	}
	return "the function"
}

// A recursion is a function with the calls of itself.
type recursion struct {
	*program
	f   *source.Function
	own []*ast.CallExpr
}

// counts reports whether each call adds a constant to a parameter or takes one off,
// towards a bound that is not constant, and the calls do not branch: there is one
// on each path, or results are kept.
func (r recursion) counts() bool {
	if !r.kept() && r.branches() {
		return false
	}
	for _, call := range r.own {
		if r.overDigits(call) || slices.ContainsFunc(call.Args, r.setsBit) {
			return false
		}
		steps := r.steps(call)
		for i, step := range steps {
			if step != 0 && r.unbounded(i, step) && !r.divides(i) {
				return true
			}
		}
		if r.shrinks(call) {
			return true
		}
	}
	return false
}

// divides reports whether a call divides parameter i, so that few steps are between
// divisions.
func (r recursion) divides(i int) bool {
	return slices.ContainsFunc(r.own, func(call *ast.CallExpr) bool {
		if i >= len(call.Args) {
			return false
		}
		b, ok := ast.Unparen(r.definition(call.Args[i])).(*ast.BinaryExpr)
		return ok && (b.Op == token.QUO || b.Op == token.SHR || b.Op == token.REM)
	})
}

// overDigits reports whether a call is in a loop over the digits of a number, which
// has few: for d := 0; d <= 9; d++, also with a variable bound that is 9 sometimes.
func (r recursion) overDigits(call ast.Node) bool {
	isNine := func(e ast.Expr) bool {
		n, ok := r.Constant(e)
		return ok && (n == 9 || n == 10)
	}
	for up := r.Parent[call]; up != nil && up != r.f.Node; up = r.Parent[up] {
		switch l := up.(type) {
		case *ast.RangeStmt:
			if isNine(l.X) {
				return true
			}
		case *ast.ForStmt:
			cond, ok := l.Cond.(*ast.BinaryExpr)
			if !ok {
				continue
			}
			if isNine(cond.Y) {
				return true
			}
			if obj := r.Variable(cond.Y); obj != nil {
				for _, v := range r.Assigned[obj] {
					if v.Result < 0 && isNine(v.Expr) {
						return true
					}
				}
			}
		}
	}
	return false
}

// steps returns for each argument of a call the sign of its constant difference from
// the same parameter; 0 if there is none.
func (r recursion) steps(call *ast.CallExpr) []int {
	params := r.Parameters(r.f)
	steps := make([]int, len(call.Args))
	for i, arg := range call.Args {
		if i >= len(params) || params[i] == nil || !isInt(params[i].Type()) {
			continue
		}
		arg = r.definition(arg)
		b, ok := ast.Unparen(arg).(*ast.BinaryExpr)
		if !ok {
			continue
		}
		_, constant := r.Constant(b.Y)
		constant = constant || r.kept() && r.countsFromOne(call, b.Y)
		switch {
		case r.Variable(b.X) == params[i] && constant && b.Op == token.ADD:
			steps[i] = 1
		case r.Variable(b.X) == params[i] && constant && b.Op == token.SUB:
			steps[i] = -1
		case r.Variable(b.Y) == params[i] && b.Op == token.ADD:
			if _, ok := r.Constant(b.X); ok {
				steps[i] = 1
			}
		}
	}
	return steps
}

// countsFromOne reports whether e is the counter of a loop around a call that starts at a
// positive constant and grows, for k := 1; k <= i; k++, or one of some positive constants,
// for _, k := range []int{1, 3, 4}.
func (r recursion) countsFromOne(call ast.Node, e ast.Expr) bool {
	obj := r.Variable(e)
	for _, up := range r.Around(call) {
		if l, ok := up.(*ast.RangeStmt); ok && obj != nil && r.Variable(l.Value) == obj {
			list, ok := ast.Unparen(l.X).(*ast.CompositeLit)
			return ok && !slices.ContainsFunc(list.Elts, func(e ast.Expr) bool { n, ok := r.Constant(e); return !ok || n <= 0 })
		}
		l, ok := up.(*ast.ForStmt)
		if !ok || obj == nil {
			continue
		}
		init, ok := l.Init.(*ast.AssignStmt)
		post, isStep := l.Post.(*ast.IncDecStmt)
		if first, known := r.Start(l); ok && isStep && known && first > 0 && post.Tok == token.INC && r.Variable(init.Lhs[0]) == obj {
			return true
		}
	}
	return false
}

// definition returns the value of a variable of the function that has only one.
func (r recursion) definition(e ast.Expr) ast.Expr {
	if obj := r.Variable(e); obj != nil && syntax.DeclaredIn(obj, r.f.Body) && len(r.Assigned[obj]) == 1 && r.Assigned[obj][0].Result < 0 {
		return r.Assigned[obj][0].Expr
	}
	return e
}

// unbounded reports whether the bound of a parameter that grows or falls is not
// constant. It grows towards what conditions compare it with, and falls from where
// the first call starts.
func (r recursion) unbounded(i, step int) bool {
	param := r.Parameters(r.f)[i]
	constants, others := 0, 0
	ast.Inspect(r.f.Body, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		if !ok {
			return true
		}
		switch b.Op {
		case token.EQL, token.LSS, token.LEQ, token.GTR, token.GEQ:
		default:
			return true
		}
		bound := b.Y
		if !r.Mentions(b.X, param) {
			if bound = b.X; !r.Mentions(b.Y, param) {
				return true
			}
		}
		if _, ok := r.Constant(bound); ok {
			constants++
		} else if _, ok := r.LenOfArray(bound); ok {
			constants++
		} else {
			others++
		}
		return true
	})
	if step > 0 {
		return others > 0 && constants == 0
	}
	starts := 0 // calls from outside with a start that is not constant
	for _, site := range r.f.Sites {
		call, ok := site.(*ast.CallExpr)
		if !ok || syntax.Within(call, r.f.Body) || i >= len(call.Args) {
			continue
		}
		if _, ok := r.Constant(call.Args[i]); ok {
			return false
		}
		starts++
	}
	return starts > 0 && constants+others > 0
}

// shrinks reports whether a call passes a parameter without its first or last
// elements: f(s[1:]).
func (r recursion) shrinks(call *ast.CallExpr) bool {
	params := r.Parameters(r.f)
	for i, arg := range call.Args {
		s, ok := ast.Unparen(r.definition(arg)).(*ast.SliceExpr)
		if !ok || i >= len(params) || params[i] == nil || r.Variable(s.X) != params[i] {
			continue
		}
		if s.Low != nil && s.High == nil {
			if _, ok := r.Constant(s.Low); ok {
				return true
			}
		}
		if s.High != nil {
			if b, ok := ast.Unparen(s.High).(*ast.BinaryExpr); ok && b.Op == token.SUB && r.Calls(b.X, "len") {
				if _, ok := r.Constant(b.Y); ok {
					return true
				}
			}
		}
	}
	return false
}

// branches reports whether one execution of the function may call itself twice: in a
// loop, in one expression, or in statements that follow each other.
func (r recursion) branches() bool {
	for i, a := range r.own {
		for up := r.Parent[a]; up != nil && up != r.f.Node; up = r.Parent[up] {
			switch up.(type) {
			case *ast.ForStmt, *ast.RangeStmt:
				return true
			}
		}
		for _, b := range r.own[i+1:] {
			if !r.exclusive(a, b) {
				return true
			}
		}
	}
	return false
}

// exclusive reports whether only one of two calls is executed: they are in different
// branches, or the first returns.
func (r recursion) exclusive(a, b ast.Node) bool {
	for child, up := a, r.Parent[a]; up != nil; child, up = up, r.Parent[up] {
		if syntax.Within(b, up) {
			switch up := up.(type) {
			case *ast.IfStmt:
				return child != ast.Node(up.Cond) && child != ast.Node(up.Init)
			case *ast.BlockStmt:
				_, isCase := child.(*ast.CaseClause)
				return isCase
			}
			return false
		}
		switch up := up.(type) {
		case *ast.ReturnStmt:
			return true
		case *ast.BlockStmt:
			if jump, _ := r.Jump(up.List, child); jump != nil {
				if _, ok := jump.(*ast.ReturnStmt); ok && b.Pos() > jump.End() {
					return true
				}
			}
		}
	}
	return false
}

// kept reports whether the function keeps its results: it assigns elements of what
// it also tests, at an index that uses a parameter.
func (r recursion) kept() bool {
	for _, mark := range r.marks() {
		if r.undone(mark) || !r.setsElement(mark) {
			continue
		}
		tested := false
		ast.Inspect(r.f.Body, func(n ast.Node) bool {
			if s, ok := n.(*ast.IfStmt); ok && r.Tests(s, mark) && syntax.Leaves(s.Body) {
				tested = true
			}
			return !tested
		})
		if tested {
			return true
		}
	}
	return false
}

// follows reports whether the only call passes the next element of a list: a field
// of a parameter that is named next, or that is the only pointer of its type.
func (r recursion) follows() bool {
	if r.branches() || len(r.own) != 1 {
		return false
	}
	call := r.own[0]
	if r.followsParents(call) {
		return true
	}
	args := call.Args
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		args = append([]ast.Expr{sel.X}, args...)
	}
	for _, arg := range args {
		sel, ok := ast.Unparen(arg).(*ast.SelectorExpr)
		if !ok || !r.mentionsParam(sel.X) && !r.isReceiver(sel.X) {
			continue
		}
		t, field := r.TypeOf(sel.X), r.Variable(sel)
		ptr, ok := t.Underlying().(*types.Pointer)
		if !ok || field == nil || !types.Identical(field.Type(), t) {
			continue
		}
		s, ok := ptr.Elem().Underlying().(*types.Struct)
		if !ok {
			continue
		}
		same := 0
		for field := range s.Fields() {
			if types.Identical(field.Type(), t) {
				same++
			}
		}
		if same == 1 {
			return true
		}
	}
	return false
}

// followsParents reports whether a call passes the element of an array at its parameter,
// as find(parent[v]) does. An array that the function itself changes is compressed, and
// one that is changed after a comparison by size has short paths.
func (r recursion) followsParents(call *ast.CallExpr) bool {
	params := r.Parameters(r.f)
	for i, arg := range call.Args {
		e, ok := ast.Unparen(arg).(*ast.IndexExpr)
		if !ok || i >= len(params) || params[i] == nil || r.Variable(e.Index) != params[i] || r.isMapElement(e) {
			continue
		}
		list, changed := r.Container(e), false
		for _, f := range r.Funcs {
			changed = changed || syntax.Has(f.Body, func(s *ast.AssignStmt) bool {
				return slices.ContainsFunc(s.Lhs, func(left ast.Expr) bool { return syntax.Indexed(left) && r.Container(left) == list }) &&
					(f == r.f || syntax.Has(f.Body, func(b *ast.BinaryExpr) bool {
						return syntax.IsOrder(b.Op) && syntax.Indexed(b.X) && syntax.Indexed(b.Y)
					}))
			})
		}
		return list != nil && !changed
	}
	return false
}

func (r recursion) isReceiver(e ast.Expr) bool {
	d, ok := r.f.Node.(*ast.FuncDecl)
	return ok && d.Recv != nil && len(d.Recv.List[0].Names) > 0 && r.Variable(e) == r.Info.Defs[d.Recv.List[0].Names[0]]
}

func isInt(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}
