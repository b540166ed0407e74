package vet

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// ErrNoTypes is the error of Load if the command go is missing or fails.
var ErrNoTypes = errors.New("judge vet needs the command go to find the standard library")

// A library type-checks packages of the standard library from their source, without
// the bodies of functions. One library serves all programs of a call. It takes 0.2 s
// longer than to read compiled types, but compiles nothing, and go/importer, which reads
// them, costs 3 s of CPU time in a first build.
type library struct {
	needed   map[string]bool
	packages map[string]*types.Package
}

// newLibrary returns a library with the packages that suggested fixes import.
func newLibrary() *library {
	return &library{needed: map[string]bool{"bufio": true, "os": true, "strings": true}}
}

// add notes the paths that are not foreign.
func (l *library) add(paths []string) {
	for _, path := range paths {
		if path != "unsafe" && !foreign(path) {
			l.needed[path] = true
		}
	}
}

// foreign reports whether a path cannot be in the standard library, or is cgo.
func foreign(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return path == "C" || strings.Contains(first, ".")
}

// goList runs go list in a folder, as when the judge compiles: modules and cgo are
// off, so neither the folder nor the environment has an effect on it.
func goList(dir string, args ...string) (string, error) {
	c := exec.Command("go", append([]string{"list", "-e"}, args...)...)
	c.Env = append(os.Environ(), "GO111MODULE=off", "GOFLAGS=", "GOWORK=off", "GOTOOLCHAIN=local", "CGO_ENABLED=0", "GOOS=", "GOARCH=", "GOEXPERIMENT=")
	c.Dir = dir
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		err = fmt.Errorf("%w: %v %s", ErrNoTypes, err, bytes.TrimSpace(stderr.Bytes()))
	}
	return string(out), err
}

// load reads the needed packages and those that they import.
func (l *library) load() error {
	args := []string{"-deps", "-f", "{{.ImportPath}}\t{{.Dir}}\t{{join .GoFiles \"\t\"}}", "--"}
	list, err := goList(os.TempDir(), append(args, slices.Sorted(maps.Keys(l.needed))...)...)
	if err != nil {
		return err
	}
	l.packages = map[string]*types.Package{"unsafe": types.Unsafe}
	fset := token.NewFileSet()
	config := types.Config{Importer: l, IgnoreFuncBodies: true, FakeImportC: true, Error: func(error) {}}
	for line := range strings.Lines(list) { // what a package imports stands before it
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if len(fields) < 3 || fields[0] == "unsafe" {
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
		l.packages[fields[0]], _ = config.Check(fields[0], fset, files, nil)
	}
	return nil
}

// Import returns a package that has been loaded.
func (l *library) Import(path string) (*types.Package, error) {
	if p := l.packages[path]; p != nil {
		return p, nil
	}
	if p := l.packages["vendor/"+path]; p != nil { // imported in the library only
		return p, nil
	}
	return nil, errors.New("it is not in the standard library")
}
