package vet

import (
	"go/ast"
	"go/types"
	"strings"

	"crucible/judge/vet/syntax"
)

// An origin is a set of streams that the value of an expression may stand for.
type origin int

const (
	rawIn  origin = 1 << iota // os.Stdin
	bufIn                     // a bufio.Reader or Scanner
	rawOut                    // os.Stdout
	bufOut                    // a bufio.Writer of os.Stdout
	errOut                    // os.Stderr, buffered or not
	memory                    // strings.Builder, bytes.Buffer and their like
)

// origin returns the streams behind a reader or writer.
func (p *program) origin(e ast.Expr) origin { return p.origins(e, make(map[types.Object]bool)) }

func (p *program) origins(e ast.Expr, seen map[types.Object]bool) origin {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		return p.origins(e.X, seen)
	case *ast.StarExpr:
		return p.origins(e.X, seen)
	case *ast.TypeAssertExpr:
		return p.origins(e.X, seen)
	case *ast.CallExpr:
		return p.originOfCall(e, -1, seen)
	case *ast.Ident, *ast.SelectorExpr:
		obj := p.variable(e)
		if obj == nil {
			return 0
		}
		if obj.Pkg() != nil && obj.Pkg().Path() == "os" {
			return map[string]origin{"Stdin": rawIn, "Stdout": rawOut, "Stderr": errOut}[obj.Name()]
		}
		return p.originOf(obj, seen)
	}
	return 0
}

// originOf returns the streams behind a variable or field.
func (p *program) originOf(obj types.Object, seen map[types.Object]bool) (all origin) {
	if seen[obj] {
		return 0
	}
	seen[obj] = true
	for _, v := range p.assigned[obj] {
		if call, ok := ast.Unparen(v.expr).(*ast.CallExpr); ok {
			all |= p.originOfCall(call, v.result, seen)
		} else if v.result < 0 {
			all |= p.origins(v.expr, seen)
		}
	}
	if all != 0 {
		return all
	}
	switch strings.TrimPrefix(obj.Type().String(), "*") {
	case "bufio.Reader", "bufio.Scanner":
		return bufIn
	case "bufio.ReadWriter":
		return bufIn | bufOut
	case "bufio.Writer":
		return bufOut
	case "strings.Builder", "bytes.Buffer", "strings.Reader":
		return memory
	}
	return 0
}

func (p *program) originOfCall(call *ast.CallExpr, result int, seen map[types.Object]bool) (all origin) {
	switch name := p.name(call); name {
	case "bufio.NewReader", "bufio.NewReaderSize", "bufio.NewScanner":
		if p.origins(call.Args[0], seen)&memory != 0 {
			return memory
		}
		return bufIn
	case "bufio.NewWriter", "bufio.NewWriterSize":
		if inner := p.origins(call.Args[0], seen); inner&(errOut|memory) != 0 {
			return inner
		}
		return bufOut
	case "bufio.NewReadWriter":
		return bufIn | bufOut
	case "strings.NewReader", "bytes.NewReader", "bytes.NewBuffer", "bytes.NewBufferString":
		return memory
	}
	if tv := p.info.Types[call.Fun]; tv.IsType() && len(call.Args) == 1 {
		return p.origins(call.Args[0], seen) // a conversion
	}
	for _, f := range p.callees(call) {
		for _, r := range f.returns {
			if i := max(result, 0); i < len(r.Results) {
				all |= p.origins(r.Results[i], seen)
			}
		}
	}
	return all
}

// receiver returns the streams behind the receiver of a method call, which may be
// an embedded field.
func (p *program) receiver(call *ast.CallExpr) origin {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return 0
	}
	s := p.info.Selections[sel]
	if s == nil || len(s.Index()) == 1 {
		return p.origin(sel.X)
	}
	t := s.Recv()
	var field *types.Var
	for _, i := range s.Index()[:len(s.Index())-1] {
		if ptr, ok := t.Underlying().(*types.Pointer); ok {
			t = ptr.Elem()
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			return 0
		}
		field = st.Field(i).Origin()
		t = field.Type()
	}
	return p.originOf(field, make(map[types.Object]bool))
}

// output returns the streams that a call writes to, and what it writes.
func (p *program) output(call *ast.CallExpr) (to origin, data []ast.Expr) {
	name := p.name(call)
	switch name {
	case "":
		return 0, nil
	case "print", "println":
		return errOut, call.Args
	case "fmt.Print", "fmt.Printf", "fmt.Println":
		return rawOut, call.Args
	case "fmt.Fprint", "fmt.Fprintf", "fmt.Fprintln", "io.WriteString":
		return p.origin(call.Args[0]), call.Args[1:]
	case "log.Print", "log.Printf", "log.Println":
		return errOut, call.Args
	case "(*log.Logger).Print", "(*log.Logger).Printf", "(*log.Logger).Println":
		return errOut, call.Args
	}
	if strings.HasPrefix(name, "(") {
		switch name[strings.LastIndex(name, ".")+1:] {
		case "Write", "WriteString", "WriteByte", "WriteRune":
			return p.receiver(call), call.Args
		}
	}
	return 0, nil
}

// input returns the streams that a call reads from.
func (p *program) input(call *ast.CallExpr) origin {
	name := p.name(call)
	switch name {
	case "":
		return 0
	case "fmt.Scan", "fmt.Scanf", "fmt.Scanln":
		return rawIn
	case "fmt.Fscan", "fmt.Fscanf", "fmt.Fscanln", "io.ReadAll", "io.ReadFull", "io.ReadAtLeast", "encoding/binary.Read":
		return p.origin(call.Args[0])
	}
	if strings.HasPrefix(name, "(*bufio.") || strings.HasPrefix(name, "(*os.File)") || strings.HasPrefix(name, "(io.") {
		switch name[strings.LastIndex(name, ".")+1:] {
		case "Read", "ReadByte", "ReadBytes", "ReadLine", "ReadRune", "ReadSlice", "ReadString", "Scan":
			return p.receiver(call)
		}
	}
	return 0
}

// does reports whether the code below n makes a call for which f holds, at any
// distance.
func (p *program) does(n ast.Node, f func(*ast.CallExpr) bool) bool {
	if syntax.Has(n, f) {
		return true
	}
	functions := make(map[*function]bool)
	p.reach(n, functions)
	for g := range functions {
		if syntax.Has(g.body, f) {
			return true
		}
	}
	return false
}

// reads and writes report whether the code below n reads the input or writes
// the output.
func (p *program) reads(n ast.Node) bool {
	return p.does(n, func(call *ast.CallExpr) bool { return p.input(call)&(rawIn|bufIn) != 0 })
}

func (p *program) writes(n ast.Node) bool {
	return p.does(n, func(call *ast.CallExpr) bool {
		to, _ := p.output(call)
		return to&(rawOut|bufOut|memory) != 0
	})
}

// short returns a full name as it is written in source: (*bufio.Writer).Flush as
// Flush.
func short(name string) string {
	if strings.HasPrefix(name, "(") {
		return name[strings.LastIndex(name, ".")+1:]
	}
	return name
}
