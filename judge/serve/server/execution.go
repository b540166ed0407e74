package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"crucible/judge"
	"crucible/judge/internal/osfile"
	"crucible/judge/problem"
	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/terminal"
)

// Limits of executions, and their defaults.
const (
	maxStdin      = 4 << 20 // bytes
	maxMemory     = 65_536  // MiB
	maxOutput     = 1_024   // MiB
	defaultTime   = 2.0     // seconds
	defaultMemory = 512     // MiB
	defaultOutput = 8       // MiB
)

// execute runs a program on one input. The pool does: the input is the only case of a
// package that is made for it.
func (s *Server) execute(w http.ResponseWriter, r *http.Request) {
	var given api.Execution
	err := s.stopping()
	if err == nil {
		err = s.decode(r, &given)
	}
	if err != nil {
		refuse(w, err)
		return
	}
	done, err := s.executed(r.Context(), tokenOf(r), &given)
	switch {
	case r.Context().Err() != nil: // the client is gone
	case err != nil:
		refuse(w, err)
	default:
		writeJSON(w, http.StatusOK, done)
	}
}

// executed makes an execution. The error is a [*blob.Problem] if the request is wrong.
func (s *Server) executed(ctx context.Context, token *Token, e *api.Execution) (*api.Executed, error) {
	if err := s.Workers.known(e.Class); err != nil {
		return nil, err
	}
	files, err := packageOf(e)
	if err != nil {
		return nil, err
	}
	sources, err := sourcesOf(e.Sources, nil, nil)
	if err != nil {
		return nil, err
	}
	release, ok := s.busy.enter(token.Name)
	if !ok {
		return nil, blob.NewProblem(http.StatusTooManyRequests,
			"%d judgements of this token are under way: expected at most that many", s.busy.most)
	}
	defer release()
	on, err := s.Problems.synthetic(ctx, files)
	if err != nil {
		return nil, err
	}
	defer on.close()
	sub, err := submissionOf(on.p, e.Language, sources)
	if err != nil {
		return nil, err
	}
	class := s.Workers.choose(ctx, e.Class, languageOf(sub), new(choice))
	report, _ := on.run(context.WithValue(ctx, clientKey{}, token.Name), sub, on.p.Cases, judge.Settings{},
		class, func(*judge.Run) {})
	if err := report.JudgeError(); err != nil {
		return nil, blob.NewProblem(http.StatusInternalServerError, "%s",
			s.Problems.hide(terminal.Excerpt(err.Error(), 4000)))
	}
	done := &api.Executed{Compile: api.Compile{Rejected: report.Verdict == problem.CompileError,
		Message: report.Compile.Message}, Unsupported: report.Skipped}
	if done.Compile.Rejected {
		done.Verdict = string(report.Verdict)
	}
	if len(report.Runs) > 0 {
		s.describeRun(done, &report.Runs[0], e.Answer != nil)
	}
	return done, nil
}

// describeRun adds the run. Without an answer, the output is neither right nor wrong.
func (s *Server) describeRun(to *api.Executed, r *judge.Run, compared bool) {
	if compared || r.Verdict != problem.Accepted && r.Verdict != problem.WrongAnswer {
		to.Verdict, to.Why = string(r.Verdict), r.Why
	}
	o := r.Outcome
	to.Outcome = &api.Outcome{CPU: o.CPU.Nanoseconds(), Wall: o.Wall.Nanoseconds(), Memory: o.Memory, Output: o.Output,
		Exit: o.Exit, Exceeded: string(o.Exceeded)}
	if o.Signal != 0 {
		to.Outcome.Signal = terminal.SignalName(o.Signal)
	}
	to.Stdout, to.Stderr = string(r.Output), r.Stderr
	to.StdoutCut = o.Output-o.Stderr > int64(len(r.Output))
	to.Worker, to.Class = r.Worker, r.Class
	if s.Workers != nil {
		for _, w := range s.Workers.List() {
			if w.Name == r.Worker {
				to.Sandbox = w.Level
			}
		}
	}
}

// packageOf returns the files of a package with one case. The error is a [*blob.Problem].
func packageOf(e *api.Execution) (map[string][]byte, error) {
	e.Time, e.Memory, e.Output = cmp.Or(e.Time, defaultTime), cmp.Or(e.Memory, defaultMemory),
		cmp.Or(e.Output, defaultOutput)
	answer := ""
	if e.Answer != nil {
		answer = *e.Answer
	}
	bad := func(format string, args ...any) (map[string][]byte, error) {
		return nil, blob.NewProblem(http.StatusUnprocessableEntity, format, args...)
	}
	switch {
	case !(e.Time >= 0.001 && e.Time <= maxLimit.Seconds()):
		return bad("time_limit %v: expected 0.001 to %v seconds", e.Time, maxLimit.Seconds())
	case e.Memory < 1 || e.Memory > maxMemory:
		return bad("memory_mib %d: expected 1 to %d", e.Memory, maxMemory)
	case e.Output < 1 || e.Output > maxOutput:
		return bad("output_mib %d: expected 1 to %d", e.Output, maxOutput)
	case len(e.Stdin) > maxStdin:
		return bad("stdin of %d bytes: expected at most %d", len(e.Stdin), maxStdin)
	case len(answer) > maxStdin:
		return bad("an answer of %d bytes: expected at most %d", len(answer), maxStdin)
	}
	return map[string][]byte{
		"problem.yaml": fmt.Appendf(nil,
			"problem_format_version: 2025-09\nname: execution\nuuid: 00000000-0000-4000-8000-000000000000\nlimits: "+
				"{time_limit: %.3f, time_resolution: 0.001, memory: %d, output: %d}\n", e.Time, e.Memory, e.Output),
		"statement/problem.en.md": nil,
		"data/secret/1.in":        []byte(e.Stdin),
		"data/secret/1.ans":       []byte(answer),
	}, nil
}

// synthetic returns an open package of these files. Executions with the same input and
// limits share it. The caller must close it.
func (k *Problems) synthetic(ctx context.Context, files map[string][]byte) (*pack, error) {
	name := ownPrefix
	for _, file := range []string{"problem.yaml", "data/secret/1.in", "data/secret/1.ans"} {
		name += blob.Of(files[file]).Hash + "/"
	}
	return k.get(ctx, name, func(ctx context.Context, _ *pack) (*pack, error) {
		dir, err := os.MkdirTemp(k.Dir, "open-")
		if err != nil {
			return nil, err
		}
		in := filepath.Join(dir, "execution")
		var source *problem.Source
		if err = osfile.WriteFiles(in, files); err == nil {
			source, err = problem.Folder(in)
		}
		if err == nil {
			err = source.ShowAs("execution", "execution", []problem.Place{{Dir: "execution"}})
		}
		if err != nil {
			return nil, errors.Join(err, osfile.RemoveAll(dir))
		}
		p, err := k.openPack(ctx, source, dir)
		if err == nil {
			p.keepOutput = true
		}
		return p, err
	})
}
