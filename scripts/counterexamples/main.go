// Command counterexamples measures how often judge stress finds an input on which a
// submission fails that passes the test data. It needs packages with submissions that
// are known to be wrong:
//
//	scripts/bench counterexamples -packages DIR [-draws N] [-budget D] [-seed N] [-only WORD] [-results FILE]
//
// For each submission in wrong_answer, run_time_error and partially_accepted, and each
// draw, three secret cases are drawn at random from those that do not reject it. All
// other secret cases are deleted from a copy of the package, and judge stress searches
// the copy. An input counts if it is neither a kept case nor a sample, if the input
// validators of the complete package accept it, the output validator accepts its answer,
// and the submission fails on it again. An input that equals a deleted case is counted
// apart. In a scoring problem the input must belong to a group of the secret cases whose
// kept cases the submission passes, so that its score falls.
//
// Each result is a line of FILE. Results that FILE has already are not made again.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
)

// An experiment has the settings.
type experiment struct {
	packages string
	draws    int
	budget   time.Duration
	seed     uint64
	only     string
	results  string
	limit    time.Duration // 0: the limit of the package, or inferred from it

	command string // the judge
	tmp     string // folder of copies
	j       *judge.Judge
	done    *results
}

func main() {
	var e experiment
	flag.StringVar(&e.packages, "packages", "", "search the folder `DIR` for packages")
	flag.IntVar(&e.draws, "draws", 5, "make `N` draws for each submission")
	flag.DurationVar(&e.budget, "budget", time.Minute, "the budget of each search")
	flag.Uint64Var(&e.seed, "seed", 1, "`N` decides what is drawn")
	flag.StringVar(&e.only, "only", "", "take only submissions whose path, PACKAGE/FOLDER/FILE, contains `WORD`")
	flag.StringVar(&e.results, "results", "counterexamples.jsonl", "`FILE` of the results")
	flag.DurationVar(&e.limit, "time-limit", 0,
		"use this time limit for packages without one (default: inferred from the complete package, which takes long)")
	flag.StringVar(&e.command, "judge", "", "the judge `COMMAND` (default: built from this module)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := e.run(ctx, os.Stdout)
	switch {
	case ctx.Err() != nil:
		os.Exit(130)
	case err != nil:
		fmt.Fprintln(os.Stderr, "scripts/bench counterexamples:", err)
		os.Exit(2)
	}
}

func (e *experiment) run(ctx context.Context, w io.Writer) (err error) {
	if e.packages == "" {
		return fmt.Errorf("expected -packages DIR, a folder with packages")
	}
	if e.tmp, err = os.MkdirTemp("", "counterexamples-"); err != nil {
		return err
	}
	defer os.RemoveAll(e.tmp)
	if e.command == "" {
		e.command = filepath.Join(e.tmp, "judge")
		if out, err := exec.CommandContext(ctx, "go", "build", "-o", e.tmp+"/",
			"crucible/judge/cmd/judge", "crucible/judge/cmd/judgelab").CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
	}
	if e.done, err = openResults(e.results); err != nil {
		return err
	}
	defer e.done.file.Close()
	dirs, err := packagesIn(e.packages)
	if err != nil {
		return err
	}
	for draw := range e.draws {
		for _, dir := range dirs {
			if err := e.inPackage(ctx, w, dir, draw); err != nil {
				return fmt.Errorf("%s: %w", dir, err)
			}
		}
	}
	e.done.summary(w, e.only)
	return nil
}

// packagesIn returns the folders below root that have a problem.yaml.
func packagesIn(root string) (dirs []string, err error) {
	err = filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "problem.yaml" {
			dirs = append(dirs, filepath.Dir(file))
		}
		return err
	})
	return dirs, err
}

// kinds are the folders of submissions that are known to be wrong.
var kinds = []string{"wrong_answer", "run_time_error", "partially_accepted"}

// inPackage makes one draw for each submission of a package.
func (e *experiment) inPackage(ctx context.Context, w io.Writer, dir string, draw int) (err error) {
	name, err := filepath.Rel(e.packages, dir)
	if err != nil {
		return err
	}
	name = filepath.ToSlash(name)
	p, err := problem.OpenDir(dir)
	if err != nil {
		return err
	}
	defer p.Close()
	of := slices.DeleteFunc(slices.Clone(p.Submissions), func(s *problem.Submission) bool {
		kind, _, _ := strings.Cut(s.Name, "/")
		return !slices.Contains(kinds, kind) || !strings.Contains(name+"/"+s.Name, e.only) || e.done.has(name, s.Name, draw)
	})
	if len(of) == 0 {
		return nil
	}
	e.j = &judge.Judge{}
	defer func() { err = cmp.Or(err, e.j.Close()) }()
	switch {
	case p.Limits.Time > 0:
	case e.limit > 0:
		e.j.TimeLimit = e.limit
	default:
		if e.j.TimeLimit, err = e.done.timeLimit(ctx, name, p); err != nil {
			return err
		}
	}
	for _, s := range of {
		r, err := e.trial(ctx, p, s, draw)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		r.Package = name
		if err := e.done.add(r); err != nil {
			return err
		}
		fmt.Fprintln(w, r)
	}
	return nil
}
