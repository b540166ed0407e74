//go:build amd64 || arm64

package sandbox

import (
	"testing"
	"time"
)

func TestDelaysAreWhatOthersHaveCaused(t *testing.T) {
	type look struct {
		seen, elapsed time.Duration // in ms
		threads       []delay       // times in ms
	}
	thread := func(tid int, ran, waited time.Duration) delay { return delay{tid: tid, ran: ran, waited: waited} }
	for _, test := range []struct {
		fact  string
		looks []look
		want  time.Duration // in ms
	}{
		{"nobody was there", []look{{0, 100, nil}}, 0},
		{"one that slept", []look{{10, 100, []delay{thread(1, 10, 0)}}}, 0},
		{"one that waited", []look{{10, 100, []delay{thread(1, 10, 90)}}}, 90},
		{"one that slept and waited", []look{{10, 100, []delay{thread(1, 10, 40)}}}, 40},
		{"and went on", []look{{10, 100, []delay{thread(1, 10, 90)}}, {20, 200, []delay{thread(1, 20, 180)}}}, 180},
		{"it is told late", []look{
			{10, 100, []delay{thread(1, 10, 90)}},
			{10, 150, []delay{thread(1, 10, 90)}},
			{10, 200, []delay{thread(1, 10, 90)}},
			{11, 250, []delay{thread(1, 11, 239)}},
		}, 239},
		{"two that waited at once", []look{{20, 100, []delay{thread(1, 10, 80), thread(2, 10, 80)}}}, 70},
		{"told at different times", []look{
			{0, 100, []delay{thread(1, 0, 0), thread(2, 0, 0)}},
			{1, 200, []delay{thread(1, 1, 199), thread(2, 0, 0)}},
			{2, 201, []delay{thread(1, 1, 199), thread(2, 1, 199)}},
		}, 199},
		{"two for each other", []look{{100, 100, []delay{thread(1, 50, 50), thread(2, 50, 50)}}, {100, 300, []delay{thread(1, 50, 50), thread(2, 50, 50)}}}, 0},
		{"many for each other, then asleep", []look{{90, 100, []delay{thread(1, 30, 60), thread(2, 30, 60), thread(3, 30, 60)}}, {90, 300, []delay{thread(1, 30, 60), thread(2, 30, 60), thread(3, 30, 60)}}}, 0},
		{"two in turns", []look{
			{10, 100, []delay{thread(1, 10, 90), thread(2, 0, 0)}},
			{20, 200, []delay{thread(1, 10, 90), thread(2, 10, 90)}},
		}, 170},
		{"what another used before is not taken off", []look{
			{100, 100, []delay{thread(1, 100, 0), thread(2, 0, 0)}},
			{100, 200, []delay{thread(1, 100, 0), thread(2, 0, 0)}},
			{110, 300, []delay{thread(1, 100, 0), thread(2, 10, 0)}},
			{120, 400, []delay{thread(1, 100, 0), thread(2, 20, 90)}},
		}, 90},
		{"what another used before it is told is", []look{
			{50, 50, []delay{thread(1, 40, 10), thread(2, 10, 0)}},
			{100, 100, []delay{thread(1, 90, 10), thread(2, 10, 0)}},
			{101, 200, []delay{thread(1, 90, 10), thread(2, 11, 80)}},
		}, 0},
		{"one after the other", []look{
			{10, 100, []delay{thread(1, 0, 0), thread(2, 10, 90)}},
			{20, 200, []delay{thread(1, 0, 0), thread(3, 10, 90)}},
			{20, 201, []delay{thread(1, 0, 0)}},
		}, 180},
		{"a number is given anew", []look{{10, 100, []delay{thread(1, 10, 90)}}, {15, 150, []delay{thread(1, 5, 45)}}}, 135},
		{"one that was overlooked has waited no longer than that", []look{
			{10, 100, []delay{thread(1, 10, 90)}},
			{10, 150, nil},
			{10, 160, []delay{thread(1, 10, 90)}},
		}, 100},
	} {
		t.Run(test.fact, func(t *testing.T) {
			var d delays
			var got time.Duration
			for _, l := range test.looks {
				d.now = append(d.now, l.threads...)
				got = d.add(l.seen, l.elapsed)
			}
			if got != test.want {
				t.Errorf("waited %d, want %d", got, test.want)
			}
		})
	}
}

// TestWaitingHasAnEnd checks that a program that waits for a processor is stopped
// after mostReal times its wall-clock limit.
func TestWaitingHasAnEnd(t *testing.T) {
	now := time.Now()
	w := watch{cores: 2}
	w.begin(Limits{Wall: time.Second}, now, 0)
	w.waited = time.Hour
	if got := w.sleep(now); got != mostReal*time.Second+1 {
		t.Errorf("sleep %v, want %v", got, mostReal*time.Second+1)
	}
	w.waited = time.Second / 2
	if got := w.sleep(now.Add(time.Second)); got != time.Second/2+1 {
		t.Errorf("sleep %v, want %v", got, time.Second/2+1)
	}
	if got := w.sleep(now.Add(2 * time.Second)); got < closest {
		t.Errorf("sleep %v at the end, want %v at least", got, closest)
	}
}
