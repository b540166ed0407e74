package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// One returns the choice of the one problem that a command expects: the only choice,
// otherwise the problem that args name, otherwise the problem around the working
// folder. It removes the other choices from h. The error is for no or several problems,
// and for arguments that match only other problems.
func (h *Packages) One(command string, args []string) (*Choice, error) {
	switch len(h.Choices) {
	case 0:
		if len(h.Broken) == 0 {
			return nil, errors.New("the arguments match no problem")
		}
		return nil, h.Err()
	case 1:
		return h.Choices[0], nil
	}
	if here := h.preferred(); here != nil {
		if err := h.strays(here, args); err != nil {
			return nil, err
		}
		h.Choices = []*Choice{here}
		return here, nil
	}
	ids := terminal.Texts(h.Choices, (*Choice).id)
	return nil, fmt.Errorf("%s expects one problem; the arguments match %d: %s", command, len(ids),
		strings.Join(ids, ", "))
}

// preferred returns the one problem that an argument names or, if none does, the
// problem around the working folder; otherwise nil.
func (h *Packages) preferred() *Choice {
	here := ""
	if !slices.ContainsFunc(h.Choices, func(c *Choice) bool { return c.named }) {
		_, here, _ = problem.Find(".") // "" after an error
	}
	found := slices.DeleteFunc(slices.Clone(h.Choices), func(c *Choice) bool { return !c.named && c.Problem.ID != here })
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// strays returns an error for each argument that matches nothing in a problem.
func (h *Packages) strays(in *Choice, args []string) error {
	var errs []error
	for _, arg := range args {
		found := h.matches(arg, func(m *match) bool { return m.problem || m.hasParts() })
		if found[in] != nil {
			continue
		}
		var others []string
		for _, c := range h.Choices {
			if found[c] != nil {
				others = append(others, c.Problem.ID)
			}
		}
		errs = append(errs, fmt.Errorf("%q matches nothing in %s, but something in %s", arg, in.Problem.ID,
			strings.Join(others, ", ")))
	}
	return errors.Join(errs...)
}

// Named returns the submissions of c that args name, in the order of args; nil if
// there are none. It skips arguments that name the problem.
func (h *Packages) Named(c *Choice, args []string) (named []*problem.Submission) {
	for _, arg := range args {
		if m := h.matches(arg, (*match).hasParts)[c]; m != nil {
			named = appendNew(named, m.submissions)
		}
	}
	return named
}

// appendNew appends the submissions that are not in all.
func appendNew(all, more []*problem.Submission) []*problem.Submission {
	for _, s := range more {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// SolvedBy returns the choice of the problem that the file name solves. If id is not "",
// it is the id or path of the problem. Otherwise it is the problem whose package
// contains the file, whose id is the name of the file or of its folder, or the only
// problem. If id is "" and there is no such problem, the error matches [ErrNoProblem].
// If the package could not be opened, the error is the reason.
func (h *Packages) SolvedBy(id, name string) (*Choice, error) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	if id != "" {
		c, err := h.first(func(s *problem.Source) bool { return s.ID == id || h.located(id) && s == h.within(id) })
		if c == nil && err == nil {
			err = fmt.Errorf("--problem %s: no such problem%s", id, h.Suggest(id))
		}
		return c, err
	}
	stem := strings.TrimSuffix(filepath.Base(abs), filepath.Ext(abs))
	for _, is := range []func(*problem.Source) bool{
		func(s *problem.Source) bool { _, ok := s.Within(name); return ok },
		func(s *problem.Source) bool { return s.ID == stem },
		func(s *problem.Source) bool { return s.ID == filepath.Base(filepath.Dir(abs)) },
		func(*problem.Source) bool { return len(h.Choices) == 1 && len(h.Broken) == 0 },
	} {
		if c, err := h.first(is); c != nil || err != nil {
			return c, err
		}
	}
	if _, err := os.Stat(name); err != nil {
		return nil, err
	}
	return nil, &noProblemError{fmt.Errorf("%s: the problem that it solves is not known: expected --problem ID%s", name,
		h.Suggest(stem))}
}

// first returns the choice of the first package for which is returns true, or the
// reason why that package could not be opened; nil and nil if there is none.
func (h *Packages) first(is func(*problem.Source) bool) (*Choice, error) {
	for _, c := range h.Choices {
		if is(c.Source) {
			return c, nil
		}
	}
	for _, b := range h.Broken {
		if is(b.Source) {
			return nil, b.Err
		}
	}
	return nil, nil
}
