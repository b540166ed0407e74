package vet

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Load reads programs. A name is a file, a folder, or "-" for the text of stdin. A folder
// is one program, of the files that its build constraints select for this machine. Each file is a
// program of its own, whatever its build constraints are, unless exactly one of the
// named files of its folder has a func main: then these are one program.
//
// Programs that do not parse or type-check are left out, and the error joins the
// reasons. A foreign import is not such a reason, as the analyzer imports reports it.
//
// Load runs the command go to find the types of the standard library. The error is
// [ErrNoGo] if that is not possible.
func Load(names []string, stdin io.Reader) ([]*Submission, error) {
	var failures []error
	files := make(map[string]*source) // by name
	var groups [][]string
	var loose []string // files that are named themselves
	for _, name := range names {
		if name == "-" {
			name = Stdin
		}
		found, err := sources(name)
		if err != nil {
			failures = append(failures, err)
			continue
		}
		whole := true
		for _, f := range found {
			if files[f] == nil {
				if files[f], err = read(f, stdin); err != nil {
					failures = append(failures, err)
				}
			}
			whole = whole && files[f] != nil
		}
		switch {
		case !whole:
		case len(found) == 1 && found[0] == name:
			loose = append(loose, name)
		default:
			groups = append(groups, found)
		}
	}
	groups = append(programsOf(loose, files), groups...)
	needed := []string{"bufio", "os", "strings"} // suggested fixes import them
	for _, f := range files {
		if f != nil {
			needed = append(needed, f.imports...)
		}
	}
	standard := new(library)
	if err := standard.load(needed...); err != nil {
		return nil, errors.Join(append(failures, err)...)
	}
	var all []*Submission
	for _, group := range groups {
		texts := make(map[string][]byte)
		for _, name := range group {
			texts[name] = files[name].text
		}
		p, err := newProgramOf(group, texts, standard)
		if err != nil {
			failures = append(failures, err)
			continue
		}
		all = append(all, p)
	}
	return all, errors.Join(failures...)
}

// Stdin is the name of the program that Load reads from stdin.
const Stdin = "<standard input>"

// A source is a file that parses.
type source struct {
	text    []byte
	imports []string
	main    bool // it has a func main
}

func read(name string, stdin io.Reader) (*source, error) {
	text, err := []byte(nil), error(nil)
	if name == Stdin {
		text, err = io.ReadAll(stdin)
	} else {
		text, err = os.ReadFile(name)
	}
	if err != nil {
		return nil, err
	}
	f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	s := &source{text: text, main: hasMain(f)}
	for _, spec := range f.Imports {
		s.imports = append(s.imports, pathOf(spec))
	}
	return s, nil
}

// newProgramOf parses and type-checks texts, which have the names of files.
func newProgramOf(names []string, texts map[string][]byte, from *library) (*Submission, error) {
	p := &Submission{Fset: token.NewFileSet(), Sources: names, texts: texts, library: from}
	for _, name := range names {
		f, err := parser.ParseFile(p.Fset, name, texts[name], parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.Files = append(p.Files, f)
	}
	return p, p.check()
}

// sources returns the Go files that a name stands for.
func sources(name string) ([]string, error) {
	if name == Stdin {
		return []string{name}, nil
	}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, cause(err))
	case !info.IsDir() && filepath.Ext(name) != ".go":
		return nil, fmt.Errorf("%s: expected a Go file, whose name ends in .go, or a folder of Go files", name)
	case !info.IsDir():
		return []string{name}, nil
	}
	list, err := goList(name, "-f", `{{range .GoFiles}}{{.}}{{"\n"}}{{end}}`, ".")
	if err != nil {
		return nil, err
	}
	var files []string
	for line := range strings.Lines(list) {
		if f := strings.TrimSpace(line); f != "" {
			files = append(files, filepath.Join(name, f))
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: expected Go files, found none that build constraints select", name)
	}
	return files, nil
}

// cause returns the reason without the operation and the path, which are known.
func cause(err error) error {
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		return at.Err
	}
	return err
}

// programsOf groups files into programs.
func programsOf(names []string, files map[string]*source) (groups [][]string) {
	mains := make(map[string]int) // by folder
	for _, name := range names {
		if files[name].main {
			mains[filepath.Dir(name)]++
		}
	}
	placed := make(map[string]int) // index of the folder's program, plus 1
	for _, name := range names {
		dir := filepath.Dir(name)
		if at := placed[dir]; at > 0 {
			groups[at-1] = append(groups[at-1], name)
			continue
		}
		groups = append(groups, []string{name})
		if mains[dir] == 1 {
			placed[dir] = len(groups)
		}
	}
	return groups
}

func hasMain(f *ast.File) bool {
	return slices.ContainsFunc(f.Decls, func(d ast.Decl) bool {
		fn, ok := d.(*ast.FuncDecl)
		return ok && fn.Recv == nil && fn.Name.Name == "main"
	})
}

// check finds the types of a program.
func (p *Submission) check() error {
	p.info = &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object),
		Uses: make(map[*ast.Ident]types.Object), Implicits: make(map[ast.Node]types.Object),
		Selections: make(map[*ast.SelectorExpr]*types.Selection), Scopes: make(map[ast.Node]*types.Scope),
		Instances: make(map[*ast.Ident]types.Instance), FileVersions: make(map[*ast.File]string),
	}
	p.sizes = types.SizesFor("gc", runtime.GOARCH)
	var failures []error
	config := types.Config{
		Importer: p.library, Sizes: p.sizes,
		Error: func(err error) {
			var at types.Error
			if errors.As(err, &at) && p.isForeign(at.Pos) {
				p.missing = append(p.missing, at)
				return
			}
			if len(failures) < mostErrors {
				failures = append(failures, err)
			}
		},
	}
	p.Types, _ = config.Check("command-line-arguments", p.Fset, p.Files, p.info)
	if p.Incomplete() {
		return nil // other errors may follow from missing imports
	}
	return errors.Join(failures...)
}

// mostErrors is the number of type errors that are given for each program.
const mostErrors = 5

// isForeign reports whether pos is that of an import which the analyzer imports
// reports.
func (p *Submission) isForeign(pos token.Pos) bool {
	for _, f := range p.Files {
		for _, spec := range f.Imports {
			if spec.Pos() <= pos && pos <= spec.End() && foreign(pathOf(spec)) {
				return true
			}
		}
	}
	return false
}
