package main

import (
	"bytes"
	"strconv"
	"strings"
	"testing"
)

func TestFormat(t *testing.T) {
	var got bytes.Buffer
	if err := write(&got, []string{"cited", "inkala2012", "bruteforce"}); err != nil {
		t.Fatal(err)
	}
	want := "2\n" +
		"800000000\n003600000\n070090200\n050007000\n000045700\n000100030\n001000068\n008500010\n090000400\n" +
		"000000000\n000003085\n001020000\n000507000\n004000100\n090000000\n500000073\n002010000\n000040009\n"
	if got.String() != want {
		t.Errorf("write makes\n%s, want\n%s", &got, want)
	}
}

func TestMostPuzzles(t *testing.T) {
	var got bytes.Buffer
	err := write(&got, []string{"empty", strconv.Itoa(mostPuzzles + 1), "1"})
	if err == nil || !strings.Contains(err.Error(), "want at most 500") {
		t.Errorf("write: %v, want it to refuse so many", err)
	}
	if err := write(&got, []string{"-any", "empty", strconv.Itoa(mostPuzzles + 1), "1"}); err != nil {
		t.Errorf("write with -any: %v", err)
	}
}

// Each kind of this problem keeps what usage says of it.
func TestOwnKinds(t *testing.T) {
	for _, test := range []struct {
		kind, args, fact string
		holds            func(grid) bool
	}{
		{"empty", "3", "no givens", func(g grid) bool { return g == grid{} }},
		{"loose", "20 17", "17 givens", func(g grid) bool { return g.givens() == 17 }},
		{"looser", "50 3", "1 to 3 givens", func(g grid) bool { return 1 <= g.givens() && g.givens() <= 3 }},
		{"twofold", "5", "two solutions", func(g grid) bool { n, _ := solutions(g, 3); return n == 2 }},
		{"motley", "20", "a grid", func(grid) bool { return true }},
		{"late", "2 5", "one solution", unique},
		{"late", "2 5", "soon found row after row", func(g grid) bool { return tries(g, rowByRow(g), 300_000) < 300_000 }},
		{"late", "2 5", "late in rows by blanks", func(g grid) bool { return tries(g, fewestFirst(g), 5_000_000) == 5_000_000 }},
	} {
		t.Run(test.kind+"/"+test.fact, func(t *testing.T) {
			all, err := puzzlesOf(test.kind, append(strings.Fields(test.args), "1"), mostPuzzles)
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range all {
				if n, _ := solutions(g, 1); n == 0 {
					t.Errorf("%v has no solution", g)
				}
				if !test.holds(g) {
					t.Errorf("%v: want %s", g, test.fact)
				}
			}
		})
	}
}
