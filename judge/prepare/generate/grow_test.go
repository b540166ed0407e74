package generate

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"crucible/judge"
	"crucible/judge/internal/testkit"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// growing is a package whose generator and solution are those of madeUp.
func growing(t *testing.T, scale, generators string) fstest.MapFS {
	t.Helper()
	fsys := maps.Clone(testkit.Pack(""))
	for name := range fsys {
		if strings.HasPrefix(name, "submissions/") {
			delete(fsys, name)
		}
	}
	fsys["submissions/wrong_answer/none.sh"] = &fstest.MapFile{Data: []byte("true\n")}
	fsys["generators/gen.sh"] = &fstest.MapFile{Data: []byte("true\n")}
	fsys["submissions/accepted/sum.sh"] = &fstest.MapFile{Data: []byte("true\n")}
	if scale != "" {
		fsys[ScaleFile] = &fstest.MapFile{Data: []byte(scale)}
	}
	if generators != "" {
		fsys[planFile] = &fstest.MapFile{Data: []byte(generators)}
	}
	return fsys
}

func TestSeriesOfScaleYAML(t *testing.T) {
	fsys := growing(t, `
words:
  generate: gen.sh {n} {seed}
  n: words
  from: 16
  to: 4096
  factor: 1.5
plain:
  generate: gen.sh x{n}
`, "")
	all, err := Growths(fsys)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 2 {
		t.Fatalf("%+v; want two series", all)
	}
	first, second := all[0], all[1]
	if first.Name != "words" || first.Command != "gen.sh {n} {seed}" || first.Counts != "words" || first.From != 16 || first.To != 4096 || first.Factor != 1.5 {
		t.Errorf("the first is %+v", first)
	}
	if second.Name != "plain" || second.Counts != "" || second.From != 1 || second.To != 0 || second.Factor != 2 {
		t.Errorf("what is left out of the second: %+v", second)
	}
	if all, err := Growths(growing(t, "", "")); all != nil || err != nil {
		t.Errorf("without the file: %+v, %v", all, err)
	}
	if _, err := problem.Open(fsys); err != nil {
		t.Errorf("a package with the file is not opened: %v", err)
	}
}

func TestWhatIsWrongInScaleYAML(t *testing.T) {
	for _, tt := range []struct{ name, scale, want string }{
		{"nothing", "", "generators/scale.yaml:1:1: expected a map of series"},
		{"a list", "- a", "1:1: expected a map of series"},
		{"no command", "a:\n  from: 2", "2:3: series a: expected a map with the key generate"},
		{"a command alone", "a: gen.sh {n}", "1:4: series a: expected a map with the key generate"},
		{"no size in it", "a:\n  generate: gen.sh 5", "2:13: the command has no {n}"},
		{"a place that nothing is put in", "a:\n  generate: gen.sh {n} {m}", "2:13: {m} in the command: expected {n}"},
		{"an unknown key", "a:\n  generate: gen.sh {n}\n  form: 1", `3:3: unknown key "form": expected generate, n, from, to or factor`},
		{"from nothing", "a:\n  generate: gen.sh {n}\n  from: 0", "3:9: from 0: expected 1 to 2^53"},
		{"backwards", "a:\n  generate: gen.sh {n}\n  from: 9\n  to: 8", "4:7: to 8: expected at least from, 9"},
		{"no growth", "a:\n  generate: gen.sh {n}\n  factor: 1", "3:11: factor 1: expected more than 1"},
		{"a name for a path", "../a:\n  generate: gen.sh {n}", `1:1: series "../a": expected a name`},
	} {
		scale := tt.scale
		if scale == "" {
			scale = "\n"
		}
		if _, err := Growths(growing(t, scale, "")); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v; want %q", tt.name, err, tt.want)
		}
	}
}

func TestGrownCases(t *testing.T) {
	testkit.Needs(t, "bash") // to pretend with
	j := &judge.Judge{Runner: &madeUp{tries: make(map[string]int)}, Cache: t.TempDir()}
	defer j.Close()
	ctx := context.Background()
	text := func(c *problem.Case, ext string) string {
		f, err := c.Open(ext)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		data, err := io.ReadAll(f)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	prepare := func(command, generators string) (*Grower, error) {
		fsys := growing(t, "", generators)
		p, err := problem.Open(fsys)
		if err != nil {
			t.Fatal(err)
		}
		g, err := Grow(ctx, j, p, Growth{Command: command}, 7)
		if err == nil {
			t.Cleanup(func() { g.Close() })
		}
		return g, err
	}
	grow := func(command, generators string) *Grower {
		g, err := prepare(command, generators)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	g := grow("gen.sh {n} {seed}", "")
	a, err := g.Case(ctx, 64)
	if err != nil {
		t.Fatal(err)
	}
	b, err := g.Case(ctx, 128)
	if err != nil {
		t.Fatal(err)
	}
	if a.Name != "secret/n64" || !strings.HasPrefix(text(a, ".in"), "64 ") || text(a, ".ans") != "answer to "+text(a, ".in") {
		t.Errorf("%s: %q, %q; want the size, a seed, and the first accepted solution's answer", a.Name, text(a, ".in"), text(a, ".ans"))
	}
	if seedOf, of := strings.Fields(text(a, ".in"))[1], strings.Fields(text(b, ".in"))[1]; seedOf == of {
		t.Errorf("two sizes have one seed, %s", of)
	}
	again, err := grow("gen.sh {n} {seed}", "").Case(ctx, 64)
	if err != nil || text(again, ".in") != text(a, ".in") {
		t.Errorf("the same seed makes %q, and then %q, %v", text(a, ".in"), text(again, ".in"), err)
	}
	for _, tt := range []struct{ name, command, generators, want string }{
		{"a generator that fails: its command and reason", "gen.sh crash {n}", "", "--gen: secret/n5: gen.sh crash 5: exit status 1: no idea"},
		{"a solution that there is not", "gen.sh {n}", "solution: /submissions/accepted/none.c\ndata: {secret: {data: {a: gen.sh 1}}}", "--gen: secret/n5: solution /submissions/accepted/none.c: "},
	} {
		var defect *problem.Defect
		if _, err := grow(tt.command, tt.generators).Case(ctx, 5); !errors.As(err, &defect) || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v; want a defect %q", tt.name, err, tt.want)
		}
	}
	for _, tt := range []struct{ name, command, generators, want string }{
		{"one that there is not", "none {n}", "", "--gen: secret/n1: generator none: generators/none: is missing"},
		{"one whose extension is left out", "gen {n}", "", `--gen: secret/n1: generator gen: generators/gen: is missing (did you mean "gen.sh"?)`},
		{"one that is spelt otherwise", "gem.sh {n}", "", `--gen: secret/n1: generator gem.sh: generators/gem.sh: is missing (did you mean "gen.sh"?)`},
		{"one of those that generators.yaml names", "twins {n}", "generators: {twin: [gen.sh]}\ndata: {secret: {data: {a: gen.sh 1}}}", `--gen: secret/n1: generator twins: generators/twins: is missing (did you mean "twin"?)`},
		{"no size", "gen.sh", "", "--gen: the command has no {n}"},
		{"an unknown place", "gen.sh {n} {m}", "", "--gen: {m} in the command: expected {n}, {seed}"},
	} {
		var defect *problem.Defect
		if _, err := prepare(tt.command, tt.generators); !errors.As(err, &defect) || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v; want a defect %q before anything is made", tt.name, err, tt.want)
		}
	}
	var defect *problem.Defect
	if _, err := grow("gen.sh broken {n}", "").Case(ctx, 5); err == nil || errors.As(err, &defect) {
		t.Errorf("the judge's own failure is %v, want no defect", err)
	}
}

// The error of a case that is not complete in time names the slow steps.
func TestCasesThatAreNotFinished(t *testing.T) {
	testkit.Needs(t, "bash") // to pretend with
	p, err := problem.Open(growing(t, "", ""))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, hangs, want string // hangs is the end of the command that does not return
	}{
		{"the compiler", "-n gen.sh", "gen.sh was still being compiled"},
		{"the generator", "gen.sh 5", "gen.sh 5 was still making the input"},
		{"the solution", "sum.sh", "accepted/sum.sh was still making the answer"},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		j := &judge.Judge{Runner: hanging{&madeUp{tries: make(map[string]int)}, tt.hangs, cancel}, Cache: t.TempDir()}
		g, err := Grow(context.Background(), j, p, Growth{Command: "gen.sh {n}"}, 7)
		if err != nil {
			t.Fatal(err)
		}
		var e *UnfinishedError
		if _, err := g.Case(ctx, 5); !errors.As(err, &e) || !errors.Is(err, context.Canceled) || e.Doing != tt.want {
			t.Errorf("%s hangs: %v, %+v; want %q", tt.name, err, e, tt.want)
		}
		if err := errors.Join(g.Close(), j.Close()); err != nil {
			t.Error(err)
		}
	}
}

// A hanging runner runs a command until the test ends it.
type hanging struct {
	sandbox.Runner
	command string
	end     func()
}

func (h hanging) Run(ctx context.Context, c sandbox.Cmd) (sandbox.Outcome, error) {
	words := slices.Clone(c.Args)
	for i, word := range words {
		words[i] = filepath.Base(word)
	}
	if command := strings.Join(words, " "); strings.HasSuffix(command, " "+h.command) && (strings.Contains(h.command, "-n") || !strings.Contains(command, " -n ")) {
		h.end()
		return sandbox.Outcome{}, context.Cause(ctx)
	}
	return h.Runner.Run(ctx, c)
}

// The series of this repository's problems are valid, and their generators exist.
func TestSeriesOfThisRepository(t *testing.T) {
	sources, err := problem.Sources(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	series := 0
	for _, s := range sources {
		defer s.Close()
		all, err := Growths(s)
		if err != nil {
			t.Errorf("%s: %v", s.ID, err)
		}
		for _, g := range all {
			series++
			program, _, _ := strings.Cut(g.Command, " ")
			if _, err := fs.Stat(s, "generators/"+program); err != nil {
				t.Errorf("%s, series %s: %v", s.ID, g.Name, err)
			}
			if g.Counts == "" {
				t.Errorf("%s, series %s: does not say what n counts", s.ID, g.Name)
			}
		}
	}
	if series < 10 {
		t.Errorf("%d series, want some for each problem", series)
	}
}
