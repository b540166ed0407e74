package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestFormat(t *testing.T) {
	var got bytes.Buffer
	if err := write(&got, []string{"cited", "inkala2012"}); err != nil {
		t.Fatal(err)
	}
	want := "" +
		"8........\n..36.....\n.7..9.2..\n" +
		".5...7...\n....457..\n...1...3.\n" +
		"..1....68\n..85...1.\n.9....4..\n"
	if got.String() != want {
		t.Errorf("write makes\n%s, want\n%s", &got, want)
	}
}

func TestMostPuzzles(t *testing.T) {
	var got bytes.Buffer
	err := write(&got, []string{"cited", "inkala2012", "bruteforce"})
	if err == nil || !strings.Contains(err.Error(), "want at most 1") {
		t.Errorf("write: %v, want it to refuse two", err)
	}
}
