package vet

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// Flush finds buffered output that is lost because nothing flushes it.
var Flush = &analysis.Analyzer{
	Name: "flush",
	Doc: `find a bufio.Writer that is not flushed

What remains in a bufio.Writer when the program ends is lost: up to 4 KiB, which is
often all of the output. os.Exit and log.Fatal end the program without the deferred
Flush.`,
	URL:      "https://pkg.go.dev/bufio#Writer.Flush",
	Requires: []*analysis.Analyzer{programs},
	Run:      runFlush,
}

func runFlush(pass *analysis.Pass) (any, error) {
	p := programOf(pass)
	flushed, deferred := false, true
	var exits []*ast.CallExpr
	for _, f := range p.funcs {
		for _, call := range f.calls {
			name := p.name(call)
			if isFlush(name) {
				flushed = true
				if _, ok := p.parent[call].(*ast.DeferStmt); !ok && !p.inDeferred(call) {
					deferred = false
				}
			}
			if name == "os.Exit" {
				exits = append(exits, call)
			}
		}
	}
	for n := range p.parent {
		if sel, ok := n.(*ast.SelectorExpr); ok && !flushed {
			if s := p.info.Selections[sel]; s != nil && sel.Sel.Name == "Flush" {
				flushed, deferred = true, false // a method value, or through an interface
			}
		}
	}
	wrote := false
	for _, f := range p.funcs {
		for _, call := range f.calls {
			if to, _ := p.output(call); to&bufOut != 0 {
				wrote = true
			}
		}
	}
	if !wrote {
		return nil, nil
	}
	if !flushed {
		for n := range p.parent {
			if call, ok := n.(*ast.CallExpr); ok && p.makesBuffer(call) {
				d := analysis.Diagnostic{Pos: call.Pos(), End: call.End(), Message: "nothing calls Flush of this bufio.Writer, so its output is lost"}
				d.SuggestedFixes = p.flushAtEnd(call)
				pass.Report(d)
			}
		}
		return nil, nil
	}
	if deferred {
		for _, exit := range exits {
			if p.success(exit) {
				pass.ReportRangef(exit, "os.Exit ends the program without the deferred Flush, so its output is lost; return from main")
			}
		}
	}
	return nil, nil
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
		return []analysis.SuggestedFix{{Message: "flush it at the end of main", TextEdits: []analysis.TextEdit{insert(s.End(), "\n\t"+statement)}}}
	}
	if v, ok := obj.(*types.Var); ok && p.isGlobal(v) && p.info.Types[call].Type != nil {
		if _, ok := p.parent[call].(*ast.ValueSpec); ok {
			return []analysis.SuggestedFix{{Message: "flush it at the end of main", TextEdits: []analysis.TextEdit{p.atStart(m.body, statement)}}}
		}
	}
	return nil
}
