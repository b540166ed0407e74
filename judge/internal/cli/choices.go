package cli

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"crucible/judge/language"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// A Choice is the part of one problem that is judged.
type Choice struct {
	Source      *problem.Source       // the package
	Problem     *problem.Problem      // read from the package
	Submissions []*problem.Submission // the submissions to judge, in order
	Cases       []*problem.Case       // the cases to judge them on, in order

	named bool // an argument names the problem
}

func (c *Choice) id() string { return c.Problem.ID }

// Packages contains the packages that a command uses. The caller must call Close.
type Packages struct {
	Choices []*Choice    // one for each package that could be opened
	Broken  []BadPackage // the packages that could not be opened

	sources sources
}

// A BadPackage is a package that could not be opened.
type BadPackage struct {
	Source *problem.Source // the package
	Err    error           // the reason
}

type sources []*problem.Source

func (s sources) close() {
	for _, one := range s {
		one.Close()
	}
}

// Close closes the packages.
func (h *Packages) Close() { h.sources.close() }

// Open opens the packages of the repository around the working folder, and packages
// elsewhere that args name. Without args, it opens only the package around the working
// folder if there is one; if each argument is the id of a package or a path in one, it
// opens only these packages. Packages that cannot be opened are in Broken. Open
// chooses no submissions or cases.
func Open(t language.Table, args []string) (*Packages, error) {
	h := &Packages{}
	root, focus, findErr := problem.Find(".")
	if findErr == nil {
		var err error
		if h.sources, err = problem.Sources(root); err != nil {
			return nil, err
		}
	}
	for _, arg := range args {
		if _, err := os.Stat(arg); err != nil || h.within(arg) != nil {
			continue
		}
		if dir := packageAbove(arg); dir != "" {
			s, err := problem.Locate(dir)
			if err != nil {
				return nil, err
			}
			h.sources = append(h.sources, s)
		}
	}
	if len(h.sources) == 0 {
		return nil, noPackage(args, findErr)
	}
	if focus != "" && len(args) == 0 {
		args = []string{focus}
	}
	if asked := h.packagesNamed(args); asked != nil {
		h.sources = slices.DeleteFunc(h.sources, func(s *problem.Source) bool {
			return !slices.Contains(asked, s) &&
				s.Close() == nil
		})
	}
	for _, s := range h.sources {
		p, err := problem.Open(s, problem.WithLanguages(t))
		if err != nil {
			h.Broken = append(h.Broken, BadPackage{s, err})
			continue
		}
		h.Choices = append(h.Choices, &Choice{Source: s, Problem: p})
	}
	return h, nil
}

// Choose opens the packages and chooses what the arguments name. If the problem of
// --problem is not "", the arguments are files that solve it, or names of its own
// submissions and cases. hintOfFile ends the error for a file in no package. After
// an error nothing needs to be closed.
func Choose(t language.Table, of string, args []string, hintOfFile string) (h *Packages, err error) {
	opened := args
	if of != "" {
		if opened = []string{of}; len(args) == 0 {
			return nil, fmt.Errorf("--problem %s: expected a file to judge", of)
		}
	}
	if h, err = Open(t, opened); err != nil {
		return nil, err
	}
	if of == "" {
		if err = h.choose(args, hintOfFile); err != nil {
			err = errors.Join(h.Err(), err)
		}
	} else if err = h.chooseProblem(of); err == nil {
		for _, c := range h.Choices {
			if err = c.take(args); err != nil {
				break
			}
		}
	}
	if err != nil {
		h.Close()
		return nil, err
	}
	return h, nil
}

// Err joins the reasons why packages could not be opened.
func (h *Packages) Err() error {
	var errs []error
	for _, b := range h.Broken {
		errs = append(errs, b.Err)
	}
	return errors.Join(errs...)
}

// ErrNoProblem matches, by errors.Is, the errors of files that belong to no problem.
var ErrNoProblem = errors.New("no problem")

type noProblemError struct{ error }

func (*noProblemError) Is(target error) bool { return target == ErrNoProblem }

// noPackage returns the errors of arguments that name no package, if there is no
// package around the working folder either. Without such arguments it returns
// findErr.
func noPackage(args []string, findErr error) error {
	var errs []error
	for _, arg := range args {
		if arg == "" {
			continue
		}
		what := "is in no problem package, and"
		if _, err := os.Stat(arg); err != nil {
			what = "no such file, and"
		}
		errs = append(errs, &noProblemError{fmt.Errorf("%s: %s no problem package here or above: expected problem.yaml, "+
			"or a folder problems/", arg, what)})
	}
	if errs == nil {
		return findErr
	}
	return errors.Join(errs...)
}

// packagesNamed returns the packages that args name, so that the others need not be
// opened; nil if an argument is not the name or a file of a package.
func (h *Packages) packagesNamed(args []string) (asked []*problem.Source) {
	for _, arg := range args {
		_, err := os.Stat(arg)
		own, before := h.within(arg), len(asked)
		for _, s := range h.sources {
			if err == nil && s == own || err != nil && s.ID == arg {
				asked = append(asked, s)
			}
		}
		if len(asked) == before {
			return nil
		}
	}
	return asked
}

// within returns the package that contains a file, or nil.
func (h *Packages) within(name string) *problem.Source {
	for _, s := range h.sources {
		if _, ok := s.Within(name); ok {
			return s
		}
	}
	return nil
}

// packageAbove returns the package that a path is or lies in; "" if there is none.
func packageAbove(name string) string {
	abs, err := filepath.Abs(name)
	if err != nil {
		return ""
	}
	if info, err := os.Stat(abs); err == nil && !info.IsDir() &&
		(strings.HasSuffix(abs, ".zip") || strings.HasSuffix(abs, ".kpp")) {
		return name
	}
	for at, shown := abs, name; ; at, shown = filepath.Dir(at), filepath.Join(shown, "..") {
		if problem.IsPackage(at) {
			return shown
		}
		if filepath.Dir(at) == at {
			return ""
		}
	}
}

// choose fills the choices from the arguments: problems, submissions and cases,
// by name, path or glob, in any order. Without arguments it chooses everything.
// If problems are named, names of submissions and cases are looked up in these
// first, and narrow them. hintOfFile ends the error for a file in no package.
func (h *Packages) choose(args []string, hintOfFile string) error {
	var errs []error
	var rest []string // arguments that name no problem
	for _, arg := range args {
		found := h.matches(arg, (*match).isProblem)
		for c := range found {
			c.named = true
		}
		if len(found) == 0 && !h.namesBroken(arg) {
			rest = append(rest, arg)
		}
	}
	anyProblem, anyBroken := len(rest) < len(args), slices.ContainsFunc(args, h.namesBroken)
	for _, arg := range rest {
		found := h.matches(arg, (*match).hasParts)
		if len(found) == 0 && !h.isBroken(arg) {
			hint := h.Suggest(arg)
			if _, err := os.Stat(arg); err == nil {
				hint = hintOfFile
			}
			errs = append(errs, fmt.Errorf("%q matches no problem, submission or case%s", arg, hint))
		}
		inNamed := false
		for c := range found {
			inNamed = inNamed || c.named
		}
		for c, m := range found {
			// A name that may belong to a broken problem chooses nothing in others.
			if c.named || !inNamed && (!anyBroken || c.qualified(arg)) {
				c.Submissions, c.Cases = append(c.Submissions, m.submissions...), append(c.Cases, m.cases...)
			}
		}
	}
	if errs != nil {
		return errors.Join(errs...)
	}
	if anyProblem || len(args) > 0 && !slices.ContainsFunc(rest, func(arg string) bool { return !h.located(arg) }) {
		h.dropOthers(args)
	}
	anySubmission := slices.ContainsFunc(h.Choices, func(c *Choice) bool { return c.Submissions != nil })
	h.Choices = slices.DeleteFunc(h.Choices, func(c *Choice) bool {
		if anyProblem || anySubmission {
			return !c.named && c.Submissions == nil
		}
		return len(args) > 0 && c.Cases == nil
	})
	for _, c := range h.Choices {
		c.Submissions = inOrder(c.Problem.Submissions, c.Submissions)
		c.Cases = inOrder(c.Problem.Cases, c.Cases)
	}
	return nil
}

// chooseProblem keeps the problems that an argument names.
func (h *Packages) chooseProblem(arg string) error {
	named := h.matches(arg, (*match).isProblem)
	if len(named) == 0 && !h.isBroken(arg) {
		return fmt.Errorf("--problem %s: no such problem%s", arg, h.Suggest(arg))
	}
	h.dropOthers([]string{arg})
	h.Choices = slices.DeleteFunc(h.Choices, func(c *Choice) bool { return named[c] == nil })
	return nil
}

// located reports whether an argument is a file or folder of a package.
func (h *Packages) located(arg string) bool {
	_, err := os.Stat(arg)
	return err == nil && h.within(arg) != nil
}

// dropOthers drops the broken packages that no argument names.
func (h *Packages) dropOthers(args []string) {
	h.Broken = slices.DeleteFunc(h.Broken, func(b BadPackage) bool {
		return !slices.ContainsFunc(args, b.named)
	})
}

// matches returns the matches of an argument in each problem for which is returns
// true. An existing file or folder matches only itself.
func (h *Packages) matches(arg string, is func(*match) bool) map[*Choice]*match {
	found := make(map[*Choice]*match)
	_, err := os.Stat(arg)
	for _, c := range h.Choices {
		name, own := "", false
		if err == nil {
			name, own = c.Source.Within(arg)
		}
		var m match
		if own {
			found = make(map[*Choice]*match)
			m = c.matchPath(name)
		} else {
			m = c.matchName(arg)
		}
		if is(&m) {
			found[c] = &m
		}
		if own {
			break
		}
	}
	return found
}

// inOrder returns the elements of all that are in some, in the order of all; all if
// some is empty.
func inOrder[T comparable](all, some []T) []T {
	return slices.DeleteFunc(slices.Clone(all), func(x T) bool { return len(some) > 0 && !slices.Contains(some, x) })
}

// A match contains the problem, submissions and cases that an argument names in one
// problem.
type match struct {
	problem     bool
	submissions []*problem.Submission
	cases       []*problem.Case
}

func (m *match) isProblem() bool { return m.problem }
func (m *match) hasParts() bool  { return len(m.submissions)+len(m.cases) > 0 }

// matchName returns the match of a name or glob.
func (c *Choice) matchName(arg string) (m match) {
	arg = strings.TrimSuffix(filepath.ToSlash(arg), "/")
	if problem.GlobCovers(arg, c.Problem.ID) {
		return match{problem: true}
	}
	names := []string{arg}
	if id, rest, ok := strings.Cut(arg, "/"); ok && problem.GlobCovers(id, c.Problem.ID) {
		names = append(names, rest)
	}
	for _, name := range names {
		name = strings.TrimPrefix(name, "submissions/")
		for _, s := range c.Problem.Submissions {
			base := path.Base(s.Name)
			if problem.GlobCovers(name, s.Name) || problem.GlobCovers(name, base) ||
				problem.GlobCovers(name, strings.TrimSuffix(base, path.Ext(base))) {
				m.submissions = append(m.submissions, s)
			}
		}
		name = strings.TrimSuffix(strings.TrimPrefix(name, "data/"), ".in")
		for _, k := range c.Problem.Cases {
			if problem.GlobCovers(name, k.Name) || problem.GlobCovers(name, path.Base(k.Name)) {
				m.cases = append(m.cases, k)
			}
		}
	}
	return m
}

// matchPath returns the match of a file of the package: the submission or case to which
// it belongs, or the problem.
func (c *Choice) matchPath(name string) (m match) {
	switch rest, ok := strings.CutPrefix(name, "submissions/"); {
	case ok:
		for _, s := range c.Problem.Submissions {
			if s.Name == rest || strings.HasPrefix(s.Name, rest+"/") || strings.HasPrefix(rest, s.Name+"/") {
				m.submissions = append(m.submissions, s)
			}
		}
		return m
	case name == "submissions":
		return match{submissions: c.Problem.Submissions}
	}
	if rest, ok := strings.CutPrefix(name, "data/"); ok {
		for _, k := range c.Problem.Cases {
			if after, ok := strings.CutPrefix(rest, k.Name); strings.HasPrefix(k.Name, rest+"/") || ok &&
				(after == "" || after[0] == '.') {
				m.cases = append(m.cases, k)
			}
		}
		return m
	}
	// A program beside problem.yaml is not a submission, and does not select the
	// problem.
	isSource := func(l language.Language) bool { return slices.Contains(l.Exts, path.Ext(name)) }
	return match{problem: strings.Contains(name, "/") || !slices.ContainsFunc(c.Problem.Table.All(), isSource)}
}

func (h *Packages) isBroken(arg string) bool {
	return slices.ContainsFunc(h.Broken, func(b BadPackage) bool { return b.named(arg) })
}

// namesBroken reports whether an argument is the name or path of a package that
// could not be opened.
func (h *Packages) namesBroken(arg string) bool {
	return slices.ContainsFunc(h.Broken, func(b BadPackage) bool {
		return b.named(arg) && (h.located(arg) || problem.GlobCovers(strings.TrimSuffix(filepath.ToSlash(arg), "/"),
			b.Source.ID))
	})
}

// qualified reports whether an argument contains the id or the path of the
// problem.
func (c *Choice) qualified(arg string) bool {
	id, rest, _ := strings.Cut(filepath.ToSlash(arg), "/")
	_, err := os.Stat(arg)
	_, in := c.Source.Within(arg)
	return err == nil && in || rest != "" && problem.GlobCovers(id, c.Problem.ID)
}

// named reports whether an argument refers to the package, by name or path.
func (b BadPackage) named(arg string) bool {
	_, in := b.Source.Within(arg)
	id, _, _ := strings.Cut(filepath.ToSlash(arg), "/")
	return in || problem.GlobCovers(id, b.Source.ID)
}

// Suggest returns the end of an error message for an argument that matches nothing: the
// most similar name, or the ids of the problems. It may be "".
func (h *Packages) Suggest(arg string) string {
	var names []string
	meant := make(map[string]string)
	add := func(name, means string) {
		if names = append(names, name); meant[name] == "" {
			meant[name] = means
		}
	}
	for _, c := range h.Choices {
		add(c.Problem.ID, c.Problem.ID)
		for _, s := range c.Problem.Submissions {
			full := c.Problem.ID + "/" + s.Name
			for _, name := range []string{full, s.Name, path.Base(s.Name)} {
				add(name, full)
			}
		}
	}
	for _, b := range h.Broken {
		add(b.Source.ID, b.Source.ID)
	}
	if name := terminal.Nearest(arg, names); name != "" {
		return fmt.Sprintf(" (did you mean %q?)", meant[name])
	}
	if len(h.Choices) == 0 || len(h.Choices) > 20 {
		return ""
	}
	return "; the problems here are " + strings.Join(terminal.Texts(h.Choices, (*Choice).id), ", ")
}
