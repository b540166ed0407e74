package worker

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"crucible/judge"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/server/queue"
)

// A worker is calibrated before its first item and then again between items, and keeps its
// class while the server is away.
func TestCalibratedBetweenItems(t *testing.T) {
	s, err := queue.Start(t.Context(), queue.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	q, err := queue.Connect(t.Context(), s.Connection())
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
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
	var judged atomic.Int64
	drain := make(chan struct{})
	w := Worker{
		Name: "a", Judge: j, Version: "test", Connection: s.Connection(), Blobs: &blob.Client{}, Store: store, Classes: []string{"any"}, Drain: drain,
		Calibrate: func(context.Context) (string, time.Duration, error) {
			for _, state := range s.Workers() {
				if state.Busy > 0 {
					t.Errorf("%d items are under way while the worker is calibrated", state.Busy)
				}
			}
			switch calibrations++; calibrations {
			case 1:
				if judged.Load() > 0 {
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
		id := fmt.Sprint("item ", i)
		p, err := q.Submit(t.Context(), queue.Item{ID: id, Cell: id, Class: "any", Language: "cpp", Client: "test", Payload: []byte("no item")})
		if err != nil {
			t.Fatal(err)
		}
		v, err := p.Verdict(t.Context())
		if err != nil || !strings.Contains(string(v.Payload), `"by":"a"`) {
			t.Fatalf("%+v, %v: expected an answer of worker a", v, err)
		}
		judged.Add(1)
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
