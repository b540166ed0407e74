package problem

import (
	"fmt"
	"io/fs"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unsafe"

	"crucible/judge/internal/testkit"
)

// A manyCases is a package of n secret cases in memory, whose files are generated when
// they are opened.
type manyCases struct {
	fstest.MapFS // the rest of the package
	n            int
	folders      bool // n empty folders instead of cases
}

type manyEntry struct{ i int }

type manyFolderEntry struct{ manyEntry }

func (e manyFolderEntry) IsDir() bool       { return true }
func (e manyFolderEntry) Type() fs.FileMode { return fs.ModeDir }
func (e manyFolderEntry) Name() string      { return fmt.Sprintf("%07d", e.i) }

func (e manyEntry) Name() string {
	return fmt.Sprintf("%07d%s", e.i/2, [2]string{".ans", ".in"}[e.i%2])
}
func (e manyEntry) IsDir() bool                { return false }
func (e manyEntry) Type() fs.FileMode          { return 0 }
func (e manyEntry) Info() (fs.FileInfo, error) { return nil, fs.ErrInvalid }

const manyFolder = "data/secret/many"

func (m manyCases) ReadDir(name string) ([]fs.DirEntry, error) {
	switch {
	case strings.HasPrefix(name, manyFolder+"/"):
		return nil, nil
	case name != manyFolder:
		return m.MapFS.ReadDir(name)
	}
	entries := make([]fs.DirEntry, 0, 2*m.n)
	if m.folders {
		for i := range m.n {
			entries = append(entries, manyFolderEntry{manyEntry{i}})
		}
		return entries, nil
	}
	for i := range 2 * m.n {
		entries = append(entries, manyEntry{i})
	}
	return entries, nil
}

func (m manyCases) Stat(name string) (fs.FileInfo, error) {
	if strings.HasPrefix(name, manyFolder+"/") && !strings.HasSuffix(name, ".yaml") {
		name = "data/secret/1.in"
	}
	return m.MapFS.Stat(name)
}

func (m manyCases) Open(name string) (fs.File, error) {
	if strings.HasPrefix(name, manyFolder+"/") && !strings.HasSuffix(name, ".yaml") {
		name = "data/secret/1.in"
	}
	return m.MapFS.Open(name)
}

func many(n int) manyCases {
	files := fstest.MapFS{manyFolder: {Mode: fs.ModeDir | 0o755}}
	for _, name := range []string{"problem.yaml", "data/secret/1.in", "data/secret/1.ans", "submissions/accepted/a.py"} {
		files[name] = testkit.Pack("")[name]
	}
	return manyCases{MapFS: files, n: n}
}

// A package may have at most a million cases.
func TestAMillionCases(t *testing.T) {
	testkit.InOneGoroutine(t)
	n := maxCases
	if !testkit.Matrix() {
		n = 50_000
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := time.Now()
	p, err := Open(many(n - 1)) // the package has one more case
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	if err != nil || len(p.Cases) != n {
		t.Fatalf("Open of %d cases = %v", n, err)
	}
	a := Case{}
	t.Logf("%d cases: %v; heap grew to %d MiB, %d bytes a case; a Case itself has %d", n, took.Round(time.Millisecond),
		after.HeapSys>>20, (after.HeapAlloc-before.HeapAlloc)/uint64(n), unsafe.Sizeof(a))
	if each := (after.HeapAlloc - before.HeapAlloc) / uint64(n); each > 2048 {
		t.Errorf("%d bytes a case, want at most 2048", each)
	}
	runtime.KeepAlive(p)
	if n < maxCases {
		return
	}
	p = nil
	if _, err := Open(many(n)); err == nil || err.Error() != "data/secret/many: more than 1000000 cases" {
		t.Errorf("Open of %d cases = %v", n+1, err)
	}
}

func TestFoldersAreBounded(t *testing.T) {
	deep := func(n int) string {
		return "-- data/secret/" + strings.Repeat("d/", n) + "x.in --\n-- data/secret/" + strings.Repeat("d/", n) + "x.ans --\n"
	}
	if p, err := Open(testkit.Pack(deep(30))); err != nil || len(p.Cases) != 5 {
		t.Errorf("30 deep: %v", err)
	}
	for _, n := range []int{40, 4000} {
		if _, err := Open(testkit.Pack(deep(n))); err == nil || !strings.HasSuffix(err.Error(), "/d: more than 32 folders deep") {
			t.Errorf("%d deep: %v", n, err)
		}
	}
	folders := many(maxFolders)
	folders.folders = true
	if _, err := Open(folders); err == nil || !strings.HasSuffix(err.Error(), ": more than 100000 folders") {
		t.Errorf("%d folders: %v", maxFolders, err)
	}
}

func TestLongNames(t *testing.T) {
	for n, want := range map[int]int{251: 5, 253: 4, 296: 4} { // .in adds three bytes, .ans four
		name := strings.Repeat("n", n)
		p, err := Open(testkit.Pack("-- data/secret/" + name + ".in --\n-- data/secret/" + name + ".ans --\n"))
		if err != nil || len(p.Cases) != want {
			t.Fatalf("names of %d and %d bytes: %v", n+3, n+4, err)
		}
		if want == 4 && !begins(p.Warnings, "data/secret/"+name+".in: is ignored") {
			t.Errorf("names of %d and %d bytes: warnings %.100v", n+3, n+4, p.Warnings)
		}
	}
}

// YAML in other encodings is an error with its position, in every YAML file of a
// package.
func TestYAMLInOtherEncodings(t *testing.T) {
	head := string(testkit.Pack("")["problem.yaml"].Data)
	utf16 := func(text string) string {
		b := []byte{0xff, 0xfe}
		for _, c := range []byte(text) {
			b = append(b, c, 0)
		}
		return string(b)
	}
	bomb := func(text string) string {
		text += "x0: &x0 [a, a, a, a, a, a, a, a, a, a]\n"
		for i := range 9 {
			text += fmt.Sprintf("x%d: &x%d [%s*x%d]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*x%d, ", i), 9), i)
		}
		return text
	}
	for _, c := range []struct {
		name   string
		change func(string) string
		want   string // text of the error after the file name; "" if the file is accepted
	}{
		{"carriage returns", func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }, ""},
		{"a byte-order mark", func(s string) string { return "\ufeff" + s }, ":1:1: the file begins with a byte order mark"},
		{"UTF-16", utf16, ":1:1: expected UTF-8"},
		{"UTF-16 without a mark", func(s string) string { return utf16(s)[2:] }, ":1:2: the character U+0000 is not allowed"},
		{"Latin-1", func(s string) string { return "# caf\xe9\n" + s }, ":1:6: expected UTF-8"},
		{"a NUL", func(s string) string { return "#\n# \x00\n" + s }, ":2:3: the character U+0000 is not allowed"},
		{"an escape for the terminal", func(s string) string { return "# \x1b[31m\n" + s }, ":1:3: the character U+001B is not allowed"},
		{"old Mac line ends", func(s string) string { return "#\r" + s }, ":1:2: a carriage return without a line feed"},
		{"aliases of aliases", bomb, ": more than 100000 values, with aliases followed"},
		{"brackets within brackets", func(s string) string { return s + "x: " + strings.Repeat("[", 100_000) }, ": exceeded max depth"},
		{"two documents", func(s string) string { return s + "---\nx: 1\n" }, ": a second document"},
		{"a megabyte and more", func(s string) string { return s + strings.Repeat("# x\n", 1<<18) }, ": larger than 1 MiB"},
	} {
		for name, text := range map[string]string{
			"problem.yaml":                    head,
			"data/secret/test_group.yaml":     "args: [a]\n",
			"data/secret/1.yaml":              "args: [a]\n",
			"submissions/submissions.yaml":    "accepted: {permitted: [AC]}\n",
			"data/invalid_input/x/1.yaml":     "args: [a]\n",
			"data/sample/test_group.yaml":     "args: [a]\n",
			"data/valid_output/1.yaml":        "args: [a]\n",
			"data/secret/sub/test_group.yaml": "",
		} {
			if text == "" {
				continue
			}
			t.Run(c.name+" in "+name, func(t *testing.T) {
				files := testkit.Pack("")
				if base, ok := strings.CutSuffix(name, "1.yaml"); ok {
					for _, ext := range []string{".in", ".ans", ".out"} {
						files[base+"1"+ext] = &fstest.MapFile{}
					}
				}
				files[name] = &fstest.MapFile{Data: []byte(c.change(text))}
				_, err := Open(files)
				switch {
				case c.want == "":
					if err != nil {
						t.Error(err)
					}
				case err == nil || !strings.HasPrefix(err.Error(), name+":") || !strings.Contains(err.Error(), c.want):
					t.Errorf("Open = %v; want %s%s", err, name, c.want)
				default:
					checkDefects(t, err)
				}
			})
		}
	}
}

// A long constant that is used often would expand a small file to a huge one.
func TestConstantsDoNotMultiply(t *testing.T) {
	testkit.InOneGoroutine(t)
	long := strings.Repeat("y", 500_000)
	use := strings.Repeat("{{x}}", 100_000)
	p, err := Open(testkit.Pack("-- problem.yaml --\nproblem_format_version: 2025-09\nname: Sum\nuuid: 7e57d004-2b97-4e7a-b45f-5387367791cd\nconstants: {x: " + long + "}\n" +
		"-- submissions/accepted/a.py --\n" + use + "\n-- input_validators/v/a.py --\n{{x}}\n-- input_validators/v/b.py --\n" + use + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, program := range []*Program{&p.SubmissionNamed("accepted/a.py").Program, p.InputValidators[0]} {
		if _, err := program.Read(); err == nil || !strings.Contains(err.Error(), "after the problem's constants are inserted") {
			t.Errorf("%s: %v", program.Path, err)
		}
	}
	_, err = Open(testkit.Pack("-- problem.yaml --\nproblem_format_version: 2025-09\nname: Sum\nuuid: 7e57d004-2b97-4e7a-b45f-5387367791cd\nconstants: {x: " + long + "}\n" +
		"-- data/secret/test_group.yaml --\nargs: [" + use + "]\n"))
	if err == nil || err.Error() != "data/secret/test_group.yaml: larger than 1 MiB after the problem's constants are inserted" {
		t.Errorf("in a group's file: %.200v", err)
	}
}

// The package has a thousand rules, each of a thousand alternatives, and 200
// submissions.
func TestGlobsDoNotMultiply(t *testing.T) {
	var rules strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&rules, "'*%d%s%s':\n  model_solution: false\n", i, strings.Repeat("{a,b}", 10), strings.Repeat("{*}", 200))
	}
	files := testkit.Pack("")
	files["submissions/submissions.yaml"] = &fstest.MapFile{Data: []byte(rules.String())}
	for i := range 200 {
		files[fmt.Sprintf("submissions/accepted/%s%d.py", strings.Repeat("a", 200), i)] = &fstest.MapFile{}
	}
	start := time.Now()
	if _, err := Open(files); err != nil {
		t.Error(err)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("that took %v", took)
	} else {
		t.Log(took)
	}
}

// begins reports whether a line of at least one error begins with a text.
func begins(all []error, want string) bool {
	for _, err := range all {
		if err != nil && strings.Contains("\n"+err.Error(), "\n"+want) {
			return true
		}
	}
	return false
}
