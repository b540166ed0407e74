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

// Reset finds state that survives from one test case to the next.
var Reset = &analysis.Analyzer{
	Name: "reset",
	Doc: `find variables that are not reset between test cases

If a program solves several test cases in one run, a variable outside the loop over
them keeps its value. Reported are variables that each test case adds to (append, +=,
marks, flags, the largest so far), that are read, and that nothing in the loop sets back;
tables that a loop before it fills, as with -1, and whose elements the test cases assign; and
counts of edges that a search brings to zero only where it comes.

The loop over the test cases is the outermost loop that reads input, if at most one
number is read before it and the name of its bound, or its body, fits that. A loop over
queries of one test case is not reported, unless it clears global lists first, nor are counters of the test cases, tables of pure functions, and marks that
carry the number of the test case or of a search.`,
	Requires: []*analysis.Analyzer{programs},
	Run:      runReset,
}

func runReset(pass *analysis.Pass) (any, error) {
	p := programOf(pass)
	loop := p.testLoop()
	if loop == nil {
		return nil, nil
	}
	r := newRegion(p, loop)
	for _, obj := range r.order {
		u := r.updates[obj]
		if u.reset || len(u.adds) == 0 || !r.outside(obj) || !r.readsIt(obj) || r.usedAfter(obj) || r.pure(obj) || r.isClock(obj) || r.isStamped(obj) ||
			slices.ContainsFunc(r.Funcs, func(f *source.Function) bool { return r.isPosition(f, obj) }) {
			continue
		}
		pass.ReportRangef(u.adds[0], "%s keeps its value from one test case to the next; reset it at the start of each", obj.Name())
	}
	return nil, nil
}

// outside reports whether a variable outlives a test case: it is declared outside the
// region, or it is a field of a type of which the region makes no value.
func (r *region) outside(obj types.Object) bool {
	v := obj.(*types.Var)
	if v.IsField() {
		return r.ownerOutside(v)
	}
	for _, part := range r.parts {
		if syntax.DeclaredIn(obj, part) {
			return false
		}
	}
	if syntax.DeclaredIn(obj, r.loop) || r.isParameter(obj) || r.isReceiverOf(obj) {
		return false
	}
	return true
}

func (r *region) isReceiverOf(obj types.Object) bool {
	for _, f := range r.Funcs {
		if d, ok := f.Node.(*ast.FuncDecl); ok && syntax.DeclaredIn(obj, d) && obj.Pos() < d.Body.Pos() {
			return true
		}
	}
	return false
}

// ownerOutside reports whether all values of the struct type with a field are made
// outside the region, and not through a function that the region calls.
func (r *region) ownerOutside(field *types.Var) bool {
	for _, name := range r.Pass.Pkg.Scope().Names() {
		named, ok := r.Pass.Pkg.Scope().Lookup(name).Type().(*types.Named)
		if !ok {
			continue
		}
		s, ok := named.Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for f := range s.Fields() {
			if f.Origin() == field {
				return !r.created[named.Origin()] && !r.made(named) && r.instance(named)
			}
		}
	}
	return false
}

// made reports whether the region makes values of a type by new or make.
func (r *region) made(named *types.Named) bool {
	return r.inParts(func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		return ok && (r.Name(call) == "new" || r.Name(call) == "make") && syntax.Has(call.Args[0], func(id *ast.Ident) bool {
			t, ok := r.Info.Uses[id].(*types.TypeName)
			return ok && t.Type() == named
		})
	})
}

// inParts reports whether f holds for a node of the region.
func (r *region) inParts(f func(ast.Node) bool) bool {
	return slices.ContainsFunc(r.parts, func(part ast.Node) bool { return syntax.Has(part, f) })
}

// instance reports whether a variable outside the region has the type, or a pointer to
// it.
func (r *region) instance(named *types.Named) bool {
	for _, obj := range r.Info.Defs {
		v, ok := obj.(*types.Var)
		if !ok || v.IsField() {
			continue
		}
		t := v.Type()
		if ptr, ok := t.(*types.Pointer); ok {
			t = ptr.Elem()
		}
		if t == types.Type(named) && !r.isParameter(v) && !r.isReceiverOf(v) && !slices.ContainsFunc(r.parts, func(n ast.Node) bool { return syntax.DeclaredIn(v, n) }) {
			return true
		}
	}
	return false
}

// readsIt reports whether the region uses a variable other than to update it.
func (r *region) readsIt(obj types.Object) bool {
	return r.inParts(func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		return ok && r.Variable(id) == obj && !r.isUpdate(id, obj)
	})
}

// usedAfter reports whether the function of the loop uses a variable after it, as a
// total over all test cases.
func (r *region) usedAfter(obj types.Object) bool {
	return syntax.Has(r.FunctionAt(r.loop).Body, func(id *ast.Ident) bool { return id.Pos() > r.loop.End() && r.Variable(id) == obj })
}

// isClock reports whether a variable only counts upwards, and is only compared for
// equality and stored in elements, as the number of a search is.
func (r *region) isClock(obj types.Object) bool {
	ticks := false
	for n := range r.Parent {
		id, ok := n.(*ast.Ident)
		if !ok || r.Variable(id) != obj || r.Info.Defs[id] != nil {
			continue
		}
		switch up := r.Parent[id].(type) {
		case *ast.IncDecStmt:
			ticks = true
			if up.Tok == token.DEC {
				return false
			}
		case *ast.BinaryExpr:
			if up.Op != token.EQL && up.Op != token.NEQ {
				return false
			}
		case *ast.AssignStmt:
			if i := slices.Index(up.Rhs, ast.Expr(id)); i < 0 || i >= len(up.Lhs) || !syntax.Indexed(up.Lhs[i]) {
				return false
			}
		default:
			return false
		}
	}
	return ticks
}

// isStamped reports whether all values that the region adds to a variable are those of
// clocks, so that older ones count as none.
func (r *region) isStamped(obj types.Object) bool {
	return !slices.ContainsFunc(r.updates[obj].adds, func(add ast.Node) bool {
		s, ok := add.(*ast.AssignStmt)
		if !ok {
			return true
		}
		for i, left := range s.Lhs {
			if r.Container(left) != obj {
				continue
			}
			if clock := r.Variable(syntax.AssignedTo(s, i)); clock == nil || !syntax.Indexed(left) || !r.isClock(clock) {
				return true
			}
		}
		return false
	})
}

// isUpdate reports whether an identifier is used only to update the variable.
func (r *region) isUpdate(id *ast.Ident, obj types.Object) bool {
	for up := r.Parent[id]; up != nil; up = r.Parent[up] {
		switch up := up.(type) {
		case *ast.IncDecStmt:
			return r.Container(up.X) == obj
		case *ast.AssignStmt:
			return len(up.Lhs) == 1 && r.Container(up.Lhs[0]) == obj
		case ast.Stmt:
			return false
		}
	}
	return false
}

// pure reports whether a variable is a table that stays true for all test cases: the
// functions that fill it use nothing else that the region changes, and do not read
// input.
func (r *region) pure(obj types.Object) bool {
	for _, add := range r.updates[obj].adds {
		f := r.FunctionAt(add)
		if f == nil || syntax.Within(r.loop, f.Body) || !assignsElement(add) {
			return false
		}
		if r.takes(f.Body) || r.usesState(f, obj) {
			return false
		}
	}
	return true
}

// assignsElement reports whether a statement assigns an element.
func assignsElement(n ast.Node) bool {
	s, ok := n.(*ast.AssignStmt)
	return ok && syntax.Indexed(s.Lhs[0])
}

// usesState reports whether a function uses a variable, other than obj and what it
// declares, that the region changes.
func (r *region) usesState(f *source.Function, obj types.Object) bool {
	return syntax.Has(f.Body, func(id *ast.Ident) bool {
		v, ok := r.Variable(id).(*types.Var)
		return ok && v != obj && !syntax.DeclaredIn(v, f.Node) && (r.updates[v] != nil || r.isRead(v))
	})
}

// isRead reports whether input may be read into a variable in the region.
func (r *region) isRead(v types.Object) bool {
	return r.inParts(func(n ast.Node) bool {
		u, ok := n.(*ast.UnaryExpr)
		return ok && u.Op == token.AND && r.Container(u.X) == v
	})
}
