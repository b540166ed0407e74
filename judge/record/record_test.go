package record_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"crucible/judge"
	"crucible/judge/build"
	"crucible/judge/check"
	"crucible/judge/measure/bench"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/sandbox"
)

// written returns a document as JSON. Write escapes the replacement character only if
// it replaces bytes that are not UTF-8; written undoes the escape.
func written(t *testing.T, d *record.Document) string {
	t.Helper()
	var b bytes.Buffer
	if err := record.Write(&b, d); err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(b.String(), `\ufffd`, "\ufffd")
}

// again reads a written document.
func again(t *testing.T, text string) *record.Document {
	t.Helper()
	d, err := record.Read(strings.NewReader(text), bench.Section)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// A maker makes random values of any kind. The same seed gives the same values.
type maker struct{ *rand.Rand }

func (m maker) oneOf(words ...string) string { return words[m.IntN(len(words))] }

func (m maker) text() string {
	return m.oneOf("", "plain", "secret/01", "</script><b>&amp;", "\x1b[2J\u202e\u2028\x00", "\xff\xc3 no UTF-8", strings.Repeat("long ", 300))
}

func (m maker) error() error {
	if m.IntN(3) > 0 {
		return nil
	}
	return errors.New(m.oneOf("disk full", "a\nb", "accepted/x on secret/01: checker"))
}

func (m maker) number() *float64 {
	if m.IntN(2) == 0 {
		return nil
	}
	v := m.Float64() * 100
	return &v
}

func (m maker) verdict() problem.Verdict {
	return problem.Verdict(m.oneOf("AC", "WA", "TLE", "MLE", "OLE", "RTE", "CE", ""))
}

func (m maker) verdicts() []problem.Verdict {
	if m.IntN(3) == 0 {
		return nil
	}
	return []problem.Verdict{m.verdict(), m.verdict()}
}

func (m maker) outcome() sandbox.Outcome {
	return sandbox.Outcome{
		Exit: m.IntN(256) - 1, Signal: syscall.Signal(m.IntN(40)), CPU: time.Duration(m.Int64()), User: time.Duration(m.IntN(9)), Sys: time.Duration(m.IntN(9)), Wall: time.Duration(m.Int64()),
		Memory: m.Int64(), Output: m.Int64(), Stderr: m.Int64(), Written: m.Int64(), Files: m.Int64(), Instructions: m.Int64(), Exceeded: sandbox.Resource(m.oneOf("", "cpu", "file size")),
		Limits: sandbox.Limits{CPU: time.Duration(m.Int64()), Wall: 2, Memory: 3, Output: 4, Written: 5, Files: 6, FileSize: 7, Processes: 8},
	}
}

func (m maker) outcomes() []sandbox.Outcome {
	var all []sandbox.Outcome
	for range m.IntN(4) {
		all = append(all, m.outcome())
	}
	return all
}

func (m maker) expected() []problem.Expectation {
	var all []problem.Expectation
	for range m.IntN(3) {
		e := problem.Expectation{Cases: m.text(), Permitted: m.verdicts(), Required: m.verdicts(), Final: m.verdicts(), Message: m.text(), Partial: m.IntN(2) == 0, Timing: problem.Timing(m.oneOf("", "false", "lower", "upper"))}
		if v := m.number(); v != nil {
			e.Score = []float64{*v, *v + 1}
		}
		all = append(all, e)
	}
	return all
}

func (m maker) run() judge.Run {
	r := judge.Run{
		Case: m.text(), Verdict: m.verdict(), Why: m.text(), Outcome: m.outcome(), Times: m.outcomes(), Passes: m.IntN(3),
		Stderr: m.text(), Err: m.error(), Earned: m.number(),
	}
	if m.IntN(3) == 0 {
		r.Diff = &check.Difference{Kind: check.Kind(m.oneOf("differs", "space")), Line: 1, Column: 2, AnswerLine: 3, AnswerColumn: 4, Token: 5, Offset: 6, Want: m.text(), Got: m.text()}
	}
	if m.IntN(3) == 0 {
		r.Dialogue = judge.Dialogue{Cut: m.IntN(2) == 0, Lines: []judge.Remark{{Pass: 1, At: 5, From: judge.FromJudge, Text: m.text()}, {Pass: 2, From: judge.FromSubmission}}}
	}
	return r
}

func (m maker) report() *judge.Report {
	r := &judge.Report{
		Submission: m.text(), Language: m.text(), Expected: m.expected(), Verdict: m.verdict(), Score: m.number(), MaxScore: m.number(),
		Broken: m.text(), BrokenBy: m.text(), Compile: build.Compile{Exit: m.IntN(3), Message: m.text(), Cached: m.IntN(2) == 0}, Err: m.error(),
	}
	if m.IntN(4) == 0 {
		r.Skipped = "no gcc"
	}
	if m.IntN(3) > 0 {
		as := m.IntN(2) == 0
		r.AsExpected = &as
	}
	if m.IntN(2) == 0 {
		r.Compile.Command = []string{"/usr/bin/g++", m.text()}
	}
	for range m.IntN(3) {
		r.Groups = append(r.Groups, judge.GroupResult{Name: m.text(), Verdict: m.verdict(), Score: m.number(), Max: m.number(), NotRun: m.text(), Err: m.error()})
	}
	for range m.IntN(4) {
		r.Runs = append(r.Runs, m.run())
	}
	return r
}

func (m maker) measurement(kind bench.Kind) *bench.Measurement {
	x := &bench.Measurement{Kind: kind, Problem: m.text(), Seed: m.Uint64(), Confidence: 0.95, Looks: m.IntN(5) + 1, Ended: bench.AllRounds, Timing: problem.TimeRule{Resolution: 1, ACToLimit: 2, LimitToTLE: 1.5}}
	x.Limits.Time = time.Second
	for i := range m.IntN(3) + 1 {
		x.Submissions = append(x.Submissions, bench.Submission{Name: fmt.Sprint(i, m.text()), Language: m.text(), Expected: m.expected(), Startup: m.outcomes()})
	}
	for i := range m.IntN(3) + 1 {
		x.Cases = append(x.Cases, bench.Input{Name: fmt.Sprint(i), Size: float64(100 * (i + 1))})
	}
	for round := range m.IntN(12) {
		for s := range x.Submissions {
			for c := range x.Cases {
				o := sandbox.Outcome{CPU: time.Millisecond + time.Duration(m.IntN(1e6)), Wall: time.Millisecond, Memory: 1 << 20}
				x.Trials = append(x.Trials, bench.Trial{Submission: s, Case: c, Round: round - 1, At: time.Duration(round), Verdict: problem.Accepted, Outcome: o})
			}
		}
	}
	return x
}

func (m maker) document(t *testing.T) *record.Document {
	d := &record.Document{Machine: record.Machine{OS: "linux", Cores: m.IntN(9), CPU: m.text(), NotEnforced: []string{m.text()}, Pinned: m.IntN(2) == 0}, Elapsed: time.Duration(m.IntN(1e9))}
	for range m.IntN(4) {
		p := record.Problem{ID: m.text(), Path: m.text(), Err: m.error(), Limits: problem.Limits{Time: 1, Wall: 2, Memory: 3, Output: 4}}
		switch m.IntN(5) {
		case 0:
			p.Cases = []string{m.text()}
		case 1:
			if err := bench.Conclude(&p, m.measurement([]bench.Kind{bench.ForBench, bench.ForScale, bench.ForLimits}[m.IntN(3)])); err != nil {
				t.Fatal(err)
			}
		default:
			for range m.IntN(3) {
				p.Validators = append(p.Validators, record.Validator{Name: m.text(), Command: []string{m.text()}})
			}
			for range m.IntN(4) {
				p.Reports = append(p.Reports, m.report())
			}
		}
		d.Problems = append(d.Problems, p)
	}
	return d
}

func TestWhatIsReadIsWrittenTheSame(t *testing.T) {
	docs := map[string]*record.Document{"nothing": {}, "nothing at all": {Problems: []record.Problem{{}}}}
	for seed := range uint64(200) {
		docs[fmt.Sprint("seed ", seed)] = maker{rand.New(rand.NewPCG(seed, 0))}.document(t)
	}
	for name, d := range docs {
		first := written(t, d)
		if diff := cmp.Diff(first, written(t, again(t, first))); diff != "" {
			t.Errorf("%s: written, read and written (-first +then):\n%s", name, diff)
		}
	}
}

// TestUnknownSections checks that sections that nobody decodes are written as they were
// read.
func TestUnknownSections(t *testing.T) {
	for seed := range uint64(50) {
		first := written(t, maker{rand.New(rand.NewPCG(seed, 1))}.document(t))
		first = strings.ReplaceAll(first, `"band": null`, `"band": null,
      "weather": {
        "sun": 1e2,
        "\u0077ind": "\u2028"
      }`)
		d, err := record.Read(strings.NewReader(first))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(first, written(t, d)); diff != "" {
			t.Errorf("seed %d: written, read and written (-first +then):\n%s", seed, diff)
		}
	}
}

func TestReadRefusesWhatNoJudgeWrote(t *testing.T) {
	tests := []struct{ fact, text, want string }{
		{"no JSON", "judge", "invalid character"},
		{"nothing", "", "EOF"},
		{"a newer schema", `{"schema": 2}`, "schema 2: expected 1"},
		{"another kind of document", `{}`, "schema 0: expected 1"},
		{"two documents", `{"schema": 1} {"schema": 1}`, "more than one JSON document"},
		{"a measurement of an unknown kind", `{"schema": 1, "problems": [{"id": "p", "measurement": {"kind": "guess", "seed": "1"}}]}`, `problem "p": measurement of kind "guess": expected bench, scale or limits`},
		{"a trial of no submission", `{"schema": 1, "problems": [{"id": "p", "measurement": {"kind": "bench", "seed": "1", "cases": [{}], "trials": [{}]}}]}`, "trial 0: submission 0 on case 0: there are 0 and 1"},
		{"a trial of a negative case", `{"schema": 1, "problems": [{"id": "p", "measurement": {"kind": "bench", "seed": "1", "cases": [{}], "submissions": [{}], "trials": [{"case": -1}]}}]}`, "trial 0: submission 0 on case -1: there are 1 and 1"},
	}
	for _, tt := range tests {
		_, err := record.Read(strings.NewReader(tt.text), bench.Section)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, expected %q", tt.fact, err, tt.want)
		}
	}
}

// Read ignores keys that a newer judge adds.
func TestReadTakesUnknownKeys(t *testing.T) {
	d, err := record.Read(strings.NewReader(`{"schema": 1, "weather": "fine", "problems": [{"id": "p", "submissions": [{"name": "a", "mood": 1}]}]}`))
	if err != nil || len(d.Problems) != 1 || d.Problems[0].Reports[0].Submission != "a" {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestJSONOfOneSubmission(t *testing.T) {
	score := 3.0
	yes, infinite := true, math.Inf(1)
	all := []problem.Verdict{problem.Accepted, problem.WrongAnswer, problem.TimeLimit, problem.RuntimeError}
	tests := []struct {
		fact   string
		report judge.Report
		path   string
		want   any
	}{
		{"a verdict is a string", judge.Report{Verdict: problem.MemoryLimit, AsExpected: new(bool)}, "verdict", "MLE"},
		{"what is not as expected is false", judge.Report{AsExpected: new(bool)}, "as_expected", false},
		{"a skip has no verdict", judge.Report{Skipped: "no gcc", Verdict: problem.Accepted, AsExpected: &yes}, "verdict", ""},
		{"a skip is not as expected and not otherwise", judge.Report{Skipped: "no gcc", AsExpected: &yes}, "as_expected", nil},
		{"an error has no verdict", judge.Report{Err: errors.New("disk full"), Verdict: problem.Accepted}, "verdict", ""},
		{"an error is stored", judge.Report{Err: errors.New("disk full")}, "error", "disk full"},
		{"an error is as expected and not otherwise", judge.Report{Err: errors.New("disk full"), AsExpected: new(bool)}, "as_expected", nil},
		{"an error on a case is the submission's", judge.Report{Runs: []judge.Run{{Err: errors.New("checker")}}}, "error", "checker"},
		{"an error on a case is the run's", judge.Report{Runs: []judge.Run{{Err: errors.New("checker")}}}, "runs.0.error", "checker"},
		{"an error on a case has no verdict", judge.Report{Runs: []judge.Run{{Verdict: problem.Accepted, Err: errors.New("checker")}}}, "runs.0.verdict", ""},
		{"an interrupted submission has no verdict", judge.Report{Verdict: problem.Accepted}, "verdict", ""},
		{"nothing permitted in particular is all", judge.Report{Expected: []problem.Expectation{{}}}, "expected.0.permitted", all},
		{"nothing required in particular is any", judge.Report{Expected: []problem.Expectation{{}}}, "expected.0.required", all},
		{"what is permitted is all that is", judge.Report{Expected: []problem.Expectation{{Permitted: []problem.Verdict{problem.Accepted}}}}, "expected.0.permitted", []problem.Verdict{problem.Accepted}},
		{"an expected score is a list", judge.Report{Expected: []problem.Expectation{{Score: []float64{1, 2.5}}}}, "expected.0.score", []float64{1, 2.5}},
		{"a score is a number", judge.Report{Runs: []judge.Run{{Earned: &score}}}, "runs.0.score", 3.0},
		{"an infinite score is none", judge.Report{Runs: []judge.Run{{Earned: &infinite}}}, "runs.0.score", nil},
		{"markup is not escaped", judge.Report{Runs: []judge.Run{{Why: "<&>"}}}, "runs.0.why", "<&>"},
		{"bytes that are no UTF-8 are replaced", judge.Report{Runs: []judge.Run{{Why: "a\xffb"}}}, "runs.0.why", "a\ufffdb"},
	}
	for _, tt := range tests {
		t.Run(tt.fact, func(t *testing.T) {
			var b bytes.Buffer
			if err := record.Write(&b, &record.Document{Problems: []record.Problem{{Reports: []*judge.Report{&tt.report}}}}); err != nil {
				t.Fatal(err)
			}
			var got any
			if err := json.Unmarshal(b.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
			for key := range strings.SplitSeq("problems.0.submissions.0."+tt.path, ".") {
				if key == "0" {
					got = got.([]any)[0]
				} else {
					got = got.(map[string]any)[key]
				}
			}
			gotText, _ := json.Marshal(got)
			wantText, _ := json.Marshal(tt.want)
			if string(gotText) != string(wantText) {
				t.Errorf("%s = %s, expected %s", tt.path, gotText, wantText)
			}
			if strings.Contains(b.String(), `\u003c`) {
				t.Error("< is escaped")
			}
		})
	}
}

// TestOldFilesOpen reads files that an earlier judge wrote with other types: the
// histories of calls and their JSON reports.
func TestOldFilesOpen(t *testing.T) {
	files, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(files) != 4 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		e, err := record.FindCall(".", file)
		if err != nil {
			t.Fatal(err)
		}
		d, err := stored(t, e).Document(bench.Section)
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := record.Write(&got, d); err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(strings.TrimSuffix(file, "l"))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got.String()); diff != "" {
			t.Errorf("%s (-as reported then +as read):\n%s", file, diff)
		}
		for fact, sections := range map[string][]record.Section{"all": {bench.Section}, "no": nil} {
			again, err := record.Read(bytes.NewReader(want), sections...)
			if err != nil {
				t.Fatal(err)
			}
			got.Reset()
			if err := record.Write(&got, again); err != nil || got.String() != string(want) {
				t.Errorf("%s: the report is written differently after it was read with %s sections, error %v", file, fact, err)
			}
		}
	}
}

func stored(t *testing.T, e record.Entry) *record.Call {
	t.Helper()
	c, err := e.Read()
	if err != nil {
		t.Fatal(err)
	}
	return c
}
