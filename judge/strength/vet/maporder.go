package vet

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"crucible/judge/strength/vet/source"
	"crucible/judge/strength/vet/syntax"
)

// MapOrder finds output that depends on the order in which range visits a map.
var MapOrder = &analysis.Analyzer{
	Name: "maporder",
	Doc: `find map order that reaches the output

The order of range over a map differs from run to run. Reported are loops over a map
that write what they visit, that append it to a slice which is written without being
sorted, that build a string from it, that take the first key, that number the keys as
they come, and that keep the key of the best value without a rule for equal values.

Sums, counts, largest values and slices that are sorted do not depend on the order.`,
	URL:      "https://go.dev/ref/spec#For_range",
	Requires: []*analysis.Analyzer{programs},
	Run:      runMapOrder,
}

func runMapOrder(pass *analysis.Pass) (any, error) {
	p := programOf(pass)
	m := &mapOrder{program: p, sorted: make(map[types.Object]bool), fully: make(map[types.Object]bool), by: make(map[types.Object]types.Object)}
	m.findSorted()
	for _, f := range p.Funcs {
		ast.Inspect(f.Body, func(n ast.Node) bool {
			if lit, ok := n.(*ast.FuncLit); ok && lit != f.Node {
				return false
			}
			switch n := n.(type) {
			case *ast.RangeStmt:
				if m.isUnordered(n.X) {
					if at, what := m.leak(n); what != "" {
						pass.ReportRangef(at, "the order of range over a map is random: it decides %s; sort the keys first", what)
					}
				}
			case *ast.CallExpr:
				if _, isLoop := p.Parent[n].(*ast.RangeStmt); !isLoop && m.isCollected(n) && m.resultFlows(n, 0, make(map[any]bool)) {
					pass.ReportRangef(n, "the order of a map's keys is random: it decides the output; use slices.Sorted")
				}
			}
			return true
		})
	}
	return nil, nil
}

type mapOrder struct {
	*program
	sorted map[types.Object]bool         // slices that the program sorts somewhere
	fully  map[types.Object]bool         // of these, those not sorted by one field alone
	by     map[types.Object]types.Object // the field that decides the order of the others
}

// isUnordered reports whether range over e has a random order.
func (m *mapOrder) isUnordered(e ast.Expr) bool {
	t := m.TypeOf(e)
	if t == nil {
		return false
	}
	if _, ok := t.Underlying().(*types.Map); ok {
		return true
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && (m.isKeys(call) || m.isCollected(call))
}

// isKeys reports whether a call returns an iterator over a map.
func (m *mapOrder) isKeys(call *ast.CallExpr) bool {
	switch m.Name(call) {
	case "maps.Keys", "maps.Values", "maps.All":
		return true
	}
	return false
}

// isCollected reports whether e is slices.Collect of a map's keys or values.
func (m *mapOrder) isCollected(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || m.Name(call) != "slices.Collect" {
		return false
	}
	inner, ok := ast.Unparen(call.Args[0]).(*ast.CallExpr)
	return ok && m.isKeys(inner)
}

var sorts = regexp.MustCompile(`(?i)sort|heap\.(Init|Push)|slices\.(Min|Max)`)

// findSorted records the slices that are sorted, under any of their names: as argument
// of a function whose name has "sort" in it, or of one that sorts its parameter, or by
// swaps.
func (m *mapOrder) findSorted() {
	changed := true
	mark := func(obj types.Object) {
		if obj != nil && !m.sorted[obj] {
			m.sorted[obj], changed = true, true
		}
	}
	for n := range m.Parent {
		if s, ok := n.(*ast.AssignStmt); ok && syntax.IsSwap(s) {
			mark(m.Container(s.Lhs[0]))
		}
	}
	for changed {
		changed = false
		for _, f := range m.Funcs {
			for _, call := range f.Calls {
				m.sortedBy(call, mark)
			}
		}
		for obj, values := range m.Assigned {
			if m.sorted[obj] {
				for _, v := range values {
					m.sortedValue(v, mark)
				}
			}
		}
	}
}

// sortedBy marks the slices that a call sorts.
func (m *mapOrder) sortedBy(call *ast.CallExpr, mark func(types.Object)) {
	name := cmp.Or(m.Name(call), types.ExprString(call.Fun))
	for i, arg := range call.Args {
		if sorts.MatchString(name) {
			obj := m.Container(unconverted(arg))
			mark(obj)
			if field := m.oneField(call); field != nil && i == 0 {
				m.by[obj] = field
			} else if i == 0 {
				m.fully[obj] = true
			}
		}
		for _, g := range m.Callees(call) {
			if params := m.Parameters(g); i < len(params) && params[i] != nil && m.sorted[params[i]] {
				mark(m.Container(arg))
			}
		}
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && sorts.MatchString(sel.Sel.Name) {
		mark(m.Container(sel.X))
	}
}

// sortedValue marks what is assigned to a slice that is sorted: another variable, or
// what a function returns.
func (m *mapOrder) sortedValue(v source.Value, mark func(types.Object)) {
	call, ok := ast.Unparen(v.Expr).(*ast.CallExpr)
	if !ok {
		if v.Result < 0 {
			mark(m.Container(v.Expr))
		}
		return
	}
	for _, g := range m.Callees(call) {
		for _, r := range g.Returns {
			if i := max(v.Result, 0); i < len(r.Results) {
				mark(m.Container(r.Results[i]))
			}
		}
	}
}

// unconverted returns the slice in sort.IntSlice(s) or sort.Reverse(byName(s)).
func unconverted(e ast.Expr) ast.Expr {
	for {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return e
		}
		e = call.Args[0]
	}
}

// leak returns where the order of a loop over a map leaves it towards the output, and
// what depends on it; "" if nothing does.
func (m *mapOrder) leak(loop *ast.RangeStmt) (at ast.Node, what string) {
	visited := m.visited(loop)
	if first := m.takesFirst(loop, visited); first != nil {
		return first, "which element is taken"
	}
	for n := range ast.Preorder(loop.Body) {
		switch n := n.(type) {
		case *ast.CallExpr:
			if m.writesVisited(n, visited) {
				return n, "the order of the output"
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if what := m.stores(loop, n, left, syntax.AssignedTo(n, i), visited); what != "" {
					return n, what
				}
			}
		}
	}
	return nil, ""
}

// visited returns the variables that hold what the loop visits: its key and value,
// and variables of its body that are computed from them.
func (m *mapOrder) visited(loop *ast.RangeStmt) (all []types.Object) {
	add := func(names ...ast.Expr) {
		for _, e := range names {
			if e == nil {
				continue
			}
			if obj := m.Variable(e); obj != nil && obj.Name() != "_" && !slices.Contains(all, obj) {
				all = append(all, obj)
			}
		}
	}
	add(loop.Key, loop.Value)
	for range 3 {
		for n := range ast.Preorder(loop.Body) {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, left := range n.Lhs {
					if obj := m.Variable(left); obj != nil && syntax.DeclaredIn(obj, loop.Body) && m.Mentions(syntax.AssignedTo(n, i), all...) {
						add(left)
					}
				}
			case *ast.RangeStmt:
				if m.Mentions(n.X, all...) {
					add(n.Key, n.Value)
				}
			}
		}
	}
	return all
}

// writesVisited reports whether a call writes what is visited, itself or in a function
// of the program.
func (m *mapOrder) writesVisited(call *ast.CallExpr, visited []types.Object) bool {
	isVisited := func(e ast.Expr) bool { return m.Mentions(e, visited...) }
	if to, data := m.Output(call); to&(source.RawOut|source.BufOut|source.Memory) != 0 {
		return slices.ContainsFunc(data, isVisited)
	}
	return len(m.Callees(call)) > 0 && !strings.HasPrefix(m.Name(call), "(sort") && slices.ContainsFunc(call.Args, isVisited) && m.Writes(call)
}

// stores returns what an assignment in the loop makes depend on its order; "" if
// nothing.
func (m *mapOrder) stores(loop *ast.RangeStmt, s *ast.AssignStmt, left, right ast.Expr, visited []types.Object) string {
	obj := m.Container(left)
	if obj == nil || syntax.DeclaredIn(obj, loop) || len(visited) == 0 {
		return ""
	}
	if m.numbers(loop, left, right, visited) && m.written(obj) {
		return "the numbers in " + obj.Name() + ", which are written"
	}
	if !m.Mentions(right, visited...) {
		return ""
	}
	if source.IsString(m.TypeOf(left)) && !syntax.Indexed(left) && (s.Tok == token.ADD_ASSIGN || s.Tok == token.ASSIGN && m.Mentions(right, obj)) {
		return "the order of the string " + obj.Name()
	}
	if s.Tok != token.ASSIGN {
		return ""
	}
	call, isCall := ast.Unparen(right).(*ast.CallExpr)
	appends := isCall && m.Name(call) == "append" && m.Variable(left) == obj
	switch {
	case appends || syntax.Indexed(left):
		if (appends || m.counted(left, loop)) && !m.sorted[obj] && m.written(obj) {
			return "the order of " + obj.Name() + ", which is written"
		}
		if appends && m.ties(loop, obj, call) {
			return "the order of elements of " + obj.Name() + " with equal " + m.by[obj].Name()
		}
	case m.Variable(left) == obj && m.best(loop, s, left, right, visited):
		return "which of equal values " + obj.Name() + " comes from"
	}
	return ""
}

// counted reports whether the index of an element is a counter that the loop
// increments: keys[i] = k; i++.
func (m *mapOrder) counted(left ast.Expr, loop *ast.RangeStmt) bool {
	obj := m.Variable(ast.Unparen(left).(*ast.IndexExpr).Index)
	return obj != nil && syntax.Has(loop.Body, func(s *ast.IncDecStmt) bool { return m.Variable(s.X) == obj })
}

// numbers reports whether an assignment gives what is visited a number in the order of
// the loop: id[k] = n; n++, or id[k] = len(id) + 1.
func (m *mapOrder) numbers(loop *ast.RangeStmt, left, right ast.Expr, visited []types.Object) bool {
	at, ok := ast.Unparen(left).(*ast.IndexExpr)
	if !ok || !m.Mentions(at.Index, visited...) {
		return false
	}
	if sum, ok := ast.Unparen(right).(*ast.BinaryExpr); ok && m.IsConstant(sum.Y) {
		right = sum.X
	}
	if call, ok := ast.Unparen(right).(*ast.CallExpr); ok {
		return m.Name(call) == "len" && m.Container(call.Args[0]) == m.Container(left)
	}
	counter := m.Variable(right)
	return counter != nil && !syntax.DeclaredIn(counter, loop) && syntax.Has(loop.Body, func(s *ast.IncDecStmt) bool { return m.Variable(s.X) == counter })
}

// best reports whether an assignment keeps the key of the best value: under a
// condition that compares a visited value, and not the key.
func (m *mapOrder) best(loop *ast.RangeStmt, s *ast.AssignStmt, left, right ast.Expr, visited []types.Object) bool {
	cond, key := m.conditionOf(s, loop), m.Variable(loop.Key)
	if cond == nil || !m.orders(cond, visited) || key == nil || !m.Mentions(right, key) || m.Mentions(cond, m.Variable(left)) {
		return false // the value itself, or the key decides
	}
	if syntax.Has(cond, func(b *ast.BinaryExpr) bool {
		return syntax.IsOrder(b.Op) && (m.Variable(b.X) == key || m.Variable(b.Y) == key)
	}) {
		return false
	}
	return m.written(m.Variable(left))
}

// conditionOf returns the condition of the innermost if statement around s in the
// loop, or nil.
func (m *mapOrder) conditionOf(s ast.Stmt, loop ast.Stmt) ast.Expr {
	for child, up := range m.Around(s) {
		if i, ok := up.(*ast.IfStmt); up == ast.Node(loop) || ok && child == ast.Node(i.Body) {
			if ok {
				return i.Cond
			}
			return nil
		}
	}
	return nil
}

// orders reports whether a condition compares a visited value by < or >.
func (m *mapOrder) orders(cond ast.Expr, visited []types.Object) bool {
	return syntax.Has(cond, func(b *ast.BinaryExpr) bool {
		_, isConst := m.Constant(b.Y)
		return syntax.IsOrder(b.Op) && !isConst && m.Mentions(b, visited...)
	})
}

// takesFirst returns the statement by which the loop ends at the first element that it
// visits and keeps it, or nil. A map that is known to have one element is left out.
func (m *mapOrder) takesFirst(loop *ast.RangeStmt, visited []types.Object) ast.Stmt {
	if len(visited) == 0 || len(loop.Body.List) == 0 || m.hasOneElement(loop, types.ExprString(loop.X)) {
		return nil
	}
	last := loop.Body.List[len(loop.Body.List)-1]
	switch s := last.(type) {
	case *ast.ReturnStmt:
		for _, result := range s.Results {
			if m.Mentions(result, visited...) {
				return s
			}
		}
	case *ast.BranchStmt:
		if s.Tok != token.BREAK || len(loop.Body.List) < 2 {
			return nil
		}
		if a, ok := loop.Body.List[len(loop.Body.List)-2].(*ast.AssignStmt); ok {
			for i, left := range a.Lhs {
				if obj := m.Container(left); obj != nil && !syntax.DeclaredIn(obj, loop) && m.Mentions(syntax.AssignedTo(a, i), visited...) {
					return a
				}
			}
		}
	}
	return nil
}

// hasOneElement reports whether a condition before or around n compares the length of
// what text denotes with 1.
func (m *mapOrder) hasOneElement(n ast.Node, text string) bool {
	one := func(e ast.Node) bool {
		return syntax.Has(e, func(b *ast.BinaryExpr) bool {
			call, ok := ast.Unparen(b.X).(*ast.CallExpr)
			v, isConst := m.Constant(b.Y)
			return ok && isConst && v == 1 && (b.Op == token.EQL || b.Op == token.NEQ || b.Op == token.GTR) &&
				m.Name(call) == "len" && types.ExprString(call.Args[0]) == text
		})
	}
	for child, up := range m.Around(n) {
		switch up := up.(type) {
		case *ast.IfStmt:
			if one(up.Cond) {
				return true
			}
		case *ast.BlockStmt:
			for _, s := range up.List {
				if i, ok := s.(*ast.IfStmt); ok && s.End() <= child.Pos() && one(i.Cond) {
					return true
				}
			}
		}
	}
	return false
}
