package vet

import (
	"go/ast"

	"golang.org/x/tools/go/analysis"
)

// Scan finds the functions fmt.Scan, Scanf and Scanln in loops, and the slow
// scanning of fmt for input that the program expects to be large.
var Scan = &analysis.Analyzer{
	Name: "scan",
	Doc: `find fmt.Scan for large input

fmt.Scan reads os.Stdin byte by byte, with a system call for each: 100,000
numbers take half a second or more. fmt.Fscan from a bufio.Reader is several times
faster, a bufio.Scanner or strconv.Atoi on its words ten times faster again.

fmt.Scan is reported in loops whose length is not a small constant, unless the program
writes before it in the same iteration: the problem is interactive. fmt.Fscan and
fmt.Sscan are reported there only with evidence that the input is large: the program
reserves room for 100,000 values or more, a comment says that there are so many, the
buffer of os.Stdin has 1 MiB or more, or three loops are around the call, as for the
matrices of several test cases; two if an array of arrays has room for 100,000. Nothing is
reported if comments state small limits alone, such as n <= 10.`,
	URL:      "https://pkg.go.dev/bufio#Scanner",
	Requires: []*analysis.Analyzer{programs},
	Run:      runScan,
}

// deep is the number of loops, in each other, in which there is much to read.
func (p *program) deep() int {
	if p.Size.Matrix {
		return 2
	}
	return 3
}

func runScan(pass *analysis.Pass) (any, error) {
	p := programOf(pass)
	events := p.events()
	var fixes []analysis.SuggestedFix
	fixed := false
	for call := range p.calls() {
		name := p.Name(call)
		switch name {
		case "fmt.Scan", "fmt.Scanf", "fmt.Scanln":
			if !p.Repeated(call) || p.FewAt(call) || answered(events, call) {
				continue
			}
			if !fixed {
				fixed, fixes = true, p.bufferInput()
			}
			pass.Report(analysis.Diagnostic{Pos: call.Pos(), End: call.End(), SuggestedFixes: fixes,
				Message: name + " in a loop reads os.Stdin byte by byte; read from a bufio.Reader or bufio.Scanner"})
			fixes = nil
		case "fmt.Fscan", "fmt.Fscanf", "fmt.Fscanln", "fmt.Sscan", "fmt.Sscanf", "fmt.Sscanln":
			raw := p.Origin(call.Args[0])&RawIn != 0 // the analyzer unbuffered reports it
			if !raw && (p.Size.Large && p.Repeated(call) || p.Depth(call) >= p.deep() && !p.FewAt(call)) {
				pass.ReportRangef(call, "%s is slow for input as large as this program seems to expect; use a bufio.Scanner "+
					"and strconv.Atoi", name)
			}
		}
	}
	return nil, nil
}

// bufferInput returns the fix that makes all calls of fmt.Scan read from a buffer.
// It is safe if nothing else reads os.Stdin. Scan and Scanln are not mixed: they
// leave different bytes in a buffer than in os.Stdin.
func (p *program) bufferInput() []analysis.SuggestedFix {
	if len(p.Pass.Files) != 1 || p.uses("os.Stdin") > 0 || p.starts() {
		return nil
	}
	var calls []*ast.CallExpr
	for call := range p.calls() {
		if name := p.Name(call); isScan(name) {
			if name == "fmt.Scanf" || len(calls) > 0 && name != p.Name(calls[0]) || !p.direct(call) {
				return nil
			}
			calls = append(calls, call)
		}
	}
	if p.uses(p.Name(calls[0])) != len(calls) {
		return nil // it is also a value
	}
	file := p.Pass.Files[0]
	in := freeName(file, "in", "stdin", "reader")
	if in == "" || !ownImports(p.Info, file, "bufio", "os", "fmt") {
		return nil
	}
	edits := addImports(file, "bufio", "os")
	edits = append(edits, insert(afterImports(file), "\n\nvar "+in+" = bufio.NewReader(os.Stdin)"))
	for _, call := range calls {
		edits = append(edits, p.redirect(call, replacement[p.Name(call)], in)...)
	}
	return []analysis.SuggestedFix{{Message: "read from a bufio.Reader", TextEdits: edits}}
}
