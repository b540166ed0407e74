package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	json "github.com/go-json-experiment/json/v1"
	"github.com/spf13/cobra"

	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/terminal"
)

// historyFlags are the flags of judge history.
type historyFlags struct {
	most   int
	all    bool
	since  string
	json   bool
	paths  bool
	pruned string
}

const defaultListed = 20 // default of --number

func History(e *Env) *cobra.Command {
	var f historyFlags
	c := &cobra.Command{
		Use:   "history [PROBLEM|SOLUTION...]",
		Short: "list the stored runs",
		Long: `List the stored runs of the judge, newest first. With arguments, list only the
runs of these problems and submissions, given by name, path or glob.

judge run, test, listen, verify, bench, scale, limits and adequacy store each run in
a file, and each case as soon as it is finished. A run is killed if its file has no
end and no judge has it open. The files are in the folder
$CRUCIBLE_HISTORY, or by default in crucible/runs in the user's data folder. A
run with --no-history is not stored; with CRUCIBLE_HISTORY=off, none is. judge
report prints a stored run, and judge compare compares two. A DURATION is, for
example, 12h or 30d.`,
		Example: `  judge history
  judge history poj3074 --since 7d
  judge history rm x7k2
  judge history --prune 90d`,
		ValidArgsFunction: CompleteNames(Submissions),
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("prune") {
				return prune(e, c, &f, args)
			}
			return list(e, &f, args)
		},
	}
	flags := c.Flags()
	flags.IntVarP(&f.most, "number", "n", defaultListed, "list the newest `N`")
	flags.BoolVar(&f.all, "all", false, "list all runs")
	flags.StringVar(&f.since, "since", "",
		"list only runs that began at most a `DURATION` ago, or since a date: 2026-01-31")
	flags.BoolVar(&f.json, "json", false, "print a JSON array of objects")
	flags.BoolVar(&f.paths, "path", false, "print the names of the runs' files, one per line")
	Positives(c, "number")
	flags.StringVar(&f.pruned, "prune", "", "remove the runs that began more than a `DURATION` ago, and list nothing")
	c.AddCommand(&cobra.Command{
		Use:   "rm ID...",
		Short: "remove stored runs",
		Long: `Remove stored runs. Each is named by its id in judge history, or by a unique
prefix of it. If one of the runs does not exist, none is removed.`,
		Example:           `  judge history rm x7k2`,
		Args:              Arguments(1, math.MaxInt),
		ValidArgsFunction: CompleteRuns,
		RunE:              func(_ *cobra.Command, args []string) error { return remove(e, args) },
	})
	return c
}

// list runs judge history. It reads only the runs that it shows, and the first
// lines of runs that the arguments may match.
func list(e *Env, f *historyFlags, args []string) error {
	if f.json && f.paths {
		return errors.New("--json and --path both choose what is printed: expected one of them")
	}
	entries, err := StoredRuns()
	if err != nil {
		return err
	}
	all, shown := entries, record.Shown(entries)
	if f.since != "" {
		since, err := sinceWhen(f.since, time.Now())
		if err != nil {
			return fmt.Errorf("--since %w", err)
		}
		entries = slices.DeleteFunc(slices.Clone(entries), func(one record.Entry) bool { return !one.Since(since) })
	}
	this, words, runs := record.ThisMachine(), wordsOf(args), []listedRun{}
	for _, one := range entries {
		if !f.all && len(runs) == f.most {
			break
		}
		if len(args) > 0 {
			if head, err := one.Head(words); err != nil || head == nil || !isAbout(head, args) {
				continue
			}
		}
		run := listedRun{Path: one.Path}
		if !f.paths {
			run, err = readListed(one, this)
			run.short = run.ID[:shown]
		}
		if errors.Is(err, fs.ErrNotExist) {
			continue // another process has removed it
		}
		if err != nil {
			Warn(e, err)
		}
		runs = append(runs, run)
	}
	if f.json || f.paths || len(runs) > 0 {
		return f.print(e, runs)
	}
	none := "no runs are stored"
	if len(all) > 0 {
		none = "no stored run matches the arguments and flags"
		if len(args) > 0 {
			none += terminal.DidYouMean(args[0], append(storedNames(all), "rm"))
		}
	}
	PrintLines(e, "judge: ", none)
	return nil
}

// print prints runs as JSON, as names of files or as a table.
func (f *historyFlags) print(e *Env, runs []listedRun) error {
	switch {
	case f.json:
		w := json.NewEncoder(e.Stdout)
		w.SetEscapeHTML(false)
		w.SetIndent("", "  ")
		return w.Encode(runs)
	case f.paths:
		for _, r := range runs {
			fmt.Fprintln(e.Stdout, terminal.Clean(r.Path))
		}
	default:
		printRuns(e, runs)
	}
	return nil
}

// StoredRuns returns all stored runs, newest first.
func StoredRuns() ([]record.Entry, error) {
	folder, err := record.HistoryFolder()
	if err != nil {
		return nil, err
	}
	return record.Calls(folder)
}

// storedNames returns the names of problems and submissions of stored runs.
func storedNames(entries []record.Entry) (names []string) {
	for _, one := range entries {
		h, err := one.Head(nil)
		if err != nil {
			continue
		}
		for i := range h.Problems {
			names = append(names, h.Problems[i].ID)
			for _, s := range h.Problems[i].Submissions {
				names = append(names, s.Name, path.Base(s.Name))
			}
		}
	}
	return names
}

// sinceWhen parses a date, or a duration before now.
func sinceWhen(text string, now time.Time) (time.Time, error) {
	if t, err := time.ParseInLocation(time.DateOnly, text, now.Location()); err == nil {
		return t, nil
	}
	d, err := age(text)
	if err != nil {
		return time.Time{}, fmt.Errorf("%q: expected a date such as 2026-01-31, or a duration such as 12h or 30d", text)
	}
	return now.Add(-d), nil
}

// age parses a duration, which may be in days: 12h, 30d.
func age(text string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.ParseFloat(days, 64)
		if err != nil || !(n >= 0 && n <= 36500) {
			return 0, errors.New("not a number of days")
		}
		return time.Duration(n * 24 * float64(time.Hour)), nil
	}
	d, err := time.ParseDuration(text)
	if err == nil && d < 0 {
		err = errors.New("negative")
	}
	return d, err
}

// wordsOf returns, for each argument, a word that the head of every matching call
// contains; nil if an argument has no such word.
func wordsOf(args []string) [][]byte {
	var words [][]byte
	for _, arg := range args {
		arg = strings.TrimSuffix(filepath.ToSlash(filepath.Clean(arg)), "/")
		longest := ""
		// Other characters may have a meaning in a glob, or be escaped in JSON.
		// Alternatives in braces have no word in common.
		for _, piece := range strings.FieldsFunc(path.Base(arg), func(r rune) bool {
			return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-')
		}) {
			if len(piece) > len(longest) {
				longest = piece
			}
		}
		if longest == "" || strings.Contains(arg, "{") {
			return nil
		}
		words = append(words, []byte(longest))
	}
	return words
}

// isAbout reports whether an argument matches a problem or submission of the
// call.
func isAbout(h *record.Head, args []string) bool {
	for _, arg := range args {
		arg = strings.TrimSuffix(filepath.ToSlash(filepath.Clean(arg)), "/")
		for i := range h.Problems {
			p := &h.Problems[i]
			if arg == p.Path || problem.GlobCovers(arg, p.ID) {
				return true
			}
			for _, s := range p.Submissions {
				base := path.Base(s.Name)
				// The path of a file in a repository ends with both names.
				if own := p.ID + "/" + s.Name; arg == own || strings.HasSuffix(arg, "/"+own) || problem.GlobCovers(arg, s.Name) ||
					problem.GlobCovers(arg, base) || problem.GlobCovers(arg, strings.TrimSuffix(base, path.Ext(base))) {
					return true
				}
			}
		}
	}
	return false
}

// prune runs judge history --prune.
func prune(e *Env, c *cobra.Command, f *historyFlags, args []string) error {
	d, err := age(f.pruned)
	if err != nil {
		return fmt.Errorf("--prune %q: expected a duration such as 12h or 30d", f.pruned)
	}
	for _, listing := range []string{"number", "all", "since", "json", "path"} {
		if c.Flags().Changed(listing) {
			return fmt.Errorf("--prune lists nothing: expected no --%s", listing)
		}
	}
	if len(args) > 0 {
		return fmt.Errorf("--prune: expected no arguments, got %q; judge history rm removes single runs", args)
	}
	entries, err := StoredRuns()
	if err != nil {
		return err
	}
	before, n := time.Now().Add(-d), 0
	var errs []error
	for _, one := range entries {
		if one.Since(before) {
			continue
		}
		switch err := record.RemoveCall(one); {
		case err == nil:
			n++
		case !errors.Is(err, fs.ErrNotExist): // another process may remove it first
			errs = append(errs, err)
		}
	}
	fmt.Fprintf(e.Stdout, "%s removed\n", terminal.Count(n, "run"))
	return errors.Join(errs...)
}

// remove runs judge history rm. It finds all runs before it removes any.
func remove(e *Env, ids []string) error {
	folder, err := record.HistoryFolder()
	if err != nil {
		return err
	}
	var found []record.Entry
	for _, id := range ids {
		if !record.IsID(id) {
			return fmt.Errorf("%q: expected the id of a run", id)
		}
		one, err := record.FindCall(folder, id)
		if err != nil {
			return err
		}
		found = append(found, one)
	}
	var errs []error
	for _, one := range found {
		if err := record.RemoveCall(one); err != nil {
			errs = append(errs, err)
			continue
		}
		fmt.Fprintf(e.Stdout, "removed %s\n", one.ID)
	}
	return errors.Join(errs...)
}

// CompleteRuns completes the ids of stored runs.
func CompleteRuns(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	entries, err := StoredRuns()
	if err != nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	words, shown := []string{"last"}, record.Shown(entries)
	for _, entry := range entries[:min(len(entries), defaultListed)] {
		words = append(words, entry.ID[:shown]+"\t"+entry.Time.Local().Format(whenLayout))
	}
	return words, cobra.ShellCompDirectiveDefault
}
