package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"crucible/judge/strength/vet/source"
	"crucible/judge/strength/vet/syntax"
)

// leavesStart reports whether a statement assigns an element of a table that a loop before
// the test cases has filled with start values, while the region fills it neither with these
// nor with others.
func (r *region) leavesStart(s *ast.AssignStmt, left, right ast.Expr) bool {
	obj := r.Container(left)
	before, again := false, false
	for n := range r.Parent {
		fill, ok := n.(*ast.AssignStmt)
		if !ok || fill.Tok != token.ASSIGN {
			continue
		}
		for i, to := range fill.Lhs {
			if r.Container(to) != obj {
				continue
			}
			value := syntax.AssignedTo(fill, i)
			in := r.inParts(func(n ast.Node) bool { return n == fill })
			switch {
			case !in:
				before = before || r.startsElements(fill, to, value)
			case !syntax.Indexed(to) || r.takes(value) || r.ofTest(value) || r.fillsInTurn(fill, to):
				again = true
			}
		}
	}
	return before && !again
}

// startsElements reports whether an assignment in a loop gives an element a constant other
// than zero, or its own index.
func (r *region) startsElements(s *ast.AssignStmt, left, value ast.Expr) bool {
	at, ok := ast.Unparen(left).(*ast.IndexExpr)
	if !ok || !r.fillsInTurn(s, left) {
		return false
	}
	if v := r.Info.Types[value].Value; v != nil {
		return v.ExactString() != "0" && v.ExactString() != "false"
	}
	index := r.Variable(at.Index)
	return index != nil && r.Variable(value) == index
}

// fillsInTurn reports whether an assignment gives values to elements one after the other:
// a loop inside the test case counts through them, and no condition leaves some out.
func (r *region) fillsInTurn(s *ast.AssignStmt, left ast.Expr) bool {
	at, ok := ast.Unparen(left).(*ast.IndexExpr)
	if !ok {
		return false
	}
	for _, up := range r.Around(s) {
		switch up := up.(type) {
		case *ast.IfStmt:
			if up.Else == nil {
				return false
			}
		case *ast.ForStmt, *ast.RangeStmt:
			if up == ast.Node(r.loop) {
				return false
			}
			if r.counts(up.(ast.Stmt), at.Index, 2) {
				return true
			}
		}
	}
	return false
}

// startsAll reports whether an assignment gives the same value to all elements from a
// constant index on.
func (r *region) startsAll(s *ast.AssignStmt, left ast.Expr) bool {
	loops, _ := r.Loops(s)
	if !r.fillsInTurn(s, left) || len(loops) == 0 {
		return false
	}
	l, ok := loops[0].(*ast.ForStmt)
	if !ok {
		return true
	}
	init, ok := l.Init.(*ast.AssignStmt)
	return ok && r.IsConstant(init.Rhs[0])
}

// ofTest reports whether a value is the number of a test case, which marks elements as new.
func (r *region) ofTest(e ast.Expr) bool {
	return syntax.Has(e, func(id *ast.Ident) bool {
		obj := r.Variable(id)
		if obj == nil {
			return false
		}
		isNumber := func(obj types.Object) bool {
			return obj != nil && syntax.DeclaredIn(obj, r.loop) && obj.Pos() < r.parts[0].Pos()
		}
		for _, v := range r.Assigned[obj] {
			if r.isParameter(obj) && isNumber(r.Variable(v.Expr)) {
				return true
			}
		}
		return isNumber(obj) || r.isClock(obj)
	})
}

// stopsEarly reports whether a step back of an element is one of a search that goes on
// where it comes to zero, as the count of edges into a vertex does, and the program then
// compares how far the search came: elements that it did not reach keep their counts.
func (r *region) stopsEarly(undo ast.Node) bool {
	s, ok := undo.(*ast.IncDecStmt)
	block, inBlock := r.Parent[undo].(*ast.BlockStmt)
	if !ok || !inBlock || !syntax.Indexed(s.X) {
		return false
	}
	element := types.ExprString(s.X)
	for _, next := range block.List {
		i, ok := next.(*ast.IfStmt)
		if !ok || i.Pos() < s.Pos() || !syntax.Has(i.Cond, func(b *ast.BinaryExpr) bool {
			zero, isConst := r.Constant(b.Y)
			return isConst && zero == 0 && b.Op == token.EQL && types.ExprString(b.X) == element
		}) {
			continue
		}
		loop := r.outermost(s)
		return loop != nil && r.inParts(func(n ast.Node) bool {
			b, ok := n.(*ast.BinaryExpr)
			return ok && syntax.IsComparison(b.Op) && !syntax.Within(b, loop) && !r.IsConstant(b.X) && !r.IsConstant(b.Y) &&
				(r.progress(loop, b.X) || r.progress(loop, b.Y))
		})
	}
	return false
}

// outermost returns the outermost loop around a node inside the test case.
func (r *region) outermost(n ast.Node) (loop ast.Node) {
	for _, up := range r.Around(n) {
		if up == ast.Node(r.loop) {
			break
		}
		if syntax.IsLoop(up) {
			loop = up
		}
	}
	return loop
}

// progress reports whether e is the length of a list that a loop appends to, a variable that
// it counts up, or what a function returns of these.
func (r *region) progress(loop ast.Node, e ast.Expr) bool {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		if r.Name(call) == "len" {
			e = call.Args[0]
		} else if len(r.Callees(call)) == 0 {
			return false
		}
	}
	var results []ast.Expr
	for _, v := range r.Assigned[r.Variable(e)] {
		results = append(results, v.Expr)
	}
	return r.advances(loop, r.Variable(e)) || slices.ContainsFunc(append(results, e), func(e ast.Expr) bool {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		return ok && slices.ContainsFunc(r.Callees(call), func(f *source.Function) bool {
			return slices.ContainsFunc(f.Returns, func(s *ast.ReturnStmt) bool {
				return slices.ContainsFunc(s.Results, func(e ast.Expr) bool {
					return syntax.Within(loop, f.Body) && r.advances(loop, r.Variable(e))
				})
			})
		})
	})
}

// advances reports whether a loop appends to a list or counts a variable up.
func (r *region) advances(loop ast.Node, obj types.Object) bool {
	if obj == nil {
		return false
	}
	return syntax.Has(loop, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IncDecStmt:
			return n.Tok == token.INC && r.Variable(n.X) == obj
		case *ast.AssignStmt:
			return r.Variable(n.Lhs[0]) == obj && r.Calls(n.Rhs[0], "append")
		}
		return false
	})
}
