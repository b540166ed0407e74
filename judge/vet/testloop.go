package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"

	"crucible/judge/vet/syntax"
)

var (
	testsName   = regexp.MustCompile(`(?i)^(t|tt|tc|tcs|tests?|cases?|num_?tests?|n?tests?|test_?cases?|num_?cases?|ncases?|_t|t_?case|case_?no|testnum|datasets?)$`)
	queriesName = regexp.MustCompile(`(?i)^(q|qq|nq|quer(y|ies)|num_?queries|ops?|operations?|commands?|events?|m|days?|rounds?|moves?)$`)
)

// testLoop returns the loop over the test cases, or nil.
func (p *program) testLoop() ast.Stmt {
	m := p.main()
	if m == nil {
		return nil
	}
	return p.testLoopIn(m, make(map[*function]bool))
}

func (p *program) testLoopIn(f *function, seen map[*function]bool) ast.Stmt {
	if seen[f] {
		return nil
	}
	seen[f] = true
	var loop ast.Stmt
	values := 0 // that the function reads before the loop
	done := false
	ast.Inspect(f.body, func(n ast.Node) bool {
		if done || n == nil {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt, *ast.RangeStmt:
			s := n.(ast.Stmt)
			if r, ok := s.(*ast.RangeStmt); ok {
				values += p.valuesRead(r.X)
			} else if init := s.(*ast.ForStmt).Init; init != nil {
				values += p.valuesRead(init)
			}
			if !p.reads(s) {
				return false
			}
			done = true
			if values <= 1 && p.overTests(s) {
				loop = s
			}
			return false
		case *ast.CallExpr:
			if p.input(n)&(rawIn|bufIn) != 0 {
				values += p.valuesRead(n)
				return false
			}
			callees := p.callees(n)
			if len(callees) == 1 && containsLoop(callees[0].body) && p.reads(callees[0].body) && p.writes(callees[0].body) {
				loop = p.testLoopIn(callees[0], seen)
				done = true
			} else if len(callees) > 0 && p.reads(n) {
				values++
			}
			return true
		}
		return true
	})
	return loop
}

// valuesRead counts the values that the calls below n read.
func (p *program) valuesRead(n ast.Node) (count int) {
	ast.Inspect(n, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if p.input(call)&(rawIn|bufIn) != 0 {
			switch p.name(call) {
			case "fmt.Scan", "fmt.Scanln":
				count += len(call.Args)
			case "fmt.Scanf", "fmt.Fscan", "fmt.Fscanln":
				count += len(call.Args) - 1
			case "fmt.Fscanf":
				count += len(call.Args) - 2
			default:
				if _, dropped := p.parent[call].(*ast.ExprStmt); !dropped || p.name(call) == "(*bufio.Scanner).Scan" {
					count++
				}
			}
			return false
		}
		if len(p.callees(call)) > 0 && p.reads(call) {
			count++
			return false
		}
		return true
	})
	return count
}

func containsLoop(n ast.Node) bool {
	return syntax.Has(n, func(n ast.Node) bool { return syntax.IsLoop(n) })
}

// overTests reports whether a loop that reads is over test cases and not over queries:
// by the name of its bound, or because it writes too and has a loop in it that reads.
func (p *program) overTests(loop ast.Stmt) bool {
	tests, queries := false, false
	header := []ast.Node{}
	switch l := loop.(type) {
	case *ast.ForStmt:
		header = append(header, l.Init, l.Cond, l.Post)
	case *ast.RangeStmt:
		header = append(header, l.Key, l.X)
	}
	for _, part := range header {
		if syntax.IsNil(part) {
			continue
		}
		ast.Inspect(part, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				tests = tests || testsName.MatchString(id.Name)
				queries = queries || queriesName.MatchString(id.Name)
			}
			return true
		})
	}
	if tests || queries {
		return tests || p.startsAnew(loop)
	}
	return p.writes(loop) && (p.readsInLoop(loop) || p.endsAtZero(loop))
}

// startsAnew reports whether the body of a loop begins with a call of a function that does
// nothing but clear global variables, or clears two lists among them by itself, before it
// reads.
func (p *program) startsAnew(loop ast.Stmt) bool {
	cleared := make(map[types.Object]bool)
	for _, s := range syntax.LoopBody(loop).List {
		if e, ok := s.(*ast.ExprStmt); ok {
			if call, ok := e.X.(*ast.CallExpr); ok && slices.ContainsFunc(p.callees(call), p.onlyClears) {
				return true
			}
		}
		obj := p.clearsList(s)
		if obj == nil {
			break
		}
		cleared[obj] = true
	}
	return len(cleared) > 1
}

// onlyClears reports whether each statement of a function clears a list at package level
// or assigns a constant there.
func (p *program) onlyClears(f *function) bool {
	lists := 0
	for _, s := range f.body.List {
		if p.clearsList(s) != nil {
			lists++
		} else if a, ok := s.(*ast.AssignStmt); !ok || a.Tok != token.ASSIGN || slices.ContainsFunc(a.Lhs, func(e ast.Expr) bool { return !p.isGlobal(p.variable(e)) }) ||
			slices.ContainsFunc(a.Rhs, func(e ast.Expr) bool { return !p.isConstant(e) }) {
			return false
		}
	}
	return lists > 0
}

// clearsList returns the list at package level that a statement clears: by clear, by an
// empty value, or element by element; nil if it does something else.
func (p *program) clearsList(s ast.Stmt) types.Object {
	var to ast.Expr
	empty := (&region{program: p}).clears
	switch s := s.(type) {
	case *ast.ExprStmt:
		if call, ok := s.X.(*ast.CallExpr); ok && p.name(call) == "clear" {
			to = call.Args[0]
		}
	case *ast.ForStmt, *ast.RangeStmt:
		if list := syntax.LoopBody(s).List; len(list) == 1 {
			if a, ok := list[0].(*ast.AssignStmt); ok && a.Tok == token.ASSIGN && len(a.Lhs) == 1 && syntax.Indexed(a.Lhs[0]) && empty(nil, a.Rhs[0]) {
				to = a.Lhs[0]
			}
		}
	case *ast.AssignStmt:
		if s.Tok == token.ASSIGN && len(s.Lhs) == 1 && !p.isConstant(s.Rhs[0]) && (empty(nil, s.Rhs[0]) || p.calls(s.Rhs[0], "make")) {
			to = s.Lhs[0]
		}
	}
	if to == nil {
		return nil
	}
	if obj := p.container(to); p.isGlobal(obj) {
		return obj
	}
	return nil
}

// endsAtZero reports whether a loop without a condition reads two or more numbers and
// ends if they are 0.
func (p *program) endsAtZero(loop ast.Stmt) bool {
	l, ok := loop.(*ast.ForStmt)
	if !ok || l.Cond != nil || p.valuesRead(l.Body) < 2 {
		return false
	}
	return slices.ContainsFunc(l.Body.List, func(s ast.Stmt) bool {
		i, ok := s.(*ast.IfStmt)
		return ok && syntax.Leaves(i.Body) && syntax.Has(i.Cond, func(b *ast.BinaryExpr) bool {
			n, isConst := p.constant(b.Y)
			return isConst && n == 0 && b.Op == token.EQL && p.variable(b.X) != nil
		})
	})
}

// readsInLoop reports whether a loop inside the loop, or in a function that it calls,
// reads input.
func (p *program) readsInLoop(loop ast.Stmt) bool {
	return slices.ContainsFunc(newRegion(p, loop).parts, func(part ast.Node) bool {
		return syntax.Has(part, func(s ast.Stmt) bool { return syntax.IsLoop(s) && p.readsValues(syntax.LoopBody(s)) && !p.short(s) })
	})
}

// readsValues is like reads, without the functions that read one byte for a
// hand-written scanner.
func (p *program) readsValues(n ast.Node) bool {
	return p.does(n, func(call *ast.CallExpr) bool {
		return p.input(call)&(rawIn|bufIn) != 0 && p.name(call) != "(*bufio.Reader).ReadByte"
	}) || p.callsReader(n)
}

// callsReader reports whether the code below n calls a function of the program that
// reads.
func (p *program) callsReader(n ast.Node) bool {
	return syntax.Has(n, func(call *ast.CallExpr) bool { return len(p.callees(call)) > 0 && p.reads(call) })
}
