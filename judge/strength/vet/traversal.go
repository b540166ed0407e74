package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"crucible/judge/strength/vet/source"
	"crucible/judge/strength/vet/syntax"
)

// traverses reports whether the function visits each vertex once: a call is under a
// condition, or after a test at the start, about a mark that the function sets and
// does not take back, and its arguments come from the data.
func (r recursion) traverses() bool {
	marks := r.marks()
	if !slices.ContainsFunc(marks, r.undone) && slices.ContainsFunc(r.own, r.visitsChildren) {
		return true
	}
	for _, call := range r.own {
		if r.overNeighbours(call) && r.avoidsParent(call) {
			return true
		}
		for _, mark := range marks {
			if !r.undone(mark) && r.testsMark(call, mark) && (r.overNeighbours(call) || r.setsElement(mark) && r.movesInGrid(call)) {
				return true
			}
		}
	}
	return false
}

// visitsChildren reports whether a call passes an element of a list that a parameter
// chooses in place of that parameter, as in for _, w := range children[v] { f(w) }.
func (r recursion) visitsChildren(call *ast.CallExpr) bool {
	params := r.Parameters(r.f)
	for _, up := range r.Around(call) {
		l, ok := up.(*ast.RangeStmt)
		if !ok {
			continue
		}
		list, ok := ast.Unparen(l.X).(*ast.IndexExpr)
		if !ok || l.Value == nil || r.isMapElement(list) || r.Container(list) == nil || syntax.DeclaredIn(r.Container(list), r.f.Body) {
			return false
		}
		for i, arg := range call.Args {
			if i < len(params) && params[i] != nil && r.Variable(list.Index) == params[i] && r.Variable(arg) == r.Variable(l.Value) {
				return true
			}
		}
	}
	return false
}

// marks returns the slices, arrays and maps of which the function sets elements, at
// the indices of its parameters or of variables.
func (r recursion) marks() (all []types.Object) {
	for n := range ast.Preorder(r.f.Body) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				if obj := r.Container(left); obj != nil && isPart(left) && !syntax.DeclaredIn(obj, r.f.Body) {
					all = append(all, obj)
				}
			}
		case *ast.IncDecStmt:
			if obj := r.Container(n.X); obj != nil && syntax.Indexed(n.X) {
				all = append(all, obj)
			}
		}
	}
	return all
}

// setsElement reports whether the function sets a mark at an index or of a parameter, and
// not one for all.
func (r recursion) setsElement(mark types.Object) bool {
	at := func(e ast.Expr) bool {
		return r.Container(e) == mark && (r.mentionsParam(e) || syntax.Has(e, func(*ast.IndexExpr) bool { return true }))
	}
	return syntax.Has(r.f.Body, func(s *ast.AssignStmt) bool { return slices.ContainsFunc(s.Lhs, at) }) ||
		syntax.Has(r.f.Body, func(s *ast.IncDecStmt) bool { return at(s.X) })
}

// isPart reports whether e is an element or a field.
func isPart(e ast.Expr) bool {
	_, isField := ast.Unparen(e).(*ast.SelectorExpr)
	return isField || syntax.Indexed(e)
}

// undone reports whether the function sets a mark again after a call of itself, as
// a search does that takes back its choices.
func (r recursion) undone(mark types.Object) bool {
	return syntax.Has(r.f.Body, func(n ast.Node) bool {
		if x, ok := n.(*ast.IncDecStmt); ok {
			return x.Tok == token.DEC && r.Container(x.X) == mark
		}
		s, ok := n.(*ast.AssignStmt)
		if !ok {
			return false
		}
		for i, left := range s.Lhs {
			if r.Container(left) != mark || !isPart(left) {
				continue
			}
			if s.Tok == token.SUB_ASSIGN || s.Tok == token.XOR_ASSIGN || s.Tok == token.AND_NOT_ASSIGN {
				return true
			}
			for _, call := range r.own {
				// An assignment in the block of the call, or around it, takes the choice back.
				after := s.Pos() > call.End() && syntax.Within(call, r.Parent[s])
				if after && r.blank(syntax.AssignedTo(s, i), mark) || r.overwrites(s, left, call) {
					return true
				}
			}
		}
		return false
	})
}

// overwrites reports whether an assignment before a call sets the same element in each
// iteration of the loop around the call, as a search does that tries choices: a[k] = i.
func (r recursion) overwrites(s *ast.AssignStmt, left ast.Expr, call ast.Node) bool {
	for up := r.Parent[call]; up != nil && up != r.f.Node; up = r.Parent[up] {
		if syntax.IsLoop(up) {
			return syntax.Within(s, up) && s.Pos() < call.Pos() && !r.UsesOwn(left, up)
		}
	}
	return false
}

// blank reports whether an expression is what a cell holds before it is marked: a
// constant, or a variable with the value from before.
func (r recursion) blank(e ast.Expr, mark types.Object) bool {
	if r.Info.Types[e].Value != nil {
		return true
	}
	if cut, ok := ast.Unparen(e).(*ast.SliceExpr); ok {
		return r.Mentions(cut.X, mark)
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	if id.Name == "nil" {
		return true
	}
	for _, v := range r.Assigned[r.Variable(id)] {
		if r.Mentions(v.Expr, mark) {
			return true
		}
	}
	return false
}

// testsMark reports whether a condition about the mark decides on the call: around
// it, before it in a block (if seen[v] { continue }), or at the start of the function.
func (r recursion) testsMark(call ast.Node, mark types.Object) bool {
	for child, up := call, r.Parent[call]; up != nil && child != r.f.Node; child, up = up, r.Parent[up] {
		switch up := up.(type) {
		case *ast.IfStmt:
			if child != ast.Node(up.Cond) && r.Tests(up, mark) {
				return true
			}
		case *ast.BlockStmt:
			if syntax.LeftBefore(up, child, func(s *ast.IfStmt) bool { return r.Tests(s, mark) }) {
				return true
			}
		}
	}
	return false
}

// overNeighbours reports whether a call is in a loop over a list that a parameter
// chooses, such as adj[u] or u.next, or in one that follows an edge list.
func (r recursion) overNeighbours(call ast.Node) bool {
	params := r.paramsAndReceiver()
	for up := r.Parent[call]; up != nil && up != r.f.Node; up = r.Parent[up] {
		switch up := up.(type) {
		case *ast.RangeStmt:
			if _, short := r.Iterations(up); !short && r.Mentions(up.X, params...) && !isInt(r.TypeOf(up.X)) && !source.IsString(r.TypeOf(up.X)) {
				return true
			}
			if lit, ok := ast.Unparen(up.X).(*ast.CallExpr); ok && r.Mentions(lit, params...) && !isInt(r.TypeOf(up.X)) {
				return true
			}
			if r.rowOf(up.Body, params) && !r.Short(up) {
				return true
			}
		case *ast.ForStmt:
			if up.Init != nil && r.Mentions(up.Init, params...) && syntax.Has(up.Init, func(*ast.IndexExpr) bool { return true }) {
				return true // for e := head[u]; e != -1; e = next[e]
			}
			if up.Cond != nil && r.Mentions(up.Cond, params...) && r.Calls(up.Cond, "len") {
				return true // for i := 0; i < len(adj[u]); i++
			}
			if r.rowOf(up.Body, params) && !r.Short(up) {
				return true // for v := 0; v < n; v++ { if a[u][v] ...
			}
		}
	}
	return false
}

// rowOf reports whether the code below n reads a[u][v] for a parameter u, as with an
// adjacency matrix.
func (r recursion) rowOf(n ast.Node, params []types.Object) bool {
	return syntax.Has(n, func(outer *ast.IndexExpr) bool {
		inner, ok := ast.Unparen(outer.X).(*ast.IndexExpr)
		if !ok {
			return false
		}
		id, ok := ast.Unparen(inner.Index).(*ast.Ident)
		return ok && slices.Contains(params, r.Variable(id))
	})
}

// paramsAndReceiver returns the parameters and the receiver of the function.
func (r recursion) paramsAndReceiver() []types.Object {
	all := r.Parameters(r.f)
	if d, ok := r.f.Node.(*ast.FuncDecl); ok && d.Recv != nil && len(d.Recv.List[0].Names) > 0 {
		if len(all) == 0 { // otherwise the receiver is the graph and not a vertex
			all = append(all, r.Info.Defs[d.Recv.List[0].Names[0]])
		}
	}
	found := all[:0:0]
	for _, obj := range all {
		if obj != nil {
			found = append(found, obj)
		}
	}
	return found
}

// avoidsParent reports whether a condition in the loop around a call compares with a
// parameter, as the search of a tree does: if v != parent.
func (r recursion) avoidsParent(call ast.Node) bool {
	params := r.Parameters(r.f)
	isParam := func(e ast.Expr) bool { obj := r.Variable(e); return obj != nil && slices.Contains(params, obj) }
	compares := func(cond ast.Expr, op token.Token) bool {
		return syntax.Has(cond, func(b *ast.BinaryExpr) bool { return b.Op == op && (isParam(b.X) || isParam(b.Y)) })
	}
	for child, up := call, r.Parent[call]; up != nil && up != r.f.Node; child, up = up, r.Parent[up] {
		switch up := up.(type) {
		case *ast.IfStmt:
			if child == ast.Node(up.Body) && compares(up.Cond, token.NEQ) || child == ast.Node(up.Else) && compares(up.Cond, token.EQL) {
				return true
			}
		case *ast.ForStmt, *ast.RangeStmt:
			return false
		case *ast.BlockStmt:
			if syntax.LeftBefore(up, child, func(s *ast.IfStmt) bool { return compares(s.Cond, token.EQL) }) {
				return true
			}
		}
	}
	return false
}

// movesInGrid reports whether a call moves its parameters by steps and hands the others
// on, as a flood fill does, and neither the grid nor a condition keeps them small.
func (r recursion) movesInGrid(call *ast.CallExpr) bool {
	params := r.Parameters(r.f)
	coordinates, moved := 0, 0
	for i, arg := range call.Args {
		if r.setsBit(arg) {
			return false // a set, which has at most 64 elements
		}
		if i >= len(params) || params[i] == nil || !isInt(params[i].Type()) {
			continue
		}
		if r.Variable(arg) == params[i] {
			coordinates++
			continue
		}
		b, ok := ast.Unparen(r.definition(arg)).(*ast.BinaryExpr)
		if !ok || b.Op != token.ADD && b.Op != token.SUB {
			continue
		}
		if r.Variable(b.X) == params[i] && !r.Mentions(b.Y, params[i]) || r.Variable(b.Y) == params[i] && !r.Mentions(b.X, params[i]) {
			if r.keptSmall(params[i]) {
				return false
			}
			coordinates++
			moved++
		}
	}
	if moved == 0 || coordinates < 2 {
		return false
	}
	for _, mark := range r.marks() {
		if n, ok := source.ArrayLen(mark.Type()); ok && n <= source.ManyTimes/4 {
			return false
		}
	}
	return true
}

// setsBit reports whether an expression adds an element to a set of bits: s | 1<<i.
func (r recursion) setsBit(e ast.Expr) bool {
	b, ok := ast.Unparen(r.definition(e)).(*ast.BinaryExpr)
	if !ok || b.Op != token.OR && b.Op != token.XOR && b.Op != token.AND_NOT && b.Op != token.ADD {
		return false
	}
	for _, side := range []ast.Expr{b.X, b.Y} {
		if shift, ok := ast.Unparen(side).(*ast.BinaryExpr); ok && shift.Op == token.SHL {
			return true
		}
	}
	return false
}

// keptSmall reports whether a condition compares a parameter with a constant above 1,
// and none compares it with a variable.
func (r recursion) keptSmall(param types.Object) bool {
	small, large := false, false
	for n := range ast.Preorder(r.f.Body) {
		if b, ok := n.(*ast.BinaryExpr); ok && syntax.IsComparison(b.Op) && r.Mentions(b.X, param) {
			bound, ok := r.Constant(b.Y)
			small = small || ok && bound > 1 && bound <= 1000
			large = large || !ok
		}
	}
	return small && !large
}

// mentionsParam reports whether an expression uses a parameter of the function.
func (r recursion) mentionsParam(e ast.Expr) bool {
	params := r.paramsAndReceiver()
	return len(params) > 0 && r.Mentions(e, params...)
}
