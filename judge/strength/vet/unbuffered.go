package vet

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// Unbuffered finds input and output that costs a system call for each value.
var Unbuffered = &analysis.Analyzer{
	Name: "unbuffered",
	Doc: `find unbuffered input and output in loops

Each fmt.Println, and each other write to os.Stdout, is a system call of about a
microsecond: 100,000 lines cost more than most problems allow for everything
else. The same holds for small reads from os.Stdin, and for Flush after each line.
A bufio.Writer that is flushed once at the end writes 4 KiB at a time.

Output that the program writes before it reads an answer in the same iteration is
not reported: the problem is interactive. Neither are loops over input that is small, as
comments say: n <= 10.`,
	URL:      "https://pkg.go.dev/bufio",
	Requires: []*analysis.Analyzer{programs},
	Run:      runUnbuffered,
}

// fewBytes is the size of a buffer below which reading from os.Stdin is slow.
const fewBytes = 512

func runUnbuffered(pass *analysis.Pass) (any, error) {
	p := programOf(pass)
	events := p.events()
	var writes []*ast.CallExpr
	for call := range p.calls() {
		name := p.Name(call)
		if to, _ := p.Output(call); to&RawOut != 0 {
			if p.Repeated(call) && !p.guarded(call) && !answered(events, call) && !p.FewAt(call) {
				writes = append(writes, call)
			}
			continue
		}
		var message string
		slow := true
		switch {
		case isFlush(name) && p.Receiver(call)&BufOut != 0 && !p.conditional(call) && !answered(events, call):
			message = "Flush in a loop writes each line with a system call; flush once, after the loop"
		case name == "bufio.NewReader" || name == "bufio.NewReaderSize" || name == "bufio.NewScanner":
			if p.Origin(call.Args[0])&RawIn != 0 {
				slow = false // but wrong
				message = name + "(os.Stdin) in a loop: each reader keeps input that the next one misses; make one before the loop"
			}
		case p.Input(call)&RawIn == 0 || isScan(name):
		case name == "(*os.File).Read" || name == "io.ReadFull":
			if n, ok := p.BufferSize(call.Args[len(call.Args)-1]); ok && n < fewBytes {
				message = name + " in a loop reads a few bytes of os.Stdin with each system call; read from a bufio.Reader"
			}
		case name != "io.ReadAll":
			message = name + " in a loop reads os.Stdin byte by byte; read from a bufio.Reader"
		}
		if message != "" && p.Repeated(call) && !(slow && p.FewAt(call)) {
			pass.ReportRangef(call, "%s", message)
		}
	}
	var fixes []analysis.SuggestedFix
	if len(writes) > 0 {
		fixes = p.bufferOutput(events)
	}
	for i, call := range writes {
		d := analysis.Diagnostic{Pos: call.Pos(), End: call.End(), Message: shortName(p.Name(call)) +
			" in a loop writes to os.Stdout with a system call each time; write to a bufio.Writer"}
		if i == 0 {
			d.SuggestedFixes = fixes
		}
		pass.Report(d)
	}
	return nil, nil
}

// isScan reports whether a function is one that the analyzer scan reports.
func isScan(name string) bool {
	return name == "fmt.Scan" || name == "fmt.Scanf" || name == "fmt.Scanln"
}

// guarded reports whether a write is a flush that the program makes by itself: of
// bytes, under a condition about a length.
func (p *program) guarded(call *ast.CallExpr) bool {
	if p.Name(call) != "(*os.File).Write" {
		return false
	}
	for child, up := range p.Around(call) {
		if s, ok := up.(*ast.IfStmt); ok && child != ast.Node(s.Cond) && p.Calls(s.Cond, "len", "cap") {
			return true
		}
	}
	return false
}

// conditional reports whether a call is in an if statement inside the innermost
// loop or function. The cases of a switch are kinds of queries.
func (p *program) conditional(n ast.Node) bool {
	for _, up := range p.Around(n) {
		switch up.(type) {
		case *ast.IfStmt:
			return true
		case *ast.ForStmt, *ast.RangeStmt:
			return false
		}
	}
	return false
}

// bufferOutput returns the fix that writes all output of fmt.Print to a buffer. It
// is safe if nothing else writes to os.Stdout, the program ends only by returning
// from main, and it reads nothing after it has written in the same iteration.
func (p *program) bufferOutput(events []event) []analysis.SuggestedFix {
	m := p.Main()
	if m == nil || len(p.Pass.Files) != 1 {
		return nil
	}
	wrote := false
	for _, e := range events {
		if wrote && e.reads {
			return nil
		}
		wrote = wrote || !e.reads
	}
	var calls []*ast.CallExpr
	for call := range p.calls() {
		if p.Exits(call) || p.Name(call) == "runtime.Goexit" {
			return nil
		}
		if to, _ := p.Output(call); to&RawOut == 0 {
			continue
		}
		if _, ok := replacement[p.Name(call)]; !ok || !p.direct(call) {
			return nil
		}
		calls = append(calls, call)
	}
	file := p.Pass.Files[0]
	out := freeName(file, "out", "stdout", "writer")
	if out == "" || p.uses("os.Stdout") > 0 || p.starts() || !ownImports(p.Info, file, "bufio", "os", "fmt") {
		return nil
	}
	edits := addImports(file, "bufio", "os")
	edits = append(edits, insert(afterImports(file), "\n\nvar "+out+" = bufio.NewWriter(os.Stdout)"))
	edits = append(edits, atStart(p.Pass.Fset.File(m.Body.Pos()), m.Body, "defer "+out+".Flush()"))
	for _, call := range calls {
		edits = append(edits, p.redirect(call, replacement[p.Name(call)], out)...)
	}
	return []analysis.SuggestedFix{{Message: "write to a bufio.Writer that main flushes", TextEdits: edits}}
}

// replacement gives for each function of fmt the one with a reader or writer.
var replacement = map[string]string{
	"fmt.Print": "Fprint", "fmt.Printf": "Fprintf", "fmt.Println": "Fprintln",
	"fmt.Scan": "Fscan", "fmt.Scanln": "Fscanln",
}

// direct reports whether a call names its function as fmt.Print does.
func (p *program) direct(call *ast.CallExpr) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	_, ok = p.Info.ObjectOf(sel.Sel).(*types.Func)
	return ok
}

// redirect replaces the function of a call and gives it a first argument.
func (p *program) redirect(call *ast.CallExpr, function, first string) []analysis.TextEdit {
	sel := call.Fun.(*ast.SelectorExpr).Sel
	if len(call.Args) > 0 {
		first += ", "
	}
	return []analysis.TextEdit{
		{Pos: sel.Pos(), End: sel.End(), NewText: []byte(function)},
		insert(call.Lparen+1, first),
	}
}

// starts reports whether the program starts goroutines.
func (p *program) starts() bool {
	for n := range p.Parent {
		if _, ok := n.(*ast.GoStmt); ok {
			return true
		}
	}
	return false
}

// uses counts the uses of a qualified name such as os.Stdout.
func (p *program) uses(name string) (n int) {
	for _, obj := range p.Info.Uses {
		if obj.Pkg() != nil && obj.Pkg().Path()+"."+obj.Name() == name && obj.Parent() == obj.Pkg().Scope() {
			n++
		}
	}
	return n
}
