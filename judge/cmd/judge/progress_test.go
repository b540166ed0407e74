package main

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestProgressShowsWhatStandsForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var shown strings.Builder
		p := &progress{w: &shown}
		for _, what := range []string{"first", "second", "third"} {
			p.say("%s", what)
		}
		time.Sleep(2 * framePause)
		synctest.Wait()
		if got, want := shown.String(), "\rfirst\x1b[K\rthird\x1b[K"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
		p.say("fourth")
		p.say("fifth")
		p.clear()
		time.Sleep(2 * framePause)
		synctest.Wait()
		if got, want := shown.String(), "\rfourth\x1b[K\r\x1b[K"; !strings.HasSuffix(got, want) {
			t.Errorf("after it is cleared: %q, want %q at its end", got, want)
		}
		(&progress{}).say("nothing, for there is no terminal")
	})
}
