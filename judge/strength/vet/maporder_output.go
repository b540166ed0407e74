package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"crucible/judge/strength/vet/source"
	"crucible/judge/strength/vet/syntax"
)

// written reports whether the elements of a variable are written in their order.
func (m *mapOrder) written(obj types.Object) bool {
	return m.reachesOutput(obj, make(map[any]bool))
}

// reachesOutput reports whether the elements of a variable are written in their order:
// by a call that writes it, in a loop over it that writes, through a variable that it is
// assigned to, or through the result of a function.
func (m *mapOrder) reachesOutput(obj types.Object, seen map[any]bool) bool {
	if obj == nil || seen[obj] {
		return false
	}
	seen[obj] = true
	for n := range m.Parent {
		id, ok := n.(*ast.Ident)
		if !ok || m.Variable(id) != obj {
			continue
		}
		if m.flows(id, seen) {
			return true
		}
	}
	return false
}

// flows reports whether one use of a variable writes it, or hands it on to what does.
func (m *mapOrder) flows(id *ast.Ident, seen map[any]bool) bool {
	for child, up := ast.Node(id), m.Parent[id]; up != nil; child, up = up, m.Parent[up] {
		switch up := up.(type) {
		case *ast.CallExpr:
			if child == up.Fun {
				continue
			}
			name := m.Name(up)
			if name == "len" || name == "cap" || name == "min" || name == "max" || name == "delete" {
				return false
			}
			if to, _ := m.Output(up); to&(source.RawOut|source.BufOut|source.Memory) != 0 {
				return true
			}
			for i, arg := range up.Args {
				if child != ast.Node(arg) {
					continue
				}
				for _, f := range m.Callees(up) {
					if params := m.Parameters(f); i < len(params) && params[i] != nil && m.reachesOutput(params[i], seen) {
						return true
					}
				}
			}
			if len(m.Callees(up)) > 0 {
				return false
			}
		case *ast.RangeStmt:
			if child == ast.Node(up.X) {
				return up.Value != nil && (m.reachesOutput(m.Variable(up.Value), seen) || m.writesEach(up))
			}
			return false
		case *ast.IndexExpr:
			if child != ast.Node(up.X) {
				return false // an index, which chooses an element of something else
			}
			if m.byPlace(up) {
				return true
			}
		case *ast.AssignStmt:
			return m.assigns(up, child, seen)
		case *ast.ValueSpec:
			for i, value := range up.Values {
				if child == ast.Node(value) && i < len(up.Names) {
					return m.reachesOutput(m.Variable(up.Names[i]), seen)
				}
			}
			return false
		case *ast.ReturnStmt:
			return m.returned(m.FunctionAt(up), up, child, seen)
		case *ast.BinaryExpr:
			switch up.Op {
			case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ, token.LAND, token.LOR:
				return false
			}
		case ast.Stmt:
			return false
		}
	}
	return false
}

// writesEach reports whether a loop writes something that depends on what it visits, as
// the element of a map with that key.
func (m *mapOrder) writesEach(loop *ast.RangeStmt) bool {
	visited := m.visited(loop)
	return syntax.Has(loop.Body, func(call *ast.CallExpr) bool { return m.writesVisited(call, visited) })
}

// byPlace reports whether an element is chosen by its place: by a constant, a
// computed index such as i+1, or a variable that does not count through a loop.
func (m *mapOrder) byPlace(e *ast.IndexExpr) bool {
	if _, ok := m.TypeOf(e.X).Underlying().(*types.Slice); !ok || m.isAssigned(e) {
		return false
	}
	if _, ok := m.Constant(e.Index); ok {
		return !m.hasOneElement(e, types.ExprString(e.X))
	}
	obj := m.Variable(e.Index)
	if obj == nil {
		_, ok := ast.Unparen(e.Index).(*ast.BinaryExpr)
		return ok
	}
	for up := m.Parent[e]; up != nil; up = m.Parent[up] {
		switch l := up.(type) {
		case *ast.RangeStmt:
			if m.Variable(l.Key) == obj {
				return false
			}
		case *ast.ForStmt:
			if init, ok := l.Init.(*ast.AssignStmt); ok {
				for _, left := range init.Lhs {
					if m.Variable(left) == obj {
						return false
					}
				}
			}
		}
	}
	return true
}

// isAssigned reports whether an expression is on the left of an assignment.
func (m *mapOrder) isAssigned(e ast.Expr) bool {
	s, ok := m.Parent[e].(*ast.AssignStmt)
	return ok && slices.Contains(s.Lhs, e)
}

// assigns reports whether the variables that an assignment gives a value to reach the
// output. Sums of numbers do not depend on the order of what is added.
func (m *mapOrder) assigns(s *ast.AssignStmt, child ast.Node, seen map[any]bool) bool {
	for i, right := range s.Rhs {
		if child != ast.Node(right) {
			continue
		}
		left := s.Lhs[min(i, len(s.Lhs)-1)]
		obj := m.Container(left)
		if s.Tok != token.ASSIGN && s.Tok != token.DEFINE && !source.IsString(m.TypeOf(left)) {
			return false
		}
		if obj == nil || m.sorted[obj] || m.isMapElement(left) {
			return false
		}
		return m.reachesOutput(obj, seen)
	}
	return false
}

// returned reports whether the result of a function reaches the output where it is
// called.
func (m *mapOrder) returned(f *source.Function, r *ast.ReturnStmt, child ast.Node, seen map[any]bool) bool {
	if f == nil || seen[r] {
		return false
	}
	seen[r] = true
	index := 0
	for i, result := range r.Results {
		if child == ast.Node(result) {
			index = i
		}
	}
	return slices.ContainsFunc(f.Sites, func(site ast.Node) bool {
		call, ok := site.(*ast.CallExpr)
		return ok && m.resultFlows(call, index, seen)
	})
}

// resultFlows reports whether a result of a call reaches the output.
func (m *mapOrder) resultFlows(call *ast.CallExpr, result int, seen map[any]bool) bool {
	for child, up := ast.Node(call), m.Parent[call]; up != nil; child, up = up, m.Parent[up] {
		switch up := up.(type) {
		case *ast.CallExpr:
			if to, _ := m.Output(up); to&(source.RawOut|source.BufOut|source.Memory) != 0 {
				return true
			}
			if m.Name(up) == "len" || sorts.MatchString(m.Name(up)) {
				return false
			}
		case *ast.AssignStmt:
			if i := slices.Index(up.Rhs, child.(ast.Expr)); i >= 0 && len(up.Rhs) == len(up.Lhs) {
				result = i
			}
			if result >= len(up.Lhs) {
				return false
			}
			obj := m.Container(up.Lhs[result])
			return obj != nil && !m.sorted[obj] && m.reachesOutput(obj, seen)
		case *ast.RangeStmt:
			return child == ast.Node(up.X) && up.Value != nil && m.reachesOutput(m.Variable(up.Value), seen)
		case *ast.ReturnStmt:
			return m.returned(m.FunctionAt(up), up, child, seen)
		case ast.Stmt:
			return false
		}
	}
	return false
}
