package lab

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"crucible/judge/internal/cli"
	"crucible/judge/measure/stat"
	"crucible/judge/problem"
	"crucible/judge/serve/client"
	"crucible/judge/terminal"
)

// flags are the flags of judge eval.
type flags struct {
	out, resume string
	ks          []int
	seed        uint64
	jobs        int
	all         bool
	json, jsonl bool
	reading     sampleReader
	on          cli.OnFlag
	levels      cli.Levels
}

// Eval returns the command.
func Eval(e *cli.Env) *cobra.Command {
	var f flags
	c := &cobra.Command{
		Use:   "eval FILE.jsonl",
		Short: "judge many programs, such as samples of a model, and estimate pass@k",
		Long: `Judge the programs in a file of JSON lines, and estimate pass@k: the probability that
at least one of k programs for a problem is accepted. Each line has these keys:

  {"problem": "sum", "language": "python3", "source": "print(3)", "id": "sample 1"}

Instead of them, a line may have other usual keys, the first one that it has counts:

` + keysHelp() + `
--keys problem=KEY,source=KEY names others. Other keys are ignored. The source may be a
list of programs, also under solutions, completions or responses. A line without an id
has its number among the lines of its problem.

The language is a code of judge lang, its name or extension, also with a version, such
as C++17 or python3.11: the version is ignored. A line without one has that of its
Markdown fence, or of --lang.

If the source is the answer of a chat, only the program is judged: of Markdown, the last
fenced block that names a language, or else the last one; without a model's reasoning
(<think>), tokens such as <|im_end|>, and the tags <code>, <answer>, [PYTHON] around it.
The result then has the key "stripped". With --verbatim, the text is the program.

The result of each program is appended to the file of --out as soon as it is known:
problem, id, language, verdict, score, the case that decided the verdict (case), the
reason or the compiler's message (why), CPU time of the slowest case (cpu_ns), and how
many of the cases were accepted (passed, cases). Judging ends at the first case that is
not accepted; --all runs all cases, which is what a reward by the share of cases needs.
Programs whose result is there are not judged again, so a call that was interrupted
continues when it is made again; --resume FILE is --out FILE for a file that must exist.
A program that cannot be judged (an unknown problem, a missing compiler) has no verdict
in the file; the reason is on standard error, and in --json.

The problems are those around the working folder, and are judged on this machine;
with --on, those of a server: see judge help servers.

The estimator of a problem is the unbiased one of Chen et al. 2021, from all of its
programs with a verdict; a problem with fewer than k has none. The overall figure is the
mean over problems, with an interval of 95 % by the bootstrap over problems.

Exit status: 0 each program has a verdict, 1 one has none, 2 the file is wrong, 3 the
judge failed, 130 interrupted; what was judged until then is printed and kept.`,
		Example: `  judge eval samples.jsonl
  judge eval samples.jsonl --keys problem=name,source=text --lang python
  judge eval samples.jsonl --on https://judges:8520 -k 1,10,100 --out run7.jsonl`,
		Args: cli.Arguments(1, 1),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c.Context(), e, args[0]) },
	}
	set := c.Flags()
	set.StringVar(&f.out, "out", "", "append the results to `FILE` (default: FILE.verdicts.jsonl)")
	set.StringVar(&f.resume, "resume", "", "judge the programs that have no result in `FILE`, and append theirs")
	set.IntSliceVarP(&f.ks, "pass", "k", []int{1, 10}, "estimate pass@k for these `K`, with commas between them")
	set.BoolVar(&f.all, "all", false, "run all cases, also after one that is not accepted")
	set.BoolVar(&f.json, "json", false, "print the results and the estimates as JSON")
	set.BoolVar(&f.jsonl, "jsonl", false, "print the results as lines of JSON, in the order of the programs")
	set.StringSliceVar(&f.reading.keys, "keys", nil,
		"the keys of problem, source, language and id in the lines: `ROLE=KEY`, with commas between them")
	set.StringVar(&f.reading.language, "lang", "", "the `LANGUAGE` of programs whose line names none")
	set.BoolVar(&f.reading.verbatim, "verbatim", false, "remove no Markdown and no other text around the programs")
	set.Uint64Var(&f.seed, "seed", 1, "`N` determines the samples of the bootstrap")
	set.IntVarP(&f.jobs, "jobs", "j", 0, "run at most `N` programs at once on this machine (default: one per CPU)")
	f.on.Flags(c)
	f.on.ClassFlag(c)
	f.levels.Flag(c)
	c.MarkFlagsMutuallyExclusive("out", "resume")
	c.MarkFlagsMutuallyExclusive("json", "jsonl")
	return c
}

// run runs judge eval.
func (f *flags) run(ctx context.Context, e *cli.Env, name string) error {
	for _, k := range f.ks {
		if k < 1 {
			return fmt.Errorf("-k %d: expected 1 or more", k)
		}
	}
	if f.jobs < 0 {
		return fmt.Errorf("--jobs %d: expected 1 or more, or 0", f.jobs)
	}
	err := f.on.Check()
	if err != nil {
		return err
	}
	var on *client.Client
	if f.on.URL != "" {
		if on, err = clientOf(e, &f.on); err != nil {
			return err
		}
	}
	f.reading.table = e.Languages
	samples, err := f.reading.read(name)
	if err != nil {
		return err
	}
	if f.resume != "" {
		if _, err := os.Stat(f.resume); err != nil {
			return fmt.Errorf("--resume: %w", err)
		}
	}
	out, err := openVerdicts(cmp.Or(f.resume, f.out, strings.TrimSuffix(name, ".jsonl")+".verdicts.jsonl"))
	if err != nil {
		return err
	}
	defer out.Close()
	var rest []*sample
	stripped := 0
	for _, s := range samples {
		if s.stripped != "" {
			stripped++
		}
		switch j := out.known[s.key()]; {
		case j == nil:
			rest = append(rest, s)
		case j.Program != "" && j.Program != s.digest():
			return fmt.Errorf("%s: the result of %.60q of problem %.60q is that of another program: expected the file of "+
				"earlier results of %s, or a new one", out.Name(), s.ID, s.Problem, name)
		}
	}
	if stripped > 0 {
		fmt.Fprintf(e.Stderr, "judge: removed Markdown or other text around %s\n", terminal.Count(stripped, "program"))
	}
	if n := len(samples) - len(rest); n > 0 {
		fmt.Fprintf(e.Stderr, "judge: %d of %d programs have a verdict in %s\n", n, len(samples),
			terminal.Clean(out.Name()))
	}
	failed := make(map[string]*judgedSample)
	progress := startProgress(e, len(rest))
	err = f.judge(ctx, e, on, rest, func(j *judgedSample) error {
		progress.add(j)
		if j.Verdict == "" {
			failed[j.key()] = j
			return nil
		}
		return out.add(j)
	})
	progress.end()
	err = errors.Join(err, out.Close())
	if err != nil && ctx.Err() == nil {
		return serverFailed(ctx, err)
	}
	var failures []string
	for _, j := range failed {
		failures = append(failures, fmt.Sprintf("%s of %s: %s", terminal.Clean(j.ID), terminal.Clean(j.Problem),
			terminal.Clean(j.Error)))
	}
	slices.Sort(failures)
	for _, line := range cli.AtMost(20, failures) {
		fmt.Fprintln(e.Stderr, "judge:", line)
	}
	if err := f.show(e, f.evaluate(samples, out.known, failed)); err != nil {
		return err
	}
	if ctx.Err() != nil {
		fmt.Fprintf(e.Stderr, "judge: %d of %d programs have a verdict; the same call judges the others\n", len(out.known),
			len(samples))
		return context.Cause(ctx)
	}
	if len(failures) > 0 {
		return cli.WithStatus(cli.StatusUnexpected, fmt.Errorf("%d of %d programs have no verdict", len(failures),
			len(samples)))
	}
	return nil
}

// An evaluation is the JSON of judge eval.
type evaluation struct {
	Schema   int                `json:"schema"`   // 1
	Programs []*judgedSample    `json:"programs"` // in the order of the file; if interrupted, those judged until then
	Problems []*problemEstimate `json:"problems"`
	Pass     []passEstimate     `json:"pass"` // over all problems
}

// A problemEstimate has the figures of a problem.
type problemEstimate struct {
	Problem  string         `json:"problem"`
	Judged   int            `json:"judged"` // programs with a verdict
	Accepted int            `json:"accepted"`
	Pass     []passEstimate `json:"pass"`
}

// A passEstimate is an estimate of pass@k.
type passEstimate struct {
	K        int      `json:"k"`
	Estimate *float64 `json:"estimate"`           // from 0 to 1; null if there is none
	Why      string   `json:"why,omitempty"`      // why there is none, or none for some problems
	Low      *float64 `json:"low,omitempty"`      // the interval of 95 %; missing if there is none
	High     *float64 `json:"high,omitempty"`     // the same
	Problems int      `json:"problems,omitempty"` // over so many; missing for one
}

// evaluate estimates pass@k from the results.
func (f *flags) evaluate(samples []*sample, known, failed map[string]*judgedSample) *evaluation {
	v := &evaluation{Schema: 1, Programs: []*judgedSample{}, Problems: []*problemEstimate{}, Pass: []passEstimate{}}
	by := make(map[string]*problemEstimate)
	for _, s := range samples {
		p := by[s.Problem]
		if p == nil {
			p = &problemEstimate{Problem: s.Problem, Pass: []passEstimate{}}
			by[s.Problem] = p
			v.Problems = append(v.Problems, p)
		}
		j := cmp.Or(known[s.key()], failed[s.key()])
		if j == nil {
			continue
		}
		v.Programs = append(v.Programs, j)
		if j.Verdict != "" {
			p.Judged++
		}
		if j.Verdict == problem.Accepted {
			p.Accepted++
		}
	}
	slices.SortFunc(v.Problems, func(a, b *problemEstimate) int { return cmp.Compare(a.Problem, b.Problem) })
	for _, k := range f.ks {
		var all []float64
		for _, p := range v.Problems {
			one := passEstimate{K: k}
			if p.Judged < k {
				one.Why = fmt.Sprintf("%s with a verdict: expected %d or more", terminal.Count(p.Judged, "program"), k)
			} else {
				estimate := stat.PassAt(p.Judged, p.Accepted, k)
				one.Estimate, all = &estimate, append(all, estimate)
			}
			p.Pass = append(p.Pass, one)
		}
		total := passEstimate{K: k, Problems: len(all)}
		if len(all) > 0 {
			mean, in := stat.Mean(all, 0.95, f.seed)
			if total.Estimate = &mean; in.Bounded() {
				total.Low, total.High = &in.Lo, &in.Hi
			}
		}
		if few := len(v.Problems) - len(all); few > 0 {
			total.Why = fmt.Sprintf("%s with fewer than %s with a verdict", terminal.Count(few, "problem"),
				terminal.Count(k, "program"))
		}
		v.Pass = append(v.Pass, total)
	}
	return v
}

// show prints an evaluation in the form of the flags.
func (f *flags) show(e *cli.Env, v *evaluation) error {
	switch {
	case f.json:
		return cli.PrintJSON(e, v)
	case f.jsonl:
		lines := json.NewEncoder(e.Stdout)
		for _, j := range v.Programs {
			if err := lines.Encode(j); err != nil {
				return err
			}
		}
		return nil
	}
	w := tabwriter.NewWriter(e.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "problem\tjudged\taccepted")
	for _, k := range f.ks {
		fmt.Fprintf(w, "\tpass@%d", k)
	}
	fmt.Fprintln(w)
	for _, p := range v.Problems {
		fmt.Fprintf(w, "%s\t%d\t%d", terminal.Clean(p.Problem), p.Judged, p.Accepted)
		for _, one := range p.Pass {
			fmt.Fprint(w, "\t", percent(one.Estimate))
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, p := range v.Pass {
		text := "not known"
		if p.Estimate != nil {
			text = percent(p.Estimate) + ", no interval: one problem"
			if p.Low != nil {
				text = fmt.Sprintf("%s, 95 %% interval %s to %s", percent(p.Estimate), percent(p.Low), percent(p.High))
			}
			text += fmt.Sprintf(", %d of %s", p.Problems, terminal.Count(len(v.Problems), "problem"))
		}
		if p.Why != "" {
			text += ": " + p.Why
		}
		fmt.Fprintf(e.Stdout, "pass@%d: %s\n", p.K, text)
	}
	return nil
}

// percent returns a probability as a percentage, "-" if there is none.
func percent(p *float64) string {
	if p == nil {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100**p)
}
