package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing/fstest"

	"crucible/judge"
	"crucible/judge/problem"
)

// keep is the number of secret cases that are kept.
const keep = 3

// trial makes one draw for a submission and searches for a counterexample.
func (e *experiment) trial(ctx context.Context, p *problem.Problem, s *problem.Submission,
	draw int) (r result, err error) {
	r = result{Submission: s.Name, Draw: draw}
	x, report := e.j.Begin(ctx, s)
	if x == nil {
		r.Unable = report.Skipped + report.Broken
		return r, errors.Join(report.Err, ctx.Err())
	}
	defer func() { err = errors.Join(err, x.End().Err) }()
	kept, deleted, err := e.draw(ctx, p, x, &r)
	if err != nil {
		return r, err
	}
	dir, err := os.MkdirTemp(e.tmp, "copy-")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	dir = filepath.Join(dir, p.ID)
	if err := reduce(p, dir, deleted); err != nil {
		return r, err
	}
	found, err := e.stress(ctx, dir, s, draw, &r)
	if err != nil || found == nil {
		return r, err
	}
	for _, c := range slices.Concat(kept, p.Samples()) {
		if same, err := hasInput(c, found.Input); err != nil || same {
			r.Found, r.Doubt = false, "it is the case "+c.Name
			return r, err
		}
	}
	for _, c := range deleted {
		same, err := hasInput(c, found.Input)
		if err != nil {
			return r, err
		}
		r.Deleted = r.Deleted || same
	}
	if r.Doubt, err = e.confirm(ctx, p, x, found); r.Doubt != "" {
		r.Found = false
	}
	return r, err
}

// draw runs the submission on secret cases in a random order until some are found that
// do not reject it. The other ones are deleted.
func (e *experiment) draw(ctx context.Context, p *problem.Problem, x *judge.Session,
	r *result) (kept, deleted []*problem.Case, err error) {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s %s %d", e.seed, p.ID, r.Submission, r.Draw)
	random := rand.New(rand.NewPCG(h.Sum64(), 0))
	secret := slices.DeleteFunc(slices.Clone(p.Cases), func(c *problem.Case) bool { return c.Sample() || c.Static != nil })
	random.Shuffle(len(secret), func(i, k int) { secret[i], secret[k] = secret[k], secret[i] })
	r.Survives = true
	for i, c := range secret {
		if len(kept) == keep {
			return kept, append(deleted, secret[i:]...), nil
		}
		release, err := e.j.Acquire(ctx, 1)
		if err != nil {
			return nil, nil, err
		}
		run := x.Try(ctx, c)
		release()
		switch {
		case ctx.Err() != nil:
			return nil, nil, ctx.Err()
		case run.Verdict == problem.Accepted:
			kept = append(kept, c)
			r.Kept = append(r.Kept, strings.TrimPrefix(c.Name, "secret/"))
		default:
			deleted = append(deleted, c)
			r.Survives = false
		}
	}
	return kept, deleted, nil
}

// reduce writes a copy of the package without some cases.
func reduce(p *problem.Problem, dir string, without []*problem.Case) error {
	gone := make(map[string]bool)
	for _, c := range without {
		gone["data/"+c.Name] = true
	}
	return fs.WalkDir(p.FS, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(dir, filepath.FromSlash(name))
		if d.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		// The name of a case may have a point, too.
		for i := range name {
			if name[i] == '.' && gone[name[:i]] {
				return nil
			}
		}
		in, err := p.FS.Open(name)
		if err != nil {
			return err
		}
		defer in.Close()
		i, err := in.Stat()
		if err != nil || !i.Mode().IsRegular() {
			return err
		}
		out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, i.Mode().Perm()|0o600)
		if err != nil {
			return err
		}
		_, err = io.Copy(out, in)
		return errors.Join(err, out.Close())
	})
}

// A found is a submission in the JSON of judge stress.
type found struct {
	Found   bool            `json:"found"`
	Verdict problem.Verdict `json:"verdict"`
	After   int             `json:"after_inputs"`
	Elapsed float64         `json:"after_ns"`
	Group   string          `json:"group"`
	Input   string          `json:"input"`
	Answer  string          `json:"answer"`
}

// stress runs judge stress on the reduced package. It returns nil if that finds nothing.
func (e *experiment) stress(ctx context.Context, dir string, s *problem.Submission, draw int,
	r *result) (*found, error) {
	args := []string{"stress", dir, s.Name, "--budget", e.budget.String(), "--shrink", "0", "--json", "-", "--seed",
		fmt.Sprint(uint64(draw) + e.seed)}
	if e.j.TimeLimit > 0 {
		args = append(args, "--time-limit", e.j.TimeLimit.String())
	}
	c := exec.CommandContext(ctx, e.command, args...)
	c.Env = append(os.Environ(), "CRUCIBLE_HISTORY=off")
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	stdout, err := c.Output()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &exit) && exit.ExitCode() == 2:
		lines := strings.Split(strings.TrimSpace(string(exit.Stderr)), "\n")
		r.Doubt = "judge stress: " + lines[len(lines)-1]
		return nil, nil
	case errors.As(err, &exit) && exit.ExitCode() != 1:
		return nil, fmt.Errorf("judge stress %s: %w: %s", dir, err, exit.Stderr)
	}
	var doc struct {
		Valid   int     `json:"valid_inputs"`
		Invalid int     `json:"invalid_inputs"`
		Elapsed float64 `json:"elapsed_ns"`
		Targets []found `json:"submissions"`
	}
	if err := json.Unmarshal(stdout, &doc); err != nil || len(doc.Targets) != 1 {
		return nil, fmt.Errorf("judge stress: %w, %d submissions in the output", err, len(doc.Targets))
	}
	r.Load = load()
	f := &doc.Targets[0]
	r.Valid, r.Invalid, r.Inputs, r.Seconds = doc.Valid, doc.Invalid, f.After, f.Elapsed/1e9
	r.Found, r.Verdict, r.Group = f.Found, f.Verdict, f.Group
	if !f.Found {
		r.Seconds = doc.Elapsed / 1e9
		return nil, nil
	}
	return f, nil
}

// confirm checks a counterexample with the complete package, and returns why it does not
// count.
func (e *experiment) confirm(ctx context.Context, p *problem.Problem, x *judge.Session, f *found) (string, error) {
	i := slices.IndexFunc(p.Cases, func(c *problem.Case) bool { return c.Group.Name == f.Group && c.Static == nil })
	if i < 0 || p.Is(problem.Scoring) && p.Cases[i].Sample() {
		return "it is in the group " + f.Group, nil
	}
	c := *p.Cases[i]
	c.FS = fstest.MapFS{c.Path(".in"): {Data: []byte(f.Input)}, c.Path(".ans"): {Data: []byte(f.Answer)}}
	release, err := e.j.Acquire(ctx, 1)
	if err != nil {
		return "", err
	}
	defer release()
	rejected, err := e.j.Rejections(ctx, p, p.InputValidators, &c)
	if err != nil || len(rejected) > 0 {
		return strings.Join(rejected, "; "), err
	}
	if !p.Answerless() {
		if run, err := e.j.CheckOutput(ctx, p, &c, ".ans"); err != nil || run.Verdict != problem.Accepted {
			return "the output validator rejects the answer", err
		}
	}
	if run := x.Try(ctx, &c); run.Verdict == problem.Accepted {
		return "the submission is accepted on it", run.Err
	}
	return "", nil
}

// hasInput reports whether an input is that of a case.
func hasInput(c *problem.Case, input string) (bool, error) {
	f, err := c.Open(".in")
	if err != nil {
		return false, err
	}
	defer f.Close()
	if i, err := f.Stat(); err != nil || i.Size() != int64(len(input)) {
		return false, err
	}
	data, err := io.ReadAll(f)
	return string(data) == input, err
}

// load returns the load of the machine over one minute; 0 if it is not known.
func load() (load float64) {
	data, _ := os.ReadFile("/proc/loadavg")
	fmt.Sscan(string(data), &load)
	return load
}
