package judge_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
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
	"judge":                      {"judge/build", "judge/check", "judge/ctd", "judge/instructions", "judge/internal/osfile", "judge/internal/text", "judge/language", "judge/problem", "judge/result", "judge/sandbox", "judge/terminal", "judge/units"},
	"judge/adequacy":             {"judge", "judge/check", "judge/internal/text", "judge/mutate", "judge/probe", "judge/problem", "judge/stat", "judge/stress"},
	"judge/api":                  {"judge/blob"},
	"judge/archive":              {"judge/archive/export", "judge/archive/foreign", "judge/check", "judge/internal/osfile", "judge/internal/text", "judge/problem", "judge/units"},
	"judge/archive/domjudge":     {"judge/internal/text"},
	"judge/archive/export":       {"judge/archive/foreign", "judge/check", "judge/internal/yaml", "judge/problem", "judge/statement", "judge/units"},
	"judge/archive/foreign":      {"judge/internal/text", "judge/internal/yaml", "judge/problem"},
	"judge/bench":                {"judge", "judge/generate", "judge/machine", "judge/problem", "judge/sandbox", "judge/stat", "judge/units"},
	"judge/benchline":            {"judge/terminal"},
	"judge/blob":                 {"judge/internal/osfile", "judge/units"},
	"judge/build":                {"judge/internal/osfile", "judge/internal/text", "judge/language", "judge/problem", "judge/sandbox", "judge/units"},
	"judge/calibration":          {"judge/sandbox", "judge/stat"},
	"judge/check":                nil,
	"judge/class":                {"judge/stat"},
	"judge/client":               {"judge/api", "judge/blob", "judge/remote"},
	"judge/cmd/judge":            {"judge", "judge/adequacy", "judge/api", "judge/archive", "judge/bench", "judge/build", "judge/calibration", "judge/check", "judge/client", "judge/cmd/judge/eval", "judge/cmd/judge/packages", "judge/cmd/judge/setup", "judge/cmd/judge/show", "judge/cmd/judge/strength", "judge/companion", "judge/generate", "judge/glob", "judge/history", "judge/instructions", "judge/internal/command", "judge/internal/display", "judge/internal/osfile", "judge/internal/recording", "judge/internal/selection", "judge/internal/text", "judge/language", "judge/machine", "judge/probe", "judge/problem", "judge/record", "judge/report", "judge/report/sheet", "judge/sandbox", "judge/stat", "judge/terminal", "judge/units", "judge/verify"},
	"judge/cmd/judge/eval":       {"judge", "judge/api", "judge/client", "judge/internal/command", "judge/internal/selection", "judge/language", "judge/problem", "judge/stat", "judge/terminal", "judge/units"},
	"judge/cmd/judge/packages":   {"judge/archive", "judge/archive/domjudge", "judge/archive/export", "judge/archive/foreign", "judge/internal/command", "judge/internal/osfile", "judge/internal/selection", "judge/internal/text", "judge/problem", "judge/terminal", "judge/units"},
	"judge/cmd/judge/setup":      {"judge/archive", "judge/internal/command", "judge/internal/osfile", "judge/internal/selection", "judge/internal/text", "judge/problem", "judge/terminal"},
	"judge/cmd/judge/show":       {"judge", "judge/generate", "judge/internal/command", "judge/internal/osfile", "judge/internal/selection", "judge/problem", "judge/statement", "judge/terminal", "judge/units"},
	"judge/cmd/judge/strength":   {"judge", "judge/adequacy", "judge/generate", "judge/internal/command", "judge/internal/display", "judge/internal/osfile", "judge/internal/recording", "judge/internal/selection", "judge/internal/text", "judge/problem", "judge/record", "judge/stress", "judge/terminal", "judge/units", "judge/vet", "judge/vet/driver", "judge/vet/library"},
	"judge/cmd/judged":           {"judge", "judge/api", "judge/blob", "judge/calibration", "judge/client", "judge/history", "judge/internal/command", "judge/internal/osfile", "judge/language", "judge/machine", "judge/page", "judge/problem", "judge/queue", "judge/reuse", "judge/server", "judge/terminal", "judge/units", "judge/worker"},
	"judge/cmd/judgevet":         {"judge/vet"},
	"judge/companion":            nil,
	"judge/ctd":                  nil,
	"judge/generate":             {"judge", "judge/build", "judge/check", "judge/glob", "judge/internal/osfile", "judge/internal/text", "judge/internal/yaml", "judge/language", "judge/problem", "judge/sandbox", "judge/units"},
	"judge/glob":                 nil,
	"judge/history":              {"judge", "judge/adequacy", "judge/bench", "judge/internal/osfile", "judge/problem", "judge/record", "judge/report", "judge/sandbox"},
	"judge/instructions":         {"judge/internal/osfile", "judge/sandbox"},
	"judge/internal/browser":     nil,
	"judge/internal/command":     {"judge", "judge/api", "judge/bench", "judge/calibration", "judge/client", "judge/history", "judge/instructions", "judge/internal/display", "judge/internal/osfile", "judge/internal/recording", "judge/internal/selection", "judge/internal/text", "judge/language", "judge/machine", "judge/problem", "judge/record", "judge/remote", "judge/report", "judge/report/html", "judge/reuse", "judge/sandbox", "judge/terminal", "judge/units"},
	"judge/internal/display":     {"judge", "judge/check", "judge/problem", "judge/record", "judge/report", "judge/terminal", "judge/units"},
	"judge/internal/osfile":      {"judge/units"},
	"judge/internal/recording":   {"judge", "judge/bench", "judge/history", "judge/internal/selection", "judge/language", "judge/problem", "judge/record"},
	"judge/internal/selection":   {"judge/glob", "judge/internal/text", "judge/language", "judge/problem", "judge/terminal"},
	"judge/internal/testkit":     {"judge/sandbox", "judge/units"},
	"judge/internal/transcript":  {"judge", "judge/instructions", "judge/internal/command", "judge/internal/testkit", "judge/sandbox"},
	"judge/internal/testproblem": {"judge/internal/testkit", "judge/problem", "judge/sandbox"},
	"judge/internal/text":        {"judge/terminal", "judge/units"},
	"judge/internal/yaml":        {"judge/internal/text", "judge/terminal"},
	"judge/judgetest":            {"judge", "judge/benchline", "judge/language", "judge/machine", "judge/problem", "judge/sandbox", "judge/terminal", "judge/units"},
	"judge/language":             {"judge/internal/text", "judge/internal/yaml"},
	"judge/machine":              nil,
	"judge/mutate":               {"judge/language", "judge/vet/library"},
	"judge/page":                 {"judge", "judge/api", "judge/bench", "judge/blob", "judge/generate", "judge/history", "judge/internal/osfile", "judge/internal/recording", "judge/internal/text", "judge/language", "judge/problem", "judge/record", "judge/report", "judge/report/html", "judge/report/sheet", "judge/stat", "judge/statement", "judge/terminal", "judge/units"},
	"judge/probe":                {"judge", "judge/problem", "judge/sandbox", "judge/terminal"},
	"judge/problem":              {"judge/check", "judge/glob", "judge/internal/osfile", "judge/internal/text", "judge/internal/yaml", "judge/language", "judge/units"},
	"judge/queue":                {"judge/internal/osfile"},
	"judge/record":               {"judge", "judge/adequacy", "judge/bench", "judge/calibration", "judge/internal/text", "judge/machine", "judge/problem", "judge/sandbox", "judge/stat", "judge/stress"},
	"judge/remote":               {"judge", "judge/blob", "judge/build", "judge/internal/osfile", "judge/language", "judge/problem", "judge/record", "judge/result", "judge/sandbox", "judge/units"},
	"judge/report":               {"judge", "judge/bench", "judge/benchline", "judge/check", "judge/internal/text", "judge/problem", "judge/record", "judge/report/sheet", "judge/sandbox", "judge/stat", "judge/terminal", "judge/units"},
	"judge/report/html":          {"judge", "judge/adequacy", "judge/bench", "judge/problem", "judge/record", "judge/report", "judge/report/sheet", "judge/sandbox", "judge/stat", "judge/terminal", "judge/units"},
	"judge/report/sheet":         {"judge/adequacy", "judge/bench", "judge/language", "judge/mutate", "judge/probe", "judge/problem", "judge/stat", "judge/stress", "judge/terminal", "judge/units"},
	"judge/result":               {"judge/glob", "judge/problem", "judge/units"},
	"judge/reuse":                {"judge", "judge/internal/osfile", "judge/record"},
	"judge/sandbox":              {"judge/sandbox/folders", "judge/sandbox/syscalls"},
	"judge/sandbox/folders":      nil,
	"judge/sandbox/syscalls":     nil,
	"judge/server":               {"judge", "judge/api", "judge/blob", "judge/class", "judge/internal/osfile", "judge/internal/text", "judge/language", "judge/problem", "judge/queue", "judge/record", "judge/remote", "judge/units"},
	"judge/stat":                 nil,
	"judge/statement":            {"judge/internal/text", "judge/problem", "judge/units"},
	"judge/stress":               {"judge", "judge/generate", "judge/problem"},
	"judge/terminal":             nil,
	"judge/units":                nil,
	"judge/verify":               {"judge", "judge/check", "judge/generate", "judge/internal/text", "judge/probe", "judge/problem", "judge/statement", "judge/units"},
	"judge/vet":                  {"judge/vet/edit", "judge/vet/imports", "judge/vet/source", "judge/vet/syntax"},
	"judge/vet/driver":           {"judge/vet/library"},
	"judge/vet/edit":             nil,
	"judge/vet/imports":          {"judge/vet/edit"},
	"judge/vet/library":          nil,
	"judge/vet/limits":           nil,
	"judge/vet/source":           {"judge/vet/limits", "judge/vet/syntax"},
	"judge/vet/syntax":           nil,
	"judge/worker":               {"judge", "judge/api", "judge/blob", "judge/calibration", "judge/queue", "judge/remote", "judge/sandbox"},
	"scripts/corpora.d":          {"judge/record"},
	"scripts/counterexamples":    {"judge", "judge/problem"},
	"scripts/equal":              {"judge", "judge/record"},
	"scripts/faults":             {"judge/api", "judge/client", "judge/queue", "judge/record"},
	"scripts/ladder":             {"judge", "judge/bench", "judge/glob", "judge/machine", "judge/problem", "judge/units"},
	"scripts/lines.d":            {"scripts/shape"},
	"scripts/loop":               {"judge/record"},
	"scripts/mutants":            {"judge/adequacy", "judge/problem", "judge/record"},
	"scripts/overhead":           {"judge/api", "judge/client"},
	"scripts/scale":              {"judge", "judge/blob", "judge/problem", "judge/queue", "judge/remote", "judge/sandbox", "judge/worker"},
	"scripts/shape":              nil,
	"scripts/stress":             {"judge", "judge/problem", "judge/stress"},
}

func TestArrows(t *testing.T) {
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
	// Package transcript is a part of tests.
	list := exec.Command("go", "list", "-f", `{{if ne .Name "transcript"}}{{join .Imports "\n"}}{{end}}`, "crucible/...")
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

// TestLinked checks that judge, which is built before its first use, has no code of
// servers.
func TestLinked(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "crucible/judge/cmd/judge").Output()
	if err != nil {
		t.Skip("no go command:", err)
	}
	for _, path := range strings.Fields(string(out)) {
		for _, no := range []string{"github.com/nats-io/", "github.com/prometheus/", "crucible/judge/queue", "crucible/judge/server"} {
			if strings.HasPrefix(path, no) {
				t.Errorf("judge links %s: expected that only judged does", path)
			}
		}
	}
}
