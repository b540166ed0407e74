package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestFormat(t *testing.T) {
	var got bytes.Buffer
	if err := write(&got, []string{"cited", "inkala2012", "bruteforce"}); err != nil {
		t.Fatal(err)
	}
	want := "" +
		"8 ? ? ? ? ? ? ? ?\n? ? 3 6 ? ? ? ? ?\n? 7 ? ? 9 ? 2 ? ?\n" +
		"? 5 ? ? ? 7 ? ? ?\n? ? ? ? 4 5 7 ? ?\n? ? ? 1 ? ? ? 3 ?\n" +
		"? ? 1 ? ? ? ? 6 8\n? ? 8 5 ? ? ? 1 ?\n? 9 ? ? ? ? 4 ? ?\n" +
		"\n" +
		"? ? ? ? ? ? ? ? ?\n? ? ? ? ? 3 ? 8 5\n? ? 1 ? 2 ? ? ? ?\n" +
		"? ? ? 5 ? 7 ? ? ?\n? ? 4 ? ? ? 1 ? ?\n? 9 ? ? ? ? ? ? ?\n" +
		"5 ? ? ? ? ? ? 7 3\n? ? 2 ? 1 ? ? ? ?\n? ? ? ? 4 ? ? ? 9\n"
	if got.String() != want {
		t.Errorf("write makes\n%s, want\n%s", &got, want)
	}
}

func TestMostPuzzles(t *testing.T) {
	var got bytes.Buffer
	err := write(&got, []string{"complete", "201", "1"})
	if err == nil || !strings.Contains(err.Error(), "want at most 200") {
		t.Errorf("write: %v, want it to refuse 201", err)
	}
	if err := write(&got, []string{"-any", "complete", "201", "1"}); err != nil {
		t.Errorf("write with -any: %v", err)
	}
}

// Where a solution must be the only one, so must that of kind late be.
func TestLate(t *testing.T) {
	all, err := puzzlesOf("late", []string{"1", "1", "7"}, mostPuzzles)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range all {
		if !unique(g) {
			t.Errorf("%v has not exactly one solution", g)
		}
		if n := tries(g, fewestFirst(g), 1_000_000); n < 1_000_000 {
			t.Errorf("%v: %d tries in rows by blanks, want a million", g, n)
		}
	}
}
