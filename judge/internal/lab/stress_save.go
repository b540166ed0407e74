package lab

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"crucible/judge/internal/cli"
	"crucible/judge/prepare/generate"
	"crucible/judge/problem"
	"crucible/judge/strength/stress"
	"crucible/judge/terminal"
)

// saveFound writes each input that was found into the package, once. An input whose answer
// is empty is not written.
func (f *stressFlags) saveFound(e *cli.Env, to *problem.Source, s *stress.Search, r *stress.Result) error {
	var done []*stress.Counterexample
	for _, c := range r.Counterexamples {
		if slices.ContainsFunc(done, func(d *stress.Counterexample) bool {
			return bytes.Equal(d.Smallest(), c.Smallest()) && d.Case == c.Case
		}) {
			continue
		}
		done = append(done, c)
		a, err := f.addition(s, r, c)
		if err != nil {
			return err
		}
		written, err := generate.Add(to, a)
		for _, name := range written {
			if !f.Outputs.Quiet {
				fmt.Fprintf(e.Stdout, "  wrote  %s\n", terminal.Clean(to.Where(name)))
			}
		}
		if errors.Is(err, generate.ErrEmptyAnswer) {
			cli.Complain(e, fmt.Errorf("%w: %s prints nothing on the input", err, r.Reference.Name))
		} else if err != nil {
			return err
		}
	}
	return nil
}

// maxSteps is the largest number of steps of the history that are written.
const maxSteps = 5

// addition returns the case of a counterexample.
func (f *stressFlags) addition(s *stress.Search, r *stress.Result,
	c *stress.Counterexample) (generate.Addition, error) {
	base := path.Base(c.Submission.Name)
	a, err := additionOf(c.Case, "stress-"+strings.TrimSuffix(base, path.Ext(base)), c.Smallest(), c.SmallestAnswer())
	if err != nil {
		return a, err
	}
	for _, other := range r.Counterexamples {
		if bytes.Equal(other.Smallest(), c.Smallest()) && other.Case == c.Case {
			a.History = append(a.History, fmt.Sprintf("%s: %s, %s", terminal.Excerpt(other.Submission.Name, 100), other.Verdict,
				terminal.Excerpt(other.Why, 100)))
		}
	}
	a.History = append(a.History, fmt.Sprintf("judge stress --seed %d: made by %s, %d bytes, answer of %s", s.Seed, c.How,
		len(c.Input), r.Reference.Name))
	a.History = append(a.History, stepsOf(c)...)
	return a, nil
}

// stepsOf returns the first steps that made the input smaller.
func stepsOf(c *stress.Counterexample) []string {
	if len(c.Steps) <= maxSteps {
		return c.Steps
	}
	return append(slices.Clone(c.Steps[:maxSteps]), "and "+terminal.Count(len(c.Steps)-maxSteps, "more step"))
}

// additionOf returns a case with the folder and the settings of another one. The name is
// cleaned.
func additionOf(like *problem.Case, name string, input, answer []byte) (generate.Addition, error) {
	a := generate.Addition{Folder: "secret", Files: map[string][]byte{".in": input, ".ans": answer}}
	if strings.HasPrefix(like.Group.Name, "secret") {
		a.Folder = like.Group.Name
	}
	if like.Has(".yaml") { // the arguments of programs
		file, err := like.Open(".yaml")
		if err != nil {
			return a, err
		}
		defer file.Close()
		if a.Files[".yaml"], err = io.ReadAll(file); err != nil {
			return a, err
		}
	}
	a.Name = strings.Map(func(r rune) rune {
		if r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '-'
	}, name)
	return a, nil
}
