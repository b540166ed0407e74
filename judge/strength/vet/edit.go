package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// freeName returns the first of the names that no identifier of the file has,
// or "".
func freeName(file *ast.File, names ...string) string {
	used := make(map[string]bool)
	for n := range ast.Preorder(file) {
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
func ownImports(info *types.Info, file *ast.File, paths ...string) bool {
	for _, path := range paths {
		if spec := importOf(file, path); spec != nil && spec.Name != nil {
			return false
		}
		for id, obj := range info.Defs {
			if obj != nil && id.Name == path {
				return false
			}
		}
		for id, obj := range info.Uses {
			if pkg, ok := obj.(*types.PkgName); ok && id.Name == path && pkg.Imported().Path() != path {
				return false
			}
		}
	}
	return true
}

// importOf returns the import of a path, or nil.
func importOf(file *ast.File, path string) *ast.ImportSpec {
	for _, spec := range file.Imports {
		if pathOf(spec) == path {
			return spec
		}
	}
	return nil
}

// pathOf returns the path that is imported.
func pathOf(spec *ast.ImportSpec) string {
	path, _ := strconv.Unquote(spec.Path.Value)
	return path
}

// addImports imports the paths that file does not import yet, in order.
func addImports(file *ast.File, paths ...string) (edits []analysis.TextEdit) {
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
			if first := pathOf(block.Specs[0].(*ast.ImportSpec)); strings.Compare(path, first) < 0 {
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
		if pathOf(s.(*ast.ImportSpec)) > path {
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

// insert inserts text at a position.
func insert(at token.Pos, text string) analysis.TextEdit {
	return analysis.TextEdit{Pos: at, End: at, NewText: []byte(text)}
}

// removeLine removes a statement, and its line if nothing else is there.
func removeLine(f *token.File, s ast.Stmt, list *ast.BlockStmt) analysis.TextEdit {
	first, last := f.Line(s.Pos()), f.Line(s.End())
	alone := f.Line(list.Lbrace) < first && f.Line(list.Rbrace) > last
	for _, other := range list.List {
		if other != s && f.Line(other.Pos()) <= last && f.Line(other.End()) >= first {
			alone = false
		}
	}
	if alone {
		return analysis.TextEdit{Pos: f.LineStart(first), End: f.LineStart(last + 1)}
	}
	return analysis.TextEdit{Pos: s.Pos(), End: s.End()}
}

// removeImport removes the import of a path, which must have lines of its own.
func removeImport(f *token.File, file *ast.File, path string) (analysis.TextEdit, bool) {
	spec := importOf(file, path)
	if spec == nil {
		return analysis.TextEdit{}, false
	}
	n := ast.Node(spec)
	for _, d := range file.Decls {
		if decl, ok := d.(*ast.GenDecl); ok && len(decl.Specs) == 1 && decl.Specs[0] == ast.Spec(spec) {
			n = decl
		}
	}
	if end := f.Line(n.End()); end < f.LineCount() {
		return analysis.TextEdit{Pos: f.LineStart(f.Line(n.Pos())), End: f.LineStart(end + 1)}, f.Line(n.Pos()) == end
	}
	return analysis.TextEdit{}, false
}

// atStart inserts a statement at the start of a body.
func atStart(f *token.File, body *ast.BlockStmt, statement string) analysis.TextEdit {
	text := "\n\t" + statement
	if line := f.Line; len(body.List) > 0 && line(body.Lbrace) == line(body.List[0].Pos()) {
		text += "\n"
	}
	return insert(body.Lbrace+1, text)
}
