package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"crucible/judge"
	"crucible/judge/measure/machine"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

// RunFlags are the flags of judge run.
type RunFlags struct {
	judge.Settings
	Jobs      int
	samples   bool
	Verbose   bool
	Languages []string
	Problem   string
	Whole     bool // arguments must be problems, not submissions or cases
	Require   bool
	Pin       bool
	Cores     []int // chosen by --pin or claimed for --jobs
	anyCores  bool  // cores were claimed
	Clock     ClockFlag
	On        OnFlag
	Levels    Levels
	Outputs   Outputs
	Record    Recorder
}

// settingFlags are the flags that fill [judge.Settings]; each command has some of them.
var settingFlags = map[string]func(*pflag.FlagSet, *judge.Settings){
	"all": func(flags *pflag.FlagSet, s *judge.Settings) {
		flags.BoolVar(&s.All, "all", false, "run every case of every submission, except groups whose require_pass is not met")
	},
	"fresh": func(flags *pflag.FlagSet, s *judge.Settings) {
		flags.BoolVar(&s.Fresh, "fresh", os.Getenv("CRUCIBLE_FRESH") != "",
			"make every run, also those whose results are stored; $CRUCIBLE_FRESH does the same")
		hideDefault(flags, "fresh")
	},
	"repeat": func(flags *pflag.FlagSet, s *judge.Settings) {
		flags.IntVar(&s.Repeat, "repeat", 1,
			"run each case `N` times; the slowest time counts, and the first verdict other than AC")
	},
	"time-limit": func(flags *pflag.FlagSet, s *judge.Settings) {
		flags.DurationVar(&s.TimeLimit, "time-limit", 0, "use this time limit instead of the problem's: 1.5s, 300ms")
	},
	"fixed-addresses": func(flags *pflag.FlagSet, s *judge.Settings) {
		flags.BoolVar(&s.FixedAddresses, "fixed-addresses", false,
			"place code, stack and heap at the same addresses on every run")
	},
	"log-interaction": func(flags *pflag.FlagSet, s *judge.Settings) {
		flags.BoolVar(&s.LogInteraction, "log-interaction", false,
			"show the interaction log of the deciding run, or with --verbose of every run: times, and > before lines of the "+
				"submission, < before those of the output validator; logging makes the runs slower")
	},
	"images": func(flags *pflag.FlagSet, s *judge.Settings) {
		flags.BoolVar(&s.KeepImages, "images", false,
			"run the visualizers of the problem and put their pictures of cases and outputs into HTML reports; runs are then "+
				"made again")
	},
	"doubt": func(flags *pflag.FlagSet, s *judge.Settings) {
		flags.Float64Var(&s.Doubt, "doubt", judge.DefaultDoubt,
			"with --on: have another worker make a run again whose verdict changes there, to or from TLE, with a probability "+
				"of `SHARE` or more; 1 makes none again")
	},
}

// Setting adds flags that fill the settings, by their names. Numbers must be positive.
func (f *RunFlags) Setting(c *cobra.Command, names ...string) {
	for _, name := range names {
		settingFlags[name](c.Flags(), &f.Settings)
		if c.Flags().Lookup(name).Value.Type() != "bool" {
			Positives(c, name)
		}
	}
}

// Judging adds the flags of the commands that judge submissions, and completes their
// arguments.
func (f *RunFlags) Judging(c *cobra.Command) {
	flags := c.Flags()
	flags.BoolVar(&f.samples, "samples", false, "judge only the sample cases")
	flags.BoolVarP(&f.Verbose, "verbose", "v", false, "print a line for every run")
	flags.StringSliceVar(&f.Languages, "lang", nil, "only submissions in the languages `CODE,...` (see judge lang)")
	flags.StringVar(&f.Problem, "problem", "", "judge the given files against `PROBLEM`")
	f.Levels.Flag(c)
	f.Setting(c, "all", "time-limit")
	c.RegisterFlagCompletionFunc("lang", CompleteLanguages)
	c.RegisterFlagCompletionFunc("problem", CompleteNames(Problems))
	c.ValidArgsFunction = CompleteNames(Cases)
}

// RequireFlag adds --require-languages. $CRUCIBLE_REQUIRE_LANGUAGES sets it too,
// which is useful in CI.
func RequireFlag(c *cobra.Command, require *bool) {
	c.Flags().BoolVar(require, "require-languages", os.Getenv("CRUCIBLE_REQUIRE_LANGUAGES") != "",
		"treat a language that is not usable here as a judge error (exit status 3); $CRUCIBLE_REQUIRE_LANGUAGES does the "+
			"same")
	hideDefault(c.Flags(), "require-languages")
}

// Report opens the reports, starts the judge, and calls work to fill a document. Then
// it writes the document, unless work left its Problems nil. It returns the errors of
// all steps.
func (f *RunFlags) Report(e *Env, onEvent func(judge.Event), work func(*judge.Judge, *record.Document) error) error {
	if err := f.Outputs.Open(e); err != nil {
		return err
	}
	began := time.Now()
	f.Instructions = f.Clock.Instructions()
	j, err := f.Levels.Judge(&judge.Judge{Settings: f.Settings, Languages: e.Languages, Jobs: f.Jobs, OnEvent: onEvent,
		Executor: f.On.Executor(), Cores: f.Cores, AnyCores: f.anyCores})
	if err != nil {
		return err
	}
	f.Record.Judge = j
	doc := new(record.Document)
	if j.Executor == nil {
		doc.Machine = MachineOf(j)
	}
	err = errors.Join(work(j, doc), Closed(j))
	if doc.Problems != nil {
		doc.Elapsed = cmp.Or(doc.Elapsed, time.Since(began)) // the same as in text that is already printed
		f.Record.finish(doc.Elapsed)
		err = errors.Join(err, f.Outputs.Show(e, doc, f.Verbose))
	}
	return err
}

func (f *RunFlags) Check(e *Env) error {
	if err := f.On.Check(); err != nil {
		return err
	}
	switch {
	case f.Jobs < 0:
		return fmt.Errorf("--jobs %d: expected 1 or more, or 0 for one per CPU", f.Jobs)
	case f.FixedAddresses && runtime.GOOS != "linux":
		return errors.New("--fixed-addresses: not supported on this system")
	}
	for _, code := range f.Languages {
		if e.Languages.ByCode(code) == nil {
			return fmt.Errorf("--lang %s: unknown language%s; judge lang lists them", code,
				terminal.DidYouMean(code, e.Languages.Codes()))
		}
	}
	return nil
}

// Dial connects with the server of --on, if there is one.
func (f *RunFlags) Dial(e *Env, c *cobra.Command) error {
	if f.On.URL == "" {
		return nil
	}
	for _, name := range []string{"pin", "sandbox", "clock", "flag", "startup"} {
		if c.Flags().Changed(name) {
			return fmt.Errorf("--%s with --on: it is about programs on this machine; expected one of them", name)
		}
	}
	return f.On.Dial(c.Context(), e, &f.Jobs)
}

// place chooses cores for --pin from the allowed processors. Without --jobs, it
// sets jobs to the number of equally fast processors that share no core. It uses
// only as many processors as there are jobs, so that later calls use the same.
//
// Without --pin, it claims a core for each of --jobs, if there are enough equally fast
// ones that no other judge has claimed, and returns the processors that are left for the
// judge's own work; nil means any.
func (f *RunFlags) place(all []machine.Processor, allowed []int,
	claim func(order []int, n int) []int) (rest []int, err error) {
	order, apart := machine.Pin(all, allowed)
	switch {
	case !f.Pin && 0 < f.Jobs && f.Jobs <= apart:
		if f.Cores = claim(order[:apart], f.Jobs); f.Cores == nil {
			return nil, nil
		}
		f.anyCores = true
		return machine.Spare(all, allowed, f.Cores), nil
	case !f.Pin:
		return nil, nil
	case len(order) == 0:
		return nil, errors.New("--pin: not supported on this system")
	case f.Jobs > len(order):
		return nil, fmt.Errorf("--pin --jobs %d: expected at most %d, one per core", f.Jobs, len(order))
	case f.Jobs == 0:
		f.Jobs = apart
	}
	f.Cores = order[:f.Jobs]
	return nil, nil
}

// Settle calls place for this machine and restricts the judge to the rest of the
// processors. The claims last until the judge exits.
func (f *RunFlags) Settle() error {
	claim := func(order []int, n int) []int {
		claimed, _ := machine.Claim(order, n)
		return claimed
	}
	rest, err := f.place(machine.Processors(os.DirFS("/")), machine.Allowed(), claim)
	if rest != nil {
		machine.Stay(rest)
	}
	return err
}

// Gather opens the packages and chooses what the arguments name.
func (f *RunFlags) Gather(e *Env, args []string) (*Packages, error) {
	hint := "; with --problem ID files may lie anywhere"
	if f.Whole {
		hint = "; expected a folder with problem.yaml, or a zip"
	}
	return Choose(e.Languages, f.Problem, args, hint)
}

// Narrow applies --samples and --lang, and warns of problems of which they leave nothing.
func (f *RunFlags) Narrow(e *Env, h *Packages) error {
	var none []string
	for _, c := range h.Choices {
		if f.samples {
			c.Cases = slices.DeleteFunc(slices.Clone(c.Cases), func(k *problem.Case) bool { return !k.Sample() })
		}
		f.keepLanguages(c)
	}
	h.Choices = slices.DeleteFunc(h.Choices, func(c *Choice) bool {
		empty := len(c.Cases) == 0 || len(c.Submissions) == 0
		if empty {
			none = append(none, terminal.Clean(c.id()))
		}
		return empty
	})
	const why = "no submission or no case matches the arguments and flags"
	if len(h.Broken)+len(h.Choices) == 0 {
		return errors.New("nothing to judge: " + why)
	}
	if none != nil {
		Warn(e, fmt.Errorf("nothing to judge in %s: %s", strings.Join(AtMost(10, none), ", "), why))
	}
	return nil
}

// keepLanguages applies --lang to a choice.
func (f *RunFlags) keepLanguages(c *Choice) {
	if f.Languages != nil {
		c.Submissions = slices.DeleteFunc(slices.Clone(c.Submissions), func(s *problem.Submission) bool {
			return s.Language == nil || !slices.Contains(f.Languages, s.Language.Code)
		})
	}
}

// Unopened prints the errors of the packages that could not be opened, and
// returns their entries for a document; never nil.
func Unopened(e *Env, h *Packages) []record.Problem {
	problems := []record.Problem{}
	for _, b := range h.Broken {
		Complain(e, b.Err)
		problems = append(problems, record.Problem{ID: b.Source.ID, Path: b.Source.Path, Err: b.Err})
	}
	return problems
}

// MachineOf describes the machine and how j runs programs on it.
func MachineOf(j *judge.Judge) record.Machine {
	m, protection := record.ThisMachine(), j.Protection()
	m.Pinned, m.FixedAddresses = len(j.Cores) > 0, j.FixedAddresses
	m.Protection, m.NotEnforced = protection.Level.String(), protection.NotEnforced
	if m.Counter = j.Counter(); m.Counter == sandbox.HardwareCounters && m.CPU != "" {
		m.Counter += " of " + m.CPU
	}
	m.SelfTest = selfTestOf(j, &m)
	return m
}

// ProblemOf returns the description of a choice for a document.
func ProblemOf(j *judge.Judge, c *Choice) record.Problem {
	return record.Problem{ID: c.Problem.ID, Path: c.Problem.Path, Limits: j.LimitsOf(c.Problem),
		Cases: terminal.Texts(c.Cases, func(k *problem.Case) string { return k.Name })}
}

// UseStored makes a judge keep its runs in the cache, and take them from there.
func UseStored(j *judge.Judge) {
	if dir, err := j.CacheDir(); err == nil {
		j.Stored = record.OpenStore(filepath.Join(dir, "runs"))
	}
}

// VerdictStatus returns the exit status of a document as an error. require makes a
// skipped submission a failure of the judge.
func VerdictStatus(ctx context.Context, doc *record.Document, require bool) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	status, skipped := StatusExpected, []string(nil)
	for _, p := range doc.Problems {
		status = max(status, StatusOf(p.Err))
		for _, r := range p.Reports {
			switch err := r.JudgeError(); {
			case err != nil:
				status = max(status, StatusOf(JudgeFailed(ctx, err)))
			case r.Skipped != "" && require:
				skipped = append(skipped, fmt.Sprintf("%s %s: %s", p.ID, r.Submission, r.Skipped))
			case r.AsExpected != nil && !*r.AsExpected:
				status = max(status, StatusUnexpected)
			}
		}
	}
	if skipped != nil {
		return WithStatus(StatusJudge, fmt.Errorf("--require-languages: expected that all submissions are judged, skipped %s",
			strings.Join(AtMost(3, skipped), ", ")))
	}
	return Ending(status)
}
