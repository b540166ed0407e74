package judge_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// arrows are the imports between our own packages, as ARCHITECTURE.md has
// them. A new arrow fails here by name until this map says so.
var arrows = map[string][]string{
	"judge":                      {"judge/build", "judge/check", "judge/ctd", "judge/internal/osfile", "judge/internal/text", "judge/language", "judge/problem", "judge/sandbox", "judge/units"},
	"judge/archive":              {"judge/check", "judge/generate", "judge/internal/osfile", "judge/internal/text", "judge/problem", "judge/units"},
	"judge/bench":                {"judge", "judge/generate", "judge/machine", "judge/problem", "judge/sandbox", "judge/stat", "judge/units"},
	"judge/build":                {"judge/internal/osfile", "judge/internal/text", "judge/language", "judge/problem", "judge/sandbox", "judge/units"},
	"judge/check":                nil,
	"judge/cmd/judge":            {"judge", "judge/archive", "judge/bench", "judge/build", "judge/check", "judge/generate", "judge/history", "judge/internal/text", "judge/language", "judge/machine", "judge/problem", "judge/report", "judge/stat", "judge/terminal", "judge/units", "judge/verify"},
	"judge/ctd":                  nil,
	"judge/generate":             {"judge", "judge/build", "judge/internal/osfile", "judge/internal/text", "judge/internal/yaml", "judge/language", "judge/problem", "judge/sandbox", "judge/units"},
	"judge/history":              {"judge/bench", "judge/problem", "judge/report", "judge/sandbox"},
	"judge/internal/osfile":      {"judge/units"},
	"judge/internal/testkit":     {"judge/sandbox"},
	"judge/internal/testproblem": {"judge/internal/testkit", "judge/problem", "judge/sandbox"},
	"judge/internal/text":        nil,
	"judge/internal/yaml":        nil,
	"judge/judgetest":            {"judge", "judge/problem", "judge/report", "judge/units"},
	"judge/language":             nil,
	"judge/machine":              nil,
	"judge/problem":              {"judge/check", "judge/internal/osfile", "judge/internal/text", "judge/internal/yaml", "judge/language", "judge/units"},
	"judge/report":               {"judge", "judge/bench", "judge/build", "judge/check", "judge/generate", "judge/language", "judge/machine", "judge/problem", "judge/sandbox", "judge/stat", "judge/terminal", "judge/units"},
	"judge/sandbox":              {"judge/sandbox/syscalls"},
	"judge/sandbox/syscalls":     nil,
	"judge/stat":                 nil,
	"judge/terminal":             nil,
	"judge/units":                nil,
	"judge/verify":               {"judge", "judge/generate", "judge/internal/text", "judge/problem", "judge/units"},
	"scripts/corpora.d":          {"judge/report"},
	"scripts/ladder":             {"judge", "judge/bench", "judge/machine", "judge/problem", "judge/units"},
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
				// A package travels alone, and a solution is pasted into a contest.
				if strings.Contains(strings.Split(i, "/")[0], ".") || strings.HasPrefix(i, "crucible/") {
					t.Errorf("%s imports %s; want the standard library only", name, i)
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
