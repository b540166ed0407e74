package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The folder of a server whose data has another form is refused, not taken for an empty one.
func TestFormOfFolder(t *testing.T) {
	dir := t.TempDir()
	for range 2 { // a new one, and that again
		if err := checkForm(dir); err != nil {
			t.Error(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "key"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	refused := func(what string) {
		t.Helper()
		if err := checkForm(dir); err == nil || !strings.Contains(err.Error(), dir+": the data of another version") {
			t.Errorf("%s: %v: expected a refusal", what, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "form"), []byte("99\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused("a later form")
	if err := os.Remove(filepath.Join(dir, "form")); err != nil {
		t.Fatal(err)
	}
	refused("a folder of before there were forms")
}
