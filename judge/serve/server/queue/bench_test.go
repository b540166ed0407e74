//go:build unix

package queue

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"

	"crucible/judge/serve/worker"
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

// BenchmarkQueue measures submit, lease, verdict and acknowledgement of items that do no
// work, with 16 workers and 64 submitters.
func BenchmarkQueue(b *testing.B) {
	for _, durable := range []bool{false, true} {
		b.Run(fmt.Sprintf("durable=%v", durable), func(b *testing.B) {
			q := start(b, Options{AckWait: 12 * time.Second, Durable: durable})
			for i := range 16 {
				startWorker(b, q, crew{ID: fmt.Sprint("w", i)}, func(ctx context.Context, d *worker.Delivery) error {
					_, err := d.Verdict(ctx, []byte("AC"))
					return err
				})
			}
			before := cpuTime(b)
			b.SetParallelism(32)
			b.ResetTimer()
			b.RunParallel(func(next *testing.PB) {
				name := fmt.Sprintf("%p", next)
				for i := 0; next.Next(); i++ {
					it := item(fmt.Sprint(name, i))
					it.Client = name
					p, err := q.Submit(b.Context(), it)
					if err == nil {
						_, err = p.Verdict(b.Context())
					}
					if err != nil {
						b.Error(err)
						return
					}
				}
			})
			b.StopTimer()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "items/s")
			b.ReportMetric((cpuTime(b)-before).Seconds()*1e6/float64(b.N), "cpu-µs/item")
			if c := q.Counts(); c.Verdicts != int64(b.N) || c.Redelivered != 0 {
				b.Errorf("%+v, expected %d verdicts and no second delivery", c, b.N)
			}
		})
	}
}

// BenchmarkLatency measures one item at a time, from Submit to Verdict.
func BenchmarkLatency(b *testing.B) {
	q := start(b, Options{AckWait: 12 * time.Second})
	startWorker(b, q, crew{ID: "w", Slots: 4}, echo)
	for i := 0; b.Loop(); i++ {
		verdict(b, submit(b, q, item(fmt.Sprint(i)))[0])
	}
}

// BenchmarkRoom measures an item that is given to a poll, while other polls wait for items of
// another language.
func BenchmarkRoom(b *testing.B) {
	for _, others := range []int{0, 1_000, 10_000} {
		b.Run(fmt.Sprint("others=", others), func(b *testing.B) {
			var r room
			for i := range others {
				r.wait(&Poll{Worker: fmt.Sprint("w", i), Classes: []string{"c"}, Languages: []string{"java"}})
			}
			for b.Loop() {
				p := poll("w", 1)
				r.wait(&p)
				r.add(&entry{item: item("a")})
				<-p.give
			}
		})
	}
}
