package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// Flush finds buffered output that is lost because nothing flushes it.
var Flush = &analysis.Analyzer{
	Name: "flush",
	Doc: `find a bufio.Writer that is not flushed

What remains in a bufio.Writer when the program ends is lost: up to 4 KiB, which is
often all of the output. os.Exit ends the program without the deferred Flush, and so
does a return of main before the Flush at its end. A deferred Flush runs when its own
function returns, which is too early in a function that makes the writer.`,
	URL:      "https://pkg.go.dev/bufio#Writer.Flush",
	Requires: []*analysis.Analyzer{programs},
	Run:      runFlush,
}

func runFlush(pass *analysis.Pass) (any, error) {
	p := programOf(pass)
	var flushes, deferred, exits []*ast.CallExpr
	wrote := false
	for call := range p.calls() {
		_, isDeferred := p.Parent[call].(*ast.DeferStmt)
		to, _ := p.Output(call)
		wrote = wrote || to&BufOut != 0
		switch name := p.Name(call); {
		case isFlush(name) && (isDeferred || p.inDeferred(call)):
			deferred = append(deferred, call)
		case isFlush(name):
			flushes = append(flushes, call)
		case name == "os.Exit" && p.success(call):
			exits = append(exits, call)
		}
	}
	for _, call := range deferred {
		if p.tooEarly(call) {
			pass.ReportRangef(call, "this Flush runs when its function returns the bufio.Writer, before anything is written; "+
				"defer Flush in main")
			return nil, nil
		}
	}
	switch {
	case !wrote || p.flushesOtherwise():
	case len(flushes) == 0 && len(deferred) > 0:
		for _, exit := range exits {
			pass.ReportRangef(exit, "os.Exit ends the program without the deferred Flush, so its output is lost; return from "+
				"main")
		}
	case len(flushes) > 0 && len(deferred) == 0:
		if n := p.lost(flushes); n != nil {
			pass.ReportRangef(n, "no Flush comes after the last output here, so that output is lost; defer Flush in main")
		}
	case len(flushes) == 0:
		for n := range p.Parent {
			if call, ok := n.(*ast.CallExpr); ok && p.makesBuffer(call) {
				pass.Report(analysis.Diagnostic{Pos: call.Pos(), End: call.End(), SuggestedFixes: p.flushAtEnd(call),
					Message: "nothing calls Flush of this bufio.Writer, so its output is lost"})
			}
		}
	}
	return nil, nil
}

// tooEarly reports whether a function defers Flush of the bufio.Writer that it returns.
func (p *program) tooEarly(call *ast.CallExpr) bool {
	f, sel := p.FunctionAt(call), ast.Unparen(call.Fun).(*ast.SelectorExpr)
	obj := p.Variable(sel.X)
	return f != nil && obj != nil && declaredIn(obj, f.Node) &&
		slices.ContainsFunc(f.Returns, func(r *ast.ReturnStmt) bool {
			return slices.ContainsFunc(r.Results, func(e ast.Expr) bool { return p.Variable(e) == obj })
		})
}

// flushesOtherwise reports whether the program uses Flush as a value, or calls it
// through an interface.
func (p *program) flushesOtherwise() bool {
	for sel := range p.Info.Selections {
		call, ok := p.Parent[sel].(*ast.CallExpr)
		if sel.Sel.Name == "Flush" && (!ok || call.Fun != ast.Expr(sel) || !isFlush(p.Name(call))) {
			return true
		}
	}
	return false
}

// lost returns a write, or a return of main, after which no Flush comes; nil if there is
// none. A Flush anywhere in the same loop, or between the write and the return, counts.
func (p *program) lost(flushes []*ast.CallExpr) ast.Node {
	events, m := p.events(), p.Main()
	if len(events) == mostEvents || p.starts() || m == nil {
		return nil
	}
	isWrite := func(e event) bool {
		to, _ := p.Output(e.call)
		return to&BufOut != 0
	}
	for _, e := range slices.Backward(events) {
		if isFlush(p.Name(e.call)) {
			break
		}
		if isWrite(e) {
			return e.call
		}
	}
	flushedIn := func(from, to token.Pos) bool {
		return slices.ContainsFunc(flushes, func(c *ast.CallExpr) bool {
			return from < c.Pos() && c.Pos() < to || p.FunctionAt(c) != m
		})
	}
	for _, r := range m.Returns {
		for _, e := range events {
			switch {
			case !isWrite(e) || flushedIn(m.Body.Pos(), r.Pos()):
			case p.FunctionAt(e.call) == m && e.call.Pos() < r.Pos():
				return r
			case slices.ContainsFunc(e.loops, func(l ast.Node) bool { return within(r, l) && !flushedIn(l.Pos(), l.End()) }):
				return r
			}
		}
	}
	return nil
}

// success reports whether a call of os.Exit gives the status 0.
func (p *program) success(exit *ast.CallExpr) bool {
	status, ok := p.Constant(exit.Args[0])
	return ok && status == 0
}

// inDeferred reports whether a call is in a literal that is deferred.
func (p *program) inDeferred(call *ast.CallExpr) bool {
	f := p.FunctionAt(call)
	if f == nil {
		return false
	}
	outer, ok := p.Parent[f.Node].(*ast.CallExpr)
	if !ok {
		return false
	}
	_, ok = p.Parent[outer].(*ast.DeferStmt)
	return ok
}

func (p *program) makesBuffer(call *ast.CallExpr) bool {
	name := p.Name(call)
	return (name == "bufio.NewWriter" || name == "bufio.NewWriterSize") && p.Origin(call)&BufOut != 0 &&
		p.Origin(call.Args[0])&RawOut != 0
}

// flushAtEnd returns the fix that defers Flush. It is safe if the buffer is a variable
// that is declared in main or at package level, and the program ends only by
// returning from main.
func (p *program) flushAtEnd(call *ast.CallExpr) []analysis.SuggestedFix {
	m := p.Main()
	if m == nil {
		return nil
	}
	for other := range p.calls() {
		if p.Exits(other) || p.Name(other) == "runtime.Goexit" {
			return nil
		}
	}
	var obj types.Object
	for to, values := range p.Assigned {
		for _, v := range values {
			if ast.Unparen(v.Expr) == ast.Expr(call) {
				obj = to
			}
		}
	}
	if obj == nil || obj.Type().String() != "*bufio.Writer" || len(p.Assigned[obj]) != 1 {
		return nil
	}
	statement := "defer " + obj.Name() + ".Flush()"
	if s, ok := p.Parent[call].(*ast.AssignStmt); ok && p.Parent[s] == ast.Node(m.Body) && len(s.Lhs) == len(s.Rhs) {
		return []analysis.SuggestedFix{{Message: "flush it at the end of main",
			TextEdits: []analysis.TextEdit{insert(s.End(), "\n\t"+statement)}}}
	}
	if v, ok := obj.(*types.Var); ok && p.IsGlobal(v) && p.Info.Types[call].Type != nil {
		if _, ok := p.Parent[call].(*ast.ValueSpec); ok {
			return []analysis.SuggestedFix{{Message: "flush it at the end of main",
				TextEdits: []analysis.TextEdit{atStart(p.Pass.Fset.File(m.Body.Pos()), m.Body, statement)}}}
		}
	}
	return nil
}
