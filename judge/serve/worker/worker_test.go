package worker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/remote"
)

// A worker is calibrated before its first item and then again between items, and keeps its
// class while the server is away.
func TestCalibratedBetweenItems(t *testing.T) {
	store, err := blob.Open(t.TempDir(), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	j := &judge.Judge{Jobs: 2}
	if err := j.Start(); err != nil {
		t.Fatal(err)
	}
	defer j.Close()

	// The first calibration shows no class, the third one fails.
	calibrations, done := 0, make(chan struct{})
	s := newScript()
	drain := make(chan struct{})
	w := Worker{
		Name: "a", Judge: j, Version: "test", Source: s, Blobs: &blob.Client{}, Store: store, Drain: drain,
		Calibrate: func(context.Context) (string, time.Duration, error) {
			if n := s.busy.Load(); n > 0 {
				t.Errorf("%d items are under way while the worker is calibrated", n)
			}
			switch calibrations++; calibrations {
			case 1:
				if s.judged.Load() > 0 {
					t.Error("an item was judged before the first calibration")
				}
				return "", time.Millisecond, nil
			case 3:
				return "", 0, errors.New("the server is away")
			case 5:
				close(done)
			}
			return "epyc-1", 50 * time.Millisecond, nil
		},
	}
	ended := make(chan error, 1)
	go func() { ended <- w.Run(t.Context()) }()
	for i := 0; ; i++ {
		s.items <- "no item"
		if v := <-s.verdicts; !strings.Contains(v, `"by":"a"`) {
			t.Fatalf("%s: expected an answer of worker a", v)
		}
		select {
		case <-done:
			close(drain)
			if err := <-ended; err != nil {
				t.Error(err)
			}
			return
		default:
		}
	}
}

// A worker that cannot be calibrated at first does not execute items.
func TestNotCalibrated(t *testing.T) {
	j := &judge.Judge{Jobs: 1}
	if err := j.Start(); err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	w := Worker{Name: "a", Judge: j, Calibrate: func(context.Context) (string, time.Duration, error) { return "", 0, errors.New("no box") }}
	if err := w.Run(t.Context()); err == nil || err.Error() != "calibration: no box" {
		t.Errorf("%v: expected the error of the calibration", err)
	}
}

// A doer that answers at once.
type doerFunc func(i *remote.Item, line func(*remote.Line) error) error

func (f doerFunc) Do(_ context.Context, i *remote.Item, line func(*remote.Line) error) error {
	return f(i, line)
}

// An item whose runs may take longer than workers may say nothing has more time.
func TestLongRuns(t *testing.T) {
	for settings, want := range map[string]string{
		`{"limit_ns":2000000000}`:                                "63750",
		`{"limit_ns":2000000000,"time_to_kill_ns":100000000000}`: "277312", // 201 s more
		`{"limit_ns":2000000000,"measures":true}`:                "192312", // 121 s more
	} {
		s, told := newScript(), new(bytes.Buffer)
		stop := run(t, Slots{Source: s, Keeper: told}, func(ctx context.Context, d *Delivery) error {
			return Execute(ctx, doerFunc(func(_ *remote.Item, line func(*remote.Line) error) error {
				return line(remote.Fail(errors.New("no"), "a"))
			}), "a", d, nil)
		})
		s.items <- `{"judge":"test","problem":{"id":"a"},"submission":{"name":"a","path":"a"},"cases":["secret/1"],"settings":` + settings + `}`
		<-s.released
		stop()
		if got := regexp.MustCompile(`keep l.1 (\d+)`).FindAllStringSubmatch(told.String(), -1); got == nil || got[len(got)-1][1] != want {
			t.Errorf("%s: the keeper was told %q: expected %s ms at last", settings, told, want)
		}
	}
}

// An executor whose only run, or compiling, fails.
type failing struct{ run, compiling error }

func (f failing) Execute(_ context.Context, _ *judge.WorkItem, ran func(*judge.Run)) (c judge.Compiled, err error) {
	c.Err = f.compiling
	if f.run != nil {
		ran(&judge.Run{Case: "secret/1", Err: f.run})
	}
	return c, nil
}

// What a machine cannot do goes to another one, until three have failed; what the package is to
// blame for does not.
func TestFailuresOfTheMachine(t *testing.T) {
	machine, defect := errors.New("no memory left"), &problem.Defect{File: "problem.yaml", Msg: "no limit"}
	for _, tt := range []struct {
		by       failing
		delivery int
		released bool
	}{
		{failing{run: machine}, 1, true},
		{failing{run: machine}, 2, true},
		{failing{run: machine}, 3, false},
		{failing{compiling: machine}, 1, true},
		{failing{compiling: machine}, 3, false},
		{failing{run: defect}, 1, false},
		{failing{compiling: fmt.Errorf("compiling: %w", defect)}, 1, false},
	} {
		s := newScript()
		stop := run(t, Slots{Source: s}, func(ctx context.Context, d *Delivery) error {
			d.Delivery = tt.delivery
			return Execute(ctx, doerFunc(func(_ *remote.Item, line func(*remote.Line) error) error {
				return remote.Stream(ctx, tt.by, new(judge.WorkItem), "a", "", line)
			}), "a", d, nil)
		})
		s.items <- `{"judge":"test","problem":{"id":"a"},"submission":{"name":"a","path":"a"},"cases":["secret/1"]}`
		select {
		case r := <-s.released:
			if !tt.released || r.Returned || r.Why != "no memory left" {
				t.Errorf("%+v, delivery %d: released with %+v", tt.by, tt.delivery, r)
			}
		case v := <-s.verdicts:
			if tt.released {
				t.Errorf("%+v, delivery %d: answered %s: expected another worker", tt.by, tt.delivery, v)
			}
		}
		stop()
	}
}
