package vet

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// ManyTimes is the number of iterations above which a loop counts as one whose
// length depends on the input.
const ManyTimes = 128

// Repeated reports whether n runs many times: in a loop of its function, or
// because its function is called in a loop or calls itself. Loops that n leaves
// at once do not count.
func (p *program) Repeated(n ast.Node) bool {
	loops, ends := p.Loops(n)
	for _, l := range loops {
		if !p.Short(l) {
			return true
		}
	}
	if ends {
		return false
	}
	f := p.FunctionAt(n)
	return f != nil && (f.Repeated || p.Recursive(f) && !p.Found(n))
}

// Loops returns the loops around n in its function, innermost first, except
// those that end right after n by break or return. It reports whether the program
// ends after n.
func (p *program) Loops(n ast.Node) (all []ast.Stmt, ends bool) {
	skip := 0                // loops, or switches, that a break leaves
	var last ast.Stmt        // loops up to here are left by a labelled break
	leaves := token.Token(0) // RETURN: all loops of the function are left
	for child, up := n, p.Parent[n]; up != nil; child, up = up, p.Parent[up] {
		switch up := up.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return all, false
		case *ast.BlockStmt:
			jump, exit := p.Jump(up.List, child)
			if exit {
				return all, true
			}
			skip, last, leaves = p.follow(jump, skip, last, leaves)
		case *ast.CaseClause:
			jump, exit := p.Jump(up.Body, child)
			if exit {
				return all, true
			}
			skip, last, leaves = p.follow(jump, skip, last, leaves)
		case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			skip = max(skip-1, 0)
		case *ast.ForStmt, *ast.RangeStmt:
			if r, ok := up.(*ast.RangeStmt); ok && child == r.X {
				continue
			}
			if f, ok := up.(*ast.ForStmt); ok && child == f.Init {
				continue
			}
			switch {
			case leaves == token.RETURN:
			case last != nil:
				if up == last {
					last = nil
				}
			case skip > 0:
				skip--
			default:
				all = append(all, up.(ast.Stmt))
			}
		}
	}
	return all, false
}

// follow adds a jump to the ones that loops has met.
func (p *program) follow(jump ast.Stmt, skip int, last ast.Stmt, leaves token.Token) (int, ast.Stmt, token.Token) {
	switch jump := jump.(type) {
	case *ast.ReturnStmt:
		leaves = token.RETURN
	case *ast.BranchStmt:
		switch {
		case jump.Tok != token.BREAK:
		case jump.Label != nil:
			if def := p.Info.Uses[jump.Label]; def != nil {
				last = p.labelled(def)
			}
		case skip == 0:
			skip = 1
		}
	}
	return skip, last, leaves
}

// labelled returns the loop with a label.
func (p *program) labelled(label types.Object) ast.Stmt {
	for n := range p.Parent {
		if l, ok := n.(*ast.LabeledStmt); ok && p.Info.Defs[l.Label] == label {
			return l.Stmt
		}
	}
	return nil
}

// Jump returns the statement after child in a list that leaves the list, and
// whether the program ends there.
func (p *program) Jump(list []ast.Stmt, child ast.Node) (jump ast.Stmt, exit bool) {
	after := false
	for _, s := range list {
		after = after || ast.Node(s) == child
		if !after {
			continue
		}
		switch s := s.(type) {
		case *ast.ReturnStmt, *ast.BranchStmt:
			return s, false
		case *ast.ExprStmt:
			if call, ok := s.X.(*ast.CallExpr); ok && p.Exits(call) {
				return nil, true
			}
		}
	}
	return nil, false
}

// Exits reports whether a call ends the program.
func (p *program) Exits(call *ast.CallExpr) bool {
	switch p.Name(call) {
	case "os.Exit", "panic", "log.Fatal", "log.Fatalf", "log.Fatalln", "log.Panic", "log.Panicf", "log.Panicln":
		return true
	}
	return false
}

// Found reports whether the function of n returns true after n, as a search does
// when it has found a solution.
func (p *program) Found(n ast.Node) bool {
	for child, up := n, p.Parent[n]; up != nil; child, up = up, p.Parent[up] {
		switch up := up.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return false
		case *ast.BlockStmt:
			jump, exit := p.Jump(up.List, child)
			if r, ok := jump.(*ast.ReturnStmt); exit || ok && len(r.Results) == 1 && isTrue(r.Results[0]) {
				return true
			}
		}
	}
	return false
}

func isTrue(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "true"
}

// shortName reports whether a loop has a constant, small number of iterations, or one for
// each digit of a number.
func (p *program) Short(loop ast.Stmt) bool {
	n, ok := p.Iterations(loop)
	return ok && n <= ManyTimes || p.overDigits(loop)
}

// overDigits reports whether a loop divides the variable of its condition by a constant.
func (p *program) overDigits(loop ast.Stmt) (found bool) {
	l, ok := loop.(*ast.ForStmt)
	if !ok || l.Cond == nil {
		return false
	}
	divides := func(n ast.Node) bool {
		s, ok := n.(*ast.AssignStmt)
		if !ok || len(s.Lhs) != 1 {
			return false
		}
		obj := p.Variable(s.Lhs[0])
		if obj == nil || !p.Mentions(l.Cond, obj) {
			return false
		}
		switch s.Tok {
		case token.QUO_ASSIGN, token.SHR_ASSIGN:
			_, ok := p.Constant(s.Rhs[0])
			return ok
		case token.ASSIGN:
			b, ok := ast.Unparen(s.Rhs[0]).(*ast.BinaryExpr)
			if !ok || b.Op != token.QUO && b.Op != token.SHR || p.Variable(b.X) != obj {
				return false
			}
			_, ok = p.Constant(b.Y)
			return ok
		}
		return false
	}
	for _, s := range l.Body.List {
		found = found || divides(s)
	}
	return found || l.Post != nil && divides(l.Post)
}

// Iterations returns the largest number of iterations of a loop that the source
// states.
func (p *program) Iterations(loop ast.Stmt) (int64, bool) {
	switch l := loop.(type) {
	case *ast.RangeStmt:
		if n, ok := p.Constant(l.X); ok {
			return n, true
		}
		if n, ok := arrayLen(p.TypeOf(l.X)); ok {
			return n, true
		}
		if lit, ok := ast.Unparen(l.X).(*ast.CompositeLit); ok {
			return int64(len(lit.Elts)), true
		}
		if v, ok := p.Info.Types[l.X]; ok && v.Value != nil && v.Value.Kind() == constant.String {
			return int64(len(constant.StringVal(v.Value))), true
		}
		if obj := p.Variable(l.X); obj != nil && len(p.Assigned[obj]) == 1 && p.Assigned[obj][0].Result < 0 {
			if lit, ok := ast.Unparen(p.Assigned[obj][0].Expr).(*ast.CompositeLit); ok {
				return int64(len(lit.Elts)), true // a table such as the directions
			}
		}
	case *ast.ForStmt:
		cond, ok := l.Cond.(*ast.BinaryExpr)
		if !ok || l.Post == nil {
			return 0, false
		}
		high, ok := p.Constant(cond.Y)
		if n, isArray := p.LenOfArray(cond.Y); isArray {
			high, ok = n, true
		}
		if ok && (cond.Op == token.LSS || cond.Op == token.LEQ || cond.Op == token.NEQ) {
			low, known := p.Start(l)
			if known {
				return high - low + 1, true
			}
		}
		if ok && (cond.Op == token.GTR || cond.Op == token.GEQ) {
			low, known := p.Start(l)
			if known {
				return low - high + 1, true
			}
		}
	}
	return 0, false
}

// Start returns the constant at which the counter of a loop starts.
func (p *program) Start(l *ast.ForStmt) (int64, bool) {
	if init, ok := l.Init.(*ast.AssignStmt); ok && len(init.Rhs) >= 1 {
		return p.Constant(init.Rhs[0])
	}
	return 0, false
}

// LenOfArray returns the value of len(a) if a is an array.
func (p *program) LenOfArray(e ast.Expr) (int64, bool) {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok && p.Name(call) == "len" {
		return arrayLen(p.TypeOf(call.Args[0]))
	}
	return 0, false
}

// arrayLen returns the length of an array, or of the array behind a pointer.
func arrayLen(t types.Type) (int64, bool) {
	if t == nil {
		return 0, false
	}
	t = t.Underlying()
	if ptr, ok := t.(*types.Pointer); ok {
		t = ptr.Elem().Underlying()
	}
	if a, ok := t.(*types.Array); ok {
		return a.Len(), true
	}
	return 0, false
}

// constant64 returns the value of an integer constant; 1e6 is one.
func constant64(v constant.Value) (int64, bool) {
	if v == nil || v.Kind() != constant.Int && v.Kind() != constant.Float {
		return 0, false
	}
	if v = constant.ToInt(v); v.Kind() != constant.Int {
		return 0, false
	}
	return constant.Int64Val(v)
}

// BufferSize returns the constant length of a byte buffer.
func (p *program) BufferSize(e ast.Expr) (int64, bool) {
	e = ast.Unparen(e)
	if s, ok := e.(*ast.SliceExpr); ok {
		if s.Low == nil && s.High != nil {
			return p.Constant(s.High)
		}
		if s.Low != nil || s.High != nil {
			return 0, false
		}
		if n, ok := arrayLen(p.TypeOf(s.X)); ok {
			return n, true
		}
		e = s.X
	}
	if call, ok := e.(*ast.CallExpr); ok && p.Name(call) == "make" && len(call.Args) > 1 {
		return p.Constant(call.Args[1])
	}
	if lit, ok := e.(*ast.CompositeLit); ok {
		return int64(len(lit.Elts)), true
	}
	if obj := p.Variable(e); obj != nil && len(p.Assigned[obj]) == 1 && p.Assigned[obj][0].Result < 0 {
		if from := p.Assigned[obj][0].Expr; p.Variable(from) == nil {
			return p.BufferSize(from)
		}
	}
	return 0, false
}

// Depth returns the number of loops around n that are not short, across calls. A path
// of calls from open does not return to it.
func (p *program) Depth(n ast.Node, open ...*function) (depth int) {
	f := p.FunctionAt(n)
	if f != nil && !slices.Contains(open, f) {
		for _, site := range f.Sites {
			depth = max(depth, p.Depth(site, append(open, f)...))
		}
	}
	loops, _ := p.Loops(n)
	for _, l := range loops {
		if !p.Short(l) {
			depth++
		}
	}
	return depth
}
