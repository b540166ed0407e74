package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"crucible/judge/internal/testkit"
	"crucible/judge/serve/api"
	"crucible/judge/serve/client"
)

// packed returns a folder as a zip.
func packed(t *testing.T, dir string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	if err := z.AddFS(os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The client reaches all of a server: problems of its folder and of zips, judgements,
// events, executions.
func TestClient(t *testing.T) {
	t.Parallel()
	testkit.Needs(t, "bash")
	dir := write(t)
	s := newServer(t, filepath.Dir(dir))
	c, err := client.New(s.url, s.token)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	if all, err := c.Problems(ctx); err != nil || len(all) != 1 || all[0].ID != "echo" {
		t.Errorf("problems: %v, %v: expected echo", all, err)
	}
	r := &api.Request{Problem: "echo", Language: "bash", Sources: map[string]string{"a.sh": "cat"}, Wait: 60}
	g, err := c.Judge(ctx, r, "key")
	if err != nil || g.Verdict != "AC" {
		t.Fatalf("%+v, %v: expected AC", g, err)
	}
	if same, err := c.Judge(ctx, r, "key"); err != nil || same.ID != g.ID {
		t.Errorf("%+v, %v: expected %s", same, err, g.ID)
	}
	runs := 0
	end, err := c.Events(ctx, g.ID, 1, func(json.RawMessage) error { runs++; return nil })
	if err != nil || runs != 2 || end.Verdict != "AC" {
		t.Errorf("events after the first: %d runs, %+v, %v: expected 2 and AC", runs, end, err)
	}
	p, err := c.PutPackage(ctx, packed(t, dir))
	if err != nil || p.TimeLimit != 2 {
		t.Fatalf("%+v, %v: expected a time limit of 2 s", p, err)
	}
	r.Problem, r.Sources["a.sh"] = p.Digest, "echo 1"
	if g, err := c.Judge(ctx, r, ""); err != nil || g.Verdict != "WA" {
		t.Errorf("a package that was sent: %+v, %v: expected WA", g, err)
	}
	if again, err := c.Problem(ctx, p.Digest); err != nil || len(again.Cases) != 3 {
		t.Errorf("%+v, %v: expected 3 cases", again, err)
	}
	r.Sources["a.sh"], r.Wait = "sleep 60", 0
	if g, err = c.Judge(ctx, r, ""); err != nil || g.Ended != nil {
		t.Fatalf("%+v, %v: expected one that has not ended", g, err)
	}
	if now, err := c.Judgement(ctx, g.ID); err != nil || now.Ended != nil {
		t.Errorf("%+v, %v: expected one that has not ended", now, err)
	}
	if now, err := c.Cancel(ctx, g.ID); err != nil || now.State != api.Cancelled {
		t.Errorf("%+v, %v: expected cancelled", now, err)
	}
	done, err := c.Execute(ctx, &api.Execution{Language: "bash", Sources: map[string]string{"a.sh": "rev"}, Stdin: "abc\n"})
	if err != nil || done.Stdout != "cba\n" || done.Sandbox == "" || done.Worker == "" {
		t.Errorf("%+v, %v: expected cba, a worker and its sandbox", done, err)
	}
}

// Judge eval prints the same with a server as without one, and goes on with the rest.
func TestEvalOn(t *testing.T) {
	t.Parallel()
	testkit.Needs(t, "bash")
	dir := write(t)
	s := newServer(t, filepath.Dir(dir))
	file := filepath.Join(t.TempDir(), "samples.jsonl")
	var lines strings.Builder
	for i, source := range []string{"cat", "echo 1", "exit 1", "cat", "read -r a; echo $a"} {
		line, _ := json.Marshal(map[string]string{"problem": "echo", "language": "bash", "source": source, "id": string(rune('a' + i))})
		lines.Write(append(line, '\n'))
	}
	if err := os.WriteFile(file, []byte(lines.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out.jsonl")
	env := []string{"CRUCIBLE_TOKEN=" + s.token}
	got, complaint, status := ask(t, env, "eval", file, "--on", s.url, "-k", "1,2", "--out", out)
	want := "problem  judged  accepted  pass@1  pass@2\necho     5       3         60.0 %  90.0 %\n"
	if status != 0 || !strings.HasPrefix(got, want) || progress.ReplaceAllString(complaint, "") != "" {
		t.Errorf("status %d, %s: %s: expected %s", status, complaint, got, want)
	}
	again, complaint, status := ask(t, env, "eval", file, "--on", s.url, "-k", "1,2", "--out", out)
	if status != 0 || again != got || !strings.Contains(complaint, "5 of 5 programs have a verdict") {
		t.Errorf("again: status %d, %s: %s: expected %s", status, complaint, again, got)
	}
}

// Judge submit waits for the verdict, whose reason it prints.
func TestSubmit(t *testing.T) {
	t.Parallel()
	testkit.Needs(t, "bash")
	testkit.Needs(t, "gcc")
	dir := t.TempDir()
	tokens := filepath.Join(dir, "tokens")
	if err := os.WriteFile(tokens, []byte("sam student sam-0123456789abcdef\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newServer(t, "--tokens", tokens, filepath.Dir(write(t)))
	env := []string{"CRUCIBLE_TOKEN=" + s.token}
	for _, test := range []struct {
		name, text, problem string
		status              int
		out, complaint      string // regular expressions
	}{
		{"echo.sh", "cat\n", "", 0, `^AC  [0-9]+ of [0-9]+ tests? passed  slowest .* of CPU on .*\n$`, "^$"},
		{"a.sh", "echo 1 2 3\n", "echo", 1, `^WA  [0-9]+ of [0-9]+ tests? passed  slowest .*\nWA on [a-z]+/[^ ]+: .*\n$`, "^$"},
		{"a.c", "int main(void) { return x; }\n", "echo", 1, `^CE\n(?s:.*)a\.c.*(?s:.*)undeclared`, "^$"},
		{"other.sh", "cat\n", "", 2, "^$", "^judge: .*other"},
		{"a.pdf", "cat\n", "echo", 2, "^$", "^judge: .*language"},
		{"b.sh", "\xff", "echo", 2, "^$", "^judge: .*b.sh: found bytes that are not UTF-8"},
	} {
		file := filepath.Join(dir, test.name)
		if err := os.WriteFile(file, []byte(test.text), 0o644); err != nil {
			t.Fatal(err)
		}
		args := []string{"submit", file, "--on", s.url}
		if test.problem != "" {
			args = append(args, "--problem", test.problem)
		}
		out, complaint, status := ask(t, env, args...)
		if status != test.status || !matches(test.out, out) || !matches(test.complaint, complaint) {
			t.Errorf("judge submit %s: status %d, %q, %q: expected status %d, %q, %q", test.name, status, out, complaint,
				test.status, test.out, test.complaint)
		}
	}
	none := filepath.Join(dir, "none.py")
	if out, complaint, status := ask(t, env, "submit", none, "--on", s.url); status != 2 || out != "" || strings.Count(complaint, "none.py: no such file") != 1 {
		t.Errorf("no file: status %d, %q, %q: expected one error and status 2", status, out, complaint)
	}
	student := filepath.Join(dir, "student.sh")
	if err := os.WriteFile(student, []byte("read -r x; [ $x = 1 ] && echo 1 || echo $x $x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	shown, why, code := ask(t, []string{"CRUCIBLE_TOKEN=sam-0123456789abcdef"}, "submit", student, "--problem", "echo", "--on", s.url)
	if code != 1 || !matches(`^WA  1 of [0-9]+ tests passed  slowest .*\nWA on test 2\n$`, shown) {
		t.Errorf("a student: status %d, %s, %s", code, shown, why)
	}
	folder := filepath.Join(dir, "echo")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"main.c": "#include \"a.h\"\nint main(void) { for (int c; (c = getchar()) != EOF;) putchar(c); }\n", "a.h": "#include <stdio.h>\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out, complaint, status := ask(t, env, "submit", folder, "--on", s.url, "--json")
	if status != 0 || !strings.Contains(out, `"verdict": "AC"`) {
		t.Errorf("a folder: status %d, %s, %s", status, out, complaint)
	}
	if out, complaint, status = ask(t, env, "submit", folder, "--on", "http://127.0.0.1:1"); status != 3 || !strings.Contains(complaint, "no server at http://127.0.0.1:1") {
		t.Errorf("no server: status %d, %s, %s", status, out, complaint)
	}
}

func matches(pattern, text string) bool { return regexp.MustCompile(pattern).MatchString(text) }
