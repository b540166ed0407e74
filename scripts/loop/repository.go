package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"time"
)

// firstRun compares the first run of the repository with an empty cache.
func (l *loop) firstRun() (figure, error) {
	if l.before == "" {
		return figure{}, skipped("-before names the commit")
	}
	source, old := filepath.Join(l.tmp, "before"), filepath.Join(l.tmp, "judge-before")
	if err := l.command("", "sh", "-c", `mkdir "$2" && git archive "$1" | tar -x -C "$2"`, "-", l.before,
		source).Run(); err != nil {
		return figure{}, fmt.Errorf("commit %s: %w", l.before, err)
	}
	if err := l.command(source, "go", "build", "-o", old, "./judge/cmd/judge").Run(); err != nil {
		return figure{}, fmt.Errorf("building commit %s: %w", l.before, err)
	}
	cold := func(judge string) func() (time.Duration, error) {
		return func() (time.Duration, error) {
			if err := os.RemoveAll(filepath.Join(l.tmp, "cache")); err != nil {
				return 0, err
			}
			_, took, err := l.runJudge(judge, l.repo, "run")
			return took, err
		}
	}
	ratios, err := inTurns(2, cold(l.judge), cold(old))
	if err != nil {
		return figure{}, err
	}
	return ratio(ratios, 0.67), nil
}

// warm runs the repository once, so that all its runs are stored.
func (l *loop) warm() error {
	if l.first != nil {
		return nil
	}
	d, _, err := l.runJudge(l.judge, l.repo, "run")
	l.first = d
	return err
}

func (l *loop) secondRun() (figure, error) {
	if err := l.warm(); err != nil {
		return figure{}, err
	}
	d, took, err := l.runJudge(l.judge, l.repo, "run")
	if err != nil {
		return figure{}, err
	}
	var repeated time.Duration
	n := 0
	for _, p := range d.Problems {
		for _, r := range p.Reports {
			for i := range r.Runs {
				if r.Runs[i].MadeAgain != "" {
					n, repeated = n+1, repeated+r.Runs[i].Outcome.Wall
				}
			}
		}
	}
	// As many runs as processors are made at once.
	rest := took - repeated/time.Duration(runtime.NumCPU())
	return figure{fmt.Sprintf("%.2f s of %.2f s, %d repeated", rest.Seconds(), took.Seconds(), n), rest <= 2*time.Second},
		nil
}

// changed changes one submission.
func (l *loop) changed() (figure, error) {
	if err := l.warm(); err != nil {
		return figure{}, err
	}
	const id, name = "poj3074", "accepted/masks.cpp"
	file := filepath.Join(l.repo, "solutions", id, name)
	text, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, append(text, "// changed\n"...), 0o644)
	}
	if err != nil {
		return figure{}, err
	}
	d, took, err := l.runJudge(l.judge, l.repo, "run")
	if err != nil {
		return figure{}, err
	}
	own, others, all := 0, 0, 0
	for _, p := range d.Problems {
		for _, r := range p.Reports {
			for i := range r.Runs {
				switch run := &r.Runs[i]; {
				case p.ID == id && r.Submission == name:
					all++
					if run.StoredAt == nil {
						own++
					}
				case run.StoredAt == nil && run.MadeAgain == "":
					others++
				}
			}
		}
	}
	return figure{fmt.Sprintf("%d of %d, %d others, in %.1f s", own, all, others, took.Seconds()), own == all && all > 0 &&
		others == 0}, nil
}

const inferred = "poj2676"

// inferring removes the time limit of a problem, and returns functions that judge it with
// a limit that is inferred and with the same limit given.
func (l *loop) inferring(forget bool) (infer, given func() (time.Duration, error), err error) {
	file := filepath.Join(l.repo, "problems", inferred, "problem.yaml")
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	if err := os.WriteFile(file, regexp.MustCompile(`(?m)^ *time_limit:.*\n`).ReplaceAll(text, nil), 0o644); err != nil {
		return nil, nil, err
	}
	// This also compiles all that is needed.
	d, _, err := l.runJudge(l.judge, l.repo, "run", inferred)
	if err != nil {
		return nil, nil, err
	}
	limit := d.Problems[0].Limits.Time
	if limit == 0 {
		return nil, nil, errors.New("no limit was inferred")
	}
	judge := func(args ...string) func() (time.Duration, error) {
		return func() (time.Duration, error) {
			if forget {
				if err := os.RemoveAll(filepath.Join(l.tmp, "cache", "runs")); err != nil {
					return 0, err
				}
			}
			_, took, err := l.runJudge(l.judge, l.repo, append([]string{"run", inferred}, args...)...)
			return took, err
		}
	}
	return judge(), judge("--time-limit", limit.String()), nil
}

func (l *loop) inference() (figure, error)      { return l.infer(true) }
func (l *loop) inferenceAgain() (figure, error) { return l.infer(false) }

// infer compares an inferred limit with one given; with forget, no run is stored.
func (l *loop) infer(forget bool) (figure, error) {
	infer, given, err := l.inferring(forget)
	if err != nil {
		return figure{}, err
	}
	ratios, err := inTurns(3, infer, given)
	if err != nil {
		return figure{}, err
	}
	return ratio(ratios, 1.3), nil
}
