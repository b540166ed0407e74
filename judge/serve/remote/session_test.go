package remote

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"crucible/judge"
	"crucible/judge/internal/testkit"
	"crucible/judge/prepare/generate"
	"crucible/judge/problem"
	"crucible/judge/serve/blob"
)

// A seenPool keeps the items that it passes on.
type seenPool struct {
	Pool
	mu    sync.Mutex
	items []*Item
}

func (p *seenPool) Do(ctx context.Context, i *Item, line func(*Line) error) error {
	p.mu.Lock()
	p.items = append(p.items, i)
	p.mu.Unlock()
	return p.Pool.Do(ctx, i, line)
}

// A session elsewhere compiles once and makes each run alone, on the worker that is asked
// for; also on cases that are made while it runs.
func TestSession(t *testing.T) {
	testkit.Needs(t, "bash")
	store, err := blob.Open(t.TempDir(), 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	l := &loop{unpacker: &Unpacker{Judge: "test", Store: store, Dir: t.TempDir()}, workers: []*judge.Judge{newJudge(t, nil)}}
	defer l.unpacker.Close()
	pool := &seenPool{Pool: l}
	x := &Executor{Packer: &Packer{Judge: "test", Send: store.PutFolder}, Pool: pool, Class: "epyc-1", Worker: "a"}
	files := testkit.Echo()
	files["submissions/rejected/broken.c"] = &fstest.MapFile{Data: []byte("int main() {\n")}
	files["generators/gen.sh"] = &fstest.MapFile{Data: []byte("echo $1\n"), Mode: 0o755}
	dir := filepath.Join(t.TempDir(), "echo")
	testkit.Lay(t, dir, files)
	p, err := problem.OpenDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	here := newJudge(t, nil)
	here.OutputLimit = 5 << 30
	j, err := here.Elsewhere(func(*problem.Submission) judge.Executor { return x })
	if err != nil {
		t.Fatal(err)
	}
	if j, err = j.Alone(time.Second, func(*problem.Submission, *problem.Case) time.Duration { return 3 * time.Second }); err != nil {
		t.Fatal(err)
	}
	cat := p.SubmissionNamed("accepted/cat.sh")
	s, r := j.Begin(t.Context(), cat)
	if s == nil {
		t.Fatalf("%+v", r)
	}
	defer s.End()
	g, err := generate.Grow(t.Context(), here, p, generate.Growth{Command: "gen.sh {n}"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	grown, err := g.Case(t.Context(), 77)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*problem.Case{p.Cases[0], p.Cases[0], grown} {
		if run := s.Run(t.Context(), c); run.Verdict != problem.Accepted || run.Err != nil || run.Case != c.Name || run.Outcome.CPU == 0 || run.Outcome.Beside != 0 || run.Outcome.Limits.CPU != 3*time.Second || run.Outcome.Limits.Output != 5<<30 || run.Worker != "a" {
			t.Errorf("%s: %s, %v, %+v by %q: expected AC, alone, stopped after 3 s", c.Name, run.Verdict, run.Err, run.Outcome, run.Worker)
		}
	}
	if got := len(pool.items); got != 4 {
		t.Errorf("%d items: expected one that compiles, and one for each run", got)
	}
	for i, item := range pool.items {
		if item.Worker != "a" || item.Class != "epyc-1" || !item.Settings.Alone || len(item.Cases) != min(i, 1) {
			t.Errorf("item %d: worker %q of class %q, alone: %v, cases %v", i, item.Worker, item.Class, item.Settings.Alone, item.Cases)
		}
	}
	if a, b := pool.items[1].Problem.Tree, pool.items[2].Problem.Tree; a != b || a == pool.items[3].Problem.Tree {
		t.Error("expected one tree for the package, and one for the case that was made")
	}
	tree, err := store.Tree(pool.items[3].Problem.Tree)
	if err != nil {
		t.Fatal(err)
	}
	var data []string
	for _, f := range tree.Files {
		if strings.HasPrefix(f.Path, "data/") {
			data = append(data, f.Path)
		}
	}
	if got, want := strings.Join(data, " "), "data/secret/n77.ans data/secret/n77.in"; got != want {
		t.Errorf("data %s, expected %s", got, want)
	}
	if broken := p.SubmissionNamed("rejected/broken.c"); broken.Language != nil {
		if s, r := j.Begin(t.Context(), broken); s != nil || r.Verdict != problem.CompileError || r.Compile.Message == "" {
			t.Errorf("%+v: expected that it does not compile", r)
		}
	}
	if _, err := Decode([]byte(`{"judge":"test","problem":{"id":"a"},"submission":{"name":"a","path":"a"},"cases":[],"settings":{}}`)); err == nil || !strings.Contains(err.Error(), "no cases") {
		t.Errorf("an item without cases that is not alone: %v", err)
	}
}
