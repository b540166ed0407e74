package lab

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"crucible/judge/internal/cli"
	"crucible/judge/problem"
)

// A line that was not written completely is removed, and the next one begins there.
func TestVerdictsAfterKill(t *testing.T) {
	name := filepath.Join(t.TempDir(), "out.jsonl")
	const first = `{"problem":"a","id":"1","language":"bash","verdict":"AC"}` + "\n"
	if err := os.WriteFile(name, []byte(first+`{"problem":"a","id":"2","lang`), 0o644); err != nil {
		t.Fatal(err)
	}
	v, err := openVerdicts(name)
	if err != nil {
		t.Fatal(err)
	}
	if len(v.known) != 1 || v.known["a\x001"] == nil {
		t.Errorf("it has %v: expected sample 1", v.known)
	}
	if err := v.add(&judgedSample{Problem: "a", ID: "2", Language: "bash", Verdict: "WA"}); err != nil {
		t.Fatal(err)
	}
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if want := first + `{"problem":"a","id":"2","language":"bash","verdict":"WA","cpu_ns":0,"passed":0,"cases":0}` + "\n"; err != nil || string(data) != want {
		t.Errorf("%v: %s: expected %s", err, data, want)
	}
}

// Answers of chats contain the program that is judged.
func TestProgramIn(t *testing.T) {
	for _, test := range []struct{ fact, text, program, language, removed string }{
		{"a program alone", "print(1)\n", "print(1)\n", "", ""},
		{"a program with quotes in it", "s = '```'\n# ```x\n", "s = '```'\n# ```x\n", "", ""},
		{"a fence", "Here it is:\n\n```python\nprint(1)\n```\nIt prints 1.", "print(1)\n", "python", "Markdown"},
		{"a fence without a language", "```\nprint(1)\n```", "print(1)\n", "", "Markdown"},
		{"CR at the ends of lines", "```cpp\r\nint x;\r\n```\r\n", "int x;\r\n", "cpp", "Markdown"},
		{"attributes", "```{.cpp .numberLines}\nint x;\n```\n", "int x;\n", "cpp", "Markdown"},
		{"a longer fence contains a shorter one", "````python\ns = '''\n```\n'''\n````\n", "s = '''\n```\n'''\n", "python", "Markdown"},
		{"tildes", "~~~go\npackage main\n~~~\n", "package main\n", "go", "Markdown"},
		{"the last attempt", "```python\nprint(0)\n```\nThat is wrong:\n```python\nprint(1)\n```\n", "print(1)\n", "python", "Markdown"},
		{"an example of the output after the program", "```python\nprint(1)\n```\nOutput:\n```\n1\n```\n", "print(1)\n", "python", "Markdown"},
		{"an answer that was cut", "```python\nprint(1)\nprint(2", "print(1)\nprint(2", "python", "Markdown"},
		{"reasoning", "<think>\n```python\nprint(0)\n```\n</think>\n\n```python\nprint(1)\n```", "print(1)\n", "python", "reasoning, Markdown"},
		{"reasoning whose start is in the prompt", "so 1.</think>\nprint(1)\n", "print(1)\n", "", "reasoning"},
		{"tokens", "<|im_start|>assistant\nprint(1)<|im_end|>\n", "print(1)", "", "tokens"},
		{"tags", "[PYTHON]\nprint(1)\n[/PYTHON]\nexample", "print(1)\n", "", "tags"},
		{"tags around a fence", "<answer>\n```python\nprint(1)\n```\n</answer>", "print(1)\n", "python", "tags, Markdown"},
		{"nothing", "", "", "", ""},
	} {
		program, language, removed := programIn(test.text)
		if program != test.program || language != test.language || removed != test.removed {
			t.Errorf("%s: %q of %q without %q, expected %q of %q without %q", test.fact, program, language, removed, test.program,
				test.language, test.removed)
		}
	}
}

// Data sets name languages in many ways.
func TestLanguageNames(t *testing.T) {
	var r sampleReader
	for name, code := range map[string]string{"python": "python3", "py": "python3", "Python3": "python3", "python 3.11": "python3",
		"python2.7": "python2", "py2": "python2", "c++17": "cpp", "C++": "cpp", "cpp": "cpp", "cpp20": "cpp", "GNU++17": "cpp",
		"c": "c", "C11": "c", "java": "java", "Java 21": "java", "Rust": "rust", "rs": "rust", "Go": "go", "golang": "go", "JavaScript": "javascript",
		"js": "javascript", "node.js": "javascript", "C#": "csharp", "kt": "kotlin", "f90": "fortran", "basic": "", "": "", "17": ""} {
		if got, err := r.code(name); got != code || (err == nil) != (code != "") {
			t.Errorf("%q is %q, %v: expected %q", name, got, err, code)
		}
	}
}

func TestReadSamples(t *testing.T) {
	for _, test := range []struct {
		fact, lines string
		reader      sampleReader
		want        string // problem/id/language/source of each, or the error
	}{
		{"the usual keys", `{"task_id": "sum", "completion": "x", "lang": "py"}`, sampleReader{}, "sum/1/python3/x"},
		{"ids that are numbers", `{"prompt_id": 7, "response": "x", "language": "go", "index": 3}`, sampleReader{}, "7/3/go/x"},
		{"the language of the fence", "{\"problem\": \"a\", \"solution\": \"```cpp\\nx\\n```\"}", sampleReader{}, "a/1/cpp/x\n"},
		{"the key before the fence", "{\"problem\": \"a\", \"solution\": \"```text\\nx\\n```\", \"lang\": \"c\"}", sampleReader{}, "a/1/c/x\n"},
		{"the flag after the fence", "{\"problem\": \"a\", \"solution\": \"```text\\nx\\n```\"}", sampleReader{language: "C++"}, "a/1/cpp/x\n"},
		{"verbatim", "{\"problem\": \"a\", \"solution\": \"```c\\nx\\n```\"}", sampleReader{language: "c", verbatim: true}, "a/1/c/```c\nx\n```"},
		{"several programs", `{"problem": "a", "completions": ["x", "y"], "lang": "c"}` + "\n" + `{"problem": "a", "id": "m", "completions": ["x", "y"], "lang": "c"}`,
			sampleReader{}, "a/1/c/x a/2/c/y a/m-1/c/x a/m-2/c/y"},
		{"other keys", `{"name": "a", "text": "x", "lang": "c", "problem": "b"}`, sampleReader{keys: []string{"problem=name", "source=text"}}, "a/1/c/x"},
		{"a key that is not there", `{"name": "a", "text": "x"}`, sampleReader{keys: []string{"problem=title"}},
			"f:1: no key for the problem: found name, text: expected title; --keys problem=KEY names another\nno key for the source"},
		{"a role that does not exist", `{}`, sampleReader{keys: []string{"text=title"}}, "--keys text=title: expected problem, source, language or id"},
		{"no language", `{"problem": "a", "source": "x"}`, sampleReader{}, "f:1: no language: found the keys problem, source: expected language or lang"},
		{"a source that is no text", `{"problem": "a", "source": {}, "lang": "c"}`, sampleReader{}, "f:1: source: {}: expected a text"},
		{"no problem", `{"problem": "", "source": "x", "lang": "c"}`, sampleReader{}, "f:1: the problem is empty"},
		{"no lines", " \n\n", sampleReader{}, "f: found no line: expected a program in each"},
	} {
		t.Chdir(t.TempDir())
		if err := os.WriteFile("f", []byte(test.lines), 0o644); err != nil {
			t.Fatal(err)
		}
		all, err := test.reader.read("f")
		var got []string
		for _, s := range all {
			got = append(got, s.Problem+"/"+s.ID+"/"+s.Language+"/"+s.Source)
		}
		if err != nil {
			got = []string{err.Error()}
		}
		if text := strings.Join(got, " "); text != test.want && (err == nil || !strings.HasPrefix(text, test.want)) {
			t.Errorf("%s: %q, expected %q", test.fact, text, test.want)
		}
	}
}

// Without a terminal, a line every 10 s says how far the call is.
func TestEvalProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said strings.Builder
		p := startProgress(&cli.Env{Stdout: io.Discard, Stderr: &said}, 3)
		p.add(&judgedSample{Verdict: problem.Accepted})
		time.Sleep(15 * time.Second)
		p.add(&judgedSample{Verdict: problem.WrongAnswer})
		p.add(&judgedSample{})
		time.Sleep(10 * time.Second)
		p.end()
		const want = "judge: 1 of 3 programs judged, 1 accepted\njudge: 3 of 3 programs judged, 1 accepted, 1 without a verdict\n"
		if said.String() != want {
			t.Errorf("said %q, expected %q", said.String(), want)
		}
	})
}
