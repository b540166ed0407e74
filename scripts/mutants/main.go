// Command mutants measures whether mutants predict people: whether test data that kills
// more mutants also rejects more of the wrong submissions that people have written. It
// needs packages with wrong submissions:
//
//	scripts/bench mutants -packages DIR [-mutants N] [-budget D] [-subsets N] [-seed N] [-results DIR]
//
// judge adequacy assesses each package, and its JSON is kept in the folder of results;
// what is there is not made again. Then random subsets of 2, 4 and 8 cases of each package
// are drawn. The mutation score of a subset is the weighted share of the mutants that it
// kills; only mutants that ran on all cases count. The share of the submissions is that of
// those that all cases together reject.
//
// The rank correlation (Spearman) of both is computed for each package and size, and
// averaged over them; the interval is a bootstrap over packages. It is compared with the
// correlations of the size of the input, in bytes, and of the number of cases. The latter
// varies only over all subsets of a package, so all three are given over these, too.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"crucible/judge/record"
	"crucible/judge/strength/adequacy"
)

// An experiment has the settings.
type experiment struct {
	packages, results, judge string
	mutants, subsets         int
	budget                   time.Duration
	seed                     uint64
}

func main() {
	var e experiment
	flag.StringVar(&e.packages, "packages", "", "search the folder `DIR` for packages")
	flag.StringVar(&e.results, "results", "", "keep the JSON of judge adequacy in `DIR` (default: a temporary folder)")
	flag.StringVar(&e.judge, "judge", "judge", "the judge `COMMAND`")
	flag.IntVar(&e.mutants, "mutants", 100, "draw `N` mutants of each package")
	flag.IntVar(&e.subsets, "subsets", 30, "draw `N` subsets of each size")
	flag.DurationVar(&e.budget, "budget", 5*time.Minute, "the budget of judge adequacy; 0 means no limit")
	flag.Uint64Var(&e.seed, "seed", 1, "`N` decides what is drawn")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch err := e.run(ctx); {
	case ctx.Err() != nil:
		os.Exit(130)
	case err != nil:
		fmt.Fprintln(os.Stderr, "scripts/mutants:", err)
		os.Exit(2)
	}
}

func (e *experiment) run(ctx context.Context) (err error) {
	if e.packages == "" && e.results == "" {
		return errors.New("expected -packages DIR, or -results with the JSON of judge adequacy")
	}
	if e.results == "" {
		if e.results, err = os.MkdirTemp("", "mutants-"); err != nil {
			return err
		}
		defer os.RemoveAll(e.results)
	}
	if err := e.assess(ctx); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(e.results, "*.json"))
	if err != nil {
		return err
	}
	var all []*sampled
	for _, name := range files {
		s, why, err := e.read(name)
		switch {
		case err != nil:
			return err
		case why != "":
			fmt.Printf("%s: left out: %s\n", strings.TrimSuffix(filepath.Base(name), ".json"), why)
			continue
		}
		s.draw(rand.New(rand.NewPCG(e.seed, uint64(len(all)))), e.subsets)
		fmt.Println(s)
		all = append(all, s)
	}
	if len(all) == 0 {
		return errors.New("no package has wrong submissions, mutants and enough cases")
	}
	report(os.Stdout, all, rand.New(rand.NewPCG(e.seed, 0)))
	return nil
}

// assess runs judge adequacy on the packages that have no result yet.
func (e *experiment) assess(ctx context.Context) error {
	if e.packages == "" {
		return nil
	}
	var found []string
	err := filepath.WalkDir(e.packages, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "problem.yaml" {
			found = append(found, filepath.Dir(name))
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, folder := range found {
		id, err := filepath.Rel(e.packages, folder)
		if err != nil {
			return err
		}
		to := filepath.Join(e.results, strings.ReplaceAll(id, string(filepath.Separator), "_")+".json")
		if _, err := os.Stat(to); err == nil {
			continue
		}
		c := exec.CommandContext(ctx, e.judge, "adequacy", "--mutants", strconv.Itoa(e.mutants), "--budget",
			e.budget.String(), "--seed", strconv.FormatUint(e.seed, 10), "--no-history", "--json", to, folder)
		c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
		out, err := c.CombinedOutput()
		if ctx.Err() != nil {
			os.Remove(to) // not complete
			return ctx.Err()
		}
		// Status 1 means that a submission is not as its author expected.
		var exit *exec.ExitError
		if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
			fmt.Fprintf(os.Stderr, "%s: %v\n%s", id, err, out)
		}
	}
	return nil
}

// read reads a result. Why is the reason to leave the package out.
func (e *experiment) read(name string) (s *sampled, why string, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	doc, err := record.Read(f, record.SectionOf[adequacy.Result]("adequacy"))
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", name, err)
	}
	if len(doc.Problems) != 1 {
		return nil, "it was not assessed", nil
	}
	p := &doc.Problems[0]
	a := record.Of[*adequacy.Result](p)
	if a == nil || a.Mutation == nil {
		return nil, "it was not assessed", nil
	}
	s = sampledOf(strings.TrimSuffix(filepath.Base(name), ".json"), a)
	s.sizes(p.Path)
	switch {
	case len(s.people) < 2:
		return s, fmt.Sprintf("%d wrong submissions are rejected, expected 2 or more", len(s.people)), nil
	case len(s.mutants) < 5:
		return s, fmt.Sprintf("%d mutants ran on all cases, expected 5 or more", len(s.mutants)), nil
	case s.cases <= slices.Min(subsetSizes):
		return s, fmt.Sprintf("%d cases", s.cases), nil
	}
	return s, "", nil
}
