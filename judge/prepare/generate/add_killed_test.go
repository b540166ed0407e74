package generate

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"crucible/judge/problem"
)

// addingTo is the environment variable that makes TestAddIsKilled add cases to a package
// until it is killed.
const addingTo = "CRUCIBLE_TEST_ADDING_TO"

// addedFiles are large enough that writing one takes several writes of a file system.
func addedFiles() map[string][]byte {
	return map[string][]byte{".in": bytes.Repeat([]byte("12345\n"), 50_000), ".ans": bytes.Repeat([]byte("67890\n"), 50_000)}
}

// A judge that is killed while it adds cases leaves complete files: an input has its
// answer, and generators.yaml declares only cases that exist.
func TestAddIsKilled(t *testing.T) {
	if dir := os.Getenv(addingTo); dir != "" {
		s, err := problem.Locate(dir)
		for err == nil {
			_, err = Add(s, Addition{Folder: "secret", Name: "new", Files: addedFiles(), History: []string{"why"}})
		}
		t.Fatal(err)
	}
	s := addPackage(t, "data:\n  secret:\n    data:\n      '1': {in: '1', ans: '1'}\n")
	added := 0
	for round := range 20 {
		child := exec.Command(os.Args[0], "-test.run=^TestAddIsKilled$")
		child.Env = append(os.Environ(), addingTo+"="+s.Path)
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		inputs := func() int {
			names, _ := filepath.Glob(filepath.Join(s.Path, "data/secret/new*.in"))
			return len(names)
		}
		for deadline := time.Now().Add(time.Minute); inputs() == added; time.Sleep(time.Duration(round) * 100 * time.Microsecond) {
			if time.Now().After(deadline) {
				t.Error("no case was added")
				break
			}
		}
		if err := child.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		child.Wait()
		added = inputs()
		checkAdded(t, s)
	}
}

func checkAdded(t *testing.T, s *problem.Source) {
	t.Helper()
	want := addedFiles()
	inputs, _ := filepath.Glob(filepath.Join(s.Path, "data/secret/new*.in"))
	for _, input := range inputs {
		for ext, data := range want {
			if got, err := os.ReadFile(strings.TrimSuffix(input, ".in") + ext); !bytes.Equal(got, data) {
				t.Errorf("%s: %d bytes of %s, expected %d: %v", filepath.Base(input), len(got), ext, len(data), err)
			}
		}
	}
	plan, err := ReadPlan(s)
	if err != nil {
		t.Fatal(err)
	}
	for i := range plan.cases {
		if name := plan.cases[i].name; problem.Absent(s, "data/"+name+".in") {
			t.Errorf("generators.yaml declares %s, which does not exist", name)
		}
	}
	if _, err := ReadPins(s); err != nil {
		t.Error(err)
	}
}
