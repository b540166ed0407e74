package main

import (
	"os"
	"path/filepath"
	"testing"
)

// Each file of invalid_input breaks one rule; all other cases are valid. This
// file is the same for every problem, which its folder tells.
func TestCommittedData(t *testing.T) {
	problem, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	data := filepath.Join("..", "..", "..", "..", "testdata", filepath.Base(problem))
	for _, dir := range []struct {
		name  string
		valid bool
	}{{"sample", true}, {"secret", true}, {"valid_output", true}, {"invalid_output", true}, {"invalid_input", false}} {
		files, err := filepath.Glob(filepath.Join(data, dir.name, "*.in"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no cases in %s (%v)", dir.name, err)
		}
		for _, name := range files {
			t.Run(dir.name+"/"+filepath.Base(name), func(t *testing.T) {
				f, err := os.Open(name)
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				if err := check(f); (err == nil) != dir.valid {
					t.Errorf("check: %v, want valid = %v", err, dir.valid)
				}
			})
		}
	}
}
