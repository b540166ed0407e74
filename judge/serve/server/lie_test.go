package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"crucible/judge"
	"crucible/judge/serve/api"
	"crucible/judge/serve/remote"
	"crucible/judge/serve/server/queue"
)

// A worker whose answer cannot be one to the item loses the item, which another one judges.
func TestLies(t *testing.T) {
	run := func(name, verdict, worker string) string {
		return fmt.Sprintf(`{"run":{"run":{"case":%q,"verdict":%q,"worker":%q}}}`+"\n", name, verdict, worker)
	}
	end := func(worker string) string { return fmt.Sprintf(`{"end":{"by":%q}}`+"\n", worker) }
	large := strings.Repeat("x", 200_000)
	for _, tt := range []struct {
		name    string
		results []string
		verdict string
		what    string
	}{
		{"another case", []string{run("secret/3", "AC", "liar")}, end("liar"), `case "secret/3", which is not in the item`},
		{"another case in the last message", nil, run("secret/1", "AC", "liar") + run("", "AC", "liar") + end("liar"), "name of its case"},
		{"a case twice", []string{run("secret/1", "AC", "liar"), run("secret/1", "AC", "liar")}, end("liar"), "two runs of case"},
		{"an unknown verdict", []string{run("secret/1", "YES", "liar")}, end("liar"), `verdict "YES"`},
		{"no verdict", []string{run("secret/1", "", "liar")}, end("liar"), `verdict ""`},
		{"another's name", []string{run("secret/1", "AC", "honest")}, end("liar"), `names worker "honest"`},
		{"no name", []string{run("secret/1", "AC", "")}, end("liar"), `names worker ""`},
		{"another's name at the end", []string{run("secret/1", "AC", "liar")}, end("honest"), `names worker "honest"`},
		{"no run", nil, end("liar"), "made no run"},
		{"no end", nil, run("secret/1", "AC", "liar"), "no last line"},
		{"no JSON", []string{"{\n"}, end("liar"), "the answer to a work item: json"},
		{"many large runs of other cases", []string{run("secret/7", "AC", "liar") + large}, end("liar"), "not in the item"},
		{"a line without an end", slices.Repeat([]string{large}, 6), end("liar"), "a line of more than 1032192 bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := newFloor(t)
			var log bytes.Buffer
			f.workers.Log, f.pool.Audit = slog.New(slog.NewTextHandler(&log, nil)), nil
			lied, proceed := make(chan bool, 10), make(chan bool)
			if _, err := f.workers.Admit("", &api.Registration{Name: "liar", Slots: 1, Languages: []string{"bash"}}); err != nil {
				t.Fatal(err)
			}
			leaseTo(t, f.workers, "liar", func(ctx context.Context, l *queue.Lease) error {
				lied <- true
				<-proceed
				for i, r := range tt.results {
					if err := f.workers.Queue.Result(ctx, "liar", l.ID, i, []byte(r)); err != nil {
						return err
					}
				}
				_, err := f.workers.Queue.Verdict(ctx, "liar", l.ID, len(tt.results), []byte(tt.verdict))
				return err
			})
			done := make(chan error, 1)
			var lines bytes.Buffer
			go func() {
				done <- f.pool.Do(context.WithValue(t.Context(), clientKey{}, "test"), itemOf(""), func(l *remote.Line) error { lines.Write(l.Data); return nil })
			}()
			<-lied
			f.worker("honest", [2]string{"WA", "AC"})
			close(proceed)
			if err := <-done; err != nil {
				t.Fatal(err)
			}
			if got := lines.String(); strings.Count(got, `"case":"secret/1"`) != 1 || strings.Count(got, `"case":"secret/2"`) != 1 || !strings.Contains(got, `"by":"honest"`) {
				t.Errorf("the answer is %s: expected each case once and the end of the other worker", got)
			}
			if text := log.String(); !strings.Contains(text, "a worker lies") || !strings.Contains(strings.ReplaceAll(text, `\"`, `"`), tt.what) {
				t.Errorf("the log has %.500q: expected %q", text, tt.what)
			}
		})
	}
	// Without other workers, the item fails.
	f := newFloor(t)
	f.worker("liar", [2]string{"YES", "YES"})
	if err := f.inClass(""); err == nil || !strings.Contains(err.Error(), `worker liar: a run with verdict "YES"`) {
		t.Errorf("an item of a liar alone: %v", err)
	}
}

// A worker that answers at once that it failed does not end the item: another one judges it.
func TestFailsAtOnce(t *testing.T) {
	for name, answer := range map[string]string{
		"the item":      `{"end":{"by":"ill","failed":"my disk"}}`,
		"the compiling": `{"end":{"by":"ill","error":"my disk"}}`,
		"a run":         `{"run":{"run":{"case":"secret/1","verdict":"","worker":"ill","error":"my disk"}}}` + "\n" + `{"end":{"by":"ill"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFloor(t)
			f.pool.Audit = nil
			if _, err := f.workers.Admit("", &api.Registration{Name: "ill", Slots: 1, Languages: []string{"bash"}}); err != nil {
				t.Fatal(err)
			}
			began, proceed := make(chan bool, 10), make(chan bool)
			leaseTo(t, f.workers, "ill", func(ctx context.Context, l *queue.Lease) error {
				began <- true
				<-proceed
				_, err := f.workers.Queue.Verdict(ctx, "ill", l.ID, 0, []byte(answer+"\n"))
				return err
			})
			done := make(chan error, 1)
			var lines bytes.Buffer
			go func() {
				done <- f.pool.Do(context.WithValue(t.Context(), clientKey{}, "test"), itemOf(""), func(l *remote.Line) error { lines.Write(l.Data); return nil })
			}()
			<-began
			f.worker("honest", [2]string{"AC", "AC"})
			close(proceed)
			if err := <-done; err != nil || strings.Contains(lines.String(), "disk") || !strings.Contains(lines.String(), `"by":"honest"`) {
				t.Errorf("%v: %s: expected the answer of the other worker", err, lines.String())
			}
			for _, w := range f.workers.List() {
				if w.Differ != 0 {
					t.Errorf("%s differs %d times: expected none, since machines fail", w.Name, w.Differ)
				}
			}
		})
	}
}

// A worker that claims results that it has not sent is avoided, and does not go on for ever.
func TestClaimedResults(t *testing.T) {
	f := newFloor(t)
	f.pool.Audit = nil
	if _, err := f.workers.Admit("", &api.Registration{Name: "liar", Slots: 1, Languages: []string{"bash"}}); err != nil {
		t.Fatal(err)
	}
	var leases atomic.Int64
	first, proceed := make(chan bool, 1), make(chan bool)
	leaseTo(t, f.workers, "liar", func(ctx context.Context, l *queue.Lease) error {
		if leases.Add(1) == mostAgain+2 { // of the second item
			first <- true
			<-proceed
		}
		_, err := f.workers.Queue.Verdict(ctx, "liar", l.ID, 1_000_000, []byte(`{"end":{"by":"liar"}}`+"\n"))
		return err
	})
	if err := f.inClass(""); !errors.Is(err, errLost) || leases.Load() != mostAgain+1 {
		t.Errorf("alone: %v after %d leases: expected %v after %d", err, leases.Load(), errLost, mostAgain+1)
	}
	done := make(chan error, 1)
	go func() { done <- f.inClass("") }()
	<-first
	f.worker("honest", [2]string{"AC", "AC"})
	close(proceed)
	if err := <-done; err != nil || leases.Load() != mostAgain+2 {
		t.Errorf("with another worker: %v after %d leases: expected a verdict after %d", err, leases.Load(), mostAgain+2)
	}
}

// A line that has several messages is one line.
func TestLongLine(t *testing.T) {
	f := newFloor(t)
	f.pool.Audit = nil
	if _, err := f.workers.Admit("", &api.Registration{Name: "a", Slots: 1, Languages: []string{"bash"}}); err != nil {
		t.Fatal(err)
	}
	message := strings.Repeat("x", 700_000)
	text := fmt.Sprintf(`{"run":{"run":{"case":"secret/1","verdict":"AC","worker":"a"},"message":%q}}`+"\n"+`{"end":{"by":"a"}}`+"\n", message)
	parts := slices.Collect(slices.Chunk([]byte(text), queue.MaxVerdict))
	leaseTo(t, f.workers, "a", func(ctx context.Context, l *queue.Lease) error {
		for i, part := range parts[:len(parts)-1] {
			if err := f.workers.Queue.Result(ctx, "a", l.ID, i, part); err != nil {
				return err
			}
		}
		_, err := f.workers.Queue.Verdict(ctx, "a", l.ID, len(parts)-1, parts[len(parts)-1])
		return err
	})
	var runs []*judge.Run
	err := f.pool.Do(t.Context(), itemOf(""), func(l *remote.Line) error {
		if l.IsLast() {
			return nil
		}
		r, err := l.Run()
		runs = append(runs, r)
		return err
	})
	if err != nil || len(runs) != 1 || runs[0].Message != message {
		t.Errorf("%d runs, %v: expected one with the message", len(runs), err)
	}
}
