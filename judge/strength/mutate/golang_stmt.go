package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

func (g *goFile) loop(s ast.Stmt) {
	l := loop{span: g.span(s), depth: g.depth()}
	var body *ast.BlockStmt
	switch n := s.(type) {
	case *ast.ForStmt:
		body = n.Body
		l.endless = n.Cond == nil
		if n.Cond != nil {
			l.cond = g.span(n.Cond)
		}
		if a, ok := n.Init.(*ast.AssignStmt); ok && len(a.Rhs) > 0 && len(a.Lhs) == len(a.Rhs) {
			l.start = g.span(a.Rhs[0])
			if t := g.typeOf(a.Rhs[0]); t == nil || !isInteger(t) {
				l.start = span{}
			}
		}
	case *ast.RangeStmt:
		body = n.Body
		if t := g.typeOf(n.X); t != nil && isInteger(t) {
			l.limit = g.span(n.X)
		}
	}
	for _, id := range loopVariables(s) {
		l.vars = append(l.vars, id.Name)
	}
	l.body = g.span(body)
	l.reads = callsAny(body, g.reads)
	if n := len(body.List); n > 0 && !l.endless && !isJump(body.List[n-1]) {
		last := g.span(body.List[n-1])
		if line := g.o.text(span{l.body.from, last.to}); strings.Contains(line, "\n") {
			l.finish = []edit{{span{last.to, last.to}, "\n" + g.margin(g.span(body.List[n-1]).from) + "break"}}
		} else {
			l.finish = []edit{{span{last.to, last.to}, "; break"}}
		}
	}
	g.ids[s] = len(g.o.loops)
	g.o.loops = append(g.o.loops, l)
}

func isInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

func isJump(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// margin returns the white space at the start of a line.
func (g *goFile) margin(at int) string {
	from := strings.LastIndexByte(string(g.o.code[:at]), '\n') + 1
	line := string(g.o.code[from:at])
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

func (g *goFile) branch(n *ast.IfStmt) {
	b := branch{span: g.span(n), cond: g.span(n.Cond), then: g.span(n.Body), loop: g.depth() > 0, drop: true}
	if n.Init != nil {
		b.init = g.span(n.Init)
	}
	if g.fn != nil {
		b.again, b.params = g.fn.again, g.fn.params
	}
	if len(g.stack) > 0 {
		if outer, ok := g.stack[len(g.stack)-1].(*ast.IfStmt); ok && outer.Else == n {
			b.drop, b.chained = false, true
		}
	}
	if n.Else != nil && !(terminates(n.Body) && terminates(n.Else)) {
		b.other = span{b.then.to, g.span(n.Else).to}
	}
	if n.Else != nil && terminates(n) {
		b.drop = false
	}
	if len(n.Body.List) == 1 {
		switch s := n.Body.List[0].(type) {
		case *ast.ReturnStmt:
			b.jump = "return"
			if len(s.Results) > 0 {
				b.result = g.text(s.Results[0])
			}
		case *ast.BranchStmt:
			if s.Label == nil && s.Tok != token.GOTO && s.Tok != token.FALLTHROUGH {
				b.jump = s.Tok.String()
			}
		}
	}
	g.o.branches = append(g.o.branches, b)
}

// terminates reports whether a statement ends with a return in all branches.
func terminates(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.BlockStmt:
		return len(s.List) > 0 && terminates(s.List[len(s.List)-1])
	case *ast.IfStmt:
		return s.Else != nil && terminates(s.Body) && terminates(s.Else)
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	case *ast.ForStmt:
		return s.Cond == nil
	case *ast.ExprStmt:
		c, ok := s.X.(*ast.CallExpr)
		return ok && calledName(c) == "panic"
	}
	return false
}

func (g *goFile) statement(n ast.Stmt) {
	at, inSwitch := g.innermost()
	s := statement{span: g.span(n), loops: g.depth(), kind: other, inCase: inSwitch, again: g.fn != nil && g.fn.again}
	switch n := n.(type) {
	case *ast.AssignStmt:
		g.assign(n, &s, at)
	case *ast.IncDecStmt:
		s.kind = calling
	case *ast.ExprStmt:
		s.kind = calling
		c, ok := n.X.(*ast.CallExpr)
		s.fixed = ok && calledName(c) == "panic" // often instead of a return
		s.clears = ok && calledName(c) == "clear"
	case *ast.ReturnStmt:
		s.kind, s.name = jumping, "return"
	case *ast.BranchStmt:
		s.kind, s.name = jumping, n.Tok.String()
		if n.Label != nil {
			s.value = n.Label.Name
		}
	case *ast.DeclStmt:
		s.kind = declaration
		if d, ok := n.Decl.(*ast.GenDecl); ok && d.Tok == token.VAR && len(d.Specs) == 1 {
			spec := d.Specs[0].(*ast.ValueSpec)
			if len(spec.Names) == 1 && (len(spec.Values) == 0 || isConstantGo(spec.Values[0])) {
				g.hoist(s.span, at)
			}
		}
	case *ast.DeferStmt, *ast.GoStmt, *ast.SendStmt:
	default:
		return
	}
	// Statements in headers of loops and branches stay.
	if len(g.stack) > 0 {
		switch around := g.stack[len(g.stack)-1].(type) {
		case *ast.ForStmt:
			s.fixed = s.fixed || around.Init == n || around.Post == n
		case *ast.IfStmt:
			s.fixed = s.fixed || around.Init == n
		case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.CommClause, *ast.LabeledStmt:
			s.fixed = true
		}
	}
	g.o.stmts = append(g.o.stmts, s)
}

func (g *goFile) assign(n *ast.AssignStmt, s *statement, loop int) {
	s.kind, s.name = assignment, g.text(n.Lhs[0])
	if n.Tok == token.DEFINE {
		s.kind = declaration
	}
	s.value = g.text(n.Rhs[0])
	if len(n.Lhs) == len(n.Rhs) && (n.Tok == token.ASSIGN || n.Tok == token.DEFINE) {
		for i, v := range n.Rhs {
			g.o.values = append(g.o.values, value{span: g.span(v), name: g.text(n.Lhs[i]), loops: s.loops})
		}
		g.swapRead(n)
	}
	if len(n.Lhs) == 1 && isConstantGo(n.Rhs[0]) {
		s.clears = n.Tok == token.ASSIGN
		if _, block := g.stack[len(g.stack)-1].(*ast.BlockStmt); block && n.Tok == token.DEFINE {
			g.hoist(s.span, loop)
		}
	}
}

// swapRead records variables that are read alike in one statement.
func (g *goFile) swapRead(n *ast.AssignStmt) {
	for i := 1; i < len(n.Rhs); i++ {
		if c, ok := n.Rhs[i].(*ast.CallExpr); ok && g.reads[calledName(c)] && g.text(c) == g.text(n.Rhs[i-1]) {
			g.o.inputs = append(g.o.inputs, []span{g.span(n.Lhs[i-1]), g.span(n.Lhs[i])})
		}
	}
}

// hoist records that a declaration moves in front of the loop at that place of the
// stack, so that its variable is not set again.
func (g *goFile) hoist(s span, loop int) {
	if loop < 1 {
		return
	}
	if _, block := g.stack[loop-1].(*ast.BlockStmt); !block {
		return
	}
	at := g.span(g.stack[loop]).from
	g.o.hoists = append(g.o.hoists, []edit{{span{at, at}, g.o.text(s) + "\n" + g.margin(at)}, {s, ""}})
}

// unusedAfter returns a function that reports whether edits remove all uses of a
// local variable, an import or a label, which the compiler rejects.
func (g *goFile) unusedAfter(f *ast.File) func([]edit) bool {
	type use struct {
		at  span
		obj types.Object
	}
	var uses []use
	total := make(map[types.Object]int)
	written := make(map[*ast.Ident]bool) // only assigned
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				if id, ok := e.(*ast.Ident); ok {
					written[id] = true
				}
			}
		case *ast.IncDecStmt:
			if id, ok := n.X.(*ast.Ident); ok {
				written[id] = true
			}
		case *ast.Ident:
			obj := g.info.Uses[n]
			v, local := obj.(*types.Var)
			_, pkg := obj.(*types.PkgName)
			_, label := obj.(*types.Label)
			if !written[n] && (pkg || label || local && v.Kind() == types.LocalVar) {
				uses = append(uses, use{g.span(n), obj})
				total[obj]++
			}
		}
		return true
	})
	return func(edits []edit) bool {
		lost := make(map[types.Object]int)
		for _, e := range edits {
			for _, u := range uses {
				if e.span.holds(u.at) {
					lost[u.obj]++
				}
			}
		}
		for obj, n := range lost {
			if n < total[obj] {
				continue
			}
			kept := false
			for _, e := range edits {
				kept = kept || names(e.text, obj.Name())
			}
			if !kept {
				return true
			}
		}
		return false
	}
}

// isConstantGo reports whether an expression is a literal or an empty container.
func isConstantGo(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return e.Name == "true" || e.Name == "false" || e.Name == "nil"
	case *ast.UnaryExpr:
		return isConstantGo(e.X)
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	case *ast.SliceExpr: // s[:0]
		high, ok := e.High.(*ast.BasicLit)
		return e.Low == nil && ok && high.Value == strconv.Itoa(0)
	}
	return false
}
