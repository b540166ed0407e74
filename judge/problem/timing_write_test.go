package problem

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestSetTimeLimit(t *testing.T) {
	for _, c := range []struct {
		name, before, after string // after is "" if the edit is an error
	}{
		{"a number for a number", "name: x\nlimits:\n  time_limit: 1\n  memory: 64\n", "name: x\nlimits:\n  time_limit: 3\n  memory: 64\n"},
		{"comments stay", "# a\nlimits: # b\n  # c\n  time_limit:  1  # d\n# e\n", "# a\nlimits: # b\n  # c\n  time_limit:  3  # d\n# e\n"},
		{"with a point as before", "limits:\n  time_limit: 1.0\n", "limits:\n  time_limit: 3.0\n"},
		{"the same is left alone", "limits:\n  time_limit: 3.00\n", "limits:\n  time_limit: 3.00\n"},
		{"ends of lines stay", "name: x\r\nlimits:\r\n  time_limit: 1\r\n  memory: 64\r\n", "name: x\r\nlimits:\r\n  time_limit: 3\r\n  memory: 64\r\n"},
		{"so does their lack at the end", "limits:\n  time_limit: 1", "limits:\n  time_limit: 3"},
		{"first among the limits, above their comments", "limits:\n  # much\n  memory: 64\nname: x\n", "limits:\n  time_limit: 3\n  # much\n  memory: 64\nname: x\n"},
		{"indented as the others", "limits:\n      memory: 64\n", "limits:\n      time_limit: 3\n      memory: 64\n"},
		{"with their ends of lines", "limits:\r\n  memory: 64\r\n", "limits:\r\n  time_limit: 3\r\n  memory: 64\r\n"},
		{"within braces", "limits: {memory: 64}\nname: x\n", "limits: {time_limit: 3, memory: 64}\nname: x\n"},
		{"within braces with space", "limits: { memory: 64 } # c\n", "limits: { time_limit: 3, memory: 64 } # c\n"},
		{"within empty braces", "limits: {}\n", "limits: {time_limit: 3}\n"},
		{"within empty braces with space", "limits: { }\n", "limits: { time_limit: 3 }\n"},
		{"within braces that it is in", "limits: {memory: 64, time_limit: 1}\n", "limits: {memory: 64, time_limit: 3}\n"},
		{"within braces over lines", "limits:\n  {\n    memory: 64\n  }\n", "limits:\n  {time_limit: 3,\n    memory: 64\n  }\n"},
		{"limits that are not there", "name: x\n", "name: x\nlimits:\n  time_limit: 3\n"},
		{"after a line without end", "name: x", "name: x\nlimits:\n  time_limit: 3\n"},
		{"after lines that end otherwise", "name: x\r\nuuid: y", "name: x\r\nuuid: y\r\nlimits:\r\n  time_limit: 3\r\n"},
		{"after a block of text", "name: |\n  one\n\n  two\n", "name: |\n  one\n\n  two\nlimits:\n  time_limit: 3\n"},
		{"in a file that is indented", "  name: x\n  uuid: y\n", "  name: x\n  uuid: y\n  limits:\n    time_limit: 3\n"},
		{"in a file within braces", "{name: x}\n", "{limits: {time_limit: 3}, name: x}\n"},
		{"limits of nothing", "limits:\nname: x\n", "limits:\n  time_limit: 3\nname: x\n"},
		{"limits of nothing at the end", "name: x\nlimits:", "name: x\nlimits:\n  time_limit: 3\n"},
		{"a key in quotes", "\"limits\":\n  'time_limit': 1\n", "\"limits\":\n  'time_limit': 3\n"},
		{"characters of many bytes before it", "name: \"é日本\"\nlimits: {é: 64, time_limit: 1}\n", "name: \"é日本\"\nlimits: {é: 64, time_limit: 3}\n"},
		{"words that look alike elsewhere", "name: 'limits: {time_limit: 1}'\nlimits:\n  time_limit: 1\n", "name: 'limits: {time_limit: 1}'\nlimits:\n  time_limit: 3\n"},
		{"a tab before a comment", "limits:\n  time_limit: 1\t# c\n", "limits:\n  time_limit: 3\t# c\n"},
		{"an anchor that nothing else uses", "limits: &l\n  time_limit: &t 1\n", "limits: &l\n  time_limit: &t 3\n"},
		{"an alias would change the other place", "a: &t 1\nlimits:\n  time_limit: *t\n", ""},
		{"an anchor that another place uses", "limits:\n  time_limit: &t 1\n  memory: *t\n", ""},
		{"limits that another key uses", "a: &l {memory: 64}\nlimits: *l\n", ""},
		{"limits of a block that another key uses", "a: &l\n  memory: 64\nlimits: *l\n", ""},
		{"a limit of nothing", "limits:\n  time_limit:\n  memory: 64\n", ""},
		{"limits of null", "limits: ~\n", ""},
		{"a limit in quotes", "limits:\n  time_limit: '1'\n", ""},
		{"limits that are a list", "limits: [1]\n", ""},
		{"a key twice", "limits:\n  time_limit: 1\nlimits:\n  time_limit: 2\n", ""},
		{"no map", "- 1\n", ""},
		{"after the end of the document", "name: x\n...\n", ""},
		{"indented by tabs", "limits:\n\ttime_limit: 1\n", ""},
		{"an end of line of old", "limits:\r  time_limit: 1\r", ""},
	} {
		got, change, err := setTimeLimit("problem.yaml", []byte(c.before), "3")
		switch {
		case c.after == "" && err == nil:
			t.Errorf("%s: %q became %q, want an error", c.name, c.before, got)
		case c.after == "":
		case err != nil || string(got) != c.after:
			t.Errorf("%s: %q became %q, %v; want %q", c.name, c.before, got, err, c.after)
		case change.After == "":
			t.Errorf("%s: change %+v", c.name, change)
		}
	}
}

func TestSetINI(t *testing.T) {
	for _, c := range []struct{ name, before, after string }{
		{"bare", "name = a\ntimelimit = 1\n", "name = a\ntimelimit = 3\n"},
		{"in quotes", "timelimit='1.5'\r\nname='a'\r\n", "timelimit='3'\r\nname='a'\r\n"},
		{"the last counts", "timelimit=1\ntimelimit=2\n", "timelimit=1\ntimelimit=3\n"},
		{"a comment stays", "timelimit = 2.5;seconds\n", "timelimit = 3;seconds\n"},
		{"and after quotes", "timelimit = \"2.5\" ; seconds\n", "timelimit = \"3\" ; seconds\n"},
		{"nothing", "timelimit = ; none\n", "timelimit = 3; none\n"},
		{"not in a text of two lines", "name = 'a\ntimelimit = 9'\ntimelimit=1", "name = 'a\ntimelimit = 9'\ntimelimit=3"},
		{"parts", "timelimit = '1''2'\n", ""},
		{"not in a comment", "# timelimit = 9\n timelimit = 1\n", "# timelimit = 9\n timelimit = 3\n"},
		{"the same", "timelimit = 3.0\n", "timelimit = 3.0\n"},
		{"none", "name = a\n", ""},
	} {
		got, _, err := setINI("x.ini", []byte(c.before), "3")
		if string(got) != c.after || (err != nil) != (c.after == "") {
			t.Errorf("%s: %q became %q, %v; want %q", c.name, c.before, got, err, c.after)
		}
	}
}

// TestWriteTimeLimit opens packages, writes a limit of 3 s, and opens them again.
func TestWriteTimeLimit(t *testing.T) {
	const head = "problem_format_version: 2025-09\nname: x\nuuid: 6f2d7f3e-51a5-4f0a-9d0c-2f6b0e7a5c12\n"
	for _, c := range []struct {
		name  string
		files map[string]string
		where string // the file that changes
	}{
		{"in problem.yaml", map[string]string{"problem.yaml": head + "limits: {time_limit: 1}\n"}, "problem.yaml"},
		{"which had none", map[string]string{"problem.yaml": head}, "problem.yaml"},
		{"DOMjudge's had no value", map[string]string{"problem.yaml": "name: x\n", "domjudge-problem.ini": "timelimit =\n"}, ".timelimit"},
		{"there is only DOMjudge's", map[string]string{"domjudge-problem.ini": "timelimit = 1 ; s\n"}, "domjudge-problem.ini"},
		{"a legacy package without one gets a file", map[string]string{"problem.yaml": "name: x\n"}, ".timelimit"},
		{"or keeps the one it has", map[string]string{"problem.yaml": "name: x\n", ".timelimit": "1\n"}, ".timelimit"},
		{"or DOMjudge's", map[string]string{"problem.yaml": "name: x\n", "domjudge-problem.ini": "timelimit='1'\n"}, "domjudge-problem.ini"},
		{"or that of problem.yaml", map[string]string{"problem.yaml": "name: x\nlimits:\n  time_limit: 1\n"}, "problem.yaml"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range c.files {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			s, p := openFolder(t, dir)
			change, err := s.WriteTimeLimit(p, 3*time.Second)
			if err != nil || change == nil || change.File != filepath.Join(dir, c.where) {
				t.Fatalf("WriteTimeLimit: %+v, %v; want a change of %s", change, err, c.where)
			}
			if _, p := openFolder(t, dir); p.Limits.Time != 3*time.Second {
				t.Errorf("the limit is now %v, want 3 s", p.Limits.Time)
			}
			if info, err := os.Stat(change.File); err != nil || c.files[c.where] != "" && info.Mode().Perm() != 0o600 {
				t.Errorf("%v, %v; want the mode that it had", info.Mode(), err)
			}
			s, p = openFolder(t, dir)
			if change, err := s.WriteTimeLimit(p, 3*time.Second); change != nil || err != nil {
				t.Errorf("once more: %+v, %v; want no change", change, err)
			}
			entries, err := os.ReadDir(dir)
			for _, e := range entries {
				if strings.HasPrefix(e.Name(), ".judge-") || err != nil {
					t.Errorf("left behind: %s, %v", e.Name(), err)
				}
			}
		})
	}
}

func openFolder(t *testing.T, dir string) (*Source, *Problem) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, "data", "secret"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"1.in", "1.ans"} {
		if err := os.WriteFile(filepath.Join(dir, "data", "secret", name), []byte("1\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "submissions", "accepted"), 0o755); err != nil {
		t.Fatal(err)
	}
	s, err := Folder(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	p, err := Open(s)
	if err != nil {
		t.Fatal(err)
	}
	return s, p
}

func TestWriteTimeLimitStaysInThePackage(t *testing.T) {
	dir, other := t.TempDir(), filepath.Join(t.TempDir(), "problem.yaml")
	const text = "problem_format_version: 2025-09\nname: x\nuuid: 6f2d7f3e-51a5-4f0a-9d0c-2f6b0e7a5c12\n"
	if err := os.WriteFile(filepath.Join(dir, "problem.yaml"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	s, p := openFolder(t, dir)
	if err := errors.Join(os.WriteFile(other, []byte(text), 0o644), os.Remove(filepath.Join(dir, "problem.yaml"))); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, filepath.Join(dir, "problem.yaml")); err != nil {
		t.Skip("no links here:", err)
	}
	if _, err := s.WriteTimeLimit(p, time.Second); err == nil || !strings.Contains(err.Error(), "is not a regular file of the package") {
		t.Errorf("through a link: %v", err)
	}
	if data, err := os.ReadFile(other); string(data) != text || err != nil {
		t.Errorf("the file that the link leads to is now %q, %v", data, err)
	}
	if info, err := os.Lstat(filepath.Join(dir, "problem.yaml")); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is now %v, %v", info, err)
	}
}
