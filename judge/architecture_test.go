package judge_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/modfile"

	"crucible/judge/internal/testkit"
	"crucible/scripts/shape"
)

// arrows are the imports between the packages of this repository, as in
// ARCHITECTURE.md. The test names every import that is not in this map.
var arrows = map[string][]string{
	"judge": {
		"judge/build", "judge/check", "judge/check/ctd", "judge/internal/lazy", "judge/internal/osfile",
		"judge/language", "judge/problem", "judge/result", "judge/sandbox", "judge/terminal",
	},
	"judge/build": {
		"judge/internal/lazy", "judge/internal/osfile", "judge/language", "judge/problem", "judge/sandbox",
		"judge/terminal",
	},
	"judge/check":     nil,
	"judge/check/ctd": nil,
	"judge/cmd/judge": {"judge/internal/cli"},
	"judge/cmd/judged": {
		"judge", "judge/internal/cli", "judge/internal/osfile", "judge/language", "judge/measure/calibration",
		"judge/measure/machine", "judge/problem", "judge/record", "judge/serve/api", "judge/serve/blob",
		"judge/serve/client", "judge/serve/remote", "judge/serve/server", "judge/serve/server/page",
		"judge/serve/server/queue", "judge/serve/worker", "judge/terminal",
	},
	"judge/cmd/judgelab":     {"judge/internal/cli", "judge/internal/lab", "judge/measure/calibration"},
	"judge/cmd/judgevet":     {"judge/strength/vet"},
	"judge/internal/browser": nil,
	"judge/internal/cli": {
		"judge", "judge/build", "judge/check", "judge/internal/lazy", "judge/internal/osfile", "judge/language",
		"judge/measure/machine", "judge/prepare/archive", "judge/prepare/generate", "judge/problem",
		"judge/record", "judge/report", "judge/sandbox", "judge/terminal",
	},
	"judge/internal/lab": {
		"judge", "judge/internal/cli", "judge/internal/lazy", "judge/internal/osfile", "judge/language",
		"judge/measure/bench", "judge/measure/calibration", "judge/measure/stat", "judge/prepare/archive",
		"judge/prepare/archive/export", "judge/prepare/archive/foreign", "judge/prepare/generate",
		"judge/prepare/statement", "judge/prepare/verify", "judge/problem", "judge/record", "judge/report",
		"judge/report/html", "judge/report/sheet", "judge/sandbox", "judge/serve/api", "judge/serve/blob", "judge/serve/client",
		"judge/serve/remote", "judge/strength/adequacy", "judge/strength/stress", "judge/strength/vet",
		"judge/terminal",
	},
	"judge/internal/lazy":        nil,
	"judge/internal/osfile":      {"judge/terminal"},
	"judge/internal/testkit":     {"judge/sandbox", "judge/terminal"},
	"judge/internal/testnats":    nil,
	"judge/internal/testproblem": {"judge/internal/testkit", "judge/problem", "judge/sandbox"},
	"judge/internal/transcript":  {"judge", "judge/internal/cli", "judge/internal/testkit", "judge/sandbox"},
	"judge/internal/yaml":        {"judge/internal/lazy", "judge/terminal"},
	"judge/judgetest": {
		"judge", "judge/language", "judge/measure/machine", "judge/problem", "judge/record", "judge/sandbox",
		"judge/terminal",
	},
	"judge/language": {"judge/internal/lazy", "judge/internal/yaml", "judge/terminal"},
	"judge/measure/bench": {
		"judge", "judge/measure/machine", "judge/measure/stat", "judge/prepare/generate", "judge/problem",
		"judge/record", "judge/sandbox", "judge/terminal",
	},
	"judge/measure/calibration": {"judge/sandbox"},
	"judge/measure/machine":     nil,
	"judge/measure/stat":        nil,
	"judge/prepare/archive": {
		"judge/check", "judge/internal/lazy", "judge/internal/osfile", "judge/language", "judge/problem",
		"judge/terminal",
	},
	"judge/prepare/archive/export": {
		"judge/check", "judge/internal/lazy", "judge/internal/yaml", "judge/prepare/archive",
		"judge/prepare/archive/foreign", "judge/prepare/statement", "judge/problem", "judge/terminal",
	},
	"judge/prepare/archive/foreign": {
		"judge/internal/lazy", "judge/internal/yaml", "judge/prepare/archive", "judge/problem", "judge/terminal",
	},
	"judge/prepare/generate": {
		"judge", "judge/build", "judge/check", "judge/internal/lazy", "judge/internal/osfile",
		"judge/internal/yaml", "judge/problem", "judge/sandbox", "judge/terminal",
	},
	"judge/prepare/statement": {"judge/internal/lazy", "judge/problem", "judge/terminal"},
	"judge/prepare/verify": {
		"judge", "judge/check", "judge/internal/lazy", "judge/prepare/generate", "judge/problem", "judge/report",
		"judge/sandbox", "judge/strength/inputs", "judge/terminal",
	},
	"judge/problem": {
		"judge/check", "judge/internal/lazy", "judge/internal/osfile", "judge/internal/yaml", "judge/language",
		"judge/terminal",
	},
	"judge/record": {
		"judge", "judge/internal/lazy", "judge/internal/osfile", "judge/measure/machine", "judge/problem",
		"judge/sandbox", "judge/terminal",
	},
	"judge/report": {
		"judge", "judge/check", "judge/internal/lazy", "judge/problem", "judge/record", "judge/sandbox",
		"judge/terminal",
	},
	"judge/report/html": {
		"judge", "judge/internal/lazy", "judge/measure/bench", "judge/measure/stat", "judge/problem",
		"judge/record", "judge/report", "judge/report/sheet", "judge/sandbox", "judge/strength/adequacy",
		"judge/strength/stress", "judge/terminal",
	},
	"judge/report/sheet": {
		"judge/internal/lazy", "judge/language", "judge/measure/bench", "judge/measure/stat", "judge/problem",
		"judge/record", "judge/report", "judge/sandbox", "judge/strength/adequacy", "judge/strength/mutate",
		"judge/strength/stress", "judge/terminal",
	},
	"judge/result":           {"judge/problem", "judge/terminal"},
	"judge/sandbox":          {"judge/internal/osfile", "judge/sandbox/syscalls"},
	"judge/sandbox/syscalls": nil,
	"judge/serve/api":        {"judge/serve/blob"},
	"judge/serve/blob":       {"judge/internal/osfile", "judge/terminal"},
	"judge/serve/client":     {"judge/serve/api", "judge/serve/blob", "judge/serve/remote"},
	"judge/serve/remote": {
		"judge", "judge/build", "judge/internal/osfile", "judge/language", "judge/problem", "judge/record",
		"judge/result", "judge/sandbox", "judge/serve/blob", "judge/terminal",
	},
	"judge/serve/server": {
		"judge", "judge/internal/osfile", "judge/language", "judge/measure/stat",
		"judge/problem", "judge/record", "judge/serve/api", "judge/serve/blob", "judge/serve/remote", "judge/serve/server/queue", "judge/terminal",
	},
	"judge/serve/server/page": {
		"judge", "judge/internal/osfile", "judge/language", "judge/measure/bench", "judge/measure/stat",
		"judge/prepare/generate", "judge/prepare/statement", "judge/problem", "judge/record", "judge/report",
		"judge/report/html", "judge/report/sheet", "judge/result", "judge/serve/api", "judge/serve/blob",
		"judge/serve/remote", "judge/serve/server", "judge/strength/adequacy", "judge/terminal",
	},
	"judge/serve/server/queue": {"judge/internal/osfile"},
	"judge/serve/worker": {
		"judge", "judge/measure/calibration", "judge/problem", "judge/sandbox", "judge/serve/api",
		"judge/serve/blob", "judge/serve/remote",
	},
	"judge/strength/adequacy": {
		"judge", "judge/build", "judge/check", "judge/measure/stat", "judge/prepare/verify", "judge/problem",
		"judge/strength/mutate", "judge/strength/stress", "judge/terminal",
	},
	"judge/strength/inputs": {"judge", "judge/internal/lazy", "judge/problem"},
	"judge/strength/mutate": {"judge/internal/lazy", "judge/language"},
	"judge/strength/stress": {
		"judge", "judge/internal/lazy", "judge/prepare/generate", "judge/problem", "judge/strength/inputs",
		"judge/terminal",
	},
	"judge/strength/vet":      {"judge/internal/lazy"},
	"judge/terminal":          {"judge/internal/lazy"},
	"scripts/corpora.d":       {"judge/record"},
	"scripts/counterexamples": {"judge", "judge/problem"},
	"scripts/equal":           {"judge", "judge/record"},
	"scripts/faults": {
		"judge/record", "judge/serve/api", "judge/serve/blob", "judge/serve/client", "judge/serve/server/queue",
	},
	"scripts/ladder":   {"judge", "judge/measure/bench", "judge/measure/machine", "judge/problem", "judge/terminal"},
	"scripts/lines.d":  {"scripts/shape"},
	"scripts/loop":     {"judge/measure/bench", "judge/record"},
	"scripts/mutants":  {"judge/problem", "judge/record", "judge/strength/adequacy"},
	"scripts/overhead": {"judge/serve/api", "judge/serve/client"},
	"scripts/power":    {"judge/serve/api", "judge/serve/blob", "judge/serve/client"},
	"scripts/scale": {
		"judge", "judge/problem", "judge/sandbox", "judge/serve/api", "judge/serve/blob", "judge/serve/client",
		"judge/serve/remote", "judge/serve/server", "judge/serve/server/queue", "judge/serve/worker",
	},
	"scripts/shape":  nil,
	"scripts/stress": {"judge", "judge/problem", "judge/strength/stress"},
	"solutions":      nil,
}

func TestArrows(t *testing.T) {
	testkit.InMatrix(t)
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,Standard", "crucible/...").Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %v\n%s", err, exit.Stderr)
		}
		t.Skip("no go command:", err)
	}
	found := make(map[string][]string)
	decoder := json.NewDecoder(bytes.NewReader(out))
	for {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(p.ImportPath, "crucible/")
		if strings.HasPrefix(name, "problems/") || strings.HasPrefix(name, "solutions/") {
			for _, i := range p.Imports {
				// A package is used without this repository, and a solution is
				// submitted to contests.
				if strings.Contains(strings.Split(i, "/")[0], ".") || strings.HasPrefix(i, "crucible/") {
					t.Errorf("%s imports %s; expected the standard library only", name, i)
				}
			}
			continue
		}
		var ours []string
		for _, i := range p.Imports {
			if rest, ok := strings.CutPrefix(i, "crucible/"); ok {
				ours = append(ours, rest)
			}
		}
		slices.Sort(ours)
		found[name] = ours
	}
	if diff := cmp.Diff(arrows, found); diff != "" {
		t.Errorf("imports differ from the map (-map +go list):\n%s", diff)
	}
}

// mostFiles limits the files of a package in a group in which each file reaches all the
// others.
const mostFiles = 10

// TestModulesOfTests checks that go.mod has a separate block for modules that
// only tests import.
func TestModulesOfTests(t *testing.T) {
	// Packages transcript and browser are parts of tests.
	list := exec.Command("go", "list", "-f", `{{if not (or (eq .Name "transcript") (eq .Name "browser"))}}{{join .Imports "\n"}}{{end}}`, "crucible/...")
	list.Env = append(os.Environ(), "GOOS=linux")
	out, err := list.Output()
	if err != nil {
		t.Skip("no go command:", err)
	}
	imported := strings.Fields(string(out))
	text, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	// The lines of blocks under the comment.
	ofTests := make(map[*modfile.Line]bool)
	for _, s := range mod.Syntax.Stmt {
		if b, ok := s.(*modfile.LineBlock); ok && len(b.Before) > 0 && b.Before[0].Token == "// Imported by tests only." {
			for _, l := range b.Line {
				ofTests[l] = true
			}
		}
	}
	if len(ofTests) == 0 {
		t.Error("go.mod has no block of modules that are imported by tests only")
	}
	for _, r := range mod.Require {
		used := slices.ContainsFunc(imported, func(path string) bool { return strings.HasPrefix(path+"/", r.Mod.Path+"/") })
		if !r.Indirect && used == ofTests[r.Syntax] {
			t.Errorf("go.mod:%d: %s: imported outside tests: %v; in the block of modules that tests alone import: %v",
				r.Syntax.Start.Line, r.Mod.Path, used, used)
		}
	}
}

func TestShape(t *testing.T) {
	testkit.InMatrix(t)
	testkit.InOneGoroutine(t)
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command:", err)
	}
	measured, err := shape.Load(".", "crucible/judge/...", "crucible/scripts/...")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range measured {
		name := strings.TrimPrefix(p.Path, "crucible/")
		group := p.Files.Largest()
		if len(group) > mostFiles {
			t.Errorf("%s has %d files in a group in which each reaches all the others, expected at most %d: %s.\nNo group would have more than %d without these references:\n%s",
				name, len(group), mostFiles, strings.Join(group, " "), mostFiles, p.Files.Explain(p.Files.Splits(mostFiles)))
		}
	}
}

// TestLinked checks that judgelab, which is built before its first use, has no code of
// servers, and that judge, which go tool builds before a newcomer's first command, has nothing
// that takes long to build.
func TestLinked(t *testing.T) {
	testkit.InMatrix(t)
	for name, forbidden := range map[string][]string{
		"crucible/judge/cmd/judgelab": {"github.com/nats-io/", "crucible/judge/serve/server"},
		"crucible/judge/cmd/judge": {"crucible/judge/measure/stat", "crucible/judge/prepare/statement",
			"crucible/judge/prepare/verify", "crucible/judge/serve/", "crucible/judge/strength/", "github.com/dop251/",
			"golang.org/x/perf/", "golang.org/x/tools/", "gonum.org/", "html/template", "net/http",
			"debug/", "encoding/json", "go/ast", "image"},
	} {
		out, err := exec.Command("go", "list", "-deps", name).Output()
		if err != nil {
			t.Skip("no go command:", err)
		}
		for _, path := range strings.Fields(string(out)) {
			for _, no := range forbidden {
				if strings.HasPrefix(path, no) {
					t.Errorf("%s links %s", name, path)
				}
			}
		}
	}
}

// TestCopies checks that the generator of Sudokus is the same program in four problems but
// for the files that differ on purpose. A package must have its whole generator, because it
// is used without this repository, and links are lost in module zips and on Windows.
func TestCopies(t *testing.T) {
	testkit.InMatrix(t)
	own := []string{"README", "format.go", "format_test.go", "loose.go", "main_test.go"}
	read := func(id string) map[string]string {
		files := make(map[string]string)
		dir := os.DirFS("../problems/" + id + "/generators/sudoku")
		entries, err := fs.ReadDir(dir, ".")
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if text, err := fs.ReadFile(dir, e.Name()); err != nil {
				t.Error(err)
			} else if !slices.Contains(own, e.Name()) {
				files[e.Name()] = string(text)
			}
		}
		return files
	}
	original := read("poj3074")
	if len(original) < 10 {
		t.Errorf("poj3074: the generator has %d common files, expected more", len(original))
	}
	for _, id := range []string{"poj2676", "hdu1426", "leetcode37"} {
		if diff := cmp.Diff(original, read(id)); diff != "" {
			t.Errorf("generators/sudoku of poj3074 (-) and %s (+) differ: change all four\n%.3000s", id, diff)
		}
	}
}
