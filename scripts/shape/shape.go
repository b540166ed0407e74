// Package shape measures the structure of Go packages: lines, exported names,
// long functions, and groups of files in which each file reaches all the others.
package shape

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// LongFunction is the maximum number of lines of a function that is not long,
// from its func to its closing brace.
const LongFunction = 50

// A Package has the measurements of one package without its tests.
type Package struct {
	Path     string   // import path
	Lines    int      // number of lines of all files, as wc -l counts them
	Code     int      // number of lines with at least one token that is not a comment
	Exported int      // number of exported package-level names
	Long     []string // functions of more than LongFunction lines: file:line: name: lines
	Files    Graph    // references between the files built for this operating system
}

// Load measures the packages that match the patterns of go list, relative to
// dir. Lines and Code include the files of other operating systems. A package
// with syntax or type errors is an error.
func Load(dir string, patterns ...string) ([]Package, error) {
	config := &packages.Config{
		Dir: dir,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedTypes |
			packages.NeedTypesInfo | packages.NeedSyntax,
	}
	loaded, err := packages.Load(config, patterns...)
	if err != nil {
		return nil, err
	}
	var measured []Package
	for _, p := range loaded {
		for _, err := range p.Errors {
			return nil, fmt.Errorf("%s: %w", p.PkgPath, err)
		}
		m := Package{Path: p.PkgPath, Files: references(p)}
		if err := m.count(p); err != nil {
			return nil, err
		}
		measured = append(measured, m)
	}
	return measured, nil
}

// count sets Lines, Code, Exported and Long.
func (m *Package) count(p *packages.Package) error {
	for _, name := range append(p.GoFiles, p.IgnoredFiles...) {
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		m.Lines += bytes.Count(source, []byte("\n"))
		code, err := codeLines(source)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		m.Code += code
	}
	for _, name := range p.Types.Scope().Names() {
		if token.IsExported(name) {
			m.Exported++
		}
	}
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			start, end := p.Fset.Position(f.Pos()), p.Fset.Position(f.End())
			if n := end.Line - start.Line + 1; n > LongFunction {
				m.Long = append(m.Long, fmt.Sprintf("%s:%d: %s: %d", filepath.Base(start.Filename), start.Line, f.Name.Name, n))
			}
		}
	}
	return nil
}

// codeLines returns the number of lines of source with at least one token. A raw
// string counts for each line that it spans.
func codeLines(source []byte) (int, error) {
	file := token.NewFileSet().AddFile("", -1, len(source))
	var s scanner.Scanner
	var wrong error
	s.Init(file, source, func(at token.Position, msg string) {
		wrong = errors.Join(wrong,
			&scanner.Error{Pos: at, Msg: msg})
	}, 0)
	lines := make(map[int]bool)
	for {
		at, kind, literal := s.Scan()
		if kind == token.EOF {
			return len(lines), wrong
		}
		if kind == token.SEMICOLON && literal == "\n" {
			continue // inserted by the scanner
		}
		first := file.Line(at)
		lines[first] = true
		if kind == token.STRING {
			for i := range strings.Count(literal, "\n") {
				lines[first+1+i] = true
			}
		}
	}
}
