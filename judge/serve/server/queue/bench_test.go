//go:build unix

package queue

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// cpuTime is the processor time of this process, which is server, submitter and
// workers. Unlike the items per second, it does not depend on what else runs.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkQueue measures submit, fetch, start, verdict and acknowledgement of
// items that do no work, with 16 workers, each with a connection of its own.
func BenchmarkQueue(b *testing.B) {
	for _, durable := range []bool{false, true} {
		b.Run(fmt.Sprintf("durable=%v", durable), func(b *testing.B) {
			s := start(b, Options{AckWait: DefaultAckWait, Listen: "127.0.0.1:0", Durable: durable})
			q := connect(b, s.Connection())
			for i := range 16 {
				startWorker(b, Connection{URL: s.URL()}, Worker{ID: fmt.Sprint("w", i)}, func(ctx context.Context, d *Delivery) error {
					_, err := d.Verdict(ctx, []byte("AC"))
					return err
				})
			}
			items := make([]Item, b.N)
			for i := range items {
				items[i] = item(fmt.Sprint(i))
				items[i].Client = fmt.Sprint("client", i%4)
			}
			before := cpuTime(b)
			b.ResetTimer()
			all := submit(b, q, items...)
			submitted := b.Elapsed()
			for _, p := range all {
				if _, err := p.Verdict(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
			b.StopTimer()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "items/s")
			b.ReportMetric((cpuTime(b)-before).Seconds()*1e6/float64(b.N), "cpu-µs/item")
			b.ReportMetric(float64(b.N)/submitted.Seconds(), "submits/s")
			if c := s.Counts(); c.Verdicts != int64(b.N) || c.Redelivered != 0 {
				b.Errorf("%+v, expected %d verdicts and no second delivery", c, b.N)
			}
		})
	}
}

// BenchmarkJetStreamAlone is the same with what JetStream needs for it and without
// this package: 16 connections fetch from one consumer, create a key and acknowledge.
func BenchmarkJetStreamAlone(b *testing.B) {
	s := start(b, Options{AckWait: DefaultAckWait, Listen: "127.0.0.1:0"})
	q := connect(b, s.Connection())
	q.stop() // no dispatcher is to hear of the lane
	s.dispatcher.close()
	items := make([]Item, b.N)
	for i := range items {
		items[i] = item(fmt.Sprint(i))
	}
	l := laneOf(&Item{Class: "c", Language: "go", Client: "alice"})
	consumer, err := s.dispatcher.consumer(b.Context(), l)
	if err != nil {
		b.Fatal(err)
	}
	name := consumer.CachedInfo().Name
	before := cpuTime(b)
	b.ResetTimer()
	submit(b, q, items...)
	var left atomic.Int64
	left.Store(int64(b.N))
	var workers sync.WaitGroup
	for range 16 {
		conn, err := (Connection{URL: s.URL()}).dial(b.Context(), "")
		if err != nil {
			b.Fatal(err)
		}
		defer conn.Close()
		js, err := newJetStream(conn)
		if err != nil {
			b.Fatal(err)
		}
		workers.Go(func() {
			c, err := js.Consumer(b.Context(), itemStream, name)
			if err != nil {
				b.Error(err)
				return
			}
			kv, err := js.KeyValue(b.Context(), cellBucket)
			if err != nil {
				b.Error(err)
				return
			}
			for left.Add(-1) >= 0 {
				m, err := c.Next()
				if err == nil {
					_, err = kv.Create(b.Context(), subjectToken(m.Subject()), []byte("AC"))
				}
				if err == nil {
					err = m.DoubleAck(b.Context())
				}
				if err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	workers.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "items/s")
	b.ReportMetric((cpuTime(b)-before).Seconds()*1e6/float64(b.N), "cpu-µs/item")
}

// BenchmarkLatency measures one item at a time, from Submit to Verdict.
func BenchmarkLatency(b *testing.B) {
	s := start(b, Options{AckWait: DefaultAckWait, Listen: "127.0.0.1:0"})
	q := connect(b, s.Connection())
	startWorker(b, Connection{URL: s.URL()}, Worker{ID: "w", Slots: 4}, echo)
	for i := 0; b.Loop(); i++ {
		verdict(b, submit(b, q, item(fmt.Sprint(i)))[0])
	}
}

// BenchmarkBoard measures an item that is put on the board and given to a slot, while
// other slots wait for items of another language.
func BenchmarkBoard(b *testing.B) {
	for _, others := range []int{0, 1_000, 10_000} {
		b.Run(fmt.Sprint("others=", others), func(b *testing.B) {
			board := newBoard()
			for i := range others {
				board.wait(&slot{worker: fmt.Sprint("w", i), classes: []string{"c"}, languages: []string{"java"}})
			}
			l := lane{class: "c", language: "go", client: "alice"}
			h, _ := board.open(l)
			given := 0
			for b.Loop() {
				board.demand(h, 1, mostPulled)
				board.wait(&slot{worker: "w", classes: []string{"c"}, languages: []string{"go"}, give: func(*parcel) { given++ }})
				board.add(&parcel{lane: l})
			}
			if slots, items, _ := board.counts(); given != b.N || slots != others || items != 0 {
				b.Errorf("%d given, %d slots, %d items: expected %d, %d, 0", given, slots, items, b.N, others)
			}
		})
	}
}
