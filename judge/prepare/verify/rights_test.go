package verify

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"crucible/judge"
	"crucible/judge/build"
	"crucible/judge/internal/testkit"
	"crucible/judge/internal/testproblem"
	"crucible/judge/sandbox"
)

// touches reports whether a program may access a path or anything above or below it.
func touches(c sandbox.Cmd, path string) bool {
	return slices.ContainsFunc(slices.Concat([]string{c.Dir, c.Args[0]}, c.Reads, c.Writes), func(p string) bool {
		return build.Within(p, path) || build.Within(path, p)
	})
}

// Each program of a package may access the files that it needs, and no others.
func TestRights(t *testing.T) {
	testkit.NeedsShell(t)
	w := &testkit.Witness{}
	t.Cleanup(func() { w.Close() })
	p := testproblem.PackageOf(t, testkit.Pack(testkit.EveryProgram))
	root := p.Path
	cache := t.TempDir()
	j := &judge.Judge{Runner: w, Jobs: 1, Cache: cache}
	defer j.Close()
	if _, err := Verify(t.Context(), j, p, Options{}); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(root, "data")

	for _, c := range w.Seen["answers.sh"] {
		if touches(c, root) || touches(c, cache) && !slices.ContainsFunc(c.Args, func(a string) bool { return a == "./answers.sh" }) {
			t.Errorf("the submission is allowed %v %v %v %v", c.Args, c.Dir, c.Reads, c.Writes)
		}
		if c.Writes != nil {
			t.Errorf("the submission may write to %v", c.Writes)
		}
	}
	// It has answered the generated input before, possibly with files.
	submission := w.Last(t, "answers.sh")
	if submission.Scratch || len(submission.Reads) > 0 {
		t.Errorf("the submission: scratch %v, reads %v; want neither", submission.Scratch, submission.Reads)
	}

	check := w.Last(t, "checks.sh")
	input, answer := filepath.Join(data, "secret/sub/x.in"), filepath.Join(data, "secret/sub/x.ans") // of the last case
	source := slices.IndexFunc(check.Args, func(a string) bool { return filepath.Base(a) == "checks.sh" })
	if diff := cmp.Diff([]string{input, answer, filepath.Dir(check.Args[source])}, check.Reads); diff != "" {
		t.Errorf("the output validator reads (-want +got):\n%s", diff)
	}
	if n := len(check.Args); len(check.Writes) != 1 || check.Scratch || check.Args[n-1] != check.Writes[0]+"/" {
		t.Errorf("the output validator may write to %v; want the feedback folder of %v", check.Writes, check.Args)
	}

	if c := w.Last(t, "format.sh"); len(c.Reads)+len(c.Writes) > 0 || c.Scratch || touches(c, root) {
		t.Errorf("the input validator is allowed %v %v %v; want its working folder", c.Dir, c.Reads, c.Writes)
	}
	if c := w.Last(t, "makes.sh"); len(c.Reads) > 0 || !slices.Equal(c.Writes, []string{c.Dir}) || touches(c, root) {
		t.Errorf("the generator is allowed %v %v %v; want its working folder, to write to", c.Dir, c.Reads, c.Writes)
	}
	for _, name := range []string{"answers.sh", "checks.sh", "format.sh", "makes.sh"} {
		if w.Last(t, name).Locks {
			t.Errorf("%s may lock files", name)
		}
		c := w.Last(t, "build "+name)
		if !c.Locks {
			t.Errorf("what builds %s may not lock files", name)
		}
		building := filepath.Dir(c.Dir)
		if want := []string{filepath.Join(building, "bin"), filepath.Join(building, "tmp")}; !slices.Equal(c.Writes, want) || len(c.Reads) > 0 || c.Dir != filepath.Join(building, "src") {
			t.Errorf("what builds %s is allowed %v %v %v; want to write to %v only", name, c.Dir, c.Reads, c.Writes, want)
		}
	}
}

// allow_file_writing is a right like any other.
func TestFileWriting(t *testing.T) {
	testkit.Needs(t, "bash")
	for _, allow := range []bool{false, true} {
		w := &testkit.Witness{}
		t.Cleanup(func() { w.Close() })
		files := testkit.Pack(testkit.EveryProgram)
		files["problem.yaml"].Data = fmt.Appendf(slices.Clip(files["problem.yaml"].Data), "allow_file_writing: %v\n", allow)
		p := testproblem.PackageOf(t, files)
		j := &judge.Judge{Runner: w, Jobs: 1, Cache: t.TempDir()}
		j.Run(t.Context(), p.Submissions[0], p.Samples())
		if c := w.Last(t, "answers.sh"); c.Scratch != allow {
			t.Errorf("allow_file_writing %v: scratch %v", allow, c.Scratch)
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	}
}
