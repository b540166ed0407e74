package vet

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// ErrNoGo is the error if the command go is missing or fails.
var ErrNoGo = errors.New("expected the command go, to find the standard library")

// A library has packages of the standard library, type-checked from their source without
// the bodies of functions. The zero value is ready. load takes 0.2 s longer than to read
// compiled types, but compiles nothing, and go/importer, which reads them, costs 3 s of
// CPU time in a first build.
type library struct {
	known map[string]*types.Package // nil for a package that cannot be read
}

// load adds packages, and those that they import, unless they are known. It ignores paths
// that cannot be in the standard library.
func (l *library) load(paths ...string) error {
	if l.known == nil {
		l.known = map[string]*types.Package{"unsafe": types.Unsafe}
	}
	var missing []string
	for _, path := range paths {
		if _, known := l.known[path]; !known && !foreign(path) {
			l.known[path] = nil
			missing = append(missing, path)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	args := []string{"-deps", "-f", "{{.ImportPath}}\t{{.Dir}}\t{{join .GoFiles \"\t\"}}", "--"}
	list, err := goList(os.TempDir(), append(args, slices.Sorted(slices.Values(missing))...)...)
	if err != nil {
		return err
	}
	fset := token.NewFileSet()
	config := types.Config{Importer: l, IgnoreFuncBodies: true, FakeImportC: true, Error: func(error) {}}
	for line := range strings.Lines(list) { // what a package imports stands before it
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if len(fields) < 3 || l.known[fields[0]] != nil {
			continue
		}
		files := make([]*ast.File, len(fields)-2)
		var parsing sync.WaitGroup
		for i, name := range fields[2:] {
			parsing.Go(func() {
				files[i], _ = parser.ParseFile(fset, filepath.Join(fields[1], name), nil, parser.SkipObjectResolution)
			})
		}
		parsing.Wait()
		l.known[fields[0]], _ = config.Check(fields[0], fset, files, nil)
	}
	return nil
}

// Import returns a package that is loaded.
func (l *library) Import(path string) (*types.Package, error) {
	if p := l.known[path]; p != nil {
		return p, nil
	}
	if p := l.known["vendor/"+path]; p != nil { // imported in the library only
		return p, nil
	}
	return nil, errors.New("it is not in the standard library")
}

// foreign reports whether a path cannot be in the standard library, or is cgo.
func foreign(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return path == "C" || strings.Contains(first, ".")
}

// goList runs go list in a folder and returns what it prints. As when the judge compiles,
// modules and cgo are off, so neither the folder nor the environment has an effect on it.
func goList(dir string, args ...string) (string, error) {
	c := exec.Command("go", append([]string{"list", "-e"}, args...)...)
	c.Env = append(os.Environ(), "GO111MODULE=off", "GOFLAGS=", "GOWORK=off", "GOTOOLCHAIN=local", "CGO_ENABLED=0",
		"GOOS=", "GOARCH=", "GOEXPERIMENT=")
	c.Dir = dir
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		err = fmt.Errorf("%w: %v %s", ErrNoGo, err, bytes.TrimSpace(stderr.Bytes()))
	}
	return string(out), err
}
