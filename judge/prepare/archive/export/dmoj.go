package export

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"crucible/judge/check"
	"crucible/judge/prepare/archive"
	"crucible/judge/prepare/archive/foreign"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// Problems of DMOJ: init.yml lists the tests, which are in a zip, with their points. The
// database of the site has the statement, the limits and the solutions.

const dmojArchive = "tests.zip"

// dmojInit is init.yml.
type dmojInit struct {
	Archive     string       `yaml:"archive"`
	Checker     any          `yaml:"checker,omitempty"`
	Interactive *dmojProgram `yaml:"interactive,omitempty"`
	Cases       []dmojCase   `yaml:"test_cases"`
}

type dmojChecker struct {
	Name string `yaml:"name"`
	Args any    `yaml:"args"`
}

type dmojProgram struct {
	Files []string `yaml:"files,flow"`
	Lang  string   `yaml:"lang"`
	Type  string   `yaml:"type"`
}

// A dmojCase is a test or a batch of tests.
type dmojCase struct {
	In           string     `yaml:"in,omitempty"`
	Out          string     `yaml:"out,omitempty"`
	Batched      []dmojCase `yaml:"batched,omitempty"`
	Points       *float64   `yaml:"points,omitempty"`
	Dependencies []int      `yaml:"dependencies,omitempty,flow"`
}

// A dmoj is a problem of DMOJ while it is made.
type dmoj struct {
	*draft
	init    dmojInit
	tests   map[string]archive.File
	batches map[string]int // numbers from 1, by group
	last    int            // number of the last batch
}

// dmoj writes a problem of DMOJ.
func (d *draft) dmoj() error {
	if err := d.simpleType("DMOJ"); err != nil {
		return err
	}
	w := &dmoj{draft: d, init: dmojInit{Archive: dmojArchive}, tests: make(map[string]archive.File),
		batches: make(map[string]int)}
	d.siteLosses(false)
	d.dmojLosses()
	w.cases()
	if err := w.programs(); err != nil {
		return err
	}
	d.files[dmojArchive] = archive.File{Zip: w.tests}
	return d.yaml("init.yml", w.init)
}

// dmojLosses records what the database of the site has instead of the package.
func (d *draft) dmojLosses() {
	d.loseKeys("name", "source", "keywords")
	d.lose(problem.ProblemFile,
		"the time limit of %v and the memory limit of %d MiB, which are not in a package: set them in DMOJ",
		d.p.Limits.Time, d.p.Limits.Memory>>20)
	if n := len(d.p.Submissions); n > 0 {
		d.lose("submissions", "%s: the format has none", terminal.Count(n, "submission"))
	}
	for _, v := range d.p.InputValidators {
		d.lose(v.Path, "the input validator: the format has none")
	}
	if n := len(d.p.InvalidInput) + len(d.p.InvalidOutput) + len(d.p.ValidOutput); n > 0 {
		d.lose("data", "%s for validators: the format has none", terminal.Count(n, "case"))
	}
	for _, f := range d.list {
		if top, rest := below(f.Name); rest != "" && slices.Contains([]string{"statement", "problem_statement", "generators"},
			top) {
			d.lose(top, "the format has no such folder")
			return
		}
	}
}

// cases adds the tests: the samples as a batch without points, and the groups.
func (w *dmoj) cases() {
	var samples, secret []*problem.Case
	for _, c := range w.p.Cases {
		switch {
		case c.Static != nil:
		case c.Sample():
			samples = append(samples, c)
		default:
			secret = append(secret, c)
		}
	}
	s := w.scores()
	// After a batch without points that is not accepted, DMOJ judges nothing more.
	if s == nil || w.needsSample(s) {
		w.batch("sample", samples, 0, nil)
	} else {
		defer w.batch("sample", samples, 0, nil)
	}
	if s == nil {
		w.equal(problem.ProblemFile, "type pass-fail: the score is 0 or 100")
		w.batch("secret", secret, 100, nil)
		return
	}
	w.sumOfGroups(s)
	for _, g := range s.leaves() {
		cases := slices.DeleteFunc(slices.Clone(g.Cases), func(c *problem.Case) bool { return c.Static != nil })
		required := g.required(s.secret)
		each := g.most / float64(max(1, len(cases)))
		switch {
		case g.aggregation != problem.Sum:
			w.batch(g.Name, cases, g.most, required)
		case len(required) > 0: // only batches have dependencies
			for _, c := range cases {
				w.batch("", []*problem.Case{c}, each, required)
			}
		default:
			for _, c := range cases {
				one := w.test(c)
				one.Points = &each
				w.init.Cases = append(w.init.Cases, one)
			}
		}
	}
}

// batch adds a batch that requires others.
func (w *dmoj) batch(name string, cases []*problem.Case, points float64, required []string) {
	if len(cases) == 0 {
		return
	}
	b := dmojCase{Points: &points}
	for _, c := range cases {
		b.Batched = append(b.Batched, w.test(c))
	}
	for _, name := range required {
		if n := w.batches[name]; n > 0 {
			b.Dependencies = append(b.Dependencies, n)
		}
	}
	w.last++
	w.batches[name] = w.last
	w.init.Cases = append(w.init.Cases, b)
}

// test adds the files of a test.
func (w *dmoj) test(c *problem.Case) dmojCase {
	name := strings.ReplaceAll(c.Name, "/", "_")
	t := dmojCase{In: name + ".in", Out: name + ".out"}
	w.tests[t.In], w.tests[t.Out] = fileOf(c, ".in"), fileOf(c, ".ans")
	return t
}

// programs adds the checker or the interactor.
func (w *dmoj) programs() error {
	if name, args := w.standardChecker(); name != "" {
		w.init.Checker = name
		if args != nil {
			w.init.Checker = dmojChecker{name, args}
		}
		return nil
	}
	t, err := w.outputChecker()
	if err != nil || t == nil {
		return err
	}
	p := &dmojProgram{Files: []string{t.main}, Lang: "CPP17", Type: "testlib"}
	for _, name := range slices.Sorted(maps.Keys(t.files)) {
		w.files[name] = archive.File{Data: t.files[name]}
		if name != t.main {
			p.Files = append(p.Files, name)
		}
	}
	if t.files[foreign.AdapterHeader] != nil {
		w.lose(w.p.OutputValidators[0].Path,
			"the feedback folder: it is a temporary one, and a message is lost if DMOJ does not let the program write it")
	}
	if w.p.Is(problem.Interactive) {
		w.init.Interactive = p
	} else {
		w.init.Checker = dmojChecker{"bridged", p}
	}
	if w.p.Is(problem.Scoring) && len(w.p.OutputValidators) > 0 {
		w.loseVerdicts(w.p.OutputValidators[0].Path, "scores by the validator: DMOJ has whole points of a test only")
	}
	return nil
}

// standardChecker returns the checker of DMOJ that decides like the default output
// validator on the answers of the problem, or "". DMOJ's standard and floats compare lines,
// so that every answer must be one word.
func (w *dmoj) standardChecker() (name string, args any) {
	flags, same := shared(w.p.Cases, func(c *problem.Case) []string { return c.OutputValidatorArgs })
	if !same || len(w.p.OutputValidators) > 0 {
		return "", nil
	}
	words, letters, numbers := w.oneWord()
	sensitive := slices.Contains(flags, "case_sensitive")
	switch {
	case sensitive && slices.Contains(flags, "space_change_sensitive") && len(flags) == 2:
		return "identical", nil
	case !words:
	case len(flags) == 0 && !letters, sensitive && len(flags) == 1:
		return "standard", nil
	case len(flags) == 2 && numbers:
		for digits := range 19 {
			if flags[1] == fmt.Sprintf("1e-%d", digits) {
				return map[string]string{"float_tolerance": "floats", "float_absolute_tolerance": "floatsabs",
					"float_relative_tolerance": "floatsrel"}[flags[0]], map[string]int{"precision": digits}
			}
		}
	}
	return "", nil
}

// oneWord reports whether every answer is one word, some has letters, and all are numbers.
func (d *draft) oneWord() (words, letters, numbers bool) {
	const most = 4096
	words, numbers = true, true
	for _, c := range d.p.Cases {
		data, err := problem.ReadBounded(c.FS, c.Path(".ans"), most)
		if err != nil || len(bytes.Fields(data)) != 1 {
			return false, true, false
		}
		word := string(bytes.TrimSpace(data))
		v, ok := check.ParseFloat(word)
		numbers = numbers && ok && !math.IsInf(v, 0)
		letters = letters || strings.ToLower(word) != strings.ToUpper(word)
	}
	return words, letters, numbers
}
