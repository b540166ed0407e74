package vet

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Imports finds imports that a judge does not have or does not permit.
var Imports = &analysis.Analyzer{
	Name: "imports",
	Doc: `find imports that a judge forbids

A judge compiles a submission without a network and usually without cgo, so only
the standard library can be imported. Programs run without a network and may not
start other programs, so packages that do this fail at run time; some judges refuse
them before that. Package syscall is reported if the program does more by it than read,
write and exit: judges that filter system calls refuse mmap, setrlimit, fork and the like.`,
	URL:              "https://pkg.go.dev/std",
	Run:              runImports,
	RunDespiteErrors: true,
}

// forbidden maps paths of the standard library, and the folders of paths below
// them, to the reason why a judge forbids them.
var forbidden = map[string]string{
	"C":           "cgo needs a C compiler, which judges do not run for Go",
	"embed":       "only source files are submitted, so there is nothing to embed",
	"log/syslog":  "programs run without a network and system services",
	"net":         "programs run without a network",
	"os/exec":     "programs may not start other programs",
	"os/signal":   "programs may not handle signals of the judge",
	"os/user":     "programs may not read the accounts of the judge's machine",
	"plugin":      "programs may not load code",
	"unsafe":      "judges that check submissions refuse it",
	"runtime/cgo": "cgo needs a C compiler, which judges do not run for Go",
	"expvar":      "programs run without a network",
	"crypto/tls":  "programs run without a network",
}

func runImports(pass *analysis.Pass) (any, error) {
	for _, file := range pass.Files {
		for _, spec := range file.Imports {
			path := pathOf(spec)
			first, _, _ := strings.Cut(path, "/")
			why := ""
			switch {
			case first == "." || first == "..":
				why = "relative imports do not compile"
			case strings.Contains(first, "."):
				if m := pass.Module; m == nil || path != m.Path && !strings.HasPrefix(path, m.Path+"/") {
					why = "it is not in the standard library, and a judge has no other modules"
				}
			default:
				for at := path; at != "." && why == ""; at = parentPath(at) {
					why = forbidden[at]
				}
			}
			if path == "syscall" {
				if name := refusedCall(pass.TypesInfo); name != "" {
					why = "programs may only read, write and exit, so " + name + " fails"
				}
			}
			if why != "" {
				pass.ReportRangef(spec, "a judge forbids import %q: %s", path, why)
			}
		}
	}
	return nil, nil
}

// refusedCall returns the first name of package syscall that a program uses, other than
// those to read, write and exit with their files and errors; "" if there is none.
func refusedCall(info *types.Info) (name string) {
	at := token.NoPos
	for id, obj := range info.Uses {
		if obj.Pkg() == nil || obj.Pkg().Path() != "syscall" || obj.Parent() != obj.Pkg().Scope() || at.IsValid() &&
			id.Pos() > at {
			continue
		}
		switch obj.Name() {
		case "Read", "Write", "Exit", "Stdin", "Stdout", "Stderr", "Errno":
			continue
		}
		if obj.Type().String() != "syscall.Errno" {
			at, name = id.Pos(), "syscall."+obj.Name()
		}
	}
	return name
}

// parentPath returns the path without its last element; "." if it has one.
func parentPath(path string) string {
	if i := strings.LastIndex(path, "/"); i >= 0 {
		return path[:i]
	}
	return "."
}
