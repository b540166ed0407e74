package vet

import (
	"go/ast"
	"slices"
)

// An event is a call that reads the input or writes the output, in the order in
// which main reaches it if every loop runs once and every branch is taken.
type event struct {
	call  *ast.CallExpr
	reads bool
	loops []ast.Node // around it, outermost first, across calls
}

// mostEvents bounds the events of a program; calls beyond are ignored.
const mostEvents = 5000

// events returns the reads and writes of main.
func (p *program) events() (all []event) {
	var walk func(n ast.Node, loops []ast.Node, open []*function)
	walk = func(n ast.Node, loops []ast.Node, open []*function) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ForStmt:
				inner := append(slices.Clip(loops), n)
				for _, part := range []ast.Node{n.Init, n.Cond, n.Body, n.Post} {
					if !isNil(part) {
						walk(part, inner, open)
					}
				}
				return false
			case *ast.RangeStmt:
				walk(n.X, loops, open)
				walk(n.Body, append(slices.Clip(loops), n), open)
				return false
			case *ast.FuncLit:
				return slices.Contains(open, p.ByNode[n])
			case *ast.CallExpr:
				for _, arg := range n.Args {
					walk(arg, loops, open)
				}
				to, _ := p.Output(n)
				reads := p.Input(n)&(RawIn|BufIn) != 0
				if (reads || to&(RawOut|BufOut) != 0 || isFlush(p.Name(n))) && len(all) < mostEvents {
					all = append(all, event{n, reads, loops})
				}
				callees := p.Callees(n)
				for _, arg := range n.Args {
					callees = append(callees, p.FunctionsIn(arg)...)
				}
				for _, f := range callees {
					if !slices.Contains(open, f) && len(all) < mostEvents {
						walk(f.Body, loops, append(slices.Clip(open), f))
					}
				}
				return false
			}
			return true
		})
	}
	if m := p.Main(); m != nil {
		walk(m.Body, nil, []*function{m})
	}
	return all
}

func isFlush(name string) bool {
	return name == "(*bufio.Writer).Flush" || name == "(bufio.ReadWriter).Flush"
}

// answered reports whether the program reads after a write, or writes before a read, in
// the same iteration of the innermost loop, as in an interactive problem. Such output must
// not wait in a buffer, and such input is short.
func answered(events []event, call *ast.CallExpr) bool {
	for i, e := range events {
		if e.call != call || len(e.loops) == 0 {
			continue
		}
		loop := e.loops[len(e.loops)-1]
		others := events[i+1:]
		if e.reads {
			others = events[:i]
		}
		if slices.ContainsFunc(others, func(other event) bool {
			return other.reads != e.reads && slices.Contains(other.loops, loop)
		}) {
			return true
		}
	}
	return false
}
