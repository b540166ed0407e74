package verify

import (
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"crucible/judge"
	"crucible/judge/build"
	"crucible/judge/internal/osfile"
	"crucible/judge/internal/testkit"
	"crucible/judge/internal/testproblem"
	"crucible/judge/prepare/generate"
	"crucible/judge/problem"
)

// A program may leave any files in folders that the judge reads later.
func TestLinksAreNotFollowed(t *testing.T) {
	testkit.NeedsShell(t)
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("the judge's secret\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	files := testkit.Pack(testkit.EveryProgram)
	files["output_validator/checks.sh"] = &fstest.MapFile{Data: []byte("ln -s " + secret + " \"$3judgemessage.txt\"\nmkfifo \"$3teammessage.txt\"\nmkdir -p \"$3a/b\"\nchmod 0 \"$3a/b\" \"$3a\"\nexit 42\n")}
	files["generators/makes.sh"] = &fstest.MapFile{Data: []byte("echo 1 2\nln -s " + secret + " testcase.in\nln -s " + secret + " testcase.ans\n")}
	p := testproblem.PackageOf(t, files)
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	j := &judge.Judge{Jobs: 1, Cache: t.TempDir()}
	r := j.Run(t.Context(), p.Submissions[0], p.Samples())
	if r.JudgeError() != nil || r.Verdict != problem.Accepted || r.Runs[0].Message+r.Runs[0].Team != "" {
		t.Errorf("%v %v, message %q, %q; want AC and no message", r.Verdict, r.JudgeError(), r.Runs[0].Message, r.Runs[0].Team)
	}
	plan, err := generate.ReadPlan(p.FS)
	if err != nil {
		t.Fatal(err)
	}
	err = generate.Generate(t.Context(), j, p.FS, plan, generate.Options{}, func(g generate.Result) error {
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

// The files that a build script leaves become a part of the cache and of later runs.
func TestBuildScriptsLeaveProgramsOnly(t *testing.T) {
	testkit.NeedsShell(t)
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
			files := testkit.Pack(testkit.EveryProgram)
			delete(files, "output_validator/checks.sh")
			files["output_validator/build"] = &fstest.MapFile{Data: []byte("#!/bin/bash\n" + c.build + "\n"), Mode: 0o755}
			files["output_validator/run.in"] = &fstest.MapFile{Data: []byte("#!/bin/sh\nexit 42\n"), Mode: 0o644}
			files["output_validator/sub/given"] = &fstest.MapFile{Data: []byte("x\n"), Mode: 0o644}
			p := testproblem.PackageOf(t, files)
			cache := t.TempDir()
			j := &judge.Judge{Jobs: 1, Cache: cache}
			defer j.Close()
			r := j.Run(t.Context(), p.Submissions[0], p.Samples())
			err := r.JudgeError()
			if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) || err == nil && r.Verdict != problem.Accepted {
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

func TestBuildScriptsEndSoon(t *testing.T) {
	testkit.NeedsShell(t)
	if build.BuildScriptTime > 30*time.Second {
		t.Errorf("a build script may take %v, want at most 30 s", build.BuildScriptTime)
	}
	defer func(d time.Duration) { build.BuildScriptTime = d }(build.BuildScriptTime)
	build.BuildScriptTime = time.Second
	for _, script := range []string{"exec sleep 600", "while :; do :; done"} {
		files := testkit.Pack(testkit.EveryProgram)
		delete(files, "output_validator/checks.sh")
		files["output_validator/build"] = &fstest.MapFile{Data: []byte("#!/bin/sh\n" + script + "\n"), Mode: 0o755}
		p := testproblem.PackageOf(t, files)
		j := &judge.Judge{Jobs: 1, Cache: t.TempDir()}
		defer j.Close()
		began := time.Now()
		err := j.Run(t.Context(), p.Submissions[0], p.Samples()).JudgeError()
		if err == nil || !strings.Contains(err.Error(), "output_validator/build: did not end within 1") {
			t.Errorf("%s: %v", script, err)
		}
		if d := time.Since(began); d > 30*time.Second {
			t.Errorf("%s: ended after %v", script, d)
		}
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
		data, ok, err := osfile.ReadBack(dir, name, 4)
		if string(data) != want || ok != (want != "") || err != nil {
			t.Errorf("readBack(%s, 4) = %q, %v, %v; want %q", name, data, ok, err, want)
		}
	}
}

// The judge owns all files in the cache, and other users can read them.
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
	if err := osfile.Adopt(dir); err != nil {
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
		if testkit.Owner(info) != os.Geteuid() {
			t.Errorf("%s belongs to %d", name, testkit.Owner(info))
		}
	}
}

// A folder is removed even if its depth exceeds the maximum length of a path or the
// number of descriptors.
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
	if err := osfile.RemoveAll(dir); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}
