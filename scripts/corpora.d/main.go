// Command corpora.d is the program behind scripts/corpora. It judges packages
// with the judge command and compares the differences from their expectations
// with a table of expected differences.
package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"crucible/judge/record"
)

const defaultFolder = "../shared/corpora"

func main() {
	command := flag.String("judge", "judge", "the judge `COMMAND`")
	table := flag.String("table", "", "the `FILE` of expected differences")
	only := flag.String("only", "*", "judge only packages whose path matches `GLOB`, in which * matches / too")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	differs, err := corpora(ctx, os.Stdout, *command, *table, *only, cmp.Or(flag.Arg(0), defaultFolder))
	switch {
	case ctx.Err() != nil:
		os.Exit(130)
	case err != nil:
		fmt.Fprintln(os.Stderr, "scripts/corpora:", err)
		os.Exit(2)
	case differs:
		os.Exit(1)
	}
}

// corpora judges the packages below root that match only, and reports whether
// their differences differ from those of the table. It judges nothing if root
// does not exist.
func corpora(ctx context.Context, w io.Writer, command, table, only, root string) (differs bool, err error) {
	if _, err := os.Stat(root); errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(w, "skipped: there is no folder %s\n", root)
		return false, nil
	}
	text, err := os.ReadFile(table)
	if err != nil {
		return false, err
	}
	rows, err := parseTable(table, string(text))
	if err != nil {
		return false, err
	}
	packages, err := packagesIn(root, only)
	if err != nil {
		return false, err
	}
	if len(packages) == 0 {
		return false, fmt.Errorf("%s: no package matches %s", root, only)
	}
	began := time.Now()
	var sum tally
	for _, name := range packages {
		start := time.Now()
		p, err := judgePackage(ctx, command, filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			return false, fmt.Errorf("%s: %w", name, err)
		}
		found, t := outcome(p)
		complaints := compare(name, found, rows)
		t.explained, t.unexplained = len(found)-countPrefix(complaints, unexplained), len(complaints)
		sum.add(t)
		fmt.Fprintf(w, "%s: %v, %.1f s\n", name, t, time.Since(start).Seconds())
		for _, c := range complaints {
			fmt.Fprintf(w, "  %s\n", c)
		}
	}
	fmt.Fprintf(w, "%d packages: %v, %.0f s\n", len(packages), sum, time.Since(began).Seconds())
	return sum.unexplained > 0, nil
}

// A tally counts submissions and differences.
type tally struct{ judged, asExpected, skipped, explained, unexplained int }

func (t *tally) add(o tally) {
	t.judged += o.judged
	t.asExpected += o.asExpected
	t.skipped += o.skipped
	t.explained += o.explained
	t.unexplained += o.unexplained
}

func (t tally) String() string {
	s := fmt.Sprintf("%d of %d submissions as expected", t.asExpected, t.judged)
	for _, part := range []struct {
		n    int
		what string
	}{{t.skipped, "skipped"}, {t.explained, "explained"}, {t.unexplained, "NOT EXPLAINED"}} {
		if part.n > 0 {
			s += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	return s
}

// packagesIn returns the slash-separated paths below root of the folders that
// have a problem.yaml and match the glob.
func packagesIn(root, glob string) (names []string, err error) {
	err = filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.Name() != "problem.yaml" {
			return err
		}
		name, err := filepath.Rel(root, filepath.Dir(file))
		if name = filepath.ToSlash(name); err == nil && matches(glob, name) {
			names = append(names, name)
		}
		return err
	})
	slices.Sort(names)
	return names, err
}

// matches reports whether a name matches a glob in which * matches / too.
func matches(glob, name string) bool {
	flat := func(s string) string { return strings.ReplaceAll(s, "/", "\x00") }
	ok, err := path.Match(flat(glob), flat(name))
	return ok && err == nil
}

// judgePackage judges all submissions of a copy of a package.
func judgePackage(ctx context.Context, command, dir string) (*record.Problem, error) {
	tmp, err := os.MkdirTemp("", "corpora-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	to := filepath.Join(tmp, filepath.Base(dir))
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		return nil, err
	}
	if err := relink(to); err != nil {
		return nil, err
	}
	var stdout, stderr bytes.Buffer
	run := exec.CommandContext(ctx, command, "run", "--no-history", "--format", "json", filepath.Base(dir))
	run.Dir = tmp // so that messages name the folder as it is in the corpus
	run.Stdout, run.Stderr = &stdout, &stderr
	run.Cancel = func() error { return run.Process.Signal(os.Interrupt) }
	err = run.Run()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	doc, bad := record.Read(&stdout)
	if bad != nil || len(doc.Problems) != 1 {
		// The judge exits with 2 and prints no report for a package that it refuses.
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 2 {
			return &record.Problem{Err: errors.New(stderr.String())}, nil
		}
		return nil, fmt.Errorf("%v: no report of one problem: %s", err, stderr.Bytes())
	}
	return &doc.Problems[0], nil
}

// linkText matches the target of a symbolic link to another folder. A snapshot
// without symbolic links has a file with this text in place of each link.
var linkText = regexp.MustCompile(`^(\.\./)+[\w./-]+$`)

// relink replaces each file whose only text is the relative path of an existing
// file of the package by a symbolic link, because snapshots of git repositories
// store links as such files.
func relink(dir string) error {
	return filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		if info, err := e.Info(); err != nil || info.Size() > 200 {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil || !linkText.Match(text) {
			return err
		}
		target := filepath.FromSlash(string(text))
		rel, err := filepath.Rel(dir, filepath.Join(filepath.Dir(file), target))
		if err != nil || !filepath.IsLocal(rel) {
			return err
		}
		if _, err := os.Stat(filepath.Join(dir, rel)); err != nil {
			return nil // the text may be test data
		}
		return errors.Join(os.Remove(file), os.Symlink(target, file))
	})
}

// A difference is a disagreement between the judge and the package about a
// submission, or about the package itself if submission is "-".
type difference struct{ submission, what string }

// outcome returns the differences in a report, and the numbers of submissions.
// It does not set explained and unexplained of the tally.
func outcome(p *record.Problem) (found []difference, t tally) {
	if p.Err != nil {
		found = append(found, difference{"-", strings.TrimSpace(p.Err.Error())})
	}
	for _, s := range p.Reports {
		if s.Skipped != "" {
			t.skipped++
			continue
		}
		t.judged++
		switch {
		case s.JudgeError() != nil:
			found = append(found, difference{s.Submission, "judge error: " + s.JudgeError().Error()})
		case s.AsExpected != nil && !*s.AsExpected:
			found = append(found, difference{s.Submission, s.Broken})
		default:
			t.asExpected++
		}
	}
	return found, t
}

// A row is an expected difference in the table.
type row struct {
	at         string // position in the table, FILE:LINE
	name       string // path of the package below the root
	submission string // glob over names of submissions
	part       string // substring of difference.what
	sometimes  bool   // the difference depends on the machine, so it may be missing
}

// parseTable reads lines of the form PACKAGE | SUBMISSION | PART | REASON.
func parseTable(file, text string) (rows []row, err error) {
	for i, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		at := fmt.Sprintf("%s:%d", file, i+1)
		cells := strings.SplitN(line, "|", 4)
		for k := range cells {
			cells[k] = strings.TrimSpace(cells[k])
		}
		if len(cells) != 4 || slices.Contains(cells, "") {
			return nil, fmt.Errorf("%s: expected PACKAGE | SUBMISSION | PART | REASON, found %q", at, line)
		}
		r := row{at: at, name: cells[0], submission: cells[1], part: cells[2]}
		r.part, r.sometimes = strings.CutPrefix(r.part, "? ")
		rows = append(rows, r)
	}
	return rows, nil
}

const unexplained = "not in the table: "

// compare returns a line for each found difference of a package that is not in
// the table, and for each row of the package that matches no difference, unless
// its sometimes is set.
func compare(name string, found []difference, rows []row) (complaints []string) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.name != name })
	used := make([]bool, len(rows))
	for _, d := range found {
		i := slices.IndexFunc(rows, func(r row) bool {
			return matches(r.submission, d.submission) &&
				strings.Contains(d.what, r.part)
		})
		if i < 0 {
			complaints = append(complaints, fmt.Sprintf("%s%s: %s", unexplained, d.submission, d.what))
			continue
		}
		used[i] = true
	}
	for i, r := range rows {
		if !used[i] && !r.sometimes {
			complaints = append(complaints, fmt.Sprintf("%s: expected, and did not happen: %s: %s", r.at, r.submission, r.part))
		}
	}
	return complaints
}

func countPrefix(all []string, prefix string) (n int) {
	for _, s := range all {
		if strings.HasPrefix(s, prefix) {
			n++
		}
	}
	return n
}
