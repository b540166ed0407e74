package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"crucible/judge/problem"
)

// TestLaddersNameWhatExists checks that the files named in the table exist.
// Otherwise a missing file would be noticed only at the next measurement.
func TestLaddersNameWhatExists(t *testing.T) {
	t.Chdir("../..")
	for _, l := range ladders {
		p, err := problem.OpenDir(filepath.Join("problems", l.problem))
		if err != nil {
			t.Error(err)
			continue
		}
		defer p.Close()
		for _, name := range append([]string{l.base, l.model}, l.slow...) {
			if p.SubmissionNamed(name) == nil {
				t.Errorf("%s has no submission %s", l.problem, name)
			}
		}
		if !strings.HasSuffix(l.model, ".go") {
			t.Errorf("%s: model %s: expected one Go file", l.problem, l.model)
		}
		for _, s := range l.sets {
			if !setNames.MatchString(s.name) || strings.Contains(s.args, "{") {
				t.Errorf("%s: set %q made by %q: expected a file's name, and a number for the seed", l.problem, s.name, s.args)
			}
		}
		if _, err := os.Stat(filepath.Join("problems", l.problem, "generators", l.generator, "main.go")); err != nil {
			t.Error(err)
		}
	}
}

func TestGivenInputsBecomeCases(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a solution")
	}
	t.Chdir("../..")
	l := ladders[0]
	dir := t.TempDir()
	given := filepath.Join(dir, "one.txt")
	grid := "1.....23.84.5.27.9.3..9.6...72..359.36.....2.5....4.76..3426...6.....98....9...63\n"
	if err := os.WriteFile(given, []byte(grid+"end\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(dir, "data", "secret")
	if err := os.MkdirAll(data, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := l.lay(context.Background(), files{{"b", given}, {"a", given}}, dir, data); err != nil {
		t.Fatal(err)
	}
	src, err := problem.Locate(filepath.Join("problems", l.problem))
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	p, err := problem.Open(withData{src, os.DirFS(dir)})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Cases) != 2 || setName(p.Cases[0].Name) != "b" || setName(p.Cases[1].Name) != "a" {
		t.Errorf("%d cases, expected those given, in their order", len(p.Cases))
	}
	answer, err := os.ReadFile(filepath.Join(data, "01-b.ans"))
	if want := "159647238846532719237198645472863591361759824598214376983426157614375982725981463\n"; err != nil || string(answer) != want {
		t.Errorf("the answer is %q, %v", answer, err)
	}
}

func TestRatios(t *testing.T) {
	ms := func(n ...int) (c cell) {
		for _, n := range n {
			c.times = append(c.times, time.Duration(n)*time.Millisecond)
		}
		return c
	}
	stopped, wrong := ms(60_000), ms(5)
	stopped.beyond, wrong.why = true, "WA"
	var never cell
	for _, tt := range []struct {
		name    string
		base, c cell
		want    string
		spread  float64
	}{
		{"round by round, not median by median", ms(100, 200, 900), ms(10, 10, 90), "10.0x", 1},
		{"of an even number, the middle between two", ms(100, 300), ms(100, 100), "2.00x", 1},
		{"a slow program ran in the first round only", ms(100, 900), ms(10_000), "0.01x", 0},
		{"slower", ms(100), ms(400), "0.25x", 0},
		{"large", ms(123_456), ms(10), "12346x", 0},
		{"stopped, so a bound", ms(6000), stopped, "<0.10x", 0},
		{"a base that was stopped gives a bound, too", stopped, ms(1000, 10), ">60.0x", 0},
		{"both stopped", stopped, stopped, "-", 0},
		{"wrong, so no figure", ms(100), wrong, "WA", 0},
		{"a base that is wrong", wrong, ms(100), "-", 0},
		{"never run", ms(100), never, "-", 0},
	} {
		text, spread := show(&tt.base, &tt.c)
		if text != tt.want || spread != tt.spread {
			t.Errorf("%s: %s, %v apart; expected %s, %v", tt.name, text, spread, tt.want, tt.spread)
		}
	}
}

func TestRowsThatHaveNoFigureComeLast(t *testing.T) {
	ms := func(n int) cell { return cell{times: []time.Duration{time.Duration(n) * time.Millisecond}} }
	wrong := ms(1)
	wrong.why = "WA"
	table := &table{sets: []string{"one", "two"}, remarks: []string{"half on two: WA: line 1"}, rows: []row{
		{name: "base", cells: []cell{ms(100), ms(400)}, memory: 1 << 20},
		{name: "half", cells: []cell{ms(1), wrong}, memory: 1 << 20},
		{name: "slow", cells: []cell{ms(200), ms(800)}, memory: 1 << 20},
		{name: "fast", cells: []cell{ms(10), ms(10)}, memory: 1 << 20},
		{name: "rare", cells: make([]cell, 2), skipped: "no compiler"},
	}}
	var out strings.Builder
	table.print(&out, "problem")
	want := `
  problem        one     two  memory
  fast         10.0x   40.0x   1 MiB
  base         1.00x   1.00x   1 MiB
  slow         0.50x   0.50x   1 MiB
  half          100x      WA   1 MiB
  base takes  100 ms  400 ms
half on two: WA: line 1
rare: skipped: no compiler
`
	if got := out.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestOptionsThatAreRefused(t *testing.T) {
	for _, tt := range []struct {
		name string
		o    options
		want string
	}{
		{"no rounds", options{only: "*/*"}, "-rounds 0: expected at least 1"},
		{"a problem without a ladder", options{rounds: 1, only: "*/*", problems: []string{"sum"}}, "sum: no ladder of that name"},
		{"a malformed glob", options{rounds: 1, only: "[x"}, `-only "[x": syntax error in pattern`},
		{"a base for several problems", options{rounds: 1, only: "*/*", base: "x.c"}, "-base and -data apply to one problem: expected its name, found 0 names"},
	} {
		if _, err := tt.o.choose(); err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v; expected %s", tt.name, err, tt.want)
		}
	}
	var f files
	for _, s := range []string{"x", "=f", "x=", "a/b=f", "..=f", "a b=f"} {
		if err := f.Set(s); err == nil {
			t.Errorf("-data %s is taken", s)
		}
	}
}

func TestTablesReplaceTheBlock(t *testing.T) {
	file := filepath.Join(t.TempDir(), "README.md")
	if err := os.WriteFile(file, []byte("before\n\n```\nold\n```\n\nafter\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := writeTables(file, []byte("new\n\n  table\n")); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(file)
	if want := "before\n\n```\nnew\n\n  table\n```\n\nafter\n"; err != nil || string(got) != want {
		t.Errorf("%q, %v; expected %q", got, err, want)
	}
	if err := os.WriteFile(file, []byte("no block\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := writeTables(file, nil); err == nil || !strings.Contains(err.Error(), "has no block") {
		t.Errorf("without a block: %v", err)
	}
}
