package bench

import (
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/sandbox"
)

// A logFile writes lines to a file that is never ended.
type logFile struct {
	t *testing.T
	*record.LogWriter
}

func createLog(t *testing.T, folder string) logFile {
	w, err := record.CreateLog(folder, &record.Head{Command: "bench", Problems: []record.ProblemHead{{ID: "sum", Path: "problems/sum"}}})
	if err != nil {
		t.Fatal(err)
	}
	return logFile{t, w}
}

func (f logFile) Line(kind string, v any) {
	if err := f.Write(&record.Line{Sections: record.Sections{kind: v}}); err != nil {
		f.t.Error(err)
	}
}

func (f logFile) Toolchain(string) {}

// read reads the call of a file.
func (f logFile) read(folder string) (record.Entry, *record.Call) {
	f.t.Helper()
	e, err := record.FindCall(folder, f.ID)
	if err != nil {
		f.t.Fatal(err)
	}
	c, err := e.Read()
	if err != nil {
		f.t.Fatal(err)
	}
	return e, c
}

func TestMeasurementsAreReadAgain(t *testing.T) {
	m := &Measurement{Kind: ForBench, Problem: "sum", Seed: 1<<64 - 1, Confidence: 0.95,
		Submissions: []Submission{{Name: "accepted/a.go"}, {Name: "accepted/b.go"}}, Cases: []Input{{Name: "secret/1"}}}
	loose, tight := sandbox.Limits{CPU: 2 * time.Second, Processes: 3}, sandbox.Limits{CPU: time.Second}
	folder := t.TempDir()
	f := createLog(t, folder)
	log := Log{To: f}
	log.Measuring(m)
	for i := range 8 {
		o := sandbox.Outcome{CPU: time.Duration(i+1) * time.Millisecond, User: 1, Sys: 2, Wall: 3, Memory: 4, Instructions: 5, Output: 6, Stderr: 5, Written: 7, Files: 8, Limits: loose}
		if i%3 == 2 {
			o.Limits, o.Exit, o.Exceeded = tight, -1, sandbox.CPU
		}
		if i == 5 {
			o.Limits = sandbox.Limits{}
		}
		one := Trial{Submission: i % 2, Round: i/2 - 1, At: time.Duration(i), Verdict: problem.Accepted, Why: strings.Repeat("!", i%2), Outcome: o}
		if i == 7 {
			one.Err = "disk full"
		}
		m.Trials = append(m.Trials, one)
		log.Trial(one)
		m.Looks = 1
		log.Measuring(m) // an update, once
	}
	f.Close()
	e, c := f.read(folder)
	if n := len(c.Sections); n != 10 {
		t.Errorf("%d lines, expected 10: 8 trials, and the measurement twice", n)
	}
	d, err := c.Document(Section)
	if err != nil {
		t.Fatal(err)
	}
	p := d.Problems[0]
	m.Ended = Interrupted // the call has no end line
	if diff := cmp.Diff(m, record.Of[*Measurement](&p), cmpopts.EquateEmpty()); diff != "" || p.Path != "problems/sum" {
		t.Errorf("measurement of %s (-stored +read):\n%s", p.Path, diff)
	}
	if record.Of[*Comparison](&p) == nil {
		t.Error("no comparison")
	}
	if g, err := e.Summary(); err != nil || g.End.Runs != len(m.Trials) {
		t.Errorf("%d trials in the summary, error %v; expected %d", g.End.Runs, err, len(m.Trials))
	}
}

// TestLoadIsStoredMeanwhile checks that the load by other programs is stored during a
// measurement, because a judge that is killed does not store it at the end.
func TestLoadIsStoredMeanwhile(t *testing.T) {
	folder := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		f := createLog(t, folder)
		defer f.Close()
		log := Log{To: f}
		m := &Measurement{Kind: ForBench, Problem: "sum", Submissions: make([]Submission, 2), Cases: make([]Input, 1)}
		log.Measuring(m)
		log.Trial(Trial{Verdict: problem.Accepted})
		m.Load.Others = 1.5
		time.Sleep(storeInterval)
		log.Trial(Trial{Verdict: problem.Accepted, Submission: 1})
		_, c := f.read(folder)
		d, err := c.Document(Section)
		if err != nil {
			t.Fatal(err)
		}
		if stored := record.Of[*Measurement](&d.Problems[0]); stored.Load.Others != 1.5 || len(stored.Trials) != 2 {
			t.Errorf("%d trials, load %+v; expected 2, and others 1.5", len(stored.Trials), stored.Load)
		}
	})
}

func TestDamageIsTold(t *testing.T) {
	trial, measurement := `{"trial":{"verdict":"AC"}}`, `{"measurement":{"seed":"1","submissions":[{}],"cases":[{}]}}`
	tests := []struct{ fact, line, want string }{
		{"a value of another kind", `{"trial":[]}`, `:2: JSON: found an array, expected an object`},
		{"a trial before its measurement", trial, ":2: trial of measurement 0: there are 0"},
		{"a measurement that skips one", `{"measurement":{"number":1,"seed":"1"}}`, ":2: measurement 1: there are 0"},
		{"a trial of no submission", measurement + "\n" + `{"trial":{"submission":1}}`, ":3: trial of submission 1 on case 0: there are 1 and 1"},
		{"a trial of a negative case", measurement + "\n" + `{"trial":{"case":-1}}`, ":3: trial of submission 0 on case -1: there are 1 and 1"},
		{"the adequacy of no problem", `{"adequacy":{"problem":1}}`, ":2: adequacy of problem 1: there are 1"},
	}
	for _, tt := range tests {
		folder := t.TempDir()
		f := createLog(t, folder)
		f.Close()
		e, _ := f.read(folder)
		file, err := os.OpenFile(e.Path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		file.WriteString(tt.line + "\n")
		file.Close()
		_, c := f.read(folder)
		if _, err := c.Document(Section, record.SectionOf[Band]("adequacy")); err == nil || !strings.HasPrefix(err.Error(), e.Path+tt.want) {
			t.Errorf("%s: error %v, expected FILE%s", tt.fact, err, tt.want)
		}
	}
}
