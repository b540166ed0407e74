package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"crucible/judge"
)

// The table names files; those that are gone would be noticed only on the day
// that somebody measures.
func TestLaddersNameWhatExists(t *testing.T) {
	t.Chdir("../..")
	for _, l := range ladders {
		src, err := judge.Locate(filepath.Join("problems", l.problem))
		if err != nil {
			t.Error(err)
			continue
		}
		defer src.Close()
		p, err := judge.Open(src)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, name := range append([]string{l.base, l.model}, l.slow...) {
			if p.SubmissionNamed(name) == nil {
				t.Errorf("%s has no submission %s", l.problem, name)
			}
		}
		for _, s := range l.sets {
			if strings.ContainsAny(s.name, "/ ") || strings.Contains(s.args, "{") {
				t.Errorf("%s: set %q made by %q: want a file's name, and a number for the seed", l.problem, s.name, s.args)
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
	src, err := judge.Locate(filepath.Join("problems", l.problem))
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	p, err := judge.Open(withData{src, os.DirFS(dir)})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Cases) != 2 || setName(p.Cases[0].Name) != "b" || setName(p.Cases[1].Name) != "a" {
		t.Errorf("%d cases, want those given, in their order", len(p.Cases))
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
	for _, tt := range []struct {
		name    string
		base, c cell
		want    string
		spread  float64
	}{
		{"round by round, not median by median", ms(100, 200, 900), ms(10, 10, 90), "10.0x", 1},
		{"of an even number, the middle between two", ms(100, 300), ms(100, 100), "2.00x", 1},
		{"a base that ran once counts for every round", ms(20_000), ms(100, 100), "200x", 0},
		{"slower", ms(100), ms(400), "0.25x", 0},
		{"large", ms(123_456), ms(10), "12346x", 0},
		{"stopped, so a bound", ms(6000), stopped, "<0.10x", 0},
		{"wrong, so no figure", ms(100), wrong, "WA", 0},
	} {
		text, spread := show(&tt.base, &tt.c)
		if text != tt.want || spread != tt.spread {
			t.Errorf("%s: %s, %v apart; want %s, %v", tt.name, text, spread, tt.want, tt.spread)
		}
	}
}
