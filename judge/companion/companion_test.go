package companion

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The example of the extension's README.
const example = `{
    "name": "G. Castle Defense",
    "group": "Codeforces - Educational Codeforces Round 40 (Rated for Div. 2)",
    "url": "https://codeforces.com/problemset/problem/954/G",
    "interactive": false,
    "memoryLimit": 256,
    "timeLimit": 1500,
    "tests": [
        {"input": "5 0 6\n5 4 3 4 9\n", "output": "5\n"},
        {"input": "4 2 0\n1 2 3 4\n", "output": "6\n"},
        {"input": "5 1 1\n2 1 2 1 2\n", "output": "3\n"}
    ],
    "testType": "single",
    "input": {"type": "stdin"},
    "output": {"type": "stdout"},
    "languages": {"java": {"mainClass": "Main", "taskClass": "GCastleDefense"}},
    "batch": {"id": "123e67c8-03c6-44a4-a3f9-5918533f9fb2", "size": 1}
}`

func TestRead(t *testing.T) {
	got, err := Read(strings.NewReader(example))
	if err != nil {
		t.Fatal(err)
	}
	want := &Task{
		Name: "G. Castle Defense", Group: "Codeforces - Educational Codeforces Round 40 (Rated for Div. 2)",
		URL: "https://codeforces.com/problemset/problem/954/G", TimeLimit: 1500 * time.Millisecond, Memory: 256,
		Tests: []Test{{"5 0 6\n5 4 3 4 9\n", "5\n"}, {"4 2 0\n1 2 3 4\n", "6\n"}, {"5 1 1\n2 1 2 1 2\n", "3\n"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the example (-want +got):\n%s", diff)
	}
	if id, contest := got.ID(), got.Contest(); id != "gcastledefense" || contest != "codeforces-educational-codeforces-round-40-rated-for-div-2" {
		t.Errorf("id %q in %q", id, contest)
	}
}

func TestReadRefuses(t *testing.T) {
	long := func(n int) string {
		tests, _ := json.Marshal(make([]Test, n))
		return fmt.Sprintf(`{"name": "a", "tests": %s}`, tests)
	}
	for _, c := range []struct{ fact, message, want string }{
		{"no JSON", "hello", "expected the JSON of Competitive Companion: invalid character"},
		{"another JSON", `{"title": "a"}`, `found no "name"`},
		{"a list", `[1]`, "cannot unmarshal array"},
		{"too many tests", long(1001), "tests: found 1001, expected at most 1000"},
		{"a million tests", long(1_000_000), "tests: found 1000000"},
		{"too long", `{"name": "` + strings.Repeat("a", maxBody) + `"}`, "more than 64 MiB"},
		{"a negative limit", `{"name": "a", "timeLimit": -1}`, "timeLimit: -1: expected a number from 0 to 86400000"},
		{"a limit without end", `{"name": "a", "memoryLimit": 1e300}`, "memoryLimit: 1e300"},
		{"a limit that is no number", `{"name": "a", "memoryLimit": "x"}`, "invalid number literal"},
		{"files", `{"name": "a", "input": {"type": "file", "fileName": "in.txt"}}`, `input "file"`},
	} {
		if got, err := Read(strings.NewReader(c.message)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, error %v, expected one with %q", c.fact, got, err, c.want)
		}
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct{ name, url, id string }{
		{"../../etc/passwd", "", "etcpasswd"},
		{"/", "", "problem"},
		{"<script>alert(1)</script>", "", "scriptalert1script"},
		{"两数之和", "https://www.luogu.com.cn/problem/P1001?x=1", "p1001"},
		{"两数之和", "javascript:alert(1)", "problem"},
		{strings.Repeat("long ", 100), "", strings.Repeat("long", 16)},
		{"a\nb\x1b[31m", "", "ab31m"},
		{"CON", "", "con"},
	} {
		message, _ := json.Marshal(map[string]string{"name": c.name, "url": c.url, "group": c.name})
		got, err := Read(strings.NewReader(string(message)))
		if err != nil {
			t.Errorf("%q: %v", c.name, err)
			continue
		}
		if got.ID() != c.id {
			t.Errorf("%q: id %q, expected %q", c.name, got.ID(), c.id)
		}
		if bad := strings.Trim(got.Contest(), "abcdefghijklmnopqrstuvwxyz0123456789-"); bad != "" || len(got.Contest()) > maxName {
			t.Errorf("%q: contest %q", c.name, got.Contest())
		}
		if strings.ContainsAny(got.Name+got.Group, "\n\x1b") {
			t.Errorf("%q: name %q", c.name, got.Name)
		}
	}
}

func TestHandler(t *testing.T) {
	var received []string
	h := Handler(func(one *Task) error {
		if one.Name == "full" {
			return fmt.Errorf("disk full")
		}
		received = append(received, one.Name)
		return nil
	})
	for _, c := range []struct {
		fact                               string
		method, path, host, origin, format string
		body                               string
		status                             int
	}{
		{"the extension", "POST", "/", "localhost:10043", "chrome-extension://cjnmckjndlpiamhfimnnjmnckgghkjbl", "application/json", example, 200},
		{"Firefox, by address", "POST", "/", "127.0.0.1:10043", "moz-extension://1", "application/json; charset=utf-8", example, 200},
		{"curl", "POST", "/", "[::1]:10043", "", "application/json", example, 200},
		{"a page", "POST", "/", "localhost:10043", "https://evil.example", "application/json", example, 403},
		{"a page in a sandbox", "POST", "/", "localhost:10043", "null", "application/json", example, 403},
		{"a page that sends a form", "POST", "/", "localhost:10043", "", "text/plain", example, 415},
		{"a name that leads here", "POST", "/", "evil.example:10043", "", "application/json", example, 403},
		{"a question before", "OPTIONS", "/", "localhost:10043", "", "", "", 405},
		{"a browser", "GET", "/", "localhost:10043", "", "", "", 405},
		{"another path", "POST", "/x", "localhost:10043", "", "application/json", example, 404},
		{"no task", "POST", "/", "localhost:10043", "", "application/json", "{}", 400},
		{"a task that cannot be written", "POST", "/", "localhost:10043", "", "application/json", `{"name": "full"}`, 500},
	} {
		r := httptest.NewRequest(c.method, "http://"+c.host+c.path, strings.NewReader(c.body))
		r.Header.Set("Origin", c.origin)
		r.Header.Set("Content-Type", c.format)
		w := httptest.NewRecorder()
		before := len(received)
		h.ServeHTTP(w, r)
		if w.Code != c.status || (len(received) > before) != (c.status == http.StatusOK) {
			t.Errorf("%s: status %d (%s), expected %d", c.fact, w.Code, w.Body, c.status)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(example)
	f.Add(`{"name": "../..", "url": "file:///etc/passwd", "timeLimit": 1e-3, "tests": null}`)
	f.Fuzz(func(t *testing.T, message string) {
		task, err := Read(strings.NewReader(message))
		if err != nil {
			return
		}
		for _, name := range []string{task.ID(), task.Contest()} {
			if name == "" || len(name) > maxName || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
				t.Errorf("name of a folder: %q", name)
			}
		}
	})
}
