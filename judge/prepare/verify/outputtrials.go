package verify

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

// Limits on what is fed to output validators.
const (
	fedCases    = 6       // cases whose outputs are changed
	maxOutput   = 1 << 20 // bytes of an output that is changed
	shownOutput = 200     // bytes of an output in a finding
)

// timedOut reports whether the error of a validator is that it reached its time limit.
func timedOut(err error) bool {
	var crash *judge.Crash
	return errors.As(err, &crash) && (crash.Outcome.Exceeded == sandbox.CPU || crash.Outcome.Exceeded == sandbox.Wall)
}

// clean returns the start of an output on one line, with all but printable characters
// escaped.
func clean(output []byte) string {
	short := output[:min(len(output), shownOutput)]
	text := strings.TrimSuffix(strings.TrimPrefix(fmt.Sprintf("%q", short), `"`), `"`)
	if len(short) < len(output) {
		text += fmt.Sprintf("… (%d bytes)", len(output))
	}
	return text
}

func oneLine(s string) string { return terminal.Clean(strings.Join(strings.Fields(s), " ")) }

// outputs tests the output validators and the answers.
func (r *validatorTest) outputs(ctx context.Context) error {
	for _, t := range []problem.Type{problem.Interactive, problem.MultiPass, problem.SubmitAnswer} {
		if r.p.Is(t) {
			r.skip("output validators: an output of a problem that is %s is no file", t)
			return nil
		}
	}
	if r.Cheap {
		return nil
	}
	var cases []*problem.Case
	for _, c := range r.p.Cases {
		if c.Static == nil && c.Has(".ans") && !r.Invalid[c] {
			cases = append(cases, c)
		}
	}
	f := &outputTrials{validatorTest: r, cases: cases, right: make(map[*problem.Case][][]byte),
		byName: make(map[string][]*submissionOutput)}
	// A part of the time is left for the output validators.
	part, cancel := ctx, context.CancelFunc(func() {})
	if end, ok := ctx.Deadline(); ok {
		part, cancel = context.WithDeadline(ctx, end.Add(-time.Until(end)/2))
	}
	err := f.submissions(part)
	late := part.Err() != nil
	cancel()
	if late && ctx.Err() == nil {
		f.skip("accepted submissions: runs for which there was time: %d", f.ran)
		err = nil
	}
	if err != nil {
		return err
	}
	if err := f.answers(ctx); err != nil {
		return err
	}
	f.compare()
	if r.p.OutputValidators == nil {
		r.skip("output validators: the package has none, and the default one is the judge's own")
		return nil
	}
	return f.feed(ctx)
}

// An outputTrials tests output validators.
type outputTrials struct {
	*validatorTest
	cases  []*problem.Case
	right  map[*problem.Case][][]byte     // outputs that the validators accept: the answer first, if it is one
	byName map[string][]*submissionOutput // by case

	ran, runs int // runs of accepted submissions that were made, and all
}

// A submissionOutput is what an accepted submission printed.
type submissionOutput struct {
	by      *problem.Submission
	verdict problem.Verdict
	why     string
	text    []byte
}

// submissions runs the submissions that are expected to be accepted.
func (f *outputTrials) submissions(ctx context.Context) error {
	var all []*problem.Submission
	for _, s := range f.p.Submissions {
		accepted := func(e problem.Expectation) bool {
			return len(e.Permitted) == 1 && e.Permitted[0] == problem.Accepted && e.Cases == "" && !e.Partial
		}
		if slices.ContainsFunc(s.Expected, accepted) && s.Unusable == "" && s.Unreadable == nil {
			all = append(all, s)
		}
	}
	if len(all) == 0 {
		f.skip("accepted submissions: there are none")
		return nil
	}
	if err := f.j.Infer(ctx, f.p); err != nil {
		return err
	}
	sessions := make([]*judge.Session, len(all))
	defer func() {
		for _, x := range sessions {
			if x != nil {
				x.End()
			}
		}
	}()
	var wg sync.WaitGroup
	errs := make([]error, len(all))
	for i, s := range all {
		wg.Go(func() {
			x, report := f.j.Begin(ctx, s) // waits for a job
			if sessions[i] = x; x != nil {
				return
			}
			var defect *problem.Defect
			if errs[i] = report.Err; errors.As(report.Err, &defect) {
				f.skip("%s: %s", s.Name, oneLine(defect.Error()))
				errs[i] = nil
			}
		})
	}
	wg.Wait()
	if err := cmp.Or(context.Cause(ctx), errors.Join(errs...)); err != nil {
		return err
	}
	f.runs = len(all) * len(f.cases)
	f.step("accepted submissions", 0, f.runs)
	defer func() {
		for _, list := range f.byName {
			slices.SortFunc(list, func(a, b *submissionOutput) int { return cmp.Compare(a.by.Name, b.by.Name) })
		}
	}()
	return f.j.Each(ctx, f.runs, func(i int) error {
		x, c := sessions[i%len(all)], f.cases[i/len(all)]
		var m *submissionOutput
		if x != nil {
			var err error
			if m, err = f.runSubmission(ctx, x, all[i%len(all)], c); err != nil {
				return err
			}
		}
		f.mu.Lock()
		if m != nil {
			f.byName[c.Name] = append(f.byName[c.Name], m)
		}
		f.ran++
		now := f.ran
		f.mu.Unlock()
		f.step("accepted submissions", now, f.runs)
		return nil
	})
}

// runSubmission runs a submission on a case. It returns nil if there is nothing to compare: the
// submission took too long beside others, or printed too much.
func (f *outputTrials) runSubmission(ctx context.Context, x *judge.Session, s *problem.Submission,
	c *problem.Case) (*submissionOutput, error) {
	text := &outputStart{}
	run := x.Answer(ctx, c, text)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	m := &submissionOutput{by: s, verdict: run.Verdict, why: run.Why, text: text.kept}
	if run.Err != nil || text.cut || run.Verdict != problem.Accepted && run.Verdict != problem.RuntimeError {
		return nil, run.Err
	}
	if run.Verdict == problem.Accepted {
		d, err := f.judge(ctx, c, m.text)
		if err != nil || d.crash != nil {
			if d.crash != nil {
				f.crash(c, output{"", "", m.text}, d.crash)
			}
			return nil, err
		}
		if !d.accepts {
			m.verdict, m.why = problem.WrongAnswer, d.why
		}
	}
	return m, nil
}

// An outputStart keeps the start of what is written to it.
type outputStart struct {
	kept []byte
	cut  bool
}

// Write never returns an error.
func (s *outputStart) Write(b []byte) (int, error) {
	room := maxOutput - len(s.kept)
	s.kept, s.cut = append(s.kept, b[:min(len(b), room)]...), s.cut || len(b) > room
	return len(b), nil
}

// answers finds the answers that the output validators reject, and the right outputs.
func (f *outputTrials) answers(ctx context.Context) error {
	return f.j.Each(ctx, len(f.cases), func(i int) error {
		c := f.cases[i]
		var right [][]byte
		if text, err := readAnswer(c); err != nil {
			return err
		} else if text != nil {
			v, err := f.judge(ctx, c, text)
			if err != nil {
				return err
			}
			switch {
			case v.crash != nil:
				f.crash(c, output{"", "the answer", text}, v.crash)
			case v.accepts:
				right = append(right, text)
			default:
				f.add(Finding{What: RejectedFile, Case: c.Name, Reason: "the output validator rejects the answer as an output: " +
					oneLine(v.why), Output: clean(text)}, "")
			}
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		for _, m := range f.byName[c.Name] {
			if m.verdict == problem.Accepted && !slices.ContainsFunc(right,
				func(b []byte) bool { return bytes.Equal(b, m.text) }) {
				right = append(right, m.text)
			}
		}
		f.right[c] = right
		return nil
	})
}

// readAnswer returns an answer; nil if it is longer than maxOutput.
func readAnswer(c *problem.Case) ([]byte, error) {
	file, err := c.Open(".ans")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxOutput+1))
	if len(text) > maxOutput {
		return nil, err
	}
	return text, err
}

// compare finds the cases on which accepted submissions disagree, and whether each answer
// seems to be the only right one.
func (f *outputTrials) compare() {
	authors, same, cases := make(map[string]bool), true, 0
	answers := make(map[string]bool)
	for _, c := range f.cases {
		var first []byte
		for _, m := range f.byName[c.Name] {
			switch m.verdict {
			case problem.Accepted:
			case problem.WrongAnswer, problem.RuntimeError:
				f.add(Finding{What: Disagreement, Certain: true, Program: m.by.Name, Case: c.Name,
					Reason: fmt.Sprintf("a submission that must be accepted gets %s: %s", m.verdict, oneLine(m.why)),
					Output: clean(m.text)}, "")
				same = false
				continue
			default:
				continue
			}
			if first == nil {
				first = m.text
				cases++
				answers[string(bytes.TrimSpace(first))] = true
			}
			same = same && bytes.Equal(bytes.Join(bytes.Fields(m.text), []byte(" ")),
				bytes.Join(bytes.Fields(first), []byte(" ")))
			authors[m.by.Name] = true
		}
	}
	if same && f.ran == f.runs && len(authors) >= 2 && cases >= 3 && len(answers) >= 2 {
		f.result.Unique = fmt.Sprintf("%d accepted submissions print the same on all of %d cases", len(authors), cases)
	}
}

// A decision is what the output validators decided.
type decision struct {
	accepts bool
	why     string
	crash   error
}

// judge feeds an output to the output validators. Their time limit is that of the options.
func (f *outputTrials) judge(ctx context.Context, c *problem.Case, text []byte) (d decision, err error) {
	if ctx.Err() != nil {
		return d, context.Cause(ctx)
	}
	most := f.ValidatorTime
	if most == 0 {
		most = defaultValidatorTime
	}
	p := *f.p
	p.Checking.Time = min(p.Checking.Time, most)
	run, err := f.j.CheckOutput(ctx, &p, c.With(map[string][]byte{".probe": text}), ".probe")
	var crash *judge.Crash
	if errors.As(err, &crash) {
		return decision{crash: err}, nil
	}
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	scored := run.Score != nil && *run.Score == 0 || run.Multiplier != nil && *run.Multiplier == 0
	return decision{accepts: run.Verdict == problem.Accepted && !scored, why: run.Why}, err
}

func (f *outputTrials) crash(c *problem.Case, o output, err error) {
	found := Finding{What: Crashed, Certain: true, Program: f.program(), Case: c.Name, Kind: o.kind,
		Reason: oneLine(err.Error()), Output: clean(o.text)}
	if timedOut(err) {
		found.What = TimedOut
	}
	f.add(found, "")
}

func (f *outputTrials) program() string {
	if len(f.p.OutputValidators) == 0 {
		return "default output validator"
	}
	return f.p.OutputValidators[0].Path
}

// An outputTrial is an output for a case.
type outputTrial struct {
	output
	of *problem.Case
}

// feed feeds changed outputs to the output validators, each twice.
func (f *outputTrials) feed(ctx context.Context) error {
	trials := f.trials()
	if trials == nil {
		f.skip("output validators: they accept no answer and no output of a submission")
		return nil
	}
	done := 0
	return f.j.Each(ctx, len(trials), func(i int) error {
		m := trials[i]
		first, err := f.judge(ctx, m.of, m.text)
		if err != nil {
			return err
		}
		f.mu.Lock()
		f.result.Fed++
		if first.accepts {
			f.result.Accepted++
		}
		done++
		now := done
		f.mu.Unlock()
		f.step("outputs", now, len(trials))
		if first.crash != nil {
			f.crash(m.of, m.output, first.crash)
			return nil
		}
		again := 1
		if m.kind == "" {
			again = repetitions - 1
		}
		for range again {
			next, err := f.judge(ctx, m.of, m.text)
			if err != nil {
				return err
			}
			if next.crash != nil {
				f.crash(m.of, m.output, next.crash)
				return nil
			}
			if next.accepts != first.accepts {
				f.add(Finding{What: Random, Certain: true, Program: f.program(), Case: m.of.Name, Kind: m.kind,
					Reason: "decides differently on the same output when asked again", Output: clean(m.text)}, "")
				return nil
			}
		}
		if first.accepts {
			f.accepted(m)
		}
		return nil
	})
}

// accepted adds a finding for an accepted output that is wrong.
func (f *outputTrials) accepted(m outputTrial) {
	wrong := m.kind.wrong()
	if m.kind == "" || wrong == never || wrong == ifUnique && f.result.Unique == "" || f.p.Is(problem.Scoring) &&
		wrong == ifUnique {
		return
	}
	reason := "accepts " + m.what
	if wrong == ifUnique {
		reason += "; this output is likely wrong, because the answer seems to be the only right one: " + f.result.Unique
	}
	f.add(Finding{What: WrongAccept, Certain: wrong == always, Program: f.program(), Case: m.of.Name, Kind: m.kind,
		Reason: reason, Output: clean(m.text)}, "")
}

// trials returns the outputs that are fed, for cases of different sizes.
func (f *outputTrials) trials() (trials []outputTrial) {
	var cases []*problem.Case
	for _, c := range f.cases {
		if len(f.right[c]) > 0 && len(bytes.TrimSpace(f.right[c][0])) > 0 {
			cases = append(cases, c)
		}
	}
	slices.SortStableFunc(cases, func(a, b *problem.Case) int { return len(f.right[a][0]) - len(f.right[b][0]) })
	random := rand.New(rand.NewPCG(f.Seed, 0))
	number := min(fedCases, len(cases))
	for i := range number {
		c := cases[i*len(cases)/number]
		right := f.right[c][0]
		trials = append(trials, outputTrial{output{"", "a right output", right}, c})
		var others [][]byte
		for range 3 {
			other := cases[random.IntN(len(cases))]
			if other != c && !bytes.Equal(bytes.TrimSpace(f.right[other][0]), bytes.TrimSpace(right)) {
				others = append(others, f.right[other][0])
			}
		}
		for _, o := range outputsOf(right, others, random) {
			trials = append(trials, outputTrial{o, c})
		}
	}
	return trials
}
