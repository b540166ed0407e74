package archive

import (
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

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
		Batch: Batch{"123e67c8-03c6-44a4-a3f9-5918533f9fb2", 1},
		Tests: []Test{{"5 0 6\n5 4 3 4 9\n", "5\n"}, {"4 2 0\n1 2 3 4\n", "6\n"}, {"5 1 1\n2 1 2 1 2\n", "3\n"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the example (-want +got):\n%s", diff)
	}
	if id, contest := first(got.Folders()), first(got.Contests()); id != "gcastledefense" || contest != "codeforces-educational-codeforces-round-40-rated-for-div-2" {
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
		{"a name too long", `{"name": "` + strings.Repeat("a", 3000) + `"}`, "name: found 3000 bytes, expected at most 2048"},
		{"an address too long", `{"name": "a", "url": "https://a/` + strings.Repeat("a", 3000) + `"}`, "url: found 3010 bytes"},
		{"a negative limit", `{"name": "a", "timeLimit": -1}`, "timeLimit: -1: expected a number from 0 to 86400000"},
		{"a limit without end", `{"name": "a", "memoryLimit": 1e300}`, "memoryLimit: 1e300"},
		{"a limit that is no number", `{"name": "a", "memoryLimit": "x"}`, "invalid syntax"},
		{"files", `{"name": "a", "input": {"type": "file", "fileName": "in.txt"}}`, `input "file"`},
	} {
		if got, err := Read(strings.NewReader(c.message)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, error %v, expected one with %q", c.fact, got, err, c.want)
		}
	}
}

func first(names iter.Seq[string]) string {
	for name := range names {
		return name
	}
	return ""
}

func TestNames(t *testing.T) {
	for _, c := range []struct{ name, url, folders, contest string }{
		{"../../etc/passwd", "", "etcpasswd etcpasswd-2", "etc-passwd"},
		{"/", "", "problem problem-2", "problems"},
		{"<script>alert(1)</script>", "", "scriptalert1script scriptalert1script-2", "script-alert-1-script"},
		{"A+B", "https://judge.example/problem/1000", "ab ab-1000 ab-2", "a-b"},
		{"A-B", "https://judge.example/problem/1001/", "ab ab-1001 ab-2", "a-b"},
		{"A. Sum", "https://judge.example/index.asp?main=task&id_task=7", "asum asum-7 asum-2", "a-sum"},
		{"两数之和", "https://www.luogu.com.cn/problem/P1001?x=1", "两数之和 两数之和-1", "两数之和"},
		{"Простая задача", "https://judge.example/1", "простая-задача простая-задача-1", "простая-задача"},
		{"Größe 2", "", "größe-2 größe-2-2", "größe-2"},
		{"Cafe\u0301", "", "caf\u00e9 caf\u00e9-2", "caf\u00e9"},
		{"हिन्दी", "", "हिन्दी", "हिन्दी"},
		{"???", "https://judge.example/problem/P-7?lang=en", "p7langen p7langen-en", "problems"},
		{"!!!", "javascript:alert(1)", "problem problem-2", "problems"},
		{"\u0301\u3164\ufe0f\u202e", "", "problem", "problems"},
		{".hidden", "", "hidden", "hidden"},
		{"-rf", "", "rf", "rf"},
		{`C:\\Windows\\x`, "", "cwindowsx", "c-windows-x"},
		{strings.Repeat("long ", 100), "", strings.Repeat("long", 16), strings.TrimSuffix(strings.Repeat("long-", 13)[:64], "-")},
		{strings.Repeat("長", 100), "", strings.Repeat("長", 42), strings.Repeat("長", 42)},
		{"a\nb\x1b[31m", "", "ab31m", "a-b-31m"},
		{"CON", "", "con1", "con1"},
		{"Com 1", "", "com11", "com-1"},
		{"LPT9", "", "lpt91", "lpt91"},
	} {
		message, _ := json.Marshal(map[string]string{"name": c.name, "url": c.url, "group": c.name})
		got, err := Read(strings.NewReader(string(message)))
		if err != nil {
			t.Errorf("%q: %v", c.name, err)
			continue
		}
		var names []string
		for name := range got.Folders() {
			if names = append(names, name); len(names) == len(strings.Fields(c.folders)) {
				break
			}
		}
		if folders := strings.Join(names, " "); folders != c.folders || first(got.Contests()) != c.contest {
			t.Errorf("%q: folders %q in %q, expected %q in %q", c.name, folders, first(got.Contests()), c.folders, c.contest)
		}
		if strings.ContainsAny(got.Name+got.Group, "\n\x1b") {
			t.Errorf("%q: name %q", c.name, got.Name)
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
		for _, name := range []string{first(task.Folders()), first(task.Contests())} {
			bad := strings.ContainsFunc(name, func(r rune) bool {
				return r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
			})
			if name == "" || len(name) > maxBytes || bad || strings.Trim(name, "-") != name || !utf8.ValidString(name) {
				t.Errorf("name of a folder: %q", name)
			}
		}
	})
}
