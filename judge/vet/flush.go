package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"crucible/judge/vet/edit"
	"crucible/judge/vet/syntax"
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
	for _, f := range p.funcs {
		for _, call := range f.calls {
			_, isDeferred := p.parent[call].(*ast.DeferStmt)
			to, _ := p.output(call)
			wrote = wrote || to&bufOut != 0
			switch name := p.name(call); {
			case isFlush(name) && (isDeferred || p.inDeferred(call)):
				deferred = append(deferred, call)
			case isFlush(name):
				flushes = append(flushes, call)
			case name == "os.Exit" && p.success(call):
				exits = append(exits, call)
			}
		}
	}
	for _, call := range deferred {
		if p.tooEarly(call) {
			pass.ReportRangef(call, "this Flush runs when its function returns the bufio.Writer, before anything is written; defer Flush in main")
			return nil, nil
		}
	}
	switch {
	case !wrote || p.flushesOtherwise():
	case len(flushes) == 0 && len(deferred) > 0:
		for _, exit := range exits {
			pass.ReportRangef(exit, "os.Exit ends the program without the deferred Flush, so its output is lost; return from main")
		}
	case len(flushes) > 0 && len(deferred) == 0:
		if n := p.lost(flushes); n != nil {
			pass.ReportRangef(n, "no Flush comes after the last output here, so that output is lost; defer Flush in main")
		}
	case len(flushes) == 0:
		for n := range p.parent {
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
	f, sel := p.functionAt(call), ast.Unparen(call.Fun).(*ast.SelectorExpr)
	obj := p.variable(sel.X)
	return f != nil && obj != nil && syntax.DeclaredIn(obj, f.node) && slices.ContainsFunc(f.returns, func(r *ast.ReturnStmt) bool {
		return slices.ContainsFunc(r.Results, func(e ast.Expr) bool { return p.variable(e) == obj })
	})
}

// flushesOtherwise reports whether the program uses Flush as a value, or calls it
// through an interface.
func (p *program) flushesOtherwise() bool {
	for sel := range p.info.Selections {
		call, ok := p.parent[sel].(*ast.CallExpr)
		if sel.Sel.Name == "Flush" && (!ok || call.Fun != ast.Expr(sel) || !isFlush(p.name(call))) {
			return true
		}
	}
	return false
}

// lost returns a write, or a return of main, after which no Flush comes; nil if there is
// none. A Flush anywhere in the same loop, or between the write and the return, counts.
func (p *program) lost(flushes []*ast.CallExpr) ast.Node {
	events, m := p.events(), p.main()
	if len(events) == mostEvents || p.starts() || m == nil {
		return nil
	}
	isWrite := func(e event) bool {
		to, _ := p.output(e.call)
		return to&bufOut != 0
	}
	for _, e := range slices.Backward(events) {
		if isFlush(p.name(e.call)) {
			break
		}
		if isWrite(e) {
			return e.call
		}
	}
	flushedIn := func(from, to token.Pos) bool {
		return slices.ContainsFunc(flushes, func(c *ast.CallExpr) bool {
			return from < c.Pos() && c.Pos() < to || p.functionAt(c) != m
		})
	}
	for _, r := range m.returns {
		for _, e := range events {
			switch {
			case !isWrite(e) || flushedIn(m.body.Pos(), r.Pos()):
			case p.functionAt(e.call) == m && e.call.Pos() < r.Pos():
				return r
			case slices.ContainsFunc(e.loops, func(l ast.Node) bool { return syntax.Within(r, l) && !flushedIn(l.Pos(), l.End()) }):
				return r
			}
		}
	}
	return nil
}

// success reports whether a call of os.Exit gives the status 0.
func (p *program) success(exit *ast.CallExpr) bool {
	status, ok := p.constant(exit.Args[0])
	return ok && status == 0
}

// inDeferred reports whether a call is in a literal that is deferred.
func (p *program) inDeferred(call *ast.CallExpr) bool {
	f := p.functionAt(call)
	if f == nil {
		return false
	}
	outer, ok := p.parent[f.node].(*ast.CallExpr)
	if !ok {
		return false
	}
	_, ok = p.parent[outer].(*ast.DeferStmt)
	return ok
}

func (p *program) makesBuffer(call *ast.CallExpr) bool {
	name := p.name(call)
	return (name == "bufio.NewWriter" || name == "bufio.NewWriterSize") && p.origin(call)&bufOut != 0 && p.origin(call.Args[0])&rawOut != 0
}

// flushAtEnd returns the fix that defers Flush. It is safe if the buffer is a variable
// that is declared in main or at package level, and the program ends only by
// returning from main.
func (p *program) flushAtEnd(call *ast.CallExpr) []analysis.SuggestedFix {
	m := p.main()
	if m == nil {
		return nil
	}
	for _, f := range p.funcs {
		for _, other := range f.calls {
			if p.exits(other) || p.name(other) == "runtime.Goexit" {
				return nil
			}
		}
	}
	var obj types.Object
	for to, values := range p.assigned {
		for _, v := range values {
			if ast.Unparen(v.expr) == ast.Expr(call) {
				obj = to
			}
		}
	}
	if obj == nil || obj.Type().String() != "*bufio.Writer" || len(p.assigned[obj]) != 1 {
		return nil
	}
	statement := "defer " + obj.Name() + ".Flush()"
	if s, ok := p.parent[call].(*ast.AssignStmt); ok && p.parent[s] == ast.Node(m.body) && len(s.Lhs) == len(s.Rhs) {
		return []analysis.SuggestedFix{{Message: "flush it at the end of main", TextEdits: []analysis.TextEdit{edit.Insert(s.End(), "\n\t"+statement)}}}
	}
	if v, ok := obj.(*types.Var); ok && p.isGlobal(v) && p.info.Types[call].Type != nil {
		if _, ok := p.parent[call].(*ast.ValueSpec); ok {
			return []analysis.SuggestedFix{{Message: "flush it at the end of main", TextEdits: []analysis.TextEdit{edit.AtStart(p.pass.Fset.File(m.body.Pos()), m.body, statement)}}}
		}
	}
	return nil
}
