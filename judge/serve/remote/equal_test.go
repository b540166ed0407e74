package remote

import (
	"bytes"
	"context"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"crucible/judge"
	"crucible/judge/internal/testkit"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/serve/blob"
)

// A loop is a pool of judges of the same process.
type loop struct {
	Executor
	unpacker *Unpacker
	workers  []*judge.Judge
	most     int // cases of an item that are run, at most; 0 means all
	items    atomic.Int64
}

func (l *loop) Slots(context.Context) (int, error) { return len(l.workers), nil }

func (l *loop) Do(ctx context.Context, i *Item, line func(*Line) error) error {
	n := l.items.Add(1)
	if l.most > 0 {
		i.Cases = i.Cases[:min(l.most, len(i.Cases))]
	}
	data, err := i.Encode()
	if err == nil {
		i, err = Decode(data)
	}
	if err != nil {
		return err
	}
	h := &Here{Unpacker: l.unpacker, Executor: l.workers[int(n)%len(l.workers)], Name: "a"}
	return h.Do(ctx, i, line)
}

// newLoop returns a loop to two judges.
func newLoop(t *testing.T) *loop {
	t.Helper()
	store, err := blob.Open(t.TempDir(), 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	l := &loop{unpacker: &Unpacker{Judge: "test", Store: store, Dir: t.TempDir()}}
	l.Executor = Executor{Packer: &Packer{Judge: "test", Send: store.PutFolder}, Pool: l}
	t.Cleanup(func() { l.unpacker.Close(); store.Close() })
	for range 2 {
		l.workers = append(l.workers, newJudge(t, nil))
	}
	return l
}

func newJudge(t *testing.T, x judge.Executor) *judge.Judge {
	t.Helper()
	j := &judge.Judge{Cache: testkit.Cache(t), Jobs: 2}
	if x != nil {
		j.Executor = Agree(x)
	}
	t.Cleanup(func() { j.Close() })
	return j
}

// judged returns the normal form of the record of all submissions of a package.
func judged(t *testing.T, j *judge.Judge, dir string) string {
	t.Helper()
	p, err := problem.OpenDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	r := record.Problem{ID: p.ID}
	if r.Err = j.Infer(context.Background(), p); r.Err == nil {
		r.Reports = j.RunAll(context.Background(), p.Submissions, p.Cases)
	}
	var text bytes.Buffer
	if err := record.Write(&text, record.Normalize(&record.Document{Problems: []record.Problem{r}})); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// Packages of the conformance suite have equal records here and elsewhere, whole items
// and single cases.
func TestEqual(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs of the packages are shell scripts")
	}
	testkit.Needs(t, "bash")
	l := newLoop(t)
	single := newLoop(t)
	single.most = 1
	here, there, one := newJudge(t, nil), newJudge(t, l), newJudge(t, single)
	t.Run("packages", func(t *testing.T) {
		for i, id := range packages {
			t.Run(id, func(t *testing.T) {
				if i%4 != 1 {
					testkit.InMatrix(t)
				}
				t.Parallel()
				dir := lay(t, id)
				want := judged(t, here, dir)
				for of, j := range map[string]*judge.Judge{"items": there, "single cases": one} {
					if diff := cmp.Diff(want, judged(t, j, dir)); diff != "" {
						t.Errorf("%s: the records differ (-here +elsewhere):\n%s", of, diff)
					}
				}
			})
		}
	})
	if l.items.Load() == 0 || single.items.Load() <= l.items.Load() {
		t.Errorf("%d items, and %d of single cases: expected some, and more", l.items.Load(), single.items.Load())
	}
}

// packages are those of the suite whose submissions run in different ways.
var packages = []string{
	"case_args", "code_limit", "compile_error", "constants_everywhere", "default_directories_broken", "domjudge_expected_score",
	"expectations_by_group", "file_writing_denied", "first_failing_case_decides", "groups_pass_fail", "include_driver", "interactive",
	"interactive_multi_pass", "interactive_submission_crashes", "language_not_determined", "legacy_custom_grader", "legacy_groups_of_groups",
	"legacy_on_reject_break", "message_expected", "multi_pass", "output_limit", "output_validator_does_not_compile", "scoring_judge_error_score_negative",
	"scoring_multi_pass", "scoring_require_pass_chain", "scoring_unbounded_groups", "static_validator_args_and_groups", "submit_answer",
	"time_limit_inferred", "time_limit_none_exists",
}

// lay writes a package of the suite to a folder.
func lay(t *testing.T, id string) string {
	t.Helper()
	archive, err := txtar.ParseFile("../../testdata/conformance/" + id + ".txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for _, f := range archive.Files {
		files[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
		if bytes.HasPrefix(f.Data, []byte("#!")) {
			files[f.Name].Mode = 0o755
		}
	}
	dir := filepath.Join(t.TempDir(), strings.ReplaceAll(id, "_", ""))
	testkit.Lay(t, dir, files)
	return dir
}
