// Command loop measures how long a person waits between a saved file and its verdict,
// and how far numbers move. Each line has a bar, which the figure is compared with.
//
//	go run ./scripts/loop [-before COMMIT] [-only WORDS]
//
// Each figure compares two ways side by side in turns, so that the load of the machine
// affects both. It is the median of the ratios of the turns, with their range in
// brackets. With -before, the first run of the repository is compared with that of the
// judge of another commit, which is built for it. With -only, only lines whose name
// contains WORDS are measured. The repository is copied, and the copy is changed. The
// exit status is 0 if each bar is met, 1 if one is not, and 2 if a measurement failed.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"crucible/judge/measure/bench"
	"crucible/judge/record"
)

// A bar is a line of the output.
type bar struct {
	name    string
	limit   string // what the figure must be, for people
	measure func(*loop) (figure, error)
}

// A figure is what a measurement found.
type figure struct {
	text string
	met  bool
}

// errSkipped is the error of a measurement that this machine cannot make.
var errSkipped = errors.New("skipped")

var bars = []bar{
	{"first run of the repository over that of the commit before", "at most 0.67", (*loop).firstRun},
	{"g++ with precompiled bits/stdc++.h over plain, CPU", "at most 0.4", (*loop).header},
	{"g++ with precompiled iostream over plain, CPU", "below 1", (*loop).iostream},
	{"javac with archived classes over plain, CPU", "below 1", (*loop).javac},
	{"second run of the repository, without repeated runs", "at most 2 s", (*loop).secondRun},
	{"runs made after one submission has changed", "that submission's", (*loop).changed},
	{"inferred limit over a limit given", "at most 1.3", (*loop).inference},
	{"the same again, all runs stored: over a limit given", "at most 1.3", (*loop).inferenceAgain},
	{"watch: C++ saved to samples, over its compilation", "at most 1.6", (*loop).watchCpp},
	{"watch: Python saved to samples, above its runs", "at most 150 ms", (*loop).watchPython},
	{"cases judged a second over fork+exec", "at least 0.85", (*loop).cases},
	{"throughput of a box for each core, over N boxes alone", "at least 0.9", (*loop).throughput},
	{"instructions of a C++ program, spread over runs", "0", (*loop).instructions},
}

// A loop has what measurements share.
type loop struct {
	ctx    context.Context
	tmp    string
	judge  string // the program
	repo   string // a copy of the repository
	before string // a commit; "" is none
	env    []string
	first  *record.Document // of the first run of the repository; nil if it has not run
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	status, err := run(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, "loop:", err)
		status = 2
	}
	os.Exit(status)
}

func run(ctx context.Context) (status int, err error) {
	before := flag.String("before", "", "compare the first run with that of the judge of `COMMIT`")
	only := flag.String("only", "", "measure only lines whose name contains `WORDS`")
	flag.Parse()
	chosen := slices.DeleteFunc(slices.Clone(bars), func(b bar) bool { return !strings.Contains(b.name, *only) })
	if len(chosen) == 0 || flag.NArg() > 0 {
		return 0, fmt.Errorf("-only %q %q: expected words of a line", *only, flag.Args())
	}
	tmp, err := os.MkdirTemp("", "loop-")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	l := &loop{ctx: ctx, tmp: tmp, judge: filepath.Join(tmp, "judge"), repo: filepath.Join(tmp, "repository"),
		before: *before}
	l.env = append(os.Environ(), "CRUCIBLE_HISTORY=off", "CRUCIBLE_FRESH=", "CRUCIBLE_CACHE="+filepath.Join(tmp, "cache"))
	if err := errors.Join(os.Chmod(tmp, 0o755), l.command("", "go", "build", "-o", tmp+"/",
		"./judge/cmd/judge", "./judge/cmd/judgelab").Run()); err != nil {
		return 0, fmt.Errorf("building the judge: %w", err)
	}
	for _, name := range []string{"problems", "solutions", "testdata"} {
		if err := os.CopyFS(filepath.Join(l.repo, name), os.DirFS(name)); err != nil {
			return 0, err
		}
	}
	for _, b := range chosen {
		f, err := b.measure(l)
		word := "met"
		switch {
		case ctx.Err() != nil:
			return 0, ctx.Err()
		case errors.Is(err, errSkipped):
			word = "skipped"
			f.text = strings.TrimPrefix(err.Error(), errSkipped.Error()+": ")
		case err != nil:
			return 0, fmt.Errorf("%s: %w", b.name, err)
		case !f.met:
			word, status = "NOT MET", 1
		}
		fmt.Printf("%-58s  %-34s  %-17s  %s\n", b.name, f.text, b.limit, word)
	}
	return status, nil
}

// skipped returns the error of a measurement that cannot be made here.
func skipped(why string) error { return fmt.Errorf("%w: %s", errSkipped, why) }

// command returns a command in a folder; "" is the working folder.
func (l *loop) command(dir, name string, args ...string) *exec.Cmd {
	c := exec.CommandContext(l.ctx, name, args...)
	c.Dir, c.Env = dir, l.env
	return c
}

// runJudge runs a judge in a folder, and returns its document and wall-clock time.
// Verdicts that are not as expected are no error.
func (l *loop) runJudge(judge, dir string, args ...string) (*record.Document, time.Duration, error) {
	file := filepath.Join(l.tmp, "document.json")
	c := l.command(dir, judge, append(args, "--json", file)...)
	var said bytes.Buffer
	c.Stderr = &said
	began := time.Now()
	err := c.Run()
	took := time.Since(began)
	if c.ProcessState == nil || c.ProcessState.ExitCode() > 1 {
		return nil, 0, fmt.Errorf("judge %s: %w: %s", strings.Join(args, " "), err, said.String())
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	d, err := record.Read(f, bench.Section)
	return d, took, err
}

// inTurns calls two functions in turns and returns the ratios of their results, sorted.
func inTurns(turns int, one, other func() (time.Duration, error)) ([]float64, error) {
	var ratios []float64
	for range turns {
		a, err := one()
		if err != nil {
			return nil, err
		}
		b, err := other()
		if err != nil {
			return nil, err
		}
		ratios = append(ratios, a.Seconds()/b.Seconds())
	}
	slices.Sort(ratios)
	return ratios, nil
}

// ratio describes sorted ratios whose median must be at most a bound.
func ratio(ratios []float64, most float64) figure {
	n := len(ratios)
	median := (ratios[(n-1)/2] + ratios[n/2]) / 2
	return figure{fmt.Sprintf("%.2f [%.2f–%.2f]", median, ratios[0], ratios[n-1]), median <= most}
}
