package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"crucible/judge/problem"
	"crucible/judge/record"
)

// startListening starts judge listen, and returns it with a function that sends a problem and
// returns the status and the text of the answer.
func startListening(t *testing.T, args ...string) (w *watched, send func(task string) string) {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	free.Close()
	w = startJudge(t, map[string]string{"template.sh": "# nothing yet\n"}, append([]string{"listen", "--port", fmt.Sprint(port)}, args...)...)
	w.await("^listening on http://localhost:", "")
	return w, func(task string) string {
		t.Helper()
		answer, err := http.Post(fmt.Sprintf("http://127.0.0.1:%d/", port), "application/json", strings.NewReader(task))
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, _ := io.ReadAll(answer.Body)
		return fmt.Sprintf("%d %s", answer.StatusCode, text)
	}
}

// TestListen sends problems to judge listen as the browser extension does.
func TestListen(t *testing.T) {
	w, send := startListening(t, "--template", "template.sh")
	const task = `{"name": "A. Sum", "group": "Site - Round 1", "url": "https://example.org/1", "timeLimit": 1500, "memoryLimit": 256,
		"tests": [{"input": "1 2\r\n", "output": "3"}, {"input": "4 5\n", "output": "9\n"}]}`
	if got := send(task); got != "200 " {
		t.Fatal(got)
	}
	w.await(`^A\. Sum: site-round-1/asum/asum\.sh, 2 samples$`, "")
	p, err := problem.OpenDir(filepath.Join(w.dir, "site-round-1", "asum"))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if len(p.Samples()) != 2 || p.Limits.Memory != 256<<20 || p.Limits.Time.Milliseconds() != 1500 {
		t.Errorf("%d samples, limits %+v", len(p.Samples()), p.Limits)
	}
	// Saving the program tests it.
	w.write("site-round-1/asum/asum.sh", "read a b; echo $((a + b + (a == 4)))\n")
	w.await(`AC   sample/1`, "")
	w.await(`WA   sample/2 .*got "10", expected "9"`, "")
	// A program that exists is kept.
	if got := send(task); got != "200 " {
		t.Fatal(got)
	}
	w.await(`^site-round-1/asum: exists already`, "")
	if text, err := os.ReadFile(filepath.Join(w.dir, "site-round-1/asum/asum.sh")); err != nil || !strings.HasPrefix(string(text), "read") {
		t.Errorf("the program is %q, error %v", text, err)
	}
	// Nothing that a page sends is written elsewhere.
	if got := send(`{"name": "../../x", "group": "/etc", "tests": [{"input": "1\n", "output": "1\n"}]}`); got != "200 " {
		t.Fatal(got)
	}
	w.await(`: etc/x/x\.sh, 1 sample$`, "")
	if got := send(`{"name": "B", "group": "Site", "interactive": true}`); got != "200 " {
		t.Fatal(got)
	}
	w.await(`^B: site/b/b\.sh, 0 samples, interactive`, "")
	if got := send(`{}`); !strings.HasPrefix(got, "400 expected the JSON") {
		t.Error(got)
	}
	w.interrupt()
	// Each test is a call that has ended.
	stored, err := record.Calls(w.history)
	if err != nil || len(stored) != 1 {
		t.Fatalf("the history has %d calls, error %v; expected 1", len(stored), err)
	}
	call, err := stored[0].Summary()
	if err != nil || call.State != record.Ended || call.End.Runs != 2 || call.End.Status != 1 {
		t.Errorf("the stored call is %q with %+v, error %v; expected the end of 2 runs", call.State, call.End, err)
	}
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), "crucible-samples-*")); err != nil || left != nil {
		t.Errorf("left: %v, error %v", left, err)
	}
}

// TestListenFolders sends problems whose names are alike, and problems again.
func TestListenFolders(t *testing.T) {
	w, send := startListening(t, "--template", "template.sh")
	problemOf := func(name, url, group string, tests ...string) string {
		var all []string
		for _, in := range tests {
			all = append(all, fmt.Sprintf(`{"input": %q, "output": %q}`, in, in))
		}
		return fmt.Sprintf(`{"name": %q, "url": %q, "group": %q, "tests": [%s]}`, name, url, group, strings.Join(all, ", "))
	}
	file := func(name string) string {
		data, err := os.ReadFile(filepath.Join(w.dir, name))
		if err != nil {
			return ""
		}
		return string(data)
	}
	w.write("site/ab3/notes.txt", "mine\n") // a folder made by hand
	w.write("taken", "a file\n")
	w.write("sum/problem.yaml", "name: Sum\n") // a package, not the folder of a contest
	for i, c := range []struct{ fact, task, line, file string }{
		{"a name with a sign", problemOf("A+B", "https://j.example/p/1000", "Site", "1\n"), "A.B: site/ab/ab.sh, 1 sample", "site/ab/data/sample/1.in"},
		{"another sign", problemOf("A-B", "https://j.example/p/1001", "Site", "2\n"), "A-B: site/ab-1001/ab-1001.sh, 1 sample", "site/ab-1001/data/sample/1.in"},
		{"another case", problemOf("a-b", "https://j.example/p/1002", "Site", "3\n"), "a-b: site/ab-1002/ab-1002.sh, 1 sample", "site/ab-1002/data/sample/1.in"},
		{"another query", problemOf("A-B", "https://j.example/p/1000?l=2", "Site", "4\n"), "A-B: site/ab-2/ab-2.sh, 1 sample", "site/ab-2/data/sample/1.in"},
		{"another fragment", problemOf("A B", "https://j.example/p/1000#2", "Site", "5\n"), "A B: site/ab-1000/ab-1000.sh, 1 sample", "site/ab-1000/data/sample/1.in"},
		{"another path", problemOf("A B", "https://j.example/p/1000/", "Site", "6\n"), "A B: site/ab-3/ab-3.sh, 1 sample", "site/ab-3/data/sample/1.in"},
		{"a folder made by hand", problemOf("AB3", "https://j.example/p/3", "Site", "1\n"), "AB3: site/ab3-3/ab3-3.sh, 1 sample", "site/ab3-3/data/sample/1.in"},
		{"other letters", problemOf("Простая задача", "https://j.example/?id=1", "Архив", "1\n"), "Простая задача: архив/простая-задача/простая-задача.sh, 1 sample", "архив/простая-задача/data/sample/1.in"},
		{"other words", problemOf("Сложная задача", "https://j.example/?id=2", "Архив", "2\n"), "Сложная задача: архив/сложная-задача/сложная-задача.sh, 1 sample", "архив/сложная-задача/data/sample/1.in"},
		{"the name of the contest is that of a file", problemOf("A", "https://j.example/4", "taken", "1\n"), "A: taken-2/a/a.sh, 1 sample", "taken-2/a/data/sample/1.in"},
		{"or of a package", problemOf("A", "https://j.example/5", "sum", "1\n"), "A: sum-2/a/a.sh, 1 sample", "sum-2/a/data/sample/1.in"},
		{"no address", problemOf("No", "", "Site", "1\n"), "No: site/no/no.sh, 1 sample", "site/no/data/sample/1.in"},
		{"no address, again", problemOf("No", "", "Site", "1\n"), "site/no: exists already, and is left as it is", "site/no/no.sh"},
		{"no address, another contest", problemOf("No", "", "Site 2", "1\n"), "No: site-2/no/no.sh, 1 sample", "site-2/no/no.sh"},
		{"again", problemOf("A+B", "https://j.example/p/1000", "Site", "1\r\n"), "site/ab: exists already, and is left as it is", "site/ab/ab.sh"},
		{"again in another contest", problemOf("A+B", "HTTPS://J.example/p/1000", "Practice", "1\n"), "site/ab: exists already, and is left as it is", "site/ab/ab.sh"},
		{"with more samples", problemOf("A+B", "https://j.example/p/1000", "Site", "1\n", "7\n", "8\n", "7\n"), "site/ab: exists already; new: sample/2, sample/3; all else is left as it is", "site/ab/data/sample/3.in"},
		{"with these again", problemOf("A+B", "https://j.example/p/1000", "Site", "8\n"), "site/ab: exists already, and is left as it is", "site/ab/ab.sh"},
		{"no samples yet", problemOf("Empty", "https://j.example/6", "Site"), "Empty: site/empty/empty.sh, 0 samples", "site/empty/.judge.json"},
		{"then samples", problemOf("Empty", "https://j.example/6", "Site", "1\n"), "site/empty: exists already; new: data, problem.yaml, submissions; all else is left as it is", "site/empty/data/sample/1.ans"},
	} {
		if got := send(c.task); got != "200 " {
			t.Errorf("%s: %s", c.fact, got)
		}
		w.await("^"+c.line+"$", "")
		if file(c.file) == "" {
			t.Errorf("%d %s: there is no %s", i, c.fact, c.file)
		}
	}
	if file("site/ab3/notes.txt") != "mine\n" || file("taken") != "a file\n" {
		t.Error("files made by hand have changed")
	}
	// A renamed folder is found, and what the user changed stays.
	if err := os.Rename(filepath.Join(w.dir, "site"), filepath.Join(w.dir, "round")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(w.dir, "round/ab"), filepath.Join(w.dir, "round/mine")); err != nil {
		t.Fatal(err)
	}
	w.write("round/mine/data/sample/1.ans", "changed\n")
	if got := send(problemOf("A+B", "https://j.example/p/1000", "Site", "1\n", "9\n")); got != "200 " {
		t.Error(got)
	}
	w.await("^round/mine: exists already; new: sample/4; all else is left as it is$", "")
	if file("round/mine/data/sample/1.ans") != "changed\n" {
		t.Error("an answer that the user changed has changed again")
	}
	w.interrupt()
}

// TestListenKeepsOrSays sends problems that cannot be kept.
func TestListenKeepsOrSays(t *testing.T) {
	w, send := startListening(t, "--template", "template.sh")
	const task = `{"name": "Sum", "url": "https://j.example/1", "group": "Site", "tests": [{"input": "1\n", "output": "1\n"}]}`
	if got := send(task); got != "200 " {
		t.Fatal(got)
	}
	// The samples are new, and the package has become unreadable.
	w.write("site/sum/problem.yaml", "limits: [\n")
	if err := os.RemoveAll(filepath.Join(w.dir, "site/sum/data")); err != nil {
		t.Fatal(err)
	}
	w.write("site/sum/data", "a file\n")
	if got := send(strings.ReplaceAll(task, `1\n`, `2\n`)); !strings.HasPrefix(got, "500 ") {
		t.Errorf("samples that cannot be written: %s", got)
	}
	// The extension does not show what the judge answers, so the terminal does.
	for _, c := range []struct{ key, want string }{
		{`"input": {"type": "file", "fileName": "sum.in"}`, `Sum: is not kept: input "file"`},
		{`"timeLimit": -1`, "Sum: is not kept: timeLimit: -1: expected a number"},
	} {
		if got := send(strings.Replace(task, `"group"`, c.key+`, "group"`, 1)); !strings.HasPrefix(got, "400 "+c.want) {
			t.Errorf("%s: %s", c.key, got)
		}
		w.await("^judge: "+c.want, "")
	}
	if os.Geteuid() != 0 {
		if err := os.Chmod(w.dir, 0o500); err != nil {
			t.Fatal(err)
		}
		got := send(strings.NewReplacer("Site", "Other", "example/1", "example/2").Replace(task))
		os.Chmod(w.dir, 0o700)
		if !strings.HasPrefix(got, "500 ") {
			t.Errorf("a folder that is read-only: %s", got)
		}
	}
	w.interrupt()
}

// TestListenOnce sends a contest of two problems to judge listen --once, which ends after it.
func TestListenOnce(t *testing.T) {
	w, send := startListening(t, "--once")
	const batch = `"batch": {"id": "x", "size": 3}`
	if got := send(`{"name": "F", ` + batch + `, "output": {"type": "file"}}`); !strings.HasPrefix(got, "400 ") {
		t.Fatal(got)
	}
	for i, name := range []string{"A", "B"} {
		task := fmt.Sprintf(`{"name": %q, "url": "https://j.example/%d", %s, "tests": [{"input": "1", "output": "1"}]}`,
			name, i, batch)
		if got := send(task); got != "200 " {
			t.Fatal(got)
		}
		w.await("^"+name+": problems/", "")
	}
	if err := w.cmd.Wait(); w.cmd.ProcessState.ExitCode() != 3 {
		t.Errorf("%v, expected exit status 3, because F is lost", err)
	}
}
