package server

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/remote"
	"crucible/judge/serve/server/queue"
)

// leaseTo gives the items of a worker to a function, one after the other, until the test ends.
func leaseTo(t *testing.T, workers *Workers, name string, handle func(ctx context.Context, l *queue.Lease) error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan bool)
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			one, end := context.WithTimeout(ctx, time.Second)
			l, err := workers.Queue.Lease(one, *workers.poll(name))
			end()
			if l != nil {
				err = handle(ctx, l)
			}
			if err != nil && ctx.Err() == nil {
				t.Logf("worker %s: %v", name, err)
			}
		}
	}()
	t.Cleanup(func() { cancel(); <-ended })
	for began := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		for _, w := range workers.Queue.Workers() {
			if w.Worker == name {
				return
			}
		}
		if time.Since(began) > time.Minute {
			t.Fatalf("worker %s does not ask for items", name)
		}
	}
}

// fakeWorker executes items: each has these verdicts on secret/1 and secret/2, or the next
// ones at each item. It runs until the test ends.
func fakeWorker(t *testing.T, workers *Workers, name string, next ...[2]string) {
	t.Helper()
	n := 0
	leaseTo(t, workers, name, func(ctx context.Context, l *queue.Lease) error {
		verdicts := next[min(n, len(next)-1)]
		n++
		for i, v := range verdicts {
			line := fmt.Appendf(nil, `{"run":{"run":{"case":"secret/%d","verdict":%q,"worker":%q}}}`+"\n", i+1, v, name)
			if err := workers.Queue.Result(ctx, name, l.ID, i, line); err != nil {
				return err
			}
		}
		_, err := workers.Queue.Verdict(ctx, name, l.ID, len(verdicts), fmt.Appendf(nil, `{"end":{"by":%q}}`+"\n", name))
		return err
	})
}

// Audits find the worker that judges differently. Of three workers, the one that differs
// from the two others is taken out, if it repeats its answer.
func TestAudit(t *testing.T) {
	right, wrong, crash, slow := [2]string{"AC", "WA"}, [2]string{"AC", "AC"}, [2]string{"AC", "RTE"}, [2]string{"AC", "TLE"}
	always := func(v [2]string) [][2]string { return [][2]string{v} }
	turns := slices.Repeat([][2]string{right, wrong}, 100)
	for _, tt := range []struct {
		name    string
		workers [][][2]string // verdicts of each item, the last ones of all later items
		want    [3]bool       // there are audits: equal, different, alone
		differ  int           // workers that differ
		out     string        // which is taken out; "" is none
	}{
		{"no other worker", [][][2]string{always(right)}, [3]bool{false, false, true}, 0, ""},
		{"two agree", [][][2]string{always(right), always(right)}, [3]bool{true, false, false}, 0, ""},
		{"one of two lies", [][][2]string{always(right), always(wrong)}, [3]bool{false, true, false}, 2, ""},
		{"a time limit, which load can explain", [][][2]string{always(slow), always(right)}, [3]bool{true, false, false}, 0, ""},
		{"one of three lies", [][][2]string{always(right), always(wrong), always(right)}, [3]bool{true, true, false}, 2, "w1"},
		{"one of three lies once", [][][2]string{always(right), {wrong, right}, always(right)}, [3]bool{true, true, false}, 2, ""},
		{"three differ", [][][2]string{always(right), always(wrong), always(crash)}, [3]bool{false, true, false}, 2, ""},
		{"the submission is random", [][][2]string{turns, turns[1:], turns}, [3]bool{true, true, false}, 2, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFloor(t)
			for i, next := range tt.workers {
				f.worker(fmt.Sprintf("w%d", i), next...)
			}
			for range 100 { // the first two workers may be those that agree
				f.do()
				if n := f.audit; n.alone.Load() > 0 || n.different.Load() > 0 || n.equal.Load() > 0 && !tt.want[1] {
					break
				}
			}
			a, differ, out := f.audit, 0, ""
			if got := [3]bool{a.equal.Load() > 0, a.different.Load() > 0, a.alone.Load() > 0}; got[1] != tt.want[1] || got[2] != tt.want[2] || got[0] && !tt.want[0] {
				t.Errorf("audits equal, different, alone: %v: expected %v", got, tt.want)
			}
			for _, w := range f.workers.List() {
				if w.Differ > 0 {
					differ++
					if w.Differ != 1 || !strings.HasPrefix(w.Err, "echo a.sh: secret/2 is ") {
						t.Errorf("worker %s: %d differences, %q: expected 1, and where", w.Name, w.Differ, w.Err)
					}
				}
				for _, o := range w.Out {
					out += w.Name
					if o.Cause != api.Differs || !regexp.MustCompile(`^differs from w[02] and w[02]: echo a.sh: secret/2 is AC on w1, WA on w[02]`).MatchString(o.Because) {
						t.Errorf("worker %s is taken out: %+v", w.Name, o)
					}
				}
			}
			if differ != tt.differ || out != tt.out {
				t.Errorf("%d workers differ, taken out: %q: expected %d, %q", differ, out, tt.differ, tt.out)
			}
			if tt.out != "" {
				f.stays(tt.out)
			}
		})
	}
}

// An auditedQueue is a queue with workers, all of whose items are audited.
type auditedQueue struct {
	*testing.T
	workers *Workers
	pool    *Queued
	audit   *Audit
}

func newFloor(t *testing.T) *auditedQueue {
	t.Helper()
	f := &auditedQueue{T: t, workers: newWorkers(t)}
	f.audit = &Audit{Share: 1, Workers: f.workers}
	f.pool = &Queued{Queue: f.workers.Queue, Workers: f.workers, Audit: f.audit}
	return f
}

func (f *auditedQueue) worker(name string, next ...[2]string) {
	f.Helper()
	if _, err := f.workers.Admit("", &api.Registration{Name: name, Languages: []string{"bash"}}); err != nil {
		f.Fatal(err)
	}
	fakeWorker(f.T, f.workers, name, next...)
}

// itemOf returns an item of a class.
func itemOf(class string) *remote.Item {
	tree := blob.Of(nil)
	return &remote.Item{Class: class, Problem: remote.Package{ID: "echo", Tree: tree}, Submission: remote.Submission{Name: "a.sh", Path: "a.sh", Language: "bash", Tree: tree}, Cases: []string{"secret/1", "secret/2"}}
}

// inClass has an item of a class executed.
func (f *auditedQueue) inClass(class string) error {
	return f.pool.Do(context.WithValue(f.Context(), clientKey{}, "test"), itemOf(class), func(*remote.Line) error { return nil })
}

// do has an item executed, and waits for its audit.
func (f *auditedQueue) do() {
	f.Helper()
	item := itemOf("")
	var lines bytes.Buffer
	if err := f.pool.Do(context.WithValue(f.Context(), clientKey{}, "test"), item, func(l *remote.Line) error { lines.Write(l.Data); return nil }); err != nil || strings.Count(lines.String(), "\n") != 3 {
		f.Fatalf("%v: %s", err, lines.String())
	}
	for began := time.Now(); f.audit.underWay.Load() > 0; time.Sleep(time.Millisecond) {
		if time.Since(began) > time.Minute {
			f.Fatal("the audit does not end")
		}
	}
}

// stays checks that a worker that is taken out completes no more items, until it is restored.
func (f *auditedQueue) stays(name string) {
	f.Helper()
	done := func() int64 {
		for _, w := range f.workers.List() {
			if w.Name == name {
				return w.Done
			}
		}
		return -1
	}
	was := done()
	for range 5 {
		f.do()
	}
	if now := done(); now != was {
		f.Errorf("%s completed %d items after it was taken out, expected none", name, now-was)
	}
	if err := f.workers.Restore(name); err != nil {
		f.Fatal(err)
	}
	for range 100 {
		if f.do(); done() > was {
			return
		}
	}
	f.Errorf("%s completes no items after it was restored", name)
}

// Three audits in doubt against different workers take a worker out, and not those.
func TestDoubts(t *testing.T) {
	workers := newWorkers(t)
	for _, name := range []string{"liar", "a", "b", "c", "d"} {
		if _, err := workers.Admit("", &api.Registration{Name: name}); err != nil {
			t.Fatal(err)
		}
	}
	out := func() (names []string) {
		for _, w := range workers.List() {
			if len(w.Out) > 0 {
				names = append(names, w.Name+" "+w.Out[0].Because)
			}
		}
		return names
	}
	doubt := func(one, other string, want ...string) {
		t.Helper()
		if err := workers.doubt(slog.New(slog.DiscardHandler), one, other); err != nil {
			t.Fatal(err)
		}
		if got := out(); !slices.Equal(got, want) {
			t.Errorf("taken out: %q, expected %q", got, want)
		}
	}
	workers.done("liar")
	doubt("liar", "a")
	for range 5 {
		doubt("a", "liar") // the same two
	}
	doubt("b", "liar")
	for range rememberedIn + 1 {
		workers.agree("liar", "d")
	}
	doubt("liar", "c") // the others are forgotten
	workers.done("liar")
	doubt("liar", "a")
	doubt("b", "liar", "liar differs from a, b, c in 3 audits; no audit agreed with its last 1 work items")
	if err := workers.Restore("liar"); err != nil || len(out()) != 0 {
		t.Errorf("%v: taken out after it was restored: %q", err, out())
	}
	doubt("liar", "a") // and the doubts are forgotten
}

// Two workers that do not agree on compiling are reported once, and so is a third one.
func TestCompilations(t *testing.T) {
	workers, c := &Workers{Queue: new(queue.Queue)}, &Compilations{}
	compiled := func(submission, worker string, rejected bool) {
		i := &remote.Item{Problem: remote.Package{ID: "echo", Tree: blob.Of(nil)}, Submission: remote.Submission{Name: submission, Files: map[string][]byte{"a": []byte(submission)}}}
		c.compare(workers, i, &outcome{worker: worker, last: &remote.Line{Data: fmt.Appendf(nil, `{"end":{"rejected":%v,"compile":{"message":"no\n\u001b"}}}`, rejected)}})
	}
	for range 2 {
		compiled("one", "a", false)
		compiled("one", "b", true)
		compiled("two", "a", true)
		compiled("two", "b", true)
	}
	if n := c.different.Load(); n != 1 || workers.trusts["a"].differ != 1 || workers.trusts["b"].differ != 1 {
		t.Errorf("%d submissions differ, %+v: expected 1", n, workers.trusts)
	}
	compiled("one", "c", false)
	if n, why := c.different.Load(), workers.trusts["c"].last; n != 1 || why != "echo one: compiled by a and c, rejected by b" {
		t.Errorf("%d submissions differ, %q", n, why)
	}
}

// A worker reads the trees of its items and their files, not those of other workers.
func TestGrants(t *testing.T) {
	store, err := blob.Open(t.TempDir(), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	// put stores a tree with one file, and returns both.
	put := func(text string) (tree, file blob.Digest) {
		file = blob.Of([]byte(text))
		data, err := (&blob.Tree{Files: []blob.File{{Path: "a", Digest: file}}}).Encode()
		if err != nil {
			t.Fatal(err)
		}
		tree = blob.Of(data)
		for d, data := range map[blob.Digest][]byte{file: []byte(text), tree: data} {
			if err := store.PutDigest(t.Context(), d, bytes.NewReader(data)); err != nil {
				t.Fatal(err)
			}
		}
		return tree, file
	}
	g := &Grants{Store: store}
	hand := func(worker string, tree blob.Digest) {
		data, err := (&remote.Item{Problem: remote.Package{ID: "echo", Tree: tree}, Submission: remote.Submission{Name: "a", Path: "a", Files: map[string][]byte{"a": nil}, Tree: tree}, Cases: []string{"1"}}).Encode()
		if err != nil {
			t.Fatal(err)
		}
		g.Leased(worker, &queue.Item{Payload: data})
	}
	tree, file := put("one")
	other, secret := put("two")
	hand("a", tree)
	hand("b", other)
	for _, tt := range []struct {
		worker string
		d      blob.Digest
		want   bool
	}{{"a", tree, true}, {"a", file, true}, {"a", other, false}, {"a", secret, false}, {"b", secret, true}, {"c", file, false}} {
		if got := g.reads(tt.worker, tt.d); got != tt.want {
			t.Errorf("%s may read %s: %v, expected %v", tt.worker, tt.d, got, tt.want)
		}
	}
	for i := range mostTrees { // newer items replace the oldest one
		tree, _ := put(fmt.Sprint(i))
		hand("a", tree)
	}
	if g.reads("a", file) {
		t.Errorf("a worker reads a file of an item that was %d items ago: expected that it cannot", mostTrees+1)
	}
}
