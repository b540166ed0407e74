package bench

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"crucible/judge/measure/stat"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// CompareOf compares the submissions of a measurement. If a run on a case is not
// accepted, even a warm-up, the submission has no times on that case and no ratio
// over all cases. Times of the same round are compared.
func CompareOf(m *Measurement) *Comparison {
	t := tabulate(m)
	c := &Comparison{Measurement: m, Reference: SubmissionIndex(t.reference),
		Programs: make([]Program, len(m.Submissions)), Rounds: t.rounds(), Doubts: t.doubts(),
		Workers: m.workerTimes()}
	overall, single := Levels(m)
	for s := range m.Submissions {
		p := &c.Programs[s]
		p.Submission = SubmissionIndex(s)
		for k := range m.Cases {
			p.Cells = append(p.Cells, t.cell(s, k, single))
		}
		if p.Wrong = t.wrong(s); s != t.reference && p.Wrong == "" {
			p.Overall = t.ratio(s, 0, len(m.Cases), overall)
		}
		t.cases(p)
		if outcomes := m.Submissions[s].Startup; len(outcomes) > 0 {
			var times []float64
			for _, o := range outcomes {
				times = append(times, o.CPU.Seconds())
			}
			startup := stat.Summarize(times, confidence(m))
			p.Startup = &startup
		}
	}
	switch {
	case m.Alone() && m.Clock == ByInstructions:
		c.AloneCount = t.alone(overall)
	case m.Alone():
		c.Alone = t.alone(overall)
	}
	return c
}

// confidence returns the measurement's confidence, or the default.
func confidence(m *Measurement) float64 { return cmp.Or(m.Confidence, 0.95) }

// Levels returns the confidences of single intervals: those of ratios over all
// cases, and those of ratios on one case. One half of the error probability is for
// the claims over all cases, the other for those on single cases. With one case
// both are the same claim.
func Levels(m *Measurement) (overall, single float64) {
	running := 0
	for _, e := range m.Submissions {
		if e.Skipped == "" {
			running++
		}
	}
	rivals := max(running-1, 1)
	if len(m.Cases) <= 1 {
		overall = stat.Level(confidence(m), m.Looks, rivals)
		return overall, overall
	}
	half := 1 - (1-confidence(m))/2
	return stat.Level(half, m.Looks, rivals), stat.Level(half, m.Looks, rivals*len(m.Cases))
}

// Alone reports whether there is only one submission, so that nothing is compared.
func (m *Measurement) Alone() bool { return len(m.Submissions) == 1 }

// wrong returns the reason why times of a submission are missing, in one line; "" if
// none are.
func (t *table) wrong(s int) string {
	if why := t.Submissions[s].Skipped; why != "" {
		why, _, more := strings.Cut(strings.TrimSpace(why), "\n")
		return "skipped: " + why + map[bool]string{true: " …"}[more]
	}
	ran := false
	for k, c := range t.Cases {
		x := &t.records[s][k]
		ran = ran || x.good() != nil
		switch {
		case x.fault == nil:
		case x.fault.Err != "":
			return fmt.Sprintf("judge error on %s: %s", c.Name, x.fault.Err)
		default:
			text := fmt.Sprintf("%s on %s", x.fault.Verdict, c.Name)
			if x.right > 0 {
				text += fmt.Sprintf(", where it was accepted %s before", terminal.Count(x.right, "time"))
			}
			if x.fault.Why != "" {
				text += ": " + x.fault.Why
			}
			return text
		}
	}
	if !ran {
		return "not measured"
	}
	return ""
}

// cell returns the result of one submission on one case. The level is that of the
// ratio.
func (t *table) cell(s, k int, level float64) Cell {
	x := &t.records[s][k]
	c, plain := Cell{Case: CaseIndex(k)}, confidence(t.Measurement)
	switch {
	case x.fault != nil:
		c.Verdict, c.Why = x.fault.Verdict, cmp.Or(x.fault.Err, x.fault.Why)
		return c
	case x.runs == nil:
		return c
	}
	c.Verdict = problem.Accepted
	c.CPU = x.runs.summary(cpu, plain)
	c.Wall = x.runs.summary(func(t *Trial) float64 { return t.Outcome.Wall.Seconds() }, plain)
	c.Memory = x.runs.summary(memory, plain)
	if !slices.ContainsFunc(x.runs, func(t *Trial) bool { return t.Outcome.Instructions == 0 }) {
		c.Instructions = t.summarize(x.runs.values(executed), plain)
	}
	if s != t.reference {
		c.Ratio = t.ratio(s, k, k+1, level)
	}
	return c
}

// summary summarizes a property of the runs.
func (r runs) summary(of func(*Trial) float64, level float64) stat.Summary {
	return stat.Summarize(r.values(of), level)
}

// values returns a property of each of the runs.
func (r runs) values(of func(*Trial) float64) (all []float64) {
	for _, t := range r {
		all = append(all, of(t))
	}
	return all
}

func cpu(t *Trial) float64      { return t.Outcome.CPU.Seconds() }
func memory(t *Trial) float64   { return float64(t.Outcome.Memory) }
func executed(t *Trial) float64 { return float64(t.Outcome.Instructions) }

// doubts returns the doubts about the measurement, which do not depend on the
// values of the times.
func (t *table) doubts() (all []stat.Doubt) {
	add := func(kind, format string, args ...any) {
		all = append(all, stat.Doubtf(kind, format, args...))
	}
	if t.reference != t.Reference {
		where := "every case"
		if slices.ContainsFunc(t.records[t.reference], func(r sample) bool { return r.fault != nil }) {
			where = "most cases"
		}
		used := t.Submissions[t.reference].Name
		add(OtherReference, "the reference %s is not accepted: ratios are relative to %s, the first that is accepted on %s",
			t.Submissions[t.Reference].Name, used, where)
	}
	all = append(all, t.loadDoubts("load")...)
	if t.Clock == ByInstructions {
		return all // other programs change no counts
	}
	share := t.waited()
	if share >= muchWaiting {
		add("load", "some runs waited for a processor or a disk and other runs of the same program did not: %.0f %% of "+
			"all wall-clock time", 100*share)
	}
	if t.Load.Busy() != "" || share >= muchWaiting {
		return all // on a busy machine all programs wait
	}
	for s, e := range t.Submissions {
		if wait, used := t.waits(s); wait >= longWait && wait > used {
			add("wait", "%s waits at least %s in each run, which the ratios of CPU times ignore: it uses %s", e.Name,
				terminal.Duration(wait), terminal.Duration(used))
		}
	}
	return all
}

// loadDoubts returns the doubts about all times of a measurement. kind is the kind of
// the measurement's own doubts.
func (m *Measurement) loadDoubts(kind string) (all []stat.Doubt) {
	if busy := m.Load.Busy(); busy != "" && m.Clock != ByInstructions {
		all = append(all, stat.Doubtf("load", "%s during the measurement, which makes some times longer", busy))
	}
	beside := 0
	for i := range m.Trials {
		if m.Workers != nil && m.Trials[i].Outcome.Beside > 0 {
			beside++
		}
	}
	if beside > 0 {
		all = append(all, stat.Doubtf("load", "%s of %d were made beside other programs of their worker",
			terminal.Count(beside, "run"), len(m.Trials)))
	}
	for _, text := range m.Doubts {
		all = append(all, stat.Doubtf(kind, "%s", text))
	}
	return all
}

// OtherReference is the kind of the doubt that another submission than the
// requested one is the reference.
const OtherReference = "reference"

// longWait is longer than the usual wait for a processor or for the start.
const longWait = 50 * time.Millisecond

// waits returns how long a submission waits in every run, on average over the
// cases, and the CPU time it uses. The wait that all submissions have in common is
// subtracted: it may be interaction with a validator.
func (t *table) waits(s int) (wait, used time.Duration) {
	cases := time.Duration(0)
	for k := range t.Cases {
		own := t.records[s][k].good()
		if own == nil {
			continue
		}
		var all runs
		for other := range t.records {
			all = append(all, t.records[other][k].good()...)
		}
		best := own.shortest(ownWait)
		wait += ownWait(best) - ownWait(all.shortest(ownWait))
		used += best.Outcome.CPU
		cases++
	}
	return wait / max(cases, 1), used / max(cases, 1)
}

// shortest returns the first run with the smallest of a duration.
func (r runs) shortest(of func(*Trial) time.Duration) *Trial {
	return slices.MinFunc(r, func(a, b *Trial) int { return cmp.Compare(of(a), of(b)) })
}

// Programs may wait in all their runs, for input or a validator. If they wait in
// some runs only, the cause is outside. Below a millisecond it is the judge's own
// work between the runs.
//
// A program that shares its processor for a tenth of the time waits for a tenth
// of it. Package machine has measured the effect on CPU times: up to 5 % for
// programs that need the caches.
const (
	muchWaiting  = 0.1
	leastWaiting = time.Millisecond
)

// idle returns how long a run did not use a processor; 0 for runs with more CPU
// time than wall-clock time.
func idle(t *Trial) time.Duration { return max(0, t.Outcome.Wall-t.Outcome.CPU) }

// ownWait returns idle without the known wait for a processor.
func ownWait(t *Trial) time.Duration { return max(0, idle(t)-t.Outcome.Waited) }

// waited returns the share of wall-clock time for which runs waited longer than
// the run of the same submission and case with the shortest wait.
func (t *table) waited() float64 {
	var extra, wall, n time.Duration
	for _, p := range t.pairs() {
		good := t.records[p.Submission][p.Case].runs
		if len(good) < 2 {
			continue
		}
		least := idle(good.shortest(idle))
		for _, trial := range good {
			extra += idle(trial) - least
			wall += trial.Outcome.Wall
			n++
		}
	}
	if wall <= 0 || extra/n < leastWaiting {
		return 0
	}
	return float64(extra) / float64(wall)
}
