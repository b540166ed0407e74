package lab

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing/fstest"

	"crucible/judge"
	"crucible/judge/internal/cli"
	"crucible/judge/language"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/serve/api"
	"crucible/judge/serve/client"
)

// judge judges samples, on a server if on is not nil, and calls each with the results, one
// at a time, in the order in which they end.
func (f *flags) judge(ctx context.Context, e *cli.Env, on *client.Client, samples []*sample,
	each func(*judgedSample) error) error {
	if len(samples) == 0 {
		return nil
	}
	if on != nil {
		return f.judgeOn(ctx, e, on, samples, each)
	}
	return f.judgeHere(ctx, e, samples, each)
}

// fileName returns the name of a source of this language.
func fileName(l *language.Language) string {
	return "main" + append(append(l.Exts[:len(l.Exts):len(l.Exts)], l.Shared...), "")[0]
}

// judgeOn judges samples on a server.
func (f *flags) judgeOn(ctx context.Context, e *cli.Env, on *client.Client, samples []*sample,
	each func(*judgedSample) error) error {
	var languages []string
	for _, s := range samples {
		if !slices.Contains(languages, s.Language) {
			languages = append(languages, s.Language)
		}
	}
	class, err := classOf(ctx, e, &f.on, on, languages)
	if err != nil {
		return err
	}
	name := api.AnyClass
	if class != nil {
		name = class.Name
	}
	next := 0
	return on.Batch(ctx, func() *api.Request {
		if next == len(samples) {
			return nil
		}
		s := samples[next]
		next++
		sources := map[string]string{fileName(e.Languages.ByCode(s.Language)): s.Source}
		return &api.Request{ID: fmt.Sprint(next - 1), Problem: s.Problem, Language: s.Language, Class: name, Sources: sources,
			All: f.all}
	}, func(l *api.BatchLine) error {
		var at int
		if _, err := fmt.Sscan(l.ID, &at); err != nil || at < 0 || at >= len(samples) {
			if l.Error != nil {
				return l.Error
			}
			return fmt.Errorf("the answer to a batch has a line with id %.20q, which was not sent", l.ID)
		}
		s := samples[at]
		j := s.result()
		switch {
		case l.Error != nil:
			j.Error = l.Error.Error()
		case l.Judgement == nil || l.Judgement.Verdict == "":
			j.Error = "no verdict"
			if l.Judgement != nil && l.Judgement.Error != "" {
				j.Error = l.Judgement.Error
			}
		default:
			var p record.Problem
			if record.Parse(l.Judgement.Record, &p) == nil && len(p.Reports) == 1 {
				j.report(p.Reports[0], len(p.Cases))
			}
			j.Verdict, j.Score = problem.Verdict(l.Judgement.Verdict), l.Judgement.Score
		}
		return each(j)
	})
}

// result returns the result of a sample that is not judged yet.
func (s *sample) result() *judgedSample {
	return &judgedSample{Problem: s.Problem, ID: s.ID, Language: s.Language, Stripped: s.stripped, Program: s.digest()}
}

// A localJudge judges samples on this machine.
type localJudge struct {
	j       *judge.Judge
	sources map[string]*problem.Source

	mu     sync.Mutex
	opened map[string]func() (*problem.Problem, error)
}

// judgeHere judges samples on this machine.
func (f *flags) judgeHere(ctx context.Context, e *cli.Env, samples []*sample,
	each func(*judgedSample) error) (err error) {
	sources, err := problem.Sources(cli.Repository())
	if err != nil {
		return err
	}
	l := &localJudge{sources: make(map[string]*problem.Source), opened: make(map[string]func() (*problem.Problem, error))}
	for _, s := range sources {
		l.sources[s.ID] = s
		defer s.Close()
	}
	if l.j, err = f.levels.Judge(&judge.Judge{Languages: e.Languages, Jobs: f.jobs,
		Settings: judge.Settings{All: f.all}}); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cli.Closed(l.j)) }()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	todo := make(chan *sample)
	var calling sync.Mutex
	var wg sync.WaitGroup
	for range l.j.Workers() + 1 {
		wg.Go(func() {
			for s := range todo {
				one := l.judge(ctx, s)
				if ctx.Err() != nil {
					continue
				}
				calling.Lock()
				if err := each(one); err != nil {
					cancel(err)
				}
				calling.Unlock()
			}
		})
	}
	for _, s := range samples {
		select {
		case todo <- s:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(todo)
	wg.Wait()
	return context.Cause(ctx)
}

// open returns a problem, whose time limit is known.
func (l *localJudge) open(ctx context.Context, id string) (*problem.Problem, error) {
	l.mu.Lock()
	once := l.opened[id]
	if once == nil {
		once = sync.OnceValues(func() (*problem.Problem, error) {
			source := l.sources[id]
			if source == nil {
				return nil, errors.New("no such problem around the working folder")
			}
			p, err := problem.Open(source, problem.WithLanguages(l.j.Languages))
			if err == nil {
				err = l.j.Infer(ctx, p)
			}
			return p, err
		})
		l.opened[id] = once
	}
	l.mu.Unlock()
	return once()
}

// judge judges a sample.
func (l *localJudge) judge(ctx context.Context, s *sample) *judgedSample {
	done := s.result()
	p, err := l.open(ctx, s.Problem)
	if err != nil {
		done.Error = err.Error()
		return done
	}
	code := l.j.Languages.ByCode(s.Language)
	name := fileName(code)
	sub, err := problem.NewSubmission(p, fstest.MapFS{name: {Data: []byte(s.Source), Mode: 0o644}}, name)
	if err != nil {
		done.Error = err.Error()
		return done
	}
	if sub.Language != code {
		sub.Language, sub.Unusable, sub.Unreadable, sub.Entry = code, "", nil, ""
		problem.Identify(sub) // the problem may not allow the language
	}
	r := l.j.Run(ctx, sub, p.Cases)
	switch err := r.JudgeError(); {
	case err != nil:
		done.Error = err.Error()
	case r.Skipped != "":
		done.Error = r.Skipped
	default:
		done.report(r, len(p.Cases))
	}
	return done
}
