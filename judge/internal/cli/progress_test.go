package cli

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"crucible/judge/terminal"
)

func TestProgressShowsTheLastOfManyLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScreen(t, 80, 24)
		var written strings.Builder
		p := &Progress{frame: &terminal.Frame{W: io.MultiWriter(s, &written), Size: s.size}}
		for _, what := range []string{"first", "second", "third"} {
			p.Say("%s", what)
		}
		wantScreen(t, "at once", s.all(), "first\n")
		time.Sleep(2 * framePause)
		synctest.Wait()
		wantScreen(t, "later", s.all(), "third\n")
		p.Say("fourth")
		p.Say("fifth")
		fmt.Fprint(&clearingWriter{p, s}, "a result\n")
		p.Say("sixth")
		wantScreen(t, "below a result", s.all(), "a result\nsixth\n")
		fmt.Fprint(&clearingWriter{p, s}, "begun, ")
		p.Say("seventh")
		fmt.Fprint(&clearingWriter{p, s}, "ended\n")
		p.Say("eighth")
		p.Clear()
		time.Sleep(2 * framePause)
		synctest.Wait()
		wantScreen(t, "after it is cleared", s.all(), "a result\nbegun, ended\n")
		if strings.Contains(written.String(), "second") || strings.Contains(written.String(), "fifth") {
			t.Errorf("%q: lines that were replaced at once are drawn", written.String())
		}
		(&Progress{}).Say("nothing, because there is no terminal")
	})
}
