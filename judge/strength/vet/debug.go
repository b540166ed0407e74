package vet

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"crucible/judge/internal/lazy"
)

// Debug finds output that was useful only while the program was written.
var Debug = &analysis.Analyzer{
	Name: "debug",
	Doc: `find leftover debug output

Output to os.Stderr, by log or by the builtin println costs time; on standard
output it makes the answer wrong. Reported are

- output to standard error, unless the program ends after it or an error is its
  reason;
- the verbs %T, %p, %#v and %+v;
- texts such as "debug", "here" or "Enter n:", unless the program compares something with them;
- the time that has elapsed, by time.Since or time.Now;
- texts that name the variables printed, such as fmt.Println("n =", n);
- fmt.Print in a function that runs many times, if main writes to a bufio.Writer.

Output under a condition that is false, such as if debug with const debug = false,
is not reported.`,
	Requires: []*analysis.Analyzer{programs},
	Run:      runDebug,
}

var (
	debugVerb = lazy.Regexp(`%[#+]v|%[-+# 0-9]*[Tp]`)
	debugText = lazy.Regexp(`(?i)\b(debug(ging)?|dbg|trace|checkpoint)\b|^\W*here\d*\W*$|` +
		`^\W*(please\s+)?enter\s.*[:?>]\s*$|>>>|<<<|#####|\*{5}|={5}|-{5}`)
	// A name before "=" or ":", as in "n = %d" or "n:".
	label = lazy.Regexp(`([A-Za-z_][\w.\[\]]*)\s*(=|:)\s*(%|$|\s)`)
)

func runDebug(pass *analysis.Pass) (any, error) {
	p := programOf(pass)
	type finding struct {
		call *ast.CallExpr
		why  string
	}
	var all []finding
	buffered := false
	for call := range p.calls() {
		to, _ := p.Output(call)
		buffered = buffered || to == BufOut
	}
	for call, f := range p.calls() {
		to, data := p.Output(call)
		why := ""
		switch {
		case to == 0 || p.switchedOff(call):
		case to == ErrOut:
			if !p.reportsError(call) {
				why = "writes to standard error"
			}
		case to&(RawOut|BufOut) != 0:
			why = p.debugOutput(call, data)
			if why == "" && to == RawOut && buffered && f != p.Main() && strings.HasPrefix(p.Name(call), "fmt.Print") &&
				p.Repeated(call) {
				why = "does not write to the buffer of the other output"
			}
		}
		if why != "" {
			all = append(all, finding{call, why})
		}
	}
	for _, f := range all {
		d := analysis.Diagnostic{Pos: f.call.Pos(), End: f.call.End(), Message: "leftover debug output: " +
			shortName(p.Name(f.call)) + " " + f.why}
		if to, _ := p.Output(f.call); to == ErrOut {
			d.SuggestedFixes = p.remove(f.call)
		}
		pass.Report(d)
	}
	return nil, nil
}

// debugOutput returns what makes a call that writes standard output look like
// debug output; "" if nothing does.
func (p *program) debugOutput(call *ast.CallExpr, data []ast.Expr) string {
	format := strings.HasSuffix(p.Name(call), "f")
	for i, arg := range data {
		if p.elapsed(arg, 3) {
			return "prints the time that has elapsed"
		}
		text := p.constantText(arg)
		if verb := debugVerb().FindString(text); format && i == 0 && verb != "" {
			return "uses the verb " + verb
		}
		if found := debugText().FindString(text); found != "" && !p.handles(found) {
			return "prints the text " + quoted(found)
		}
		for _, m := range label().FindAllStringSubmatch(text, -1) {
			for _, other := range data[i+1:] {
				if strings.EqualFold(types.ExprString(ast.Unparen(other)), m[1]) && p.Variable(other) != nil ||
					types.ExprString(other) == m[1] {
					return "prints the name of the variable " + m[1]
				}
			}
		}
	}
	return ""
}

// handles reports whether a word is one of the problem: the program compares values with it.
func (p *program) handles(word string) bool {
	for n := range p.Parent {
		e, ok := n.(ast.Expr)
		if !ok || p.constantText(e) != word {
			continue
		}
		switch up := p.Parent[n].(type) {
		case *ast.BinaryExpr:
			if isComparison(up.Op) {
				return true
			}
		case *ast.CaseClause, *ast.KeyValueExpr:
			return true
		}
	}
	return false
}

// elapsed reports whether a value is made of the time, through so many variables at most.
func (p *program) elapsed(e ast.Expr, depth int) bool {
	return p.Calls(e, "time.Since", "time.Until", "time.Now") || has(e, func(id *ast.Ident) bool {
		obj, ok := p.Variable(id).(*types.Var)
		return ok && depth > 0 && slices.ContainsFunc(p.Assigned[obj], func(v value) bool {
			// A random number is no time, although its source may be one.
			return v.Result < 0 && isTime(p, v.Expr) && p.elapsed(v.Expr, depth-1)
		})
	})
}

// isTime reports whether e has a type of package time, or is the number that a method of
// such a type returns.
func isTime(p *program, e ast.Expr) bool {
	if t := p.TypeOf(e); t != nil && strings.HasPrefix(t.String(), "time.") {
		return true
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && strings.HasPrefix(p.Name(call), "(time.")
}

// constantText returns the string constants in an expression and the terms of its sum,
// with a space between two of them.
func (p *program) constantText(e ast.Expr) string {
	if v := p.Info.Types[e].Value; v != nil && v.Kind() == constant.String {
		return constant.StringVal(v)
	}
	if sum, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && sum.Op == token.ADD {
		return strings.TrimSpace(p.constantText(sum.X) + " " + p.constantText(sum.Y))
	}
	return ""
}

func quoted(s string) string { return `"` + strings.TrimSpace(s) + `"` }

// reportsError reports whether a call tells of an error: the program or function
// ends after it, or its condition is about an error.
func (p *program) reportsError(call *ast.CallExpr) bool {
	failure := types.Universe.Lookup("error").Type()
	for child, up := range p.Around(call) {
		switch up := up.(type) {
		case *ast.BlockStmt:
			if _, exit := p.Jump(up.List, child); exit {
				return true
			}
		case *ast.IfStmt:
			if child != ast.Node(up.Cond) && has(up.Cond, func(id *ast.Ident) bool {
				t := p.TypeOf(id)
				return t != nil && types.Identical(t, failure)
			}) {
				return true
			}
		}
	}
	return false
}

// switchedOff reports whether a call runs only if a variable or constant holds
// that is always false.
func (p *program) switchedOff(call *ast.CallExpr) bool {
	for child, up := ast.Node(call), p.Parent[call]; up != nil; child, up = up, p.Parent[up] {
		s, ok := up.(*ast.IfStmt)
		if !ok || child != ast.Node(s.Body) {
			continue
		}
		if p.neverTrue(s.Cond) {
			return true
		}
	}
	// The function returns first: if !debug { return }.
	if f := p.FunctionAt(call); f != nil && len(f.Body.List) > 0 {
		if s, ok := f.Body.List[0].(*ast.IfStmt); ok && s.End() < call.Pos() && len(s.Body.List) == 1 {
			_, returns := s.Body.List[0].(*ast.ReturnStmt)
			not, ok := ast.Unparen(s.Cond).(*ast.UnaryExpr)
			return returns && ok && not.Op == token.NOT && p.neverTrue(not.X)
		}
	}
	return false
}

func (p *program) neverTrue(cond ast.Expr) bool {
	cond = ast.Unparen(cond)
	if v := p.Info.Types[cond].Value; v != nil && v.Kind() == constant.Bool {
		return !constant.BoolVal(v)
	}
	if and, ok := cond.(*ast.BinaryExpr); ok && and.Op == token.LAND {
		return p.neverTrue(and.X) || p.neverTrue(and.Y)
	}
	obj := p.Variable(cond)
	v, ok := obj.(*types.Var)
	if !ok || !p.IsGlobal(v) {
		return false
	}
	for _, value := range p.Assigned[obj] {
		c := p.Info.Types[value.Expr].Value
		if c == nil || c.Kind() != constant.Bool || constant.BoolVal(c) {
			return false
		}
	}
	return true
}

// remove returns the fix that removes a call. It is safe if the call is a statement
// whose arguments call nothing, and what only it uses is not declared in a function.
func (p *program) remove(call *ast.CallExpr) []analysis.SuggestedFix {
	s, ok := p.Parent[call].(*ast.ExprStmt)
	if !ok || len(p.Pass.Files) != 1 || !p.pure(call.Args) {
		return nil
	}
	list, ok := p.Parent[s].(*ast.BlockStmt)
	if !ok {
		return nil
	}
	edits := []analysis.TextEdit{removeLine(p.Pass.Fset.File(s.Pos()), s, list)}
	remaining, touched := make(map[types.Object]int), make(map[types.Object]bool)
	for id, obj := range p.Info.Uses {
		if within(id, call) {
			touched[obj] = true
		} else if !p.isTarget(id) {
			remaining[obj]++
		}
	}
	file := p.Pass.Files[0]
	for obj := range touched {
		if remaining[obj] > 0 {
			continue
		}
		switch obj := obj.(type) {
		case *types.PkgName:
			change, ok := removeImport(p.Pass.Fset.File(file.Pos()), file, obj.Imported().Path())
			if !ok {
				return nil
			}
			edits = append(edits, change)
		case *types.Var:
			if obj.Pkg() == p.Pass.Pkg && !p.IsGlobal(obj) && !obj.IsField() && !p.isParameter(obj) {
				return nil // declared and not used
			}
		}
	}
	return []analysis.SuggestedFix{{Message: "remove the debug output", TextEdits: edits}}
}

// isTarget reports whether an identifier is only assigned to, which the compiler
// does not count as a use.
func (p *program) isTarget(id *ast.Ident) bool {
	s, ok := p.Parent[id].(*ast.AssignStmt)
	if !ok || s.Tok != token.ASSIGN {
		return false
	}
	for _, left := range s.Lhs {
		if left == ast.Expr(id) {
			return true
		}
	}
	return false
}

func (p *program) isParameter(obj types.Object) bool {
	for _, f := range p.Funcs {
		for _, param := range p.Parameters(f) {
			if param == obj {
				return true
			}
		}
	}
	return false
}

// pure reports whether expressions have no effect: no calls but builtins, and no
// receives from channels.
func (p *program) pure(all []ast.Expr) bool {
	pure := true
	for _, e := range all {
		ast.Inspect(e, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if tv := p.Info.Types[n.Fun]; !tv.IsType() && p.Name(n) != "len" && p.Name(n) != "cap" {
					pure = false
				}
			case *ast.UnaryExpr:
				pure = pure && n.Op != token.ARROW
			}
			return pure
		})
	}
	return pure
}
