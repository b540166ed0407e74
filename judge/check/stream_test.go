package check

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
)

// An endless reader repeats a pattern. It needs memory for one pattern only.
type endless struct {
	pattern []byte // long, so that reads are fast
	at      int
}

func (e *endless) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		k := copy(p[n:], e.pattern[e.at:])
		e.at = (e.at + k) % len(e.pattern)
		n += k
	}
	return n, nil
}

// repeat returns a reader of n bytes of the repeated text, followed by end.
func repeat(text string, n int64, end string) io.Reader {
	pattern := []byte(strings.Repeat(text, 1+block/len(text)))
	return io.MultiReader(io.LimitReader(&endless{pattern: pattern}, n), strings.NewReader(end))
}

func TestMemoryDoesNotGrowWithTheTexts(t *testing.T) {
	onlyWithoutRaces(t)
	size := int64(256 << 20)
	lines := size / 40
	tests := []struct {
		name           string
		args           string
		answer, output func() io.Reader
		want           Kind
	}{
		{"the same text", "",
			func() io.Reader { return repeat("12345 678\n", size, "") },
			func() io.Reader { return repeat("12345 678\n", size, "") }, ""},
		{"one token", "",
			func() io.Reader { return repeat("x", size, "a") },
			func() io.Reader { return repeat("x", size, "b") }, Differs},
		{"one number", tol,
			func() io.Reader { return repeat("7", size, "1") },
			func() io.Reader { return repeat("7", size, "2") }, Differs},
		{"one token for a number", tol,
			func() io.Reader { return repeat("7", 1, "") },
			func() io.Reader { return repeat("7", size, "") }, NotFloat},
		{"only whitespace for nothing", "",
			func() io.Reader { return strings.NewReader("") },
			func() io.Reader { return repeat(" ", size/4, "") }, ""},
		{"whitespace on one side", "",
			func() io.Reader { return strings.NewReader("1 2") },
			func() io.Reader { return io.MultiReader(strings.NewReader("1"), repeat("\n", size/4, "2")) }, ""},
		{"other line ends", "",
			func() io.Reader { return repeat("12345 678\n", lines*10, "") },
			func() io.Reader { return repeat("12345 678\r\n", lines*11, "") }, ""},
	}
	if testing.Short() {
		t.Skip("reads gigabytes")
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rules := mustParse(t, strings.Fields(test.args))
			answer, output := test.answer(), test.output()
			matches.Put(new(match)) // excludes the memory of the window from the measurement
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			f, err := rules.Check(Case{Answer: answer, Output: output})
			runtime.ReadMemStats(&after)
			if err != nil {
				t.Fatal(err)
			}
			if f.Diff == nil && test.want != "" || f.Diff != nil && f.Diff.Kind != test.want {
				t.Fatalf("found %+v, expected %q", f, test.want)
			}
			// TotalAlloc also counts memory that was freed.
			if n := after.TotalAlloc - before.TotalAlloc; n > 2<<20 {
				t.Errorf("%d bytes allocated for a text of %d", n, size)
			}
		})
	}
}

func TestAFailedReaderIsTheJudgesError(t *testing.T) {
	broken := errors.New("the disk is gone")
	tests := []struct {
		name           string
		answer, output io.Reader
		want           string // text of the error; "" if the difference precedes the failure
	}{
		{"the answer fails at once", iotest.ErrReader(broken), strings.NewReader("1"), "read the answer at byte 0: the disk is gone"},
		{"the output fails at once", strings.NewReader("1"), iotest.ErrReader(broken), "read the output at byte 0: the disk is gone"},
		{"the answer fails later", io.MultiReader(strings.NewReader("1 2"), iotest.ErrReader(broken)), strings.NewReader("1 2"), "read the answer at byte 3: the disk is gone"},
		{"the output fails later", strings.NewReader("1 2"), io.MultiReader(strings.NewReader("1 "), iotest.ErrReader(broken)), "read the output at byte 2: the disk is gone"},
		{"a difference before the failure counts", strings.NewReader("1 2 3"), io.MultiReader(strings.NewReader("1 3 "), iotest.ErrReader(broken)), ""},
		{"a difference that came with the failure counts", strings.NewReader("1 2 3"), iotest.DataErrReader(io.MultiReader(strings.NewReader("1 3 "), iotest.ErrReader(broken))), ""},
		{"a number that the failure may have cut is not judged", strings.NewReader("1 2"), io.MultiReader(strings.NewReader("1 3"), iotest.ErrReader(broken)), "read the output at byte 3: the disk is gone"},
		{"a failure inside a number", strings.NewReader("1 2"), io.MultiReader(strings.NewReader("1.0"), iotest.ErrReader(broken)), "read the output at byte 3: the disk is gone"},
		{"a failure inside whitespace", strings.NewReader("1 2"), io.MultiReader(strings.NewReader("1  "), iotest.ErrReader(broken)), "read the output at byte 3: the disk is gone"},
		{"a reader that gives nothing", strings.NewReader("1"), stuck{}, "read the output at byte 0: " + io.ErrNoProgress.Error()},
	}
	rules := mustParse(t, strings.Fields(tol))
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f, err := rules.Check(Case{Answer: test.answer, Output: test.output})
			if test.want == "" {
				if err != nil || f.OK {
					t.Errorf("found %+v, error %v; expected a difference", f, err)
				}
				return
			}
			if fmt.Sprint(err) != test.want {
				t.Errorf("error %v; expected %s", err, test.want)
			}
			if test.want != "" && !strings.Contains(test.name, "nothing") && !errors.Is(err, broken) {
				t.Errorf("%v does not wrap the reader's error", err)
			}
		})
	}
}

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

func TestAnAnswerIsCountedFromWhereItStood(t *testing.T) {
	text := "skipped words\n" + strings.Repeat("1 2 3\n", block)
	r := strings.NewReader(text + "4")
	if _, err := r.Seek(int64(len("skipped words\n")), io.SeekStart); err != nil {
		t.Fatal(err)
	}
	f, err := (Rules{}).Check(Case{Answer: r, Output: strings.NewReader(strings.Repeat("1 2 3\n", block) + "5")})
	if err != nil {
		t.Fatal(err)
	}
	if want := 3*block + 1; f.Diff == nil || f.Diff.Token != want || f.Diff.AnswerLine != block+1 {
		t.Errorf("found %+v, expected token %d in line %d", f.Diff, want, block+1)
	}
}

// A fickle reader is empty when it is read a second time.
type fickle struct{ *bytes.Reader }

func (f fickle) Seek(offset int64, whence int) (int64, error) {
	if whence == io.SeekStart {
		f.Reset(nil)
	}
	return f.Reader.Seek(offset, whence)
}

func TestAnAnswerThatShrankIsTheJudgesError(t *testing.T) {
	text := bytes.Repeat([]byte("1 2 3\n"), block)
	_, err := (Rules{}).Check(Case{Answer: fickle{bytes.NewReader(text)}, Output: bytes.NewReader(append(bytes.Clone(text), 'x'))})
	if err == nil || !strings.Contains(err.Error(), "read the answer again") {
		t.Errorf("error %v; expected one about the answer", err)
	}
}

func TestChecksDoNotShareState(t *testing.T) {
	text := strings.Repeat("1 2 3\n", block)
	done := make(chan error)
	for i := range 8 {
		go func() {
			for k := range 20 {
				end := fmt.Sprint(i, k)
				f, err := (Rules{}).Check(Case{Answer: strings.NewReader(text[:k*1000] + end), Output: strings.NewReader(text[:k*1000] + end + "x")})
				if err == nil && (f.OK || f.Diff.Want != strings.Fields(text[:k*1000] + end)[f.Diff.Token-1]) {
					err = fmt.Errorf("worker %d, round %d: %+v", i, k, f)
				}
				if err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
