package generate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"crucible/judge/problem"
)

// addPackage writes a package with a generators.yaml, unless that is empty.
func addPackage(t *testing.T, generators string) *problem.Source {
	dir := filepath.Join(t.TempDir(), "sum")
	for name, text := range map[string]string{
		"problem.yaml":                "problem_format_version: 2025-09\nname: Sum\nuuid: 8a3b0e52-33a7-4a3a-9d57-86bb5ab5d5a7\n",
		"data/secret/1.in":            "1\n",
		"data/secret/1.ans":           "1\n",
		"generators/generators.yaml":  generators,
		"generators/data.sha256":      "",
		"input_validators/v/v.ctd":    "INT(1, 9) NEWLINE EOF\n",
		"submissions/accepted/sum.py": "print(input())\n",
	} {
		if name == "generators/generators.yaml" && text == "" {
			continue
		}
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s, err := problem.Locate(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestAdd(t *testing.T) {
	const mapped = "# top\ndata:\n  secret:\n    data:\n      # one\n      '1': {in: '1', ans: '1'}\n\n# end\n"
	small := map[string][]byte{".in": []byte("  2\n\n  3\n"), ".ans": []byte("2\n")}
	for _, c := range []struct {
		fact   string
		before string
		files  map[string][]byte
		after  string // of generators.yaml; "" if there is none
		names  string // of the written files
		wrong  string // what the error contains
	}{
		{"a case of a map is added after the others", mapped, small,
			"# top\ndata:\n  secret:\n    data:\n      # one\n      '1': {in: '1', ans: '1'}\n      # why\n      new:\n        ans: |2\n          2\n        in: |2\n            2\n\n            3\n\n# end\n",
			"data/secret/new.ans data/secret/new.in generators/data.sha256 generators/generators.yaml", ""},
		{"a case of a list is the last one", "data:\n  secret:\n    data:\n    - a: {in: '1'}\n", small,
			"data:\n  secret:\n    data:\n    - a: {in: '1'}\n    # why\n    - new:\n        ans: |2\n          2\n        in: |2\n            2\n\n            3\n",
			"data/secret/2-new.ans data/secret/2-new.in generators/data.sha256 generators/generators.yaml", ""},
		{"a folder that is missing is added", "data:\n  sample:\n    data:\n      a: {in: '1'}\n", map[string][]byte{".in": []byte("2\n")},
			"data:\n  sample:\n    data:\n      a: {in: '1'}\n  secret:\n    data:\n      # why\n      new:\n        in: |2\n          2\n",
			"data/secret/new.in generators/data.sha256 generators/generators.yaml", ""},
		{"what follows the folder stays behind it", "data:\n  secret:\n    data:\n      a: {in: '1'}\n  invalid_input:\n    data:\n      b: {in: '0'}\nrandom_salt: x\n", map[string][]byte{".in": []byte("2\n")},
			"data:\n  secret:\n    data:\n      a: {in: '1'}\n      # why\n      new:\n        in: |2\n          2\n  invalid_input:\n    data:\n      b: {in: '0'}\nrandom_salt: x\n",
			"data/secret/new.in generators/data.sha256 generators/generators.yaml", ""},
		{"what is no text is copied from a file", mapped, map[string][]byte{".in": {0xff}},
			"# top\ndata:\n  secret:\n    data:\n      # one\n      '1': {in: '1', ans: '1'}\n      # why\n      new:\n        copy: stress/secret-new\n\n# end\n",
			"generators/stress/secret-new.in data/secret/new.in generators/data.sha256 generators/generators.yaml", ""},
		{"text without a line feed at its end is copied", mapped, map[string][]byte{".in": []byte("2")},
			"# top\ndata:\n  secret:\n    data:\n      # one\n      '1': {in: '1', ans: '1'}\n      # why\n      new:\n        copy: stress/secret-new\n\n# end\n",
			"generators/stress/secret-new.in data/secret/new.in generators/data.sha256 generators/generators.yaml", ""},
		{"a name that exists gets a number", strings.Replace(mapped, "'1'", "new", 1), map[string][]byte{".in": []byte("2\n")},
			"# top\ndata:\n  secret:\n    data:\n      # one\n      new: {in: '1', ans: '1'}\n      # why\n      new-2:\n        in: |2\n          2\n\n# end\n",
			"data/secret/new-2.in generators/data.sha256 generators/generators.yaml", ""},
		{"an empty answer is not added", mapped, map[string][]byte{".in": []byte("2\n"), ".ans": []byte(" \n")}, mapped, "", "secret/new is not added: empty answer"},
		{"a map in one line is left to the user", "data: {secret: {data: {a: {in: '1'}}}}\n", small, "data: {secret: {data: {a: {in: '1'}}}}\n", "",
			"so it is not modified: add to secret the case\n# why\nnew:\n  ans: |2"},
		{"without generators.yaml the history is the description", "", small, "", "data/secret/new.ans data/secret/new.yaml data/secret/new.in", ""},
	} {
		t.Run(c.fact, func(t *testing.T) {
			s := addPackage(t, c.before)
			names, err := Add(s, Addition{Folder: "secret", Name: "new", Files: c.files, History: []string{"why"}})
			if c.wrong == "" && err != nil || c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)) {
				t.Fatalf("error %v, expected %q", err, c.wrong)
			}
			if got := strings.Join(names, " "); got != c.names {
				t.Errorf("wrote %s, expected %s", got, c.names)
			}
			after, _ := os.ReadFile(filepath.Join(s.Path, "generators/generators.yaml"))
			if string(after) != c.after {
				t.Errorf("generators.yaml is\n%s\nexpected\n%s", after, c.after)
			}
			for _, name := range names {
				data, err := os.ReadFile(filepath.Join(s.Path, name))
				if err != nil {
					t.Error(err)
				}
				if want := c.files[filepath.Ext(name)]; strings.HasPrefix(name, "data/") && want != nil && string(data) != string(want) {
					t.Errorf("%s has %q, expected %q", name, data, want)
				}
			}
		})
	}
}
