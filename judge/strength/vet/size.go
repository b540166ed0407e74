package vet

import (
	"go/ast"
	"go/types"
	"math"
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
	statedLimits
	Large  bool // there are manyValues or more
	Matrix bool // an array of arrays has so many
}

func (p *program) findSize() {
	var comments []string
	for _, file := range p.Pass.Files {
		for _, group := range file.Comments {
			comments = append(comments, group.Text())
		}
	}
	p.Size.statedLimits = limitsOf(comments)
	p.Size.Large = p.Size.Most >= manyValues
	for n := range p.Parent {
		p.Size.Large = p.Size.Large || p.reserves(n)
		if t, ok := n.(*ast.ArrayType); ok {
			p.Size.Matrix = p.Size.Matrix || p.elements(t) >= manyValues
		}
	}
}

// elements returns how many values an array of arrays has; 0 if it is a slice.
func (p *program) elements(t *ast.ArrayType) int64 {
	n, ok := p.Constant(t.Len)
	if t.Len == nil || !ok {
		return 0
	}
	if inner, ok := t.Elt.(*ast.ArrayType); ok {
		n *= p.elements(inner)
	}
	return n
}

// reserves reports whether a node is an array type of manyValues elements or more, makes a
// slice or a map for as many, or reads os.Stdin through a buffer of manyBytes or more.
func (p *program) reserves(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ArrayType:
		size, ok := p.Constant(n.Len)
		return n.Len != nil && ok && size >= manyValues
	case *ast.CallExpr:
		switch p.Name(n) {
		case "make":
			switch t := p.TypeOf(n).Underlying().(type) {
			case *types.Slice:
				if b, ok := t.Elem().Underlying().(*types.Basic); ok && b.Kind() == types.Byte {
					return false // a buffer
				}
			case *types.Chan:
				return false
			}
			for _, arg := range n.Args[1:] {
				if size, ok := p.Constant(arg); ok && size >= manyValues {
					return true
				}
			}
		case "bufio.NewReaderSize":
			size, ok := p.Constant(n.Args[1])
			return ok && size >= manyBytes && p.Origin(n.Args[0])&RawIn != 0
		case "(*bufio.Scanner).Buffer":
			size, ok := p.BufferSize(n.Args[0])
			return ok && size >= manyBytes && p.Receiver(n)&BufIn != 0
		}
	}
	return false
}

// Few reports whether loops over the input, so many in each other, run at most so many
// times.
func (p *program) Few(loops int, times float64) bool {
	return p.Size.Few > 0 && !p.Size.Large && math.Pow(float64(p.Size.Few), float64(loops)) <= times
}

// FewAt reports whether n runs few times. A search may do more than its input is large,
// unless a comment states how many solutions it has.
func (p *program) FewAt(n ast.Node) bool {
	f := p.FunctionAt(n)
	for _, g := range p.Funcs {
		if p.Recursive(g) && (g == f || p.Reaches(g)[f]) {
			return p.Size.Output > 0 && p.Size.Output <= fewTimes
		}
	}
	return p.Few(max(p.Depth(n), 1), fewTimes)
}
