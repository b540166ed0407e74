// Command ladder times all implementations of a problem on data sets that are
// not part of its test data, under the conditions of the judge. It prints the
// speed of each implementation as a multiple of the speed of the problem's
// base, which is the algorithm of the seeds.
//
//	go run ./scripts/ladder [-rounds N] [-only GLOB] [PROBLEM...]
//	go run ./scripts/ladder [-rounds N] [-only GLOB] [-base FILE] [-data NAME=FILE]... PROBLEM
//	go run ./scripts/ladder [-rounds N] -write
//
// In each round the programs run in random order, so that the load of the
// machine affects all programs alike. A figure is the median over the rounds
// of the CPU time of the base divided by the CPU time of the program in the same
// round. CPU time is user and system time of all processes of a program, on one
// core. The input validators do not check the files of -data, so a file may be
// larger than the problem allows. With -write the tables of all problems replace
// those in solutions/README.md, after all measurements. The exit status is 0, or
// 1 if a program was wrong, 2 if the measurement failed, 130 if interrupted.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/term"

	"crucible/judge"
	"crucible/judge/measure/machine"
	"crucible/judge/problem"
)

// longest is the CPU time after which a program is stopped. The figure of a
// stopped program is a bound.
const longest = 30 * time.Second

// everything is the glob that matches all submissions.
const everything = "*/*"

type options struct {
	rounds   int
	base     string // file of a program that replaces the problem's own base; "" keeps it
	only     string // glob over the names of submissions
	data     files  // replaces the problem's own sets; empty keeps them
	write    bool   // also write the tables to solutions/README.md
	problems []string
}

// files are the NAME=FILE flags in the order of the command line.
type files [][2]string

var setNames = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]*$`)

func (f *files) String() string { return "" }

func (f *files) Set(s string) error {
	name, file, ok := strings.Cut(s, "=")
	if !ok || file == "" || !setNames.MatchString(name) {
		return fmt.Errorf("expected NAME=FILE, a name of letters, digits and -")
	}
	*f = append(*f, [2]string{name, file})
	return nil
}

func main() {
	var o options
	flag.IntVar(&o.rounds, "rounds", 5, "runs of each program on each set")
	flag.StringVar(&o.base, "base", "", "program to compare with, instead of the problem's own base")
	flag.StringVar(&o.only, "only", everything, "submissions to time besides the base, as a glob over their names")
	flag.Var(&o.data, "data", "NAME=FILE: an input to time on, instead of the problem's own sets; may be repeated")
	flag.BoolVar(&o.write, "write", false, "put the tables of all problems into solutions/README.md, too")
	flag.Parse()
	o.problems = flag.Args()
	// SIGPIPE is caught so that the temporary files are removed even if the reader
	// of standard output exits early.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGPIPE)
	defer stop()
	right, err := run(ctx, o)
	switch {
	case ctx.Err() != nil:
		os.Exit(130)
	case err != nil:
		progress("")
		fmt.Fprintln(os.Stderr, "ladder:", err)
		os.Exit(2)
	case !right:
		os.Exit(1)
	}
}

// choose returns the ladders that the options name, or all ladders if they name
// none. The error is for options that are invalid or contradict each other.
func (o *options) choose() (chosen []ladder, err error) {
	if o.rounds < 1 {
		return nil, fmt.Errorf("-rounds %d: expected at least 1", o.rounds)
	}
	if _, err := path.Match(o.only, ""); err != nil {
		return nil, fmt.Errorf("-only %q: %w", o.only, err)
	}
	if (o.base != "" || len(o.data) > 0) && len(o.problems) != 1 {
		return nil, fmt.Errorf("-base and -data apply to one problem: expected its name, found %d names", len(o.problems))
	}
	if o.write && (len(o.problems) > 0 || o.only != everything) {
		return nil, errors.New("-write applies to all problems and submissions: expected no names and no -only")
	}
	if len(o.problems) == 0 {
		return ladders, nil
	}
	for _, id := range o.problems {
		i := slices.IndexFunc(ladders, func(l ladder) bool { return l.problem == id })
		if i < 0 {
			return nil, fmt.Errorf("%s: no ladder of that name", id)
		}
		chosen = append(chosen, ladders[i])
	}
	return chosen, nil
}

// run measures the ladders that o names, and reports whether all programs were
// right.
func run(ctx context.Context, o options) (right bool, err error) {
	chosen, err := o.choose()
	if err != nil {
		return false, err
	}
	dir, err := os.MkdirTemp("", "ladder")
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()

	j := &judge.Judge{Settings: judge.Settings{All: true, TimeLimit: longest, TimeToKill: longest}, Jobs: 1}
	if all := machine.Allowed(); len(all) > 0 {
		j.Cores = all[len(all)-1:]
	}
	defer func() { err = errors.Join(err, j.Close()) }()

	cpu, kernel := machine.Name(os.DirFS("/"))
	var tables bytes.Buffer
	out := io.MultiWriter(os.Stdout, &tables)
	fmt.Fprintf(out, "%s, %s, %d CPU; rounds: %d; CPU time of the base over that of each program, median\n", cpu, kernel,
		len(machine.Allowed()), o.rounds)
	right = true
	for _, l := range chosen {
		t, err := l.tabulate(ctx, j, o, filepath.Join(dir, l.problem))
		if err != nil {
			return false, fmt.Errorf("%s: %w", l.problem, err)
		}
		t.print(out, l.problem)
		right = right && len(t.remarks) == 0
	}
	if o.write && right {
		err = writeTables(filepath.Join("solutions", "README.md"), tables.Bytes())
	}
	return right, err
}

// writeTables replaces the block of tables in a Markdown file. The block is the
// text between the first two lines of three backquotes.
func writeTables(file string, tables []byte) error {
	const fence = "\n```\n"
	old, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	before, rest, ok := bytes.Cut(old, []byte(fence))
	_, after, closed := bytes.Cut(rest, []byte(fence))
	if !ok || !closed {
		return fmt.Errorf("%s: has no block between two lines of three backquotes", file)
	}
	next := file + ".new"
	text := slices.Concat(before, []byte(fence), bytes.TrimSpace(tables), []byte(fence), after)
	if err := os.WriteFile(next, text, 0o644); err != nil {
		return errors.Join(err, os.Remove(next))
	}
	return os.Rename(next, file)
}

// tabulate times the implementations of one problem. It writes the sets, their
// answers and the programs that make them to dir.
func (l ladder) tabulate(ctx context.Context, j *judge.Judge, o options, dir string) (*table, error) {
	src, err := problem.Locate(filepath.Join("problems", l.problem))
	if err != nil {
		return nil, err
	}
	defer src.Close()
	data := filepath.Join(dir, "data", "secret")
	if err := os.MkdirAll(data, 0o755); err != nil {
		return nil, err
	}
	if err := l.lay(ctx, o.data, dir, data); err != nil {
		return nil, err
	}
	p, err := problem.Open(withData{src, os.DirFS(dir)})
	if err != nil {
		return nil, err
	}
	p.Limits = problem.Limits{Time: longest}
	p.ID = l.problem
	all, err := l.entrants(p, o)
	if err != nil {
		return nil, err
	}
	return measure(ctx, j, all, p.Cases, o.rounds)
}

// entrants returns the submissions to time: the base first, then all accepted
// submissions and the slow ones of the ladder that match -only.
func (l ladder) entrants(p *problem.Problem, o options) ([]*problem.Submission, error) {
	base := p.SubmissionNamed(l.base)
	if o.base != "" {
		var err error
		if base, err = problem.NewSubmission(p, os.DirFS(filepath.Dir(o.base)), filepath.Base(o.base)); err != nil {
			return nil, err
		}
	}
	if base == nil {
		return nil, fmt.Errorf("no submission %s to compare with", l.base)
	}
	all := []*problem.Submission{base}
	for _, s := range p.Submissions {
		if s != base && problem.GlobCovers(o.only, s.Name) && (strings.HasPrefix(s.Name, "accepted/") ||
			slices.Contains(l.slow, s.Name)) {
			all = append(all, s)
		}
	}
	if len(all) == 1 && !problem.GlobCovers(o.only, base.Name) {
		return nil, fmt.Errorf("-only %q: no accepted submission of such a name", o.only)
	}
	return all, nil
}

// progress replaces the progress line on standard error, if that is a terminal.
func progress(format string, args ...any) {
	if term.IsTerminal(int(os.Stderr.Fd())) {
		fmt.Fprintf(os.Stderr, "\r\x1b[K"+format, args...)
	}
}

// withData is a package whose folder data/ is replaced by that of another file
// system.
type withData struct {
	*problem.Source
	data fs.FS
}

// of returns the file system that has the file.
func (w withData) of(name string) fs.FS {
	if name == "data" || strings.HasPrefix(name, "data/") {
		return w.data
	}
	return w.Source
}

func (w withData) Open(name string) (fs.File, error) { return w.of(name).Open(name) }

func (w withData) Stat(name string) (fs.FileInfo, error) { return fs.Stat(w.of(name), name) }

func (w withData) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(w.of(name), name) }
