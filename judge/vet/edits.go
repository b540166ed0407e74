package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// freeName returns the first of the names that no identifier of the program has,
// or "".
func (p *program) freeName(names ...string) string {
	used := make(map[string]bool)
	for n := range p.parent {
		if id, ok := n.(*ast.Ident); ok {
			used[id.Name] = true
		}
	}
	for _, name := range names {
		if !used[name] {
			return name
		}
	}
	return ""
}

// ownImports reports whether each path is imported under its own name or not at
// all, and nothing else has that name.
func (p *program) ownImports(file *ast.File, paths ...string) bool {
	for _, path := range paths {
		if spec := importOf(file, path); spec != nil && spec.Name != nil {
			return false
		}
		for id, obj := range p.info.Defs {
			if obj != nil && id.Name == path {
				return false
			}
		}
		for id, obj := range p.info.Uses {
			if pkg, ok := obj.(*types.PkgName); ok && id.Name == path && pkg.Imported().Path() != path {
				return false
			}
		}
	}
	return true
}

func importOf(file *ast.File, path string) *ast.ImportSpec {
	for _, spec := range file.Imports {
		if importPath(spec) == path {
			return spec
		}
	}
	return nil
}

func importPath(spec *ast.ImportSpec) string {
	path, _ := strconv.Unquote(spec.Path.Value)
	return path
}

// importEdits imports the paths that file does not import yet, in order.
func (p *program) importEdits(file *ast.File, paths ...string) (edits []analysis.TextEdit) {
	for _, path := range paths {
		if importOf(file, path) != nil {
			continue
		}
		quoted := strconv.Quote(path)
		var block *ast.GenDecl
		for _, d := range file.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
				block = g
				break
			}
		}
		switch {
		case block == nil:
			edits = append(edits, insert(file.Name.End(), "\n\nimport "+quoted))
		case !block.Lparen.IsValid():
			if first := importPath(block.Specs[0].(*ast.ImportSpec)); strings.Compare(path, first) < 0 {
				edits = append(edits, insert(block.Pos(), "import "+quoted+"\n"))
			} else {
				edits = append(edits, insert(block.End(), "\nimport "+quoted))
			}
		default:
			edits = append(edits, insert(placeIn(block, path), "\n\t"+quoted))
		}
	}
	return edits
}

// placeIn returns where a path is inserted in a block of imports: after the last
// smaller one.
func placeIn(block *ast.GenDecl, path string) token.Pos {
	at := block.Lparen + 1
	for _, s := range block.Specs {
		if importPath(s.(*ast.ImportSpec)) > path {
			break
		}
		at = s.End()
	}
	return at
}

// afterImports returns the position after the imports, or after the package
// clause.
func afterImports(file *ast.File) token.Pos {
	at := file.Name.End()
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			at = g.End()
		}
	}
	return at
}

// atStart inserts a statement at the start of a body.
func (p *program) atStart(body *ast.BlockStmt, statement string) analysis.TextEdit {
	text := "\n\t" + statement
	if line := p.pass.Fset.File(body.Lbrace).Line; len(body.List) > 0 && line(body.Lbrace) == line(body.List[0].Pos()) {
		text += "\n"
	}
	return insert(body.Lbrace+1, text)
}

// short returns a full name as it is written in source: (*bufio.Writer).Flush as
// Flush.
func short(name string) string {
	if strings.HasPrefix(name, "(") {
		return name[strings.LastIndex(name, ".")+1:]
	}
	return name
}
