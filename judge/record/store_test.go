package record

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

func keyOf(program, input string) *judge.Key {
	return &judge.Key{Program: program, Input: input, Validators: []judge.KeyValidator{{Flags: []string{"a"}}}, Level: "box"}
}

func someRun() *judge.Run {
	score := 0.5
	return &judge.Run{
		Case: "secret/1", Verdict: problem.WrongAnswer, Why: "line 1", Outcome: sandbox.Outcome{CPU: time.Second, Memory: 5 << 20, Limits: sandbox.Limits{CPU: 2 * time.Second}},
		Stderr: "x\x00y\n", Multiplier: &score, Message: "wrong", Team: "try again",
	}
}

func TestStore(t *testing.T) {
	folder := t.TempDir()
	s := OpenStore(folder)
	k := keyOf("p", "i")
	if _, _, ok := s.Load(k); ok {
		t.Fatal("an empty store has a run")
	}
	want := someRun()
	s.Save(k, want)
	for _, s := range []*Store{s, OpenStore(folder)} {
		got, at, ok := s.Load(k)
		if !ok || time.Since(at) > time.Minute {
			t.Fatal("the run is not stored", at)
		}
		if diff := cmp.Diff(want.Outcome, got.Outcome); diff != "" || got.Verdict != want.Verdict || got.Stderr != want.Stderr || *got.Multiplier != 0.5 || got.Score != nil || got.Message != "wrong" || got.Team != "try again" {
			t.Errorf("%+v, want %+v", got, want)
		}
		for _, other := range []*judge.Key{keyOf("p", "j"), keyOf("q", "i")} {
			if _, _, ok := s.Load(other); ok {
				t.Errorf("%+v has the run of another key", other)
			}
		}
	}
	later := someRun()
	later.Verdict = problem.Accepted
	s.Save(k, later)
	if got, _, _ := OpenStore(folder).Load(k); got.Verdict != problem.Accepted {
		t.Errorf("the earlier run counts: %+v", got)
	}
	other := OpenStore(folder)
	other.judge = "another version"
	if _, _, ok := other.Load(k); ok {
		t.Error("another version of the judge uses the run")
	}
}

// files returns the files of a store.
func files(t *testing.T, folder string) []string {
	all, err := filepath.Glob(filepath.Join(folder, "*", "*"))
	if err != nil || len(all) == 0 {
		t.Fatalf("%q, %v", all, err)
	}
	return all
}

// Whatever happens to a file, a run is either the stored one or none.
func TestDamage(t *testing.T) {
	folder := t.TempDir()
	s := OpenStore(folder)
	for i := range 3 {
		s.Save(keyOf("p", fmt.Sprint(i)), someRun())
	}
	name := files(t, folder)[0]
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, text []byte, least int) {
		t.Helper()
		if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
		s, found := OpenStore(folder), 0
		for i := range 3 {
			if run, _, ok := s.Load(keyOf("p", fmt.Sprint(i))); ok {
				found++
				if run.Verdict != problem.WrongAnswer || run.Outcome.CPU != time.Second {
					t.Fatalf("%s: %+v", what, run)
				}
			}
		}
		if found < least {
			t.Errorf("%s: %d runs, want %d", what, found, least)
		}
		s.Save(keyOf("p", "new"), someRun())
		if _, _, ok := OpenStore(folder).Load(keyOf("p", "new")); !ok {
			t.Errorf("%s: nothing can be stored afterwards", what)
		}
	}
	check("unchanged", whole, 3)
	for n := range whole {
		if n%7 == 0 {
			check(fmt.Sprint("cut after ", n), whole[:n], 0)
		}
		if n%5 == 0 {
			changed := append([]byte(nil), whole...)
			changed[n] ^= 1
			check(fmt.Sprint("changed at ", n), changed, 1)
		}
	}
	check("zeros of a lost block", append(make([]byte, 4096), whole...), 2)
}

func TestConcurrentJudges(t *testing.T) {
	folder := t.TempDir()
	const judges, runs = 4, 50
	var wg sync.WaitGroup
	for i := range judges {
		wg.Go(func() {
			s := OpenStore(folder)
			for n := range runs {
				s.Save(keyOf("p", fmt.Sprint(i, n)), someRun())
			}
		})
	}
	wg.Wait()
	s := OpenStore(folder)
	for i := range judges {
		for n := range runs {
			if _, _, ok := s.Load(keyOf("p", fmt.Sprint(i, n))); !ok {
				t.Errorf("run %d of judge %d is lost", n, i)
			}
		}
	}
}

func TestUnusedFilesAreRemoved(t *testing.T) {
	folder := t.TempDir()
	s := OpenStore(folder)
	s.Save(keyOf("old", ""), someRun())
	old := files(t, folder)[0]
	s.Save(keyOf("new", ""), someRun())
	long := time.Now().Add(-unused - time.Hour)
	if err := os.Chtimes(old, long, long); err != nil {
		t.Fatal(err)
	}
	s = OpenStore(folder)
	if _, _, ok := s.Load(keyOf("old", "")); ok {
		t.Error("a file that was not used for long is kept")
	}
	if _, _, ok := s.Load(keyOf("new", "")); !ok {
		t.Error("a file that is used is removed")
	}
}

// A store in a folder that cannot be written to keeps nothing and disturbs nothing.
func TestFolderThatCannotBeWritten(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	s := OpenStore(filepath.Join(name, "below"))
	s.Save(keyOf("p", ""), someRun())
	if _, _, ok := OpenStore(filepath.Join(name, "below")).Load(keyOf("p", "")); ok {
		t.Error("a run is stored nowhere")
	}
}
