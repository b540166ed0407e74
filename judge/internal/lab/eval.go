// Package eval is the command judge eval, which judges many programs, such as samples of
// a model.
package lab

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"crucible/judge/internal/cli"
	"crucible/judge/language"
	"crucible/judge/measure/stat"
	"crucible/judge/problem"
	"crucible/judge/serve/client"
	"crucible/judge/terminal"
)

// maxSample is the size in bytes of a line of samples.
const maxSample = 8 << 20

// A sample is a line of the file of judge eval: a program that a model wrote.
type sample struct {
	Problem  string `json:"problem"`  // id; with --on also the digest of a package that was sent
	Language string `json:"language"` // code
	Source   string `json:"source"`
	ID       string `json:"id"` // unique in its problem
}

func (s *sample) key() string { return s.Problem + "\x00" + s.ID }

// A judgedSample is a line of the results.
type judgedSample struct {
	Problem  string          `json:"problem"`
	ID       string          `json:"id"`
	Language string          `json:"language"`
	Verdict  problem.Verdict `json:"verdict"`
	Score    *float64        `json:"score,omitempty"`
	err      error           // why there is no verdict
}

func (j *judgedSample) key() string { return j.Problem + "\x00" + j.ID }

// flags are the flags of judge eval.
type flags struct {
	out    string
	ks     []int
	seed   uint64
	jobs   int
	on     cli.OnFlag
	levels cli.Levels
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

The id is unique among the lines of its problem. The verdict of each line is appended
to the file of --out, in the order in which they end: {"problem", "id", "language",
"verdict", "score"}. Lines whose verdict is there are skipped, so a call that was
interrupted continues when it is made again. A line that cannot be judged (an unknown
problem, a missing compiler) has no verdict; the reason is on standard error.

The problems are those around the working folder, and are judged on this machine;
with --on, those of a server: see judge help servers.

The estimator of a problem is the unbiased one of Chen et al. 2021, from all of its
lines; a problem with fewer than k has none. The overall figure is the mean over
problems, with an interval of 95 % by the bootstrap over problems.

Exit status: 0 each line has a verdict, 2 the file is wrong, 3 a line has none.`,
		Example: `  judge eval samples.jsonl
  judge eval samples.jsonl --on http://judges:8520 -k 1,10,100 --out run7.jsonl`,
		Args: cli.Arguments(1, 1),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c.Context(), e, args[0]) },
	}
	set := c.Flags()
	set.StringVar(&f.out, "out", "", "append the verdicts to `FILE` (default: FILE.verdicts.jsonl)")
	set.IntSliceVarP(&f.ks, "pass", "k", []int{1, 10}, "estimate pass@k for these `K`, with commas between them")
	set.Uint64Var(&f.seed, "seed", 1, "`N` determines the samples of the bootstrap")
	set.IntVarP(&f.jobs, "jobs", "j", 0, "run at most `N` programs at once on this machine (default: one per CPU)")
	f.on.Flags(c)
	f.on.ClassFlag(c)
	f.levels.Flag(c)
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
		if on, err = clientOf(&f.on); err != nil {
			return err
		}
	}
	samples, err := readSamples(e.Languages, name)
	if err != nil {
		return err
	}
	out, err := openVerdicts(cmp.Or(f.out, strings.TrimSuffix(name, ".jsonl")+".verdicts.jsonl"))
	if err != nil {
		return err
	}
	defer out.Close()
	rest := slices.DeleteFunc(slices.Clone(samples), func(s *sample) bool { return out.known[s.key()] != nil })
	if n := len(samples) - len(rest); n > 0 {
		fmt.Fprintf(e.Stderr, "judge: %d of %d lines have a verdict in %s\n", n, len(samples), terminal.Clean(out.Name()))
	}
	var failures []string
	err = f.judge(ctx, e, on, rest, func(j *judgedSample) error {
		if j.err != nil {
			failures = append(failures, fmt.Sprintf("%s of %s: %v", terminal.Clean(j.ID), terminal.Clean(j.Problem),
				terminal.Clean(j.err.Error())))
			return nil
		}
		return out.add(j)
	})
	slices.Sort(failures)
	for _, line := range cli.AtMost(20, failures) {
		fmt.Fprintln(e.Stderr, "judge:", line)
	}
	if err := errors.Join(err, out.Close()); err != nil {
		return cli.JudgeFailed(ctx, err)
	}
	if err := f.show(e.Stdout, samples, out.known); err != nil {
		return err
	}
	if len(failures) > 0 {
		return cli.WithStatus(cli.StatusJudge, fmt.Errorf("%d of %d lines have no verdict", len(failures), len(samples)))
	}
	return nil
}

// readSamples reads the file of samples.
func readSamples(languages language.Table, name string) (all []*sample, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(make([]byte, 64<<10), maxSample)
	seen := make(map[string]int)
	n := 1
	for ; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		s := new(sample)
		switch err := json.Unmarshal(lines.Bytes(), s); {
		case err != nil:
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		case s.Problem == "" || s.Language == "" || s.ID == "":
			return nil, fmt.Errorf("%s:%d: expected the keys problem, language, source and id, none of them empty but source",
				name, n)
		case languages.ByCode(s.Language) == nil:
			return nil, fmt.Errorf("%s:%d: language %.40q: expected one of %s", name, n, s.Language,
				strings.Join(languages.Codes(), ", "))
		case seen[s.key()] > 0:
			return nil, fmt.Errorf("%s:%d: id %.60q of problem %.60q: line %d has it, too", name, n, s.ID, s.Problem,
				seen[s.key()])
		}
		seen[s.key()] = n
		all = append(all, s)
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return nil, fmt.Errorf("%s:%d: expected a line of at most %d bytes", name, n, maxSample)
	}
	return all, lines.Err()
}

// A verdicts is the file of results.
type verdicts struct {
	*os.File
	known map[string]*judgedSample
	mu    sync.Mutex
}

// openVerdicts opens the file of results, which need not exist. A last line without a
// newline is removed: the judge was killed while it wrote.
func openVerdicts(name string) (*verdicts, error) {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	v := &verdicts{File: file, known: make(map[string]*judgedSample)}
	data, err := io.ReadAll(file)
	data = data[:bytes.LastIndexByte(data, '\n')+1]
	for n, line := range bytes.Split(data, []byte("\n")) {
		if len(line) == 0 || err != nil {
			continue
		}
		j := new(judgedSample)
		if err = json.Unmarshal(line, j); err == nil && (j.Problem == "" || j.ID == "" || j.Verdict == "") {
			err = errors.New("expected the keys problem, id and verdict")
		}
		if err != nil {
			err = fmt.Errorf("%s:%d: %w", name, n+1, err)
		}
		v.known[j.key()] = j
	}
	if err == nil {
		err = file.Truncate(int64(len(data)))
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekEnd)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return v, nil
}

// add appends a result.
func (v *verdicts) add(j *judgedSample) error {
	data, err := json.Marshal(j)
	if err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if _, err := v.Write(append(data, '\n')); err != nil {
		return err
	}
	v.known[j.key()] = j
	return nil
}

// Close closes the file. A second call does nothing.
func (v *verdicts) Close() error {
	if err := v.File.Close(); !errors.Is(err, fs.ErrClosed) {
		return err
	}
	return nil
}

// show prints pass@k of each problem and of all.
func (f *flags) show(to io.Writer, samples []*sample, known map[string]*judgedSample) error {
	type counts struct{ n, accepted int }
	by := make(map[string]*counts)
	var problems []string
	for _, s := range samples {
		c := by[s.Problem]
		if c == nil {
			c = new(counts)
			by[s.Problem] = c
			problems = append(problems, s.Problem)
		}
		if j := known[s.key()]; j != nil {
			if c.n++; j.Verdict == problem.Accepted {
				c.accepted++
			}
		}
	}
	slices.Sort(problems)
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "problem\tjudged\taccepted")
	for _, k := range f.ks {
		fmt.Fprintf(w, "\tpass@%d", k)
	}
	fmt.Fprintln(w)
	estimates := make([][]float64, len(f.ks))
	for _, p := range problems {
		c := by[p]
		fmt.Fprintf(w, "%s\t%d\t%d", terminal.Clean(p), c.n, c.accepted)
		for i, k := range f.ks {
			one := stat.PassAt(c.n, c.accepted, k)
			if math.IsNaN(one) {
				fmt.Fprint(w, "\t-")
				continue
			}
			estimates[i] = append(estimates[i], one)
			fmt.Fprintf(w, "\t%s", percent(one))
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for i, k := range f.ks {
		if len(estimates[i]) == 0 {
			fmt.Fprintf(to, "pass@%d: not known: no problem has %s with a verdict\n", k, terminal.Count(k, "line"))
			continue
		}
		mean, in := stat.Mean(estimates[i], 0.95, f.seed)
		interval := "no interval"
		if len(estimates[i]) == 1 {
			interval += ": one problem"
		}
		if in.Bounded() {
			interval = fmt.Sprintf("95 %% interval %s to %s", percent(in.Lo), percent(in.Hi))
		}
		fmt.Fprintf(to, "pass@%d: %s, %s, %d of %d problems\n", k, percent(mean), interval, len(estimates[i]), len(problems))
	}
	return nil
}

// percent returns a probability as a percentage.
func percent(p float64) string { return fmt.Sprintf("%.1f %%", 100*p) }
