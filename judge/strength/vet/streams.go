package vet

import (
	"go/ast"
	"go/types"
	"strings"
)

// An origin is a set of streams that the value of an expression may stand for.
type origin int

const (
	RawIn  origin = 1 << iota // os.Stdin
	BufIn                     // a bufio.Reader or Scanner
	RawOut                    // os.Stdout
	BufOut                    // a bufio.Writer of os.Stdout
	ErrOut                    // os.Stderr, buffered or not
	Memory                    // strings.Builder, bytes.Buffer and their like
)

// Origin returns the streams behind a reader or writer.
func (p *program) Origin(e ast.Expr) origin { return p.origins(e, make(map[types.Object]bool)) }

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
		obj := p.Variable(e)
		if obj == nil {
			return 0
		}
		if obj.Pkg() != nil && obj.Pkg().Path() == "os" {
			return map[string]origin{"Stdin": RawIn, "Stdout": RawOut, "Stderr": ErrOut}[obj.Name()]
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
	for _, v := range p.Assigned[obj] {
		if call, ok := ast.Unparen(v.Expr).(*ast.CallExpr); ok {
			all |= p.originOfCall(call, v.Result, seen)
		} else if v.Result < 0 {
			all |= p.origins(v.Expr, seen)
		}
	}
	if all != 0 {
		return all
	}
	switch strings.TrimPrefix(obj.Type().String(), "*") {
	case "bufio.Reader", "bufio.Scanner":
		return BufIn
	case "bufio.ReadWriter":
		return BufIn | BufOut
	case "bufio.Writer":
		return BufOut
	case "strings.Builder", "bytes.Buffer", "strings.Reader":
		return Memory
	}
	return 0
}

func (p *program) originOfCall(call *ast.CallExpr, result int, seen map[types.Object]bool) (all origin) {
	switch name := p.Name(call); name {
	case "bufio.NewReader", "bufio.NewReaderSize", "bufio.NewScanner":
		if p.origins(call.Args[0], seen)&Memory != 0 {
			return Memory
		}
		return BufIn
	case "bufio.NewWriter", "bufio.NewWriterSize":
		if inner := p.origins(call.Args[0], seen); inner&(ErrOut|Memory) != 0 {
			return inner
		}
		return BufOut
	case "bufio.NewReadWriter":
		return BufIn | BufOut
	case "strings.NewReader", "bytes.NewReader", "bytes.NewBuffer", "bytes.NewBufferString":
		return Memory
	}
	if tv := p.Info.Types[call.Fun]; tv.IsType() && len(call.Args) == 1 {
		return p.origins(call.Args[0], seen) // a conversion
	}
	for _, f := range p.Callees(call) {
		for _, r := range f.Returns {
			if i := max(result, 0); i < len(r.Results) {
				all |= p.origins(r.Results[i], seen)
			}
		}
	}
	return all
}

// Receiver returns the streams behind the receiver of a method call, which may be
// an embedded field.
func (p *program) Receiver(call *ast.CallExpr) origin {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return 0
	}
	s := p.Info.Selections[sel]
	if s == nil || len(s.Index()) == 1 {
		return p.Origin(sel.X)
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

// Output returns the streams that a call writes to, and what it writes.
func (p *program) Output(call *ast.CallExpr) (to origin, data []ast.Expr) {
	name := p.Name(call)
	switch name {
	case "":
		return 0, nil
	case "print", "println":
		return ErrOut, call.Args
	case "fmt.Print", "fmt.Printf", "fmt.Println":
		return RawOut, call.Args
	case "fmt.Fprint", "fmt.Fprintf", "fmt.Fprintln", "io.WriteString":
		return p.Origin(call.Args[0]), call.Args[1:]
	case "log.Print", "log.Printf", "log.Println":
		return ErrOut, call.Args
	case "(*log.Logger).Print", "(*log.Logger).Printf", "(*log.Logger).Println":
		return ErrOut, call.Args
	}
	if strings.HasPrefix(name, "(") {
		switch name[strings.LastIndex(name, ".")+1:] {
		case "Write", "WriteString", "WriteByte", "WriteRune":
			return p.Receiver(call), call.Args
		}
	}
	return 0, nil
}

// Input returns the streams that a call reads from.
func (p *program) Input(call *ast.CallExpr) origin {
	name := p.Name(call)
	switch name {
	case "":
		return 0
	case "fmt.Scan", "fmt.Scanf", "fmt.Scanln":
		return RawIn
	case "fmt.Fscan", "fmt.Fscanf", "fmt.Fscanln", "io.ReadAll", "io.ReadFull", "io.ReadAtLeast", "encoding/binary.Read":
		return p.Origin(call.Args[0])
	}
	if strings.HasPrefix(name, "(*bufio.") || strings.HasPrefix(name, "(*os.File)") || strings.HasPrefix(name, "(io.") {
		switch name[strings.LastIndex(name, ".")+1:] {
		case "Read", "ReadByte", "ReadBytes", "ReadLine", "ReadRune", "ReadSlice", "ReadString", "Scan":
			return p.Receiver(call)
		}
	}
	return 0
}

// shortName returns a full name as it is written in source: (*bufio.Writer).Flush as
// Flush.
func shortName(name string) string {
	if strings.HasPrefix(name, "(") {
		return name[strings.LastIndex(name, ".")+1:]
	}
	return name
}
