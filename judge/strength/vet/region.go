package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"crucible/judge/strength/vet/source"
	"crucible/judge/strength/vet/syntax"
)

// A region is the code that runs for each test case.
type region struct {
	*program
	loop    ast.Stmt
	parts   []ast.Node // the body of the loop, and of the functions that it calls
	updates map[types.Object]*update
	order   []types.Object
	created map[*types.Named]bool // struct types with values made for each test case
}

// An update is what a region does to a variable.
type update struct {
	adds  []ast.Node // statements that keep the old value or the other elements
	undos []ast.Node // statements that take one element or step back
	flag  string     // the only value that a variable gets: "true" or "false"; "" if it is another
	reset bool       // something sets all of it back
}

func newRegion(p *program, loop ast.Stmt) *region {
	r := &region{program: p, loop: loop, updates: make(map[types.Object]*update), created: make(map[*types.Named]bool)}
	switch l := loop.(type) {
	case *ast.ForStmt:
		r.parts = append(r.parts, l.Body)
		if l.Post != nil {
			r.parts = append(r.parts, l.Post)
		}
	case *ast.RangeStmt:
		r.parts = append(r.parts, l.Body)
	}
	called := make(map[*source.Function]bool)
	p.Reach(r.parts[0], called)
	for _, f := range p.Funcs {
		if called[f] && !syntax.Within(f.Node, r.parts[0]) {
			r.parts = append(r.parts, f.Body)
		}
	}
	for _, part := range r.parts {
		r.scan(part)
	}
	for obj, u := range r.updates {
		for f := range called {
			r.balance(obj, u, f)
		}
		// It may count down to where it was, unless the program asks whether it did.
		u.reset = u.reset || len(u.undos) > 0 && !r.mayRemain(obj, u)
	}
	return r
}

// balance removes the updates of a variable by a search that takes its steps back: f
// calls itself, and f and the functions that only it calls add and undo. If f returns
// at once when a call of itself has succeeded, the steps to there remain.
func (r *region) balance(obj types.Object, u *update, f *source.Function) {
	if !r.Recursive(f) {
		return
	}
	within := func(n ast.Node) bool {
		g := r.FunctionAt(n)
		return g == f || r.Reaches(f)[g] && !r.Reaches(g)[f]
	}
	if !slices.ContainsFunc(u.adds, within) || !slices.ContainsFunc(u.undos, within) {
		return
	}
	u.undos = slices.DeleteFunc(u.undos, within)
	if !syntax.Has(f.Body, func(i *ast.IfStmt) bool {
		return syntax.Leaves(i.Body) && r.callsItself(f, i.Cond) && !r.Mentions(i.Body, obj)
	}) {
		u.adds = slices.DeleteFunc(u.adds, within)
	}
}

// mayRemain reports whether a search that steps back need not reach all elements, or the
// loop compares the length of a stack with zero after all that it does to it, because
// something may have remained there.
func (r *region) mayRemain(obj types.Object, u *update) bool {
	if slices.ContainsFunc(u.undos, r.stopsEarly) {
		return true
	}
	return syntax.Has(r.parts[0], func(b *ast.BinaryExpr) bool {
		call, ok := ast.Unparen(b.X).(*ast.CallExpr)
		zero, isConst := r.Constant(b.Y)
		if !ok || !isConst || zero != 0 || r.Name(call) != "len" || r.Variable(call.Args[0]) != obj {
			return false
		}
		before := func(n ast.Node) bool { return syntax.Within(n, r.parts[0]) && n.End() < b.Pos() }
		return !slices.ContainsFunc(slices.Concat(u.adds, u.undos), func(n ast.Node) bool { return !before(n) })
	})
}

// callsItself reports whether the code below n, which is in f, leads to f.
func (p *program) callsItself(f *source.Function, n ast.Node) bool {
	reached := make(map[*source.Function]bool)
	p.Reach(n, reached)
	return reached[f]
}

func (r *region) of(obj types.Object) *update {
	if r.updates[obj] == nil {
		r.updates[obj] = &update{}
		r.order = append(r.order, obj)
	}
	return r.updates[obj]
}

// scan records the updates in a part.
func (r *region) scan(part ast.Node) {
	ast.Inspect(part, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				r.assignment(n, left, syntax.AssignedTo(n, i))
			}
		case *ast.IncDecStmt:
			obj := r.Container(n.X)
			switch {
			case obj == nil:
			case n.Tok == token.DEC:
				r.of(obj).undos = append(r.of(obj).undos, n)
			case syntax.Indexed(n.X) || !r.countsTests(n):
				r.of(obj).adds = append(r.of(obj).adds, n)
			}
		case *ast.CallExpr:
			r.call(n)
		case *ast.CompositeLit:
			r.create(r.TypeOf(n))
		case *ast.ValueSpec:
			if n.Type != nil {
				r.create(r.TypeOf(n.Type))
			}
		}
		return true
	})
}

func (r *region) create(t types.Type) {
	if t == nil {
		return
	}
	if ptr, ok := t.(*types.Pointer); ok {
		t = ptr.Elem()
	}
	if named, ok := t.(*types.Named); ok {
		r.created[named.Origin()] = true
	}
}

// assignment records left = right, or left op= right.
func (r *region) assignment(s *ast.AssignStmt, left, right ast.Expr) {
	obj := r.Container(left)
	if obj == nil || s.Tok == token.DEFINE {
		return
	}
	u := r.of(obj)
	switch {
	case s.Tok == token.SUB_ASSIGN || s.Tok == token.XOR_ASSIGN || s.Tok == token.AND_ASSIGN || s.Tok == token.AND_NOT_ASSIGN || s.Tok == token.SHR_ASSIGN || s.Tok == token.QUO_ASSIGN || s.Tok == token.REM_ASSIGN:
		u.reset = true
	case s.Tok != token.ASSIGN:
		if syntax.Indexed(left) || !r.countsTests(s) {
			u.adds = append(u.adds, s)
		}
	case syntax.Indexed(left) && (r.isEmptyStruct(right) || r.isMapElement(left) && !r.clears(obj, right)):
		u.adds = append(u.adds, s)
	case syntax.Indexed(left) && r.underTestOf(s, obj):
		// An element is created when it is needed.
	case r.Variable(left) == obj && r.isFlag(right) && r.onlySometimes(s, left):
		// A flag that is cleared and set is set back.
		if value := types.ExprString(right); u.flag != "" && u.flag != value {
			u.reset = true
		} else {
			u.flag, u.adds = value, append(u.adds, s)
		}
	case r.clears(obj, right):
		if isLast, _ := ast.Unparen(right).(*ast.SliceExpr); syntax.Indexed(left) || isLast != nil && r.Calls(isLast.High, "len") {
			u.undos = append(u.undos, s)
		} else if !r.onlySometimes(s, left) {
			u.reset = true
		}
	case syntax.UsesSame(right, left) || r.underOwnCondition(s, obj):
		u.adds = append(u.adds, s)
	case !syntax.Indexed(left) && r.Variable(left) != obj:
		u.reset = true // *p = value
	case r.Variable(left) == obj:
		u.reset = u.reset || !r.onlySometimes(s, left)
	case r.isMark(right) && (r.isFlag(right) || !r.startsAll(s, left)) || r.memoizes(s, obj) || syntax.Indexed(left) && (r.links(s, left) || r.leavesStart(s, left, right)):
		u.adds = append(u.adds, s)
	default:
		u.reset = true // elements get new values, as when input is read
	}
}

// isFlag reports whether a value is true or false.
func (r *region) isFlag(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && (id.Name == "true" || id.Name == "false") && r.IsConstant(id)
}

// isEmptyStruct reports whether a value is struct{}{}, which marks an element of a set.
func (r *region) isEmptyStruct(e ast.Expr) bool {
	t, ok := r.TypeOf(e).Underlying().(*types.Struct)
	return ok && t.NumFields() == 0
}

// isMapElement reports whether e is an element of a map.
func (p *program) isMapElement(e ast.Expr) bool {
	i, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok || p.TypeOf(i.X) == nil {
		return false
	}
	_, ok = p.TypeOf(i.X).Underlying().(*types.Map)
	return ok
}

// underTestOf reports whether a statement is in an if statement whose condition is about
// the variable.
func (r *region) underTestOf(s ast.Stmt, obj types.Object) bool {
	i, ok := r.Parent[r.Parent[s]].(*ast.IfStmt)
	return ok && r.Tests(i, obj)
}

// onlySometimes reports whether an assignment to a variable may be left out in a test
// case: it is in an if statement in a loop inside the test case, whose condition is
// not about the first iteration.
func (r *region) onlySometimes(s ast.Stmt, left ast.Expr) bool {
	if syntax.Indexed(left) {
		return false
	}
	conditional := false
	for _, up := range r.Around(s) {
		switch up := up.(type) {
		case *ast.IfStmt:
			conditional = conditional || !syntax.Has(up.Cond, func(b *ast.BinaryExpr) bool { return b.Op == token.EQL && r.IsConstant(b.Y) })
		case *ast.ForStmt, *ast.RangeStmt:
			return conditional && up != ast.Node(r.loop)
		}
	}
	return false
}

// memoizes reports whether an assignment keeps a result that its function looks up
// first: if r, ok := memo[key]; ok { return r }.
func (r *region) memoizes(s ast.Stmt, obj types.Object) bool {
	f := r.FunctionAt(s)
	return f != nil && !syntax.Within(r.loop, f.Body) && (r.IsGlobal(obj) || !syntax.DeclaredIn(obj, f.Node)) && r.Recursive(f) &&
		syntax.Has(f.Body, func(i *ast.IfStmt) bool { return i.End() < s.Pos() && syntax.Leaves(i.Body) && r.Tests(i, obj) })
}

// links reports whether the statement before s keeps the element that s assigns in
// another element, as edges in lists do: next[e] = head[v]; head[v] = e.
func (r *region) links(s ast.Stmt, left ast.Expr) bool {
	block, ok := r.Parent[s].(*ast.BlockStmt)
	if !ok {
		return false
	}
	i := slices.Index(block.List, s)
	if i < 1 {
		return false
	}
	before, ok := block.List[i-1].(*ast.AssignStmt)
	return ok && len(before.Lhs) == 1 && syntax.Indexed(before.Lhs[0]) && r.Container(before.Lhs[0]) != r.Container(left) &&
		types.ExprString(before.Rhs[0]) == types.ExprString(left)
}

// isMark reports whether a value is a constant that marks an element.
func (r *region) isMark(e ast.Expr) bool {
	v := r.Info.Types[e].Value
	return v != nil && v.ExactString() != "0" && v.ExactString() != "false" && v.ExactString() != `""` && v.ExactString() != "-1"
}

// clears reports whether a value is empty: zero, false, nil, -1, s[:0] or a large
// constant for infinity.
func (r *region) clears(obj types.Object, e ast.Expr) bool {
	e = ast.Unparen(e)
	if v := r.Info.Types[e].Value; v != nil {
		return !r.isMark(e) || isLarge(r.program, e)
	}
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "nil"
	case *ast.SliceExpr:
		return e.High != nil // s[:0], or the end of a stack is removed
	case *ast.CallExpr:
		if r.Name(e) == "append" {
			s, ok := ast.Unparen(e.Args[0]).(*ast.SliceExpr)
			return ok && s.High != nil // append(s[:0], values...)
		}
	case *ast.CompositeLit:
		return !r.Mentions(e, obj)
	}
	return false
}

// isLarge reports whether a constant is used as infinity.
func isLarge(p *program, e ast.Expr) bool {
	n, ok := p.Constant(e)
	return !ok && p.Info.Types[e].Value != nil && !source.IsTrue(ast.Unparen(e)) || n >= 1_000_000 || n <= -1_000_000
}

// underOwnCondition reports whether an assignment is in an if statement that compares
// the variable itself, as the search of a maximum is.
func (r *region) underOwnCondition(s ast.Stmt, obj types.Object) bool {
	for child, up := range r.Around(s) {
		if up == ast.Node(r.loop) {
			return false
		}
		i, ok := up.(*ast.IfStmt)
		if ok && child != ast.Node(i.Cond) && syntax.Has(i.Cond, func(b *ast.BinaryExpr) bool {
			return syntax.IsOrder(b.Op) && (r.Variable(b.X) == obj || r.Variable(b.Y) == obj)
		}) {
			return true
		}
	}
	return false
}

// countsTests reports whether an increment runs once for each test case.
func (r *region) countsTests(n ast.Node) bool {
	for up := r.Parent[n]; up != nil; up = r.Parent[up] {
		switch up := up.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return up == ast.Node(r.loop)
		case *ast.IfStmt, *ast.CaseClause:
			return false
		case *ast.FuncDecl, *ast.FuncLit:
			f := r.ByNode[up]
			if len(f.Sites) != 1 || r.Recursive(f) {
				return false
			}
			return r.countsTests(f.Sites[0])
		}
	}
	return false
}

// call records what calls do to their arguments: clear, delete, reads of input, and
// functions that may change them.
func (r *region) call(call *ast.CallExpr) {
	name := r.Name(call)
	switch name {
	case "append", "len", "cap", "min", "max", "print", "println", "make", "new", "string":
		return
	case "container/heap.Push", "(*container/list.List).PushBack", "(*container/list.List).PushFront":
		if obj := r.Container(receiverOrFirst(call)); obj != nil {
			r.of(obj).adds = append(r.of(obj).adds, call)
		}
		return
	case "container/heap.Pop", "(*container/list.List).Remove", "(*container/list.List).Init", "container/heap.Remove":
		if obj := r.Container(receiverOrFirst(call)); obj != nil {
			r.of(obj).reset = true
		}
		return
	}
	if to, _ := r.Output(call); to != 0 {
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && to&source.Memory != 0 {
			if obj := r.Container(sel.X); obj != nil {
				r.of(obj).adds = append(r.of(obj).adds, call)
			}
		}
		return
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && len(r.Callees(call)) == 0 {
		switch sel.Sel.Name {
		case "Reset", "Truncate", "Clear", "Init":
			if obj := r.Container(sel.X); obj != nil {
				r.of(obj).reset = true
			}
		}
	}
	for i, arg := range call.Args {
		obj := r.Container(arg)
		if obj == nil || name == "copy" && i > 0 {
			continue
		}
		switch name {
		case "clear", "delete", "copy":
			r.of(obj).reset = true
		default:
			if r.mayReset(call, i, arg) {
				r.of(obj).reset = true
			}
		}
	}
}

func receiverOrFirst(call *ast.CallExpr) ast.Expr {
	if len(call.Args) > 1 {
		return call.Args[0]
	}
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
		if id, ok := sel.X.(*ast.Ident); !ok || id.Name != "heap" {
			return sel.X
		}
	}
	return call.Args[0]
}

// mayReset reports whether a call may set its argument back: a function of the
// program that assigns elements of its parameter, or input that is read into it.
func (r *region) mayReset(call *ast.CallExpr, i int, arg ast.Expr) bool {
	if u, ok := ast.Unparen(arg).(*ast.UnaryExpr); ok && u.Op == token.AND {
		return true
	}
	for _, f := range r.Callees(call) {
		params := r.Parameters(f)
		if i < len(params) && params[i] != nil {
			if u := r.updates[params[i]]; u != nil && u.reset {
				return true
			}
			if r.changes(f, params[i]) {
				return true
			}
		}
	}
	return false
}

// changes reports whether a function assigns elements of a parameter.
func (r *region) changes(f *source.Function, param types.Object) bool {
	return syntax.Has(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if n.Tok == token.ASSIGN && r.Container(left) == param && r.Variable(left) != param && r.clears(param, syntax.AssignedTo(n, i)) {
					return true
				}
			}
		case *ast.CallExpr:
			return r.Name(n) == "clear" && r.Container(n.Args[0]) == param
		}
		return false
	})
}
