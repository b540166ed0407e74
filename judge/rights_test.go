package judge

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"crucible/judge/sandbox"
)

// A witness is a sandbox that remembers what each program was allowed, by the
// name of the first file in its working folder.
type witness struct {
	sandbox.Sandbox
	mu   sync.Mutex
	seen map[string][]sandbox.Cmd
}

func (w *witness) Run(ctx context.Context, c sandbox.Cmd) (sandbox.Outcome, error) {
	who := "nobody"
	if entries, err := os.ReadDir(c.Dir); err == nil && len(entries) > 0 {
		who = entries[0].Name()
	}
	// An output validator works among the files of a submission.
	for _, arg := range c.Args {
		if name := filepath.Base(arg); filepath.IsAbs(arg) && filepath.Base(filepath.Dir(arg)) == "src" && filepath.Ext(name) == ".sh" {
			who = name
		}
	}
	if strings.Contains(c.Dir, ".building-") && !strings.Contains(c.Dir, "-hello-") {
		who = "build " + who
	}
	w.mu.Lock()
	if w.seen == nil {
		w.seen = make(map[string][]sandbox.Cmd)
	}
	w.seen[who] = append(w.seen[who], c)
	w.mu.Unlock()
	return w.Sandbox.Run(ctx, c)
}

// last returns what a program was allowed when it was run last.
func (w *witness) last(t *testing.T, who string) sandbox.Cmd {
	t.Helper()
	all := w.seen[who]
	if len(all) == 0 {
		t.Fatalf("no %s was run; those that were: %v", who, sortedKeys(w.seen))
	}
	return all[len(all)-1]
}

// touches reports whether a program is allowed anything at, above or below a path.
func touches(c sandbox.Cmd, path string) bool {
	return slices.ContainsFunc(slices.Concat([]string{c.Dir, c.Args[0]}, c.Reads, c.Writes), func(p string) bool {
		return within(p, path) || within(path, p)
	})
}

// packageOf writes a package to a real folder and opens it there.
func packageOf(t *testing.T, files fstest.MapFS) *Problem {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "sum")
	if err := os.CopyFS(dir, files); err != nil {
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
	return p
}

const everyProgram = `-- submissions/accepted/a.py --
absent
-- submissions/wrong_answer/b.go --
absent
-- submissions/accepted/answers.sh --
read -r a b
echo $((a + b))
-- input_validators/format.sh --
exit 42
-- output_validator/checks.sh --
exit 42
-- generators/makes.sh --
echo 1 2 > testcase.in
-- generators/generators.yaml --
solution: /submissions/accepted/answers.sh
data:
  sample:
    data:
      '1':
        generate: makes.sh
  secret:
    data: {}
`

// Each program of a package is told what it may touch, and that is no more than
// it needs.
func TestRights(t *testing.T) {
	needs(t, "bash")
	if runtime.GOOS == "windows" {
		t.Skip("the programs are shell scripts")
	}
	w := &witness{}
	t.Cleanup(func() { w.Close() })
	p := packageOf(t, pack(everyProgram))
	root := p.Path
	cache := t.TempDir()
	j := &Judge{Runner: w, Jobs: 1, Cache: cache}
	defer j.Close()
	if _, err := j.Verify(t.Context(), p, nil); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(root, "data")

	for _, c := range w.seen["answers.sh"] {
		if touches(c, root) || touches(c, cache) && !slices.ContainsFunc(c.Args, func(a string) bool { return a == "./answers.sh" }) {
			t.Errorf("the submission is allowed %v %v %v %v", c.Args, c.Dir, c.Reads, c.Writes)
		}
		if c.Writes != nil {
			t.Errorf("the submission may write to %v", c.Writes)
		}
	}
	// Before, it has answered the generated input, and may have used files for that.
	submission := w.last(t, "answers.sh")
	if submission.Scratch || len(submission.Reads) > 0 {
		t.Errorf("the submission: scratch %v, reads %v; want neither", submission.Scratch, submission.Reads)
	}

	check := w.last(t, "checks.sh")
	input, answer := filepath.Join(data, "secret/sub/x.in"), filepath.Join(data, "secret/sub/x.ans") // of the last case
	source := slices.IndexFunc(check.Args, func(a string) bool { return filepath.Base(a) == "checks.sh" })
	if diff := cmp.Diff([]string{input, answer, filepath.Dir(check.Args[source])}, check.Reads); diff != "" {
		t.Errorf("the output validator reads (-want +got):\n%s", diff)
	}
	if n := len(check.Args); len(check.Writes) != 1 || check.Scratch || check.Args[n-1] != check.Writes[0]+"/" {
		t.Errorf("the output validator may write to %v; want the feedback folder of %v", check.Writes, check.Args)
	}

	if c := w.last(t, "format.sh"); len(c.Reads)+len(c.Writes) > 0 || c.Scratch || touches(c, root) {
		t.Errorf("the input validator is allowed %v %v %v; want its working folder", c.Dir, c.Reads, c.Writes)
	}
	if c := w.last(t, "makes.sh"); len(c.Reads) > 0 || !slices.Equal(c.Writes, []string{c.Dir}) || touches(c, root) {
		t.Errorf("the generator is allowed %v %v %v; want its working folder, to write to", c.Dir, c.Reads, c.Writes)
	}
	for _, name := range []string{"answers.sh", "checks.sh", "format.sh", "makes.sh"} {
		c := w.last(t, "build "+name)
		building := filepath.Dir(c.Dir)
		if want := []string{filepath.Join(building, "bin"), filepath.Join(building, "tmp")}; !slices.Equal(c.Writes, want) || len(c.Reads) > 0 || c.Dir != filepath.Join(building, "src") {
			t.Errorf("what builds %s is allowed %v %v %v; want to write to %v only", name, c.Dir, c.Reads, c.Writes, want)
		}
	}
}

// allow_file_writing is a right like any other.
func TestFileWriting(t *testing.T) {
	needs(t, "bash")
	for _, allow := range []bool{false, true} {
		w := &witness{}
		t.Cleanup(func() { w.Close() })
		files := pack(everyProgram)
		files["problem.yaml"].Data = fmt.Appendf(slices.Clip(files["problem.yaml"].Data), "allow_file_writing: %v\n", allow)
		p := packageOf(t, files)
		j := &Judge{Runner: w, Jobs: 1, Cache: t.TempDir()}
		j.Run(t.Context(), p.Submissions[0], p.Samples())
		if c := w.last(t, "answers.sh"); c.Scratch != allow {
			t.Errorf("allow_file_writing %v: scratch %v", allow, c.Scratch)
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A program may leave anything where the judge looks afterwards.
func TestLinksAreNotFollowed(t *testing.T) {
	needs(t, "bash")
	if runtime.GOOS == "windows" {
		t.Skip("the programs are shell scripts")
	}
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("the judge's secret\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	files := pack(everyProgram)
	files["output_validator/checks.sh"] = &fstest.MapFile{Data: []byte("ln -s " + secret + " \"$3judgemessage.txt\"\nmkfifo \"$3teammessage.txt\"\nmkdir -p \"$3a/b\"\nchmod 0 \"$3a/b\" \"$3a\"\nexit 42\n")}
	files["generators/makes.sh"] = &fstest.MapFile{Data: []byte("echo 1 2\nln -s " + secret + " testcase.in\nln -s " + secret + " testcase.ans\n")}
	p := packageOf(t, files)
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	j := &Judge{Jobs: 1, Cache: t.TempDir()}
	r := j.Run(t.Context(), p.Submissions[0], p.Samples())
	if r.JudgeError() != nil || r.Verdict != Accepted || r.Runs[0].Message+r.Runs[0].Team != "" {
		t.Errorf("%v %v, message %q, %q; want AC and no message", r.Verdict, r.JudgeError(), r.Runs[0].Message, r.Runs[0].Team)
	}
	plan, err := Plan(p.fsys)
	if err != nil {
		t.Fatal(err)
	}
	err = j.Generate(t.Context(), p.fsys, plan, Generating{}, func(g Generated) error {
		if g.Err != nil || g.Files[".in"].Sum != sha256.Sum256([]byte("1 2\n")) || g.Files[".ans"].Sum != sha256.Sum256([]byte("3\n")) {
			t.Errorf("%s: %v; want what the generator printed, and its answer", g.Name, g.Err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if err := j.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(tmp, "*")); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// What a build script leaves becomes a part of the cache, and of later runs.
func TestBuildScriptsLeaveProgramsOnly(t *testing.T) {
	needs(t, "bash")
	if runtime.GOOS == "windows" {
		t.Skip("build scripts need a POSIX shell")
	}
	for _, c := range []struct{ name, build, err string }{
		{"a program", "cp run.in run; chmod 755 run", ""},
		{"a link to it", "mkdir out; cp run.in out/run; chmod 755 out/run; ln -s out/run run", ""},
		{"below the top", "cp run.in sub/more; mv sub/more run; echo x > sub/given; chmod 755 run", ""},
		{"a link out", "ln -s /bin/true run", "run: a link that leads nowhere, or out"},
		{"a link out beside it", "cp run.in run; chmod 755 run; ln -s ../../../.. up", "up: a link that leads nowhere, or out"},
		{"a pipe", "mkfifo run", "run: neither a file nor a folder"},
		{"no program", "true", "has no executable file run after build"},
		{"a folder", "mkdir run", "has no executable file run after build"},
		{"folders without end", "cp run.in run; chmod 755 run; for i in {1..70}; do mkdir d; cd d; done", "more than 64 folders deep"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := pack(everyProgram)
			delete(files, "output_validator/checks.sh")
			files["output_validator/build"] = &fstest.MapFile{Data: []byte("#!/bin/bash\n" + c.build + "\n"), Mode: 0o755}
			files["output_validator/run.in"] = &fstest.MapFile{Data: []byte("#!/bin/sh\nexit 42\n"), Mode: 0o644}
			files["output_validator/sub/given"] = &fstest.MapFile{Data: []byte("x\n"), Mode: 0o644}
			p := packageOf(t, files)
			cache := t.TempDir()
			j := &Judge{Jobs: 1, Cache: cache}
			defer j.Close()
			r := j.Run(t.Context(), p.Submissions[0], p.Samples())
			err := r.JudgeError()
			if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) || err == nil && r.Verdict != Accepted {
				t.Errorf("%s %v; want %q", r.Verdict, err, c.err)
			}
			if left, _ := filepath.Glob(filepath.Join(cache, "programs", ".building-*")); left != nil {
				t.Errorf("left behind: %v", left)
			}
			if built, _ := filepath.Glob(filepath.Join(cache, "programs", "*", "src", "run")); (built != nil) != (c.err == "") {
				t.Errorf("the cache has %v", built)
			}
		})
	}
}

func TestReadBack(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("file", "12345")
	if err := errors.Join(os.Symlink("file", filepath.Join(dir, "link")), os.Mkdir(filepath.Join(dir, "folder"), 0o755)); err != nil {
		t.Skip(err)
	}
	for name, want := range map[string]string{"file": "1234", "link": "", "folder": "", "absent": ""} {
		data, ok, err := readBack(dir, name, 4)
		if string(data) != want || ok != (want != "") || err != nil {
			t.Errorf("readBack(%s, 4) = %q, %v, %v; want %q", name, data, ok, err, want)
		}
	}
}

// Whoever wrote it, what lies in the cache is the judge's, and others may read it.
func TestAdopt(t *testing.T) {
	dir := t.TempDir()
	for name, mode := range map[string]fs.FileMode{"plain": 0o600, "program": 0o700, "setuid": 0o755 | fs.ModeSetuid, "shared": 0o666, "sub/closed": 0} {
		to := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o700), os.WriteFile(to, nil, 0o600), os.Chmod(to, mode)); err != nil {
			t.Fatal(err)
		}
		if os.Geteuid() == 0 {
			if err := os.Chown(to, 65534, 65534); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := adopt(dir); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for name, want := range map[string]fs.FileMode{"": fs.ModeDir | 0o755, "plain": 0o644, "program": 0o755, "setuid": 0o755, "shared": 0o644, "sub": fs.ModeDir | 0o755, "sub/closed": 0o644} {
		info, err := os.Lstat(filepath.Join(dir, name))
		if err != nil || info.Mode() != want {
			t.Errorf("%s is %v (%v), want %v", name, info.Mode(), err, want)
		}
		if owner(info) != os.Geteuid() {
			t.Errorf("%s belongs to %d", name, owner(info))
		}
	}
}

// A folder goes even if it is deeper than a path can be long, or than
// descriptors last.
func TestRemoveAll(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	at := root
	for range 3000 {
		if err := errors.Join(at.Mkdir("aaaa", 0o755), at.WriteFile("file", nil, 0)); err != nil {
			t.Fatal(err)
		}
		next, err := at.OpenRoot("aaaa")
		if err != nil {
			t.Fatal(err)
		}
		if at != root {
			at.Close()
		}
		at = next
	}
	at.Close()
	lowerFiles(t, 256)
	if err := removeAll(dir); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}

func TestPlaceOf(t *testing.T) {
	top := resolved(t.TempDir())
	home := filepath.Join(top, "home", "me")
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	file := func(name string) string {
		name = filepath.Join(home, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, nil, 0o755)); err != nil {
			t.Fatal(err)
		}
		return name
	}
	link := func(name, to string) string {
		name = filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, name); err != nil {
			t.Skip(err)
		}
		return name
	}
	below := func(names ...string) (full []string) {
		for _, name := range names {
			full = append(full, filepath.Join(home, name))
		}
		return full
	}
	jdk, uv := file("jdk/bin/java"), file("uv/cpython/bin/python3.12")
	for _, c := range []struct {
		name, tool string
		told       []string
		start      string
		needs      []string
	}{
		{"of the machine", "/usr/bin/gcc", nil, "/usr/bin/gcc", nil},
		{"of the machine, and says so", "/usr/local/go/bin/go", []string{"/usr/local/go"}, "/usr/local/go/bin/go", nil},
		{"a folder of its own", jdk, nil, jdk, below("jdk")},
		{"where it says", file("pyenv/shims/python3"), below("pyenv/versions/3"), filepath.Join(home, "pyenv/shims/python3"), below("pyenv/versions/3", "pyenv/shims/python3")},
		{"in the home folder's bin", file("bin/gcc"), nil, filepath.Join(home, "bin/gcc"), below("bin/gcc")},
		{"which says it needs all of home", file("bin/mine"), []string{home, "/", filepath.Dir(home)}, filepath.Join(home, "bin/mine"), below("bin/mine")},
		{"a link into it", link("local/bin/java", jdk), nil, jdk, below("jdk")},
		{"a link to a versioned name", link("local/bin/python3", uv), below("uv/cpython"), uv, below("uv/cpython")},
		{"by the name that it is called by", link("local/bin/g++", file("ccache/bin/cache")), nil, filepath.Join(home, "local/bin/g++"), below("ccache", "local/bin/g++")},
		{"a virtual environment", link("venv/bin/python3", "/usr/bin/python3"), []string{filepath.Join(home, "venv"), "/usr"}, filepath.Join(home, "venv/bin/python3"), below("venv")},
	} {
		t.Run(c.name, func(t *testing.T) {
			start, needs := placeOf(c.tool, c.told)
			slices.Sort(needs)
			slices.Sort(c.needs)
			if needs = slices.Compact(needs); start != c.start || !slices.Equal(needs, c.needs) {
				t.Errorf("placeOf(%s, %v) = %s, %v; want %s, %v", c.tool, c.told, start, needs, c.start, c.needs)
			}
		})
	}
}

func TestGoImports(t *testing.T) {
	files := map[string][]byte{
		"a.go":   []byte("package main\nimport (\n\"fmt\"\n\"os/exec\"\n_ \"embed\"\n\"../x\"\n\"-o=/etc/passwd\"\n\"example.com/x\"\n)\n"),
		"b.go":   []byte("package main\nimport \"sort\"\n( broken"),
		"c.go":   []byte("no Go at all"),
		"d.txt":  []byte("package main\nimport \"net\"\n"),
		"go.mod": []byte("module x\n"),
	}
	got := goImports(files, strings.Fields("embed fmt net os os/exec runtime sort"))
	if diff := cmp.Diff([]string{"embed", "fmt", "os/exec", "runtime", "sort"}, got); diff != "" {
		t.Error(diff)
	}
}

// A protected Runner says on which rung it is, and remembers the working folders
// of submissions and what lay in them.
type protected struct {
	scripted
	has  sandbox.Protection
	dirs []string
	held []string
}

func (p *protected) Protection() sandbox.Protection { return p.has }

func (p *protected) Run(ctx context.Context, c sandbox.Cmd) (sandbox.Outcome, error) {
	if c.Stdin != nil {
		var names []string
		entries, err := os.ReadDir(c.Dir)
		for _, e := range entries {
			names = append(names, e.Name())
		}
		if err != nil {
			return sandbox.Outcome{}, err
		}
		p.dirs, p.held = append(p.dirs, c.Dir), append(p.held, strings.Join(names, " "))
	}
	return p.scripted.Run(ctx, c)
}

func TestTooLittleProtection(t *testing.T) {
	p, s := scriptedProblem(t, "accepted", "AC")
	for _, c := range []struct {
		least, has sandbox.Rung
		err        string
	}{
		{0, sandbox.Process, ""},
		{sandbox.UserBox, sandbox.RootBox, ""},
		{sandbox.UserBox, sandbox.UserBox, ""},
		{sandbox.UserBox, sandbox.Guarded, `want a full box, have only "guarded": no namespaces; this would change that: sysctl x`},
		{sandbox.Guarded, sandbox.Process, `want guarded, have only "process"`},
	} {
		runner := &protected{has: sandbox.Protection{Rung: c.has, Why: "no namespaces", Raise: "sysctl x"}}
		j := &Judge{Runner: runner, Least: c.least, Jobs: 1, Cache: t.TempDir()}
		r := j.Run(t.Context(), s, p.Cases)
		if c.err == "" {
			if r.JudgeError() != nil || r.Verdict != Accepted {
				t.Errorf("least %v, has %v: %v", c.least, c.has, r.JudgeError())
			}
		} else if err := r.JudgeError(); err == nil || !strings.Contains(err.Error(), c.err) || runner.runs.Load() > 0 {
			t.Errorf("least %v, has %v: %v after %d runs; want %s and none", c.least, c.has, err, runner.runs.Load(), c.err)
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestLadders(t *testing.T) {
	for word, want := range map[string]sandbox.Rung{"": 0, "auto": 0, "require": sandbox.UserBox, "process": sandbox.Process} {
		if l, err := LadderOf(word); err != nil || l.Least != want {
			t.Errorf("LadderOf(%q) = %+v, %v; want at least %v", word, l, err, want)
		}
	}
	if _, err := LadderOf("off"); err == nil || !strings.Contains(err.Error(), "want auto, require, process, guarded or userbox") {
		t.Errorf("LadderOf(off): %v", err)
	}
}

// In a box a working folder cannot change, so it serves again unseen; but not
// after a case that brought files of its own.
func TestWorkplacesOfABox(t *testing.T) {
	needs(t, "bash")
	p, err := Open(pack(`-- submissions/accepted/a.py --
absent
-- submissions/wrong_answer/b.go --
absent
-- submissions/accepted/a.sh --
true
-- data/secret/1.files/own.txt --
of this case
-- data/secret/1-a.ans --
right
-- data/secret/1.ans --
right
-- data/secret/sub/x.ans --
right
-- data/sample/1.ans --
right
`))
	if err != nil {
		t.Fatal(err)
	}
	runner := &protected{has: sandbox.Protection{Rung: sandbox.RootBox}}
	j := &Judge{Runner: runner, Jobs: 1, Cache: t.TempDir()}
	defer j.Close()
	if r := j.Run(t.Context(), p.Submissions[0], p.Cases); r.JudgeError() != nil || r.Verdict != Accepted {
		t.Fatal(r.Verdict, r.JudgeError())
	}
	if diff := cmp.Diff([]string{"a.sh", "a.sh own.txt", "a.sh", "a.sh"}, runner.held); diff != "" {
		t.Errorf("the working folders held (-want +got):\n%s", diff)
	}
	if d := runner.dirs; d[0] != d[1] || d[1] == d[2] || d[2] != d[3] {
		t.Errorf("working folders %v; want one until a case brings files, then another", d)
	}
}
