package vet

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"crucible/judge/strength/vet/edit"
	"crucible/judge/strength/vet/source"
	"crucible/judge/strength/vet/syntax"
)

// Concat finds strings and slices that are built in quadratic time.
var Concat = &analysis.Analyzer{
	Name: "concat",
	Doc: `find quadratic string building

Strings cannot change, so s += x copies all of s. In a loop that takes time
quadratic in the length of the result: 200,000 characters copy 20 GB. The same
holds for s = s[1:] + x, and for a slice that grows at its front. A strings.Builder, or a []byte that is
appended to, takes linear time.

A string that the same loop assigns anew is not reported, and neither is a loop
with a small constant number of iterations, a loop that takes elements of a short table
off a number, as for Roman numerals, or a loop over input that is small, as comments say:
n <= 10. A loop that adds to elements of a slice or an array is reported if these are few,
so that each of them grows.`,
	URL:      "https://pkg.go.dev/strings#Builder",
	Requires: []*analysis.Analyzer{programs},
	Run:      runConcat,
}

func runConcat(pass *analysis.Pass) (any, error) {
	p := programOf(pass)
	fixed := make(map[types.Object]bool)
	for _, f := range p.Funcs {
		ast.Inspect(f.Body, func(n ast.Node) bool {
			if lit, ok := n.(*ast.FuncLit); ok && lit != f.Node {
				return false
			}
			s, ok := n.(*ast.AssignStmt)
			if !ok || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
				return true
			}
			obj := p.Container(s.Lhs[0])
			if obj == nil || !p.grows(s) || !p.growsIn(f, s, obj) || p.FewAt(s) {
				return true
			}
			if !source.IsString(p.TypeOf(s.Lhs[0])) {
				pass.ReportRangef(s, "%s grows at its front in a loop, which copies all of it each time; append to it and reverse it once", types.ExprString(s.Lhs[0]))
				return true
			}
			how := " grows by concatenation in a loop, which copies all of it each time; use a strings.Builder"
			if p.shortens(s.Rhs[0], obj) {
				how = " is cut and concatenated in a loop, which copies all of it each time; keep positions instead, or a []byte"
			}
			d := analysis.Diagnostic{Pos: s.Pos(), End: s.End(), Message: types.ExprString(s.Lhs[0]) + how}
			if !fixed[obj] {
				fixed[obj] = true
				d.SuggestedFixes = p.useBuilder(obj)
			}
			pass.Report(d)
			return true
		})
	}
	return nil, nil
}

// grows reports whether an assignment makes a string longer, or a slice at its
// front.
func (p *program) grows(s *ast.AssignStmt) bool {
	left, right := s.Lhs[0], ast.Unparen(s.Rhs[0])
	same := func(e ast.Expr) bool { return types.ExprString(ast.Unparen(e)) == types.ExprString(ast.Unparen(left)) }
	switch {
	case s.Tok == token.ADD_ASSIGN:
		return source.IsString(p.TypeOf(left))
	case s.Tok != token.ASSIGN:
		return false
	case source.IsString(p.TypeOf(left)):
		part := func(e ast.Expr) bool {
			s, ok := ast.Unparen(e).(*ast.SliceExpr)
			return ok && same(s.X)
		}
		return isTerm(right, same) || isTerm(right, part) || isTerm(right, func(e ast.Expr) bool { return p.formats(e, same) }) || p.formats(right, same)
	}
	// s = append([]T{x}, s...)
	call, ok := right.(*ast.CallExpr)
	if !ok || p.Name(call) != "append" || !call.Ellipsis.IsValid() || !same(call.Args[len(call.Args)-1]) {
		return false
	}
	_, ok = ast.Unparen(call.Args[0]).(*ast.CompositeLit)
	return ok
}

// formats reports whether e is a string made of values of which f holds for one.
func (p *program) formats(e ast.Expr, f func(ast.Expr) bool) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	if p.Name(call) == "strings.Join" {
		lit, ok := call.Args[0].(*ast.CompositeLit)
		return ok && slices.ContainsFunc(lit.Elts, f)
	}
	return strings.HasPrefix(p.Name(call), "fmt.Sprint") && slices.ContainsFunc(call.Args, f)
}

// isTerm reports whether f holds for one of at least two terms of a sum.
func isTerm(e ast.Expr, f func(ast.Expr) bool) bool {
	sum, ok := ast.Unparen(e).(*ast.BinaryExpr)
	return ok && sum.Op == token.ADD && (f(sum.X) || f(sum.Y) || isTerm(sum.X, f) || isTerm(sum.Y, f))
}

// growsIn reports whether the assignment s in f grows the variable again and
// again: it is declared outside a loop around s that is not short and does not
// assign it anew.
func (p *program) growsIn(f *source.Function, s *ast.AssignStmt, obj types.Object) bool {
	loops, ends := p.Loops(s)
	if i, ok := ast.Unparen(s.Lhs[0]).(*ast.IndexExpr); ok && len(loops) > 0 {
		for len(loops) > 0 && p.UsesOwn(i.Index, loops[0]) && !syntax.DeclaredIn(obj, loops[0]) && !p.returns(i, loops[0]) {
			loops = loops[1:] // another element in each iteration
		}
		if len(loops) == 0 {
			return false
		}
	}
	for _, l := range loops {
		if syntax.DeclaredIn(obj, l) {
			return false
		}
		if p.assignsAnew(l, obj) || p.limits(l, obj) {
			return false
		}
		if !p.Short(l) && !p.takesOff(l) {
			return true
		}
	}
	if _, ok := ast.Unparen(s.Lhs[0]).(*ast.StarExpr); ok && !ends && p.growsAt(f, obj) {
		return true
	}
	if ends || syntax.DeclaredIn(obj, f.Node) || !f.Repeated && !p.Recursive(f) {
		return false
	}
	if p.Recursive(f) && !p.Found(s) && !p.assignsAnew(f.Body, obj) && !p.shortens(f.Body, obj) {
		return true
	}
	// The variable outlives the function, which a loop calls.
	for _, site := range f.Sites {
		g := p.FunctionAt(site)
		if p.assignsAnew(f.Body, obj) || g == nil {
			return false
		}
		if outer, _ := p.Loops(site); len(outer) > 0 {
			if !p.Short(outer[0]) && !syntax.DeclaredIn(obj, outer[0]) && !p.assignsAnew(outer[0], obj) {
				return true
			}
		}
	}
	return false
}

// takesOff reports whether a loop takes an element of a short table off a number as long as
// it fits, as for Roman numerals: for n >= v { s += letter; n -= v }.
func (p *program) takesOff(loop ast.Stmt) bool {
	l, ok := loop.(*ast.ForStmt)
	if !ok {
		return false
	}
	cond, ok := l.Cond.(*ast.BinaryExpr)
	if !ok || !syntax.IsOrder(cond.Op) {
		return false
	}
	takes := slices.ContainsFunc(l.Body.List, func(s ast.Stmt) bool {
		a, ok := s.(*ast.AssignStmt)
		if !ok || a.Tok != token.SUB_ASSIGN {
			return false
		}
		number, part := types.ExprString(a.Lhs[0]), types.ExprString(a.Rhs[0])
		x, y := types.ExprString(cond.X), types.ExprString(cond.Y)
		return x == number && y == part || y == number && x == part
	})
	loops, _ := p.Loops(l)
	return takes && len(loops) > 0 && p.Short(loops[0])
}

// returns reports whether a loop comes to the same elements again and again: it has many
// more iterations than there are elements, and does not count through them.
func (p *program) returns(e *ast.IndexExpr, loop ast.Stmt) bool {
	elements, ok := source.ArrayLen(p.TypeOf(e.X))
	if !ok {
		elements, ok = p.BufferSize(e.X)
	}
	return ok && elements <= source.ManyTimes && !p.counts(loop, e.Index, 4)
}

// counts reports whether the value of e comes from the counter of a loop, through so many
// variables at most.
func (p *program) counts(loop ast.Stmt, e ast.Expr, depth int) bool {
	var header []ast.Node
	switch l := loop.(type) {
	case *ast.ForStmt:
		header = []ast.Node{l.Init, l.Post}
	case *ast.RangeStmt:
		header = []ast.Node{l.Key}
	}
	return syntax.Has(e, func(id *ast.Ident) bool {
		obj := p.Variable(id)
		if obj == nil || depth == 0 {
			return depth == 0
		}
		return slices.ContainsFunc(header, func(n ast.Node) bool { return !syntax.IsNil(n) && p.Mentions(n, obj) }) ||
			slices.ContainsFunc(p.Assigned[obj], func(v source.Value) bool { return syntax.DeclaredIn(obj, loop) && p.counts(loop, v.Expr, depth-1) })
	})
}

// growsAt reports whether a loop that is not short calls f with the address of the same
// variable, for the parameter param.
func (p *program) growsAt(f *source.Function, param types.Object) bool {
	at := slices.Index(p.Parameters(f), param)
	return at >= 0 && slices.ContainsFunc(f.Sites, func(site ast.Node) bool {
		call, ok := site.(*ast.CallExpr)
		if !ok || at >= len(call.Args) {
			return false
		}
		obj := p.Container(call.Args[at])
		loops, _ := p.Loops(site)
		for _, l := range loops {
			if obj == nil || syntax.DeclaredIn(obj, l) || p.assignsAnew(l, obj) {
				return false
			}
			if !p.Short(l) {
				return true
			}
		}
		return false
	})
}

// limits reports whether the condition of a loop keeps the length of a variable
// below a constant.
func (p *program) limits(loop ast.Stmt, obj types.Object) bool {
	l, ok := loop.(*ast.ForStmt)
	return ok && l.Cond != nil && syntax.Has(l.Cond, func(b *ast.BinaryExpr) bool {
		call, ok := ast.Unparen(b.X).(*ast.CallExpr)
		return ok && (b.Op == token.LSS || b.Op == token.LEQ || b.Op == token.NEQ) && p.IsConstant(b.Y) &&
			p.Name(call) == "len" && p.Variable(call.Args[0]) == obj
	})
}

// shortens reports whether the code below n takes a part of a variable, as a search does
// that takes back its choices.
func (p *program) shortens(n ast.Node, obj types.Object) bool {
	return syntax.Has(n, func(s *ast.SliceExpr) bool { return p.Variable(s.X) == obj })
}

// assignsAnew reports whether the code below n assigns a variable a value that
// does not depend on its old one.
func (p *program) assignsAnew(n ast.Node, obj types.Object) bool {
	return syntax.Has(n, func(s *ast.AssignStmt) bool {
		for i, left := range s.Lhs {
			if s.Tok == token.ASSIGN && p.Variable(left) == obj && !p.Mentions(syntax.AssignedTo(s, i), obj) {
				return true
			}
		}
		return false
	})
}

// useBuilder returns the fix that makes a local string a strings.Builder. It is
// safe if the string starts empty, only += changes it, no literal captures it, and
// its address is not taken.
func (p *program) useBuilder(obj types.Object) []analysis.SuggestedFix {
	if len(p.Pass.Files) != 1 || p.IsGlobal(obj) || obj.Type() != types.Typ[types.String] {
		return nil
	}
	file := p.Pass.Files[0]
	if !edit.OwnImports(p.Info, file, "strings") {
		return nil
	}
	edits := edit.Imports(file, "strings")
	var home *source.Function
	for n := range p.Parent {
		id, ok := n.(*ast.Ident)
		if !ok || p.Info.ObjectOf(id) != obj {
			continue
		}
		if f := p.FunctionAt(id); home == nil {
			home = f
		} else if f != home {
			return nil
		}
		change := p.builderEdit(id)
		if change == nil {
			return nil
		}
		edits = append(edits, change...)
	}
	if home == nil {
		return nil
	}
	slices.SortStableFunc(edits, func(a, b analysis.TextEdit) int { return cmp.Compare(a.Pos, b.Pos) })
	return []analysis.SuggestedFix{{Message: "use a strings.Builder", TextEdits: edits}}
}

// builderEdit rewrites one use of a string that becomes a strings.Builder.
func (p *program) builderEdit(id *ast.Ident) []analysis.TextEdit {
	switch up := p.Parent[id].(type) {
	case *ast.AssignStmt:
		if up.Lhs[0] != ast.Expr(id) {
			break
		}
		_, inBlock := p.Parent[up].(*ast.BlockStmt)
		if len(up.Lhs) != 1 || !inBlock {
			return nil
		}
		switch {
		case up.Tok == token.DEFINE && isEmptyString(up.Rhs[0]):
			return []analysis.TextEdit{{Pos: up.Pos(), End: up.End(), NewText: []byte("var " + id.Name + " strings.Builder")}}
		case up.Tok == token.ADD_ASSIGN && !p.Mentions(up.Rhs[0], p.Info.ObjectOf(id)):
			return []analysis.TextEdit{
				{Pos: id.End(), End: up.Rhs[0].Pos(), NewText: []byte(".WriteString(")},
				edit.Insert(up.End(), ")"),
			}
		}
		return nil
	case *ast.ValueSpec:
		decl, ok := p.Parent[up].(*ast.GenDecl)
		if len(up.Names) != 1 || up.Names[0] != id || !ok || decl.Lparen.IsValid() || len(up.Values) > 0 && !isEmptyString(up.Values[0]) {
			break
		}
		return []analysis.TextEdit{{Pos: decl.Pos(), End: decl.End(), NewText: []byte("var " + id.Name + " strings.Builder")}}
	case *ast.UnaryExpr, *ast.FuncType, *ast.Field, *ast.RangeStmt, *ast.IncDecStmt:
		if r, ok := up.(*ast.RangeStmt); !ok || r.X != ast.Expr(id) {
			return nil
		}
	}
	if v, ok := p.Parent[id].(*ast.ValueSpec); ok {
		for _, name := range v.Names {
			if name == id {
				return nil // declared with others
			}
		}
	}
	if a, ok := p.Parent[id].(*ast.AssignStmt); ok {
		for _, left := range a.Lhs {
			if left == ast.Expr(id) {
				return nil
			}
		}
	}
	return []analysis.TextEdit{edit.Insert(id.End(), ".String()")}
}

func isEmptyString(e ast.Expr) bool {
	lit, ok := ast.Unparen(e).(*ast.BasicLit)
	return ok && (lit.Value == `""` || lit.Value == "``")
}
