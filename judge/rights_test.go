package judge

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
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
	needsShell(t)
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
		if w.last(t, name).Locks {
			t.Errorf("%s may lock files", name)
		}
		c := w.last(t, "build "+name)
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
