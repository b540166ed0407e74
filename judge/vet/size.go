package vet

import (
	"go/ast"
	"go/types"
	"math"

	"crucible/judge/vet/limits"
)

const (
	// manyValues is the number of values from which input counts as large.
	manyValues = 100_000
	// manyBytes is the size of a buffer for large input.
	manyBytes = 1 << 20
	// fewTimes is how often a program may do what is slow.
	fewTimes = 10_000
)

// A size is what comments and constants of a program say about its input.
type size struct {
	limits.Stated
	large bool // there are manyValues or more
}

func (p *program) findSize() {
	var comments []string
	for _, file := range p.pass.Files {
		for _, group := range file.Comments {
			comments = append(comments, group.Text())
		}
	}
	p.size.Stated = limits.Of(comments)
	p.size.large = p.size.Most >= manyValues
	for n := range p.parent {
		p.size.large = p.size.large || p.reserves(n)
	}
}

// reserves reports whether a node is an array type of manyValues elements or more, makes a
// slice or a map for as many, or reads os.Stdin through a buffer of manyBytes or more.
func (p *program) reserves(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ArrayType:
		size, ok := p.constant(n.Len)
		return n.Len != nil && ok && size >= manyValues
	case *ast.CallExpr:
		switch p.name(n) {
		case "make":
			switch t := p.typeOf(n).Underlying().(type) {
			case *types.Slice:
				if b, ok := t.Elem().Underlying().(*types.Basic); ok && b.Kind() == types.Byte {
					return false // a buffer
				}
			case *types.Chan:
				return false
			}
			for _, arg := range n.Args[1:] {
				if size, ok := p.constant(arg); ok && size >= manyValues {
					return true
				}
			}
		case "bufio.NewReaderSize":
			size, ok := p.constant(n.Args[1])
			return ok && size >= manyBytes && p.origin(n.Args[0])&rawIn != 0
		case "(*bufio.Scanner).Buffer":
			size, ok := p.bufferSize(n.Args[0])
			return ok && size >= manyBytes && p.receiver(n)&bufIn != 0
		}
	}
	return false
}

// few reports whether loops over the input, so many in each other, run at most so many
// times.
func (p *program) few(loops int, times float64) bool {
	return p.size.Few > 0 && !p.size.large && math.Pow(float64(p.size.Few), float64(loops)) <= times
}

// fewAt reports whether n runs few times. A search may do more than its input is large,
// unless a comment states how many solutions it has.
func (p *program) fewAt(n ast.Node) bool {
	f := p.functionAt(n)
	for _, g := range p.funcs {
		if p.recursive(g) && (g == f || p.reaches(g)[f]) {
			return p.size.Output > 0 && p.size.Output <= fewTimes
		}
	}
	return p.few(max(p.depth(n), 1), fewTimes)
}
