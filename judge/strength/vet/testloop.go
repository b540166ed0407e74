package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"

	"crucible/judge/strength/vet/source"
	"crucible/judge/strength/vet/syntax"
)

var (
	testsName   = regexp.MustCompile(`(?i)^(t|tt|tc|tcs|tests?|cases?|num_?tests?|n?tests?|test_?cases?|num_?cases?|ncases?|_t|t_?case|case_?no|testnum|datasets?|cs|cas|kas|kases?)$`)
	queriesName = regexp.MustCompile(`(?i)^(q|qq|nq|quer(y|ies)|num_?queries|ops?|operations?|commands?|events?|m|days?|rounds?|moves?)$`)
)

// testLoop returns the loop over the test cases, or nil.
func (p *program) testLoop() ast.Stmt {
	m := p.Main()
	if m == nil {
		return nil
	}
	return p.testLoopIn(m, make(map[*source.Function]bool))
}

func (p *program) testLoopIn(f *source.Function, seen map[*source.Function]bool) ast.Stmt {
	if seen[f] {
		return nil
	}
	seen[f] = true
	var loop ast.Stmt
	values := 0 // that the function reads before the loop
	done := false
	ast.Inspect(f.Body, func(n ast.Node) bool {
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
			if !p.takes(s) {
				return false
			}
			done = true
			if values <= 1 && p.overTests(s) {
				loop = s
			}
			return false
		case *ast.CallExpr:
			if p.Input(n)&(source.RawIn|source.BufIn) != 0 {
				values += p.valuesRead(n)
				return false
			}
			callees := p.Callees(n)
			if len(callees) == 1 && containsLoop(callees[0].Body) && p.takes(callees[0].Body) && p.Writes(callees[0].Body) {
				loop = p.testLoopIn(callees[0], seen)
				done = true
			} else if len(callees) > 0 && p.takes(n) {
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
		if p.Input(call)&(source.RawIn|source.BufIn) != 0 {
			switch p.Name(call) {
			case "io.ReadAll":
				// All of the input, of which no value has been used.
			case "fmt.Scan", "fmt.Scanln":
				count += len(call.Args)
			case "fmt.Scanf", "fmt.Fscan", "fmt.Fscanln":
				count += len(call.Args) - 1
			case "fmt.Fscanf":
				count += len(call.Args) - 2
			default:
				if _, dropped := p.Parent[call].(*ast.ExprStmt); !dropped || p.Name(call) == "(*bufio.Scanner).Scan" {
					count++
				}
			}
			return false
		}
		if len(p.Callees(call)) > 0 && p.takes(call) {
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
	return p.Writes(loop) && (p.readsInLoop(loop) || p.endsAtZero(loop))
}

// startsAnew reports whether the body of a loop begins with a call of a function that does
// nothing but clear global variables, or clears two lists among them by itself, before it
// reads.
func (p *program) startsAnew(loop ast.Stmt) bool {
	cleared := make(map[types.Object]bool)
	for _, s := range syntax.LoopBody(loop).List {
		if e, ok := s.(*ast.ExprStmt); ok {
			if call, ok := e.X.(*ast.CallExpr); ok && slices.ContainsFunc(p.Callees(call), p.onlyClears) {
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
func (p *program) onlyClears(f *source.Function) bool {
	lists := 0
	for _, s := range f.Body.List {
		if p.clearsList(s) != nil {
			lists++
		} else if a, ok := s.(*ast.AssignStmt); !ok || a.Tok != token.ASSIGN || slices.ContainsFunc(a.Lhs, func(e ast.Expr) bool { return !p.IsGlobal(p.Variable(e)) }) ||
			slices.ContainsFunc(a.Rhs, func(e ast.Expr) bool { return !p.IsConstant(e) }) {
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
		if call, ok := s.X.(*ast.CallExpr); ok && p.Name(call) == "clear" {
			to = call.Args[0]
		}
	case *ast.ForStmt, *ast.RangeStmt:
		if list := syntax.LoopBody(s).List; len(list) == 1 {
			if a, ok := list[0].(*ast.AssignStmt); ok && a.Tok == token.ASSIGN && len(a.Lhs) == 1 && syntax.Indexed(a.Lhs[0]) && empty(nil, a.Rhs[0]) {
				to = a.Lhs[0]
			}
		}
	case *ast.AssignStmt:
		if s.Tok == token.ASSIGN && len(s.Lhs) == 1 && !p.IsConstant(s.Rhs[0]) && (empty(nil, s.Rhs[0]) || p.Calls(s.Rhs[0], "make")) {
			to = s.Lhs[0]
		}
	}
	if to == nil {
		return nil
	}
	if obj := p.Container(to); p.IsGlobal(obj) {
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
			n, isConst := p.Constant(b.Y)
			return isConst && n == 0 && b.Op == token.EQL && p.Variable(b.X) != nil
		})
	})
}

// readsInLoop reports whether a loop inside the loop, or in a function that it calls,
// reads input.
func (p *program) readsInLoop(loop ast.Stmt) bool {
	return slices.ContainsFunc(newRegion(p, loop).parts, func(part ast.Node) bool {
		return syntax.Has(part, func(s ast.Stmt) bool { return syntax.IsLoop(s) && p.readsValues(syntax.LoopBody(s)) && !p.Short(s) })
	})
}

// readsValues is like reads, without the functions that read one byte for a
// hand-written scanner.
func (p *program) readsValues(n ast.Node) bool {
	return p.Does(n, func(call *ast.CallExpr) bool {
		return p.Input(call)&(source.RawIn|source.BufIn) != 0 && p.Name(call) != "(*bufio.Reader).ReadByte" && p.Name(call) != "io.ReadAll"
	}) || p.callsReader(n)
}

// callsReader reports whether the code below n calls a function of the program that
// reads.
func (p *program) callsReader(n ast.Node) bool {
	return syntax.Has(n, func(call *ast.CallExpr) bool { return len(p.Callees(call)) > 0 && p.takes(call) })
}

// takes reports whether the code below n reads input, or takes the next part of input that
// was read at once.
func (p *program) takes(n ast.Node) bool {
	return p.Reads(n) || p.readsAll() && p.Does(n, func(call *ast.CallExpr) bool { return slices.ContainsFunc(p.Callees(call), p.isCursor) })
}

// readsAll reports whether the program reads all input at once.
func (p *program) readsAll() bool {
	return slices.ContainsFunc(p.Funcs, func(f *source.Function) bool {
		return slices.ContainsFunc(f.Calls, func(call *ast.CallExpr) bool {
			name := p.Name(call)
			return name == "io.ReadAll" || name == "os.ReadFile" || name == "io/ioutil.ReadAll" || name == "(*bytes.Buffer).ReadFrom"
		})
	})
}

// isCursor reports whether a function has a position that it moves.
func (p *program) isCursor(f *source.Function) bool {
	return syntax.Has(f.Body, func(id *ast.Ident) bool { return p.isPosition(f, p.Variable(id)) })
}

// isPosition reports whether a function uses a byte or a word of a text at a position that
// outlives it, and moves the position forward.
func (p *program) isPosition(f *source.Function, obj types.Object) bool {
	v, ok := obj.(*types.Var)
	if !ok || !v.IsField() && syntax.DeclaredIn(v, f.Node) {
		return false
	}
	return syntax.Has(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IncDecStmt:
			return n.Tok == token.INC && p.Variable(n.X) == obj
		case *ast.AssignStmt:
			return n.Tok == token.ADD_ASSIGN && p.Variable(n.Lhs[0]) == obj
		}
		return false
	}) && syntax.Has(f.Body, func(at *ast.IndexExpr) bool { return isWords(p.TypeOf(at.X)) && p.Mentions(at.Index, obj) })
}

// isWords reports whether t is a text or a list of texts.
func isWords(t types.Type) bool {
	if t == nil {
		return false
	}
	s, ok := t.Underlying().(*types.Slice)
	return isText(t) || ok && isText(s.Elem())
}
