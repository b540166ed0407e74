package check

import (
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkDefaultFiles compares the files a and b in the folder
// $CRUCIBLE_BENCH_FILES. scripts/bench compares the same files with cmp.
func BenchmarkDefaultFiles(b *testing.B) {
	dir := os.Getenv("CRUCIBLE_BENCH_FILES")
	if dir == "" {
		b.Skip("CRUCIBLE_BENCH_FILES names no folder; scripts/bench validator does")
	}
	rules, err := ParseRules(nil)
	if err != nil {
		b.Fatal(err)
	}
	open := func(name string) *os.File {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			b.Fatal(err)
		}
		return f
	}
	for b.Loop() {
		answer, output := open("a"), open("b")
		if info, err := output.Stat(); err == nil {
			b.SetBytes(info.Size())
		}
		found, err := rules.Check(Case{Answer: answer, Output: output})
		if err != nil || !found.OK {
			b.Fatal(found.Why, err)
		}
		answer.Close()
		output.Close()
	}
}
