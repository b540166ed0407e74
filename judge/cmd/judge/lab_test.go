package main

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"crucible/judge/internal/testkit"
	"crucible/judge/serve/blob"
)

// install builds programs of this repository in a folder.
func install(t *testing.T, dir string, programs ...string) {
	t.Helper()
	if testkit.Raced || testing.Short() {
		t.Skip("builds programs without the race detector")
	}
	args := []string{"build", "-o", dir + string(filepath.Separator)}
	for _, name := range programs {
		args = append(args, "crucible/judge/cmd/"+name)
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// call runs a program in a folder, and returns its exit status and what it printed.
func call(t *testing.T, dir string, env []string, program string, args ...string) (status int, out string) {
	t.Helper()
	c := exec.CommandContext(t.Context(), program, args...)
	c.Dir = dir
	c.Env = append(append(os.Environ(), "CRUCIBLE_HISTORY=off", "CRUCIBLE_SERVER=", "CRUCIBLE_CACHE="+testkit.Cache(t)), env...)
	var b bytes.Buffer
	c.Stdout, c.Stderr = &b, &b
	var exit *exec.ExitError
	if err := c.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), b.String()
}

// TestHandOver runs commands of judgelab by judge, installed in a folder with a space in its name.
func TestHandOver(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "two words")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	install(t, dir, "judge", "judgelab")
	work := t.TempDir()
	testkit.Lay(t, work, testkit.Pack(""))
	for name, data := range map[string]string{"token": "abc\n", "a.py": "", "samples.jsonl": `{"id":"1","problem":"a","lang":"python3","program":"print(1)"}`} {
		if err := os.WriteFile(filepath.Join(work, name), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	judge, judgelab := filepath.Join(dir, "judge"), filepath.Join(dir, "judgelab")
	if runtime.GOOS == "windows" {
		judge, judgelab = judge+".exe", judgelab+".exe"
	}
	token, bad := filepath.Join(work, "token"), filepath.Join(work, "problem.yaml")
	refuses := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		blob.NewProblem(http.StatusUnauthorized, "the token is unknown").Write(w)
	}))
	defer refuses.Close()
	at := " --on " + refuses.URL + " --token-file " + token
	for _, c := range []struct {
		args   string
		env    string
		status int
		out    string
	}{
		{"stats", "", 0, "problem"},
		{"bench --frob", "", 2, "judge: --frob: no such flag of judge bench"},
		{"--color never bench --frob", "", 2, "judge: --frob: no such flag of judge bench"},
		{"verify --frob", "", 2, "judge: --frob: no such flag of judge verify"},
		{"run --on http://localhost:1 --token-file " + token, "", 3, "localhost:1"},
		{"run" + at, "", 2, "401: the token is unknown"},
		{"bench" + at, "", 2, "401: the token is unknown"},
		{"workers" + at, "", 2, "401: the token is unknown"},
		{"submit a.py" + at, "", 2, "401: the token is unknown"},
		{"eval samples.jsonl" + at, "", 2, "401: the token is unknown"},
		{"run --token-file " + bad + " --on " + refuses.URL, "", 2, "problem.yaml: expected a token"},
		{"run --token-file " + token + " --html - --on ftp://x", "", 2, "ftp://x"},
		{"bench --help", "", 0, "judge bench [PROBLEM"},
		{"__complete bench --fix", "", 0, "--fixed-addresses\t"},
		{"stats", "CRUCIBLE_JUDGE_IDENTITY=other", 0, "problem"}, // judge replaces it
	} {
		status, out := call(t, work, []string{c.env}, judge, strings.Fields(c.args)...)
		if status != c.status || !strings.Contains(out, c.out) {
			t.Errorf("judge %s: exit status %d, %q; expected %d, %q", c.args, status, out, c.status, c.out)
		}
	}
	if status, out := call(t, work, []string{"CRUCIBLE_JUDGE_IDENTITY=other"}, judgelab, "stats"); status != 2 || !strings.Contains(out, "expected other, found ") {
		t.Errorf("a judge of other sources: exit status %d, %q; expected 2, and both identities", status, out)
	}

	// A stored call is not shown without what judge does not know of it.
	history := []string{"CRUCIBLE_HISTORY=" + t.TempDir()}
	if status, out := call(t, "../../..", history, judge, "bench", "--rounds", "1", "poj3740", "masks.go", "sample/1"); status != 0 {
		t.Fatalf("judge bench: exit status %d, %q", status, out)
	}
	if status, out := call(t, work, history, judge, "report"); status != 0 || !strings.Contains(out, "accepted/masks.go") {
		t.Errorf("the report of a measurement: exit status %d, %q", status, out)
	}
	hidden := judgelab + ".hidden"
	if err := os.Rename(judgelab, hidden); err != nil {
		t.Fatal(err)
	}
	if status, out := call(t, work, append(history, "PATH="), judge, "report"); status != 2 || !strings.Contains(out, "needs judgelab") {
		t.Errorf("the report of a measurement without judgelab: exit status %d, %q", status, out)
	}
	if err := os.Rename(hidden, judgelab); err != nil {
		t.Fatal(err)
	}

	// Another program of that name is not started, and none is found in the working folder.
	text, err := os.ReadFile(judge)
	if err == nil {
		err = os.WriteFile(judgelab, text, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	if status, out := call(t, work, nil, judge, "stats"); status != 2 || !strings.Contains(out, "expected the program of crucible/judge/cmd/judgelab") {
		t.Errorf("another program: exit status %d, %q", status, out)
	}
	if err := os.Remove(judgelab); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(work, filepath.Base(judgelab)), text, 0o755); err != nil {
		t.Fatal(err)
	}
	if status, out := call(t, work, []string{"PATH=."}, judge, "stats"); status != 2 || !strings.Contains(out, "needs judgelab") {
		t.Errorf("without judgelab: exit status %d, %q", status, out)
	}
	if status, out := call(t, work, nil, judge, "help", "bench"); status != 0 || !strings.Contains(out, "judge bench [PROBLEM") {
		t.Errorf("the help without judgelab: exit status %d, %q", status, out)
	}
}

// TestToolOfAnotherModule runs judge and judgelab by go tool in a module that has both in
// another file than go.mod.
func TestToolOfAnotherModule(t *testing.T) {
	testkit.InMatrix(t)
	if testkit.Raced || testing.Short() {
		t.Skip("builds programs without the race detector")
	}
	ours, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(ours, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(ours, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	// The versions are those of this module, so that nothing is downloaded.
	before, rest, _ := strings.Cut(string(mod), "\ntool (")
	_, requires, _ := strings.Cut(rest, "\n)\n")
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.org/contest\n\ngo 1.26\n",
		"tools.mod": strings.Replace(before, "module crucible", "module example.org/contest", 1) +
			"\n\ntool (\n\tcrucible/judge/cmd/judge\n\tcrucible/judge/cmd/judgelab\n)\n\nrequire crucible v0.0.0\n\nreplace crucible => " +
			ours + "\n" + requires,
		"tools.sum": string(sums),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	testkit.Lay(t, dir, testkit.Pack(""))
	env := []string{"GOFLAGS=-mod=mod", "GOWORK=off"}
	for _, c := range []struct{ command, out string }{{"stats", "problem"}, {"lang", "python3"}} {
		args := append([]string{"tool", "-modfile=tools.mod", "judge"}, strings.Fields(c.command)...)
		if status, out := call(t, dir, env, "go", args...); status != 0 || !strings.Contains(out, c.out) {
			t.Errorf("go %s: exit status %d, %q; expected 0, %q", strings.Join(args, " "), status, out, c.out)
		}
	}
}
