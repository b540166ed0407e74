package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"crucible/judge"
	"crucible/judge/internal/cli"
	"crucible/judge/measure/bench"
	"crucible/judge/problem"
	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/client"
	"crucible/judge/serve/remote"
)

// clientOf returns the client of the server of --on. It says when there is no server for a
// while.
func clientOf(e *cli.Env, f *cli.OnFlag) (*client.Client, error) {
	if f.URL == "" {
		return nil, errors.New("no server: expected --on URL or $CRUCIBLE_SERVER")
	}
	secret, err := client.Secret(f.URL, f.TokenFile)
	if err != nil {
		return nil, err
	}
	c, err := client.New(f.URL, secret)
	if err != nil {
		return nil, fmt.Errorf("--on %w", err)
	}
	c.Say = func(text string) { fmt.Fprintln(e.Stderr, "judge:", text) }
	return c, nil
}

// serverFailed gives an error of a server the status of a judge failure, unless the server
// refuses the token or what was asked for.
func serverFailed(ctx context.Context, err error) error {
	if blob.IsRefusal(err) {
		return err
	}
	return cli.JudgeFailed(ctx, err)
}

// workers are those of the server of --on.
type workers struct {
	f        *cli.OnFlag
	client   *client.Client
	executor *remote.Executor
	sets     bool // the number of jobs follows from the slots
	classes  bool // only workers in a class get items
}

// dial asks the server of --on whether it can make the runs. Jobs is how many items are to
// be under way; 0 means twice what the server executes at the same time, so that one is on
// its way while another is executed.
func dial(ctx context.Context, e *cli.Env, f *cli.OnFlag, jobs *int) (cli.Workers, error) {
	c, err := clientOf(e, f)
	if err != nil {
		return nil, err
	}
	d, err := c.Describe(ctx)
	if err != nil {
		return nil, serverFailed(ctx, err)
	}
	if own := remote.Version(); d.Judge != own {
		return nil, cli.WithStatus(cli.StatusJudge, fmt.Errorf("%s is version %q of the judge: expected %q, as this one",
			f.URL, d.Judge, own))
	}
	if _, err := c.Blobs().Missing(ctx, blob.Of(nil)); err != nil { // instead of an error for each submission
		return nil, serverFailed(ctx, err)
	}
	w := &workers{f: f, client: c, sets: *jobs == 0, classes: d.Calibrates,
		executor: &remote.Executor{Packer: &remote.Packer{Judge: d.Judge, Send: c.Upload}, Pool: c}}
	if w.sets {
		*jobs = 2 * max(d.Slots, 1)
	}
	return w, nil
}

func (w *workers) Executor() func(*problem.Submission) judge.Executor {
	return remote.Agree(w.executor)
}

func (w *workers) Choose(ctx context.Context, e *cli.Env, languages []string, jobs *int) error {
	c, err := classOf(ctx, e, w.f, w.client, languages)
	if err != nil || c == nil {
		return err
	}
	if w.executor.Class = c.Name; w.sets {
		*jobs = 2 * max(c.Slots, 1)
	}
	return nil
}

// Each returns the workers that get items of the chosen class.
func (w *workers) Each(ctx context.Context) (each []cli.Worker, err error) {
	all, err := w.client.Workers(ctx)
	if err != nil {
		return nil, serverFailed(ctx, err)
	}
	class := w.executor.Class
	for _, one := range all {
		if !one.Alive || len(one.Out) > 0 || w.classes && one.Class == "" || class != "" && one.Class != class {
			continue
		}
		x := *w.executor
		x.Worker = one.Name
		each = append(each, cli.Worker{Name: one.Name, Class: one.Class, Executor: &x})
	}
	if each == nil {
		return nil, cli.WithStatus(cli.StatusJudge, fmt.Errorf("no worker of %s gets work items: expected one or more; "+
			"judge workers lists them", cmp.Or(class, w.f.URL)))
	}
	return each, nil
}

// machines returns what makes the runs of a measurement: each worker of the chosen class or,
// without --on, this machine.
func machines(ctx context.Context, f *cli.OnFlag, j *judge.Judge) ([]bench.Machine, error) {
	each, err := f.Each(ctx)
	if err != nil || each == nil {
		return bench.Here(j), err
	}
	var all []bench.Machine
	for _, w := range each {
		k, err := j.Elsewhere(func(*problem.Submission) judge.Executor { return w.Executor })
		if err != nil {
			return nil, err
		}
		all = append(all, bench.Machine{Worker: bench.Worker{Name: w.Name, Class: w.Class}, Judge: k})
	}
	return all, nil
}

// sayNoWorker says why nothing is judged.
func sayNoWorker(e *cli.Env, f *cli.OnFlag) {
	fmt.Fprintf(e.Stderr, "judge: no worker of %s is ready: waiting for one; judge workers lists them, judged worker "+
		"starts one\n", f.URL)
}

// classOf returns the machine class of the server for programs in these languages; nil if all
// workers may make the runs.
func classOf(ctx context.Context, e *cli.Env, f *cli.OnFlag, from *client.Client,
	languages []string) (*api.Class, error) {
	patience := time.After(2 * time.Second)
	for {
		d, err := from.Describe(ctx)
		if err != nil {
			return nil, serverFailed(ctx, err)
		}
		if f.Class == api.AnyClass || !d.Calibrates && f.Class == "" {
			if len(d.Classes) > 1 {
				fmt.Fprintf(e.Stderr, "judge: workers of %d machine classes make the runs: their times cannot be compared\n",
					len(d.Classes))
			}
			return nil, nil
		}
		if f.Class != "" {
			var names []string
			for i := range d.Classes {
				if names = append(names, d.Classes[i].Name); d.Classes[i].Name == f.Class {
					return &d.Classes[i], nil
				}
			}
			return nil, fmt.Errorf("--class %s: expected one of %s", f.Class, strings.Join(append(names, api.AnyClass), ", "))
		}
		if c, lacks := api.Choose(d.Classes, languages); c != nil {
			if len(lacks) > 0 {
				fmt.Fprintf(e.Stderr, "judge: no machine class has all languages: %s lacks %s\n", c.Name, strings.Join(lacks, ", "))
			}
			return c, nil
		}
		select {
		case <-patience:
			sayNoWorker(e, f)
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}
