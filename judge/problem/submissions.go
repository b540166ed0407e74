package problem

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"crucible/judge/internal/lazy"
	"crucible/judge/internal/yaml"
	"crucible/judge/terminal"
)

const submissionsFile = "submissions/submissions.yaml"

// readSubmissions reads the submissions of the package and their expectations into
// p.Submissions (2025-09, "Example submissions"). p.Data must have been read.
func readSubmissions(p *Problem, defects *Defects) {
	rules := readRules(p, defects)
	starts := readEntries(p, defects)
	if Absent(p.FS, "submissions") {
		// Submissions from outside the package can still be judged.
		defects.warnf(p.Where("submissions"), "is missing: expected an accepted submission")
		return
	}
	for _, folder := range defects.entries(p.FS, "submissions") {
		name := folder.Name()
		if !IsFolder(p.FS, "submissions", folder) {
			if name != "submissions.yaml" {
				defects.warnf(p.Where("submissions/"+name), "is not a submission: expected submissions in folders such as "+
					"accepted/")
			}
			continue
		}
		if e := p.Format.expectations[name]; e.Partial && !p.Is(Scoring) {
			defects.warnf(p.Where("submissions/"+name), "allowed only in scoring problems")
		}
		for _, e := range defects.entries(p.FS, "submissions/"+name) {
			s := readSubmission(p, name+"/"+e.Name())
			s.Expected = append(rules.expected(s, name, defects), grades(s, defects)...)
			rules.apply(s)
			s.Entry = cmp.Or(s.Entry, starts[s.Name])
			Identify(s)
			if s.Entry == "" {
				if s.Entry = s.likelyEntry(); s.Entry != "" && p.Format.Strict {
					defects.warnf(p.Where(s.Path), "no file is named %s, so the program starts at %s: expected that name, or "+
						"entrypoint in submissions.yaml", strings.Join(s.Language.Entry, " or "), s.Entry)
				}
			}
			p.Submissions = append(p.Submissions, s)
		}
	}
	for _, r := range rules {
		if !r.used {
			defects.warn(r.at.Errorf("%q matches no submission", r.glob))
		}
	}
}

// UsedLanguages returns the sorted codes of the languages of all programs of the package:
// submissions, validators, generators and visualizers. Files in no language of this
// judge are left out.
func (p *Problem) UsedLanguages() []string {
	used := make(map[string]bool)
	for _, s := range p.Submissions {
		if s.Language != nil {
			used[s.Language.Code] = true
		}
	}
	for _, folder := range []string{"input_validators", "output_validator", "output_validators", "answer_validators",
		"generators", "input_visualizer", "output_visualizer"} {
		files, _ := filesBelow(p.FS, folder, MaxProgramFiles) // a missing folder has none
		for _, name := range files {
			if l, _ := p.Table.Of([]string{name}); l != nil {
				used[l.Code] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(used))
}

// expected returns the expectations of a submission before the rules that match its
// name: those of marks in its source, or else of its folder.
func (r rules) expected(s *Submission, folder string, defects *Defects) []Expectation {
	if marked := marks(s, defects); marked != nil {
		return marked
	}
	if i := slices.IndexFunc(r, func(one *rule) bool { return one.folder && one.glob == folder }); i >= 0 {
		return slices.Clone(r[i].expected)
	}
	e, ok := s.Problem.Format.expectations[folder]
	if !ok {
		e, ok = domjudgeFolders[folder]
	}
	if !ok {
		return nil
	}
	return []Expectation{e.From(folder)}
}

// readSubmission reads one submission. If it cannot be read, Unreadable says why,
// so that the others can be judged.
func readSubmission(p *Problem, name string) *Submission {
	var found Defects
	s := &Submission{Problem: p}
	if program := p.Program("submissions/"+name, &found); program != nil {
		s.Program = *program
	} else {
		s.Program = Program{Path: "submissions/" + name, Files: []string{path.Base(name)}, FS: p.FS}
		s.Unreadable = errors.Join(found.Errs...)
	}
	s.Name = name
	return s
}

// rules are the rules of submissions.yaml.
type rules []*rule

type rule struct {
	glob     string
	matches  Glob // glob, compiled
	at       *yaml.Node
	used     bool
	folder   bool // glob is a default folder, whose expectations the rule replaces
	language string
	entry    string
	authors  []string
	model    bool
	expected []Expectation
}

func (r rules) apply(s *Submission) {
	for _, one := range r {
		if !one.matches.Covers(s.Name) {
			continue
		}
		one.used = true
		if !one.folder {
			s.Expected = append(s.Expected, one.expected...)
		}
		if one.language != "" {
			s.Language, s.Unusable = s.Problem.Table.ByCode(one.language), ""
			if s.Language == nil {
				s.Unusable = "language " + one.language + " is not supported by this judge"
			}
		}
		if one.entry != "" {
			s.Entry = one.entry
		}
		s.Authors = append(s.Authors, one.authors...)
		s.Model = s.Model || one.model
	}
}

// readRules reads submissions.yaml, if there is one.
func readRules(p *Problem, defects *Defects) (all rules) {
	if Absent(p.FS, submissionsFile) {
		return all
	}
	if !p.Format.submissionsFile {
		defects.warnf(p.Where(submissionsFile), "is not read: version %s does not have this file", p.Version)
		return all
	}
	root, ok := readYAML(p.FS, submissionsFile, defects)
	if !ok || root.Kind() == yaml.Null {
		return all
	}
	if root.Kind() != yaml.Map {
		defects.Add(root.Errorf("expected a map from glob to metadata, found %v", root.Kind()))
		return all
	}
	for _, f := range root.Fields() {
		one := &rule{glob: f.Key.Text(), at: f.Key}
		warnSpaces(f.Key, defects)
		var err error
		if one.matches, err = checkGlob(one.glob); err != nil {
			defects.Add(f.Key.Errorf("%v", err))
			continue
		}
		// A rule whose glob is the name of a default folder replaces the expectation
		// of the folder. The rule inherits the keys that it omits (2025-09, "Default
		// directories").
		start := Expectation{}
		if e, ok := p.Format.expectations[one.glob]; ok {
			start, one.folder = e, true
		}
		start.from = shortPosition(f.Key)
		if err := one.read(p, f.Value, start, defects); err != nil {
			defects.Add(err)
			continue
		}
		all = append(all, one)
	}
	return all
}

// checkGlob compiles a glob of submissions.yaml and rejects patterns that the
// format does not support.
func checkGlob(pattern string) (Glob, error) {
	if pattern == "" {
		return nil, fmt.Errorf("empty glob")
	}
	if strings.Contains(pattern, "**") {
		return nil, fmt.Errorf("glob %q: ** is not supported by the format", pattern)
	}
	return CompileGlob(pattern)
}

func shortPosition(n *yaml.Node) string {
	return strings.TrimSuffix(n.Errorf("").Error(), ": ")
}

// read reads one rule. Keys that are not metadata are globs of cases with their
// own expectations.
func (r *rule) read(p *Problem, n *yaml.Node, start Expectation, defects *Defects) error {
	if n.Kind() == yaml.Null {
		r.expected = []Expectation{start}
		return nil
	}
	if n.Kind() != yaml.Map {
		return n.Errorf("%s: expected a map, found %v", r.glob, n.Kind())
	}
	defects.dropUnset(n)
	general, expects := start, r.folder
	var perCase []Expectation
	keys := map[string]reader{
		"language":       into(&r.language, (*yaml.Node).AsString),
		"entrypoint":     into(&r.entry, entryPoint),
		"authors":        into(&r.authors, func(n *yaml.Node) ([]string, error) { return people(n, defects) }),
		"model_solution": into(&r.model, (*yaml.Node).AsBool),
	}
	expectation := general.keys(p)
	known := slices.Concat(slices.Sorted(maps.Keys(keys)), slices.Sorted(maps.Keys(expectation)))
	for _, f := range n.Fields() {
		key := f.Key.Text()
		read := keys[key]
		if read == nil && expectation[key] != nil {
			read, expects = expectation[key], true
		}
		if read == nil {
			if _, err := checkGlob(key); err != nil {
				return f.Key.Errorf("%v", err)
			}
			if !namesCases(key) {
				return f.Key.Errorf("unknown key %q%s", key, terminal.DidYouMean(key, known))
			}
			warnSpaces(f.Key, defects)
			read = func(n *yaml.Node) error {
				one := Expectation{Cases: key, from: shortPosition(f.Key)}
				err := one.read(p, n, known)
				perCase = append(perCase, one)
				return err
			}
		}
		if err := read(f.Value); err != nil {
			return err
		}
	}
	if expects {
		r.expected = append(r.expected, general)
	}
	r.expected = append(r.expected, perCase...)
	return nil
}

func entryPoint(n *yaml.Node) (string, error) {
	name, err := n.AsString()
	if err == nil && !fs.ValidPath(name) {
		err = n.Errorf("entrypoint %q: expected the name of a file in the submission", name)
	}
	return name, err
}

var spacesInBraces = lazy.Regexp(`\{([^{}]*,)? |\{[^{}]* [,}]`)

// warnSpaces warns of spaces in braces, which the format does not define.
func warnSpaces(glob *yaml.Node, defects *Defects) {
	if spacesInBraces().MatchString(glob.Text()) {
		defects.warn(glob.Errorf("glob %q: spaces around alternatives are ignored: expected none", glob.Text()))
	}
}

// namesCases reports whether a glob can match cases: the first folder of at least one
// alternative matches sample or secret.
func namesCases(globs string) bool {
	g, err := CompileGlob(globs)
	return err == nil && (g.Reaches("sample") || g.Reaches("secret"))
}

// read reads the expectation of some cases. known are the words that a mistyped key may
// mean.
func (e *Expectation) read(p *Problem, n *yaml.Node, known []string) error {
	if n.Kind() != yaml.Map {
		return n.Errorf("%s: expected a map, found %v", e.Cases, n.Kind())
	}
	keys := e.keys(p)
	for _, f := range n.Fields() {
		read := keys[f.Key.Text()]
		if read == nil {
			return f.Key.Errorf("unknown key %q for %s%s", f.Key.Text(), e.Cases, terminal.DidYouMean(f.Key.Text(), known))
		}
		if err := read(f.Value); err != nil {
			return err
		}
	}
	return nil
}

// keys returns the keys of an expectation.
func (e *Expectation) keys(p *Problem) map[string]reader {
	return map[string]reader{
		"permitted": into(&e.Permitted, verdicts),
		"required":  into(&e.Required, verdicts),
		"message":   into(&e.Message, (*yaml.Node).AsString),
		"score": func(n *yaml.Node) (err error) {
			e.Score, err = scores(n)
			if err == nil && !p.Is(Scoring) {
				err = n.Errorf("score: only for scoring problems")
			}
			return err
		},
		"use_for_time_limit": into(&e.Timing, timing),
	}
}

func timing(n *yaml.Node) (Timing, error) {
	use, err := n.AsBool()
	switch word := Timing(n.Text()); {
	case err == nil && use:
		return TimingByVerdicts, nil
	case err == nil:
		return TimingNone, nil
	case n.Kind() == yaml.String && (word == TimingLower || word == TimingUpper):
		return word, nil
	}
	return "", n.Errorf("use_for_time_limit: expected true, false, lower or upper")
}

func verdicts(n *yaml.Node) ([]Verdict, error) {
	words, err := n.AsStrings()
	if err == nil && len(words) == 0 {
		err = n.Errorf("expected at least one of AC, WA, TLE, RTE")
	}
	var set []Verdict
	for _, w := range words {
		if !slices.Contains([]Verdict{Accepted, WrongAnswer, TimeLimit, RuntimeError}, Verdict(w)) {
			return nil, n.Errorf("verdict %q: expected AC, WA, TLE or RTE", w)
		}
		set = append(set, Verdict(w))
	}
	return set, err
}

func scores(n *yaml.Node) (list []float64, err error) {
	for _, item := range oneOrMore(n) {
		v, err := item.AsFloat()
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	if n.Kind() == yaml.Sequence && (len(list) != 2 || list[0] > list[1]) {
		return nil, n.Errorf("score: expected a number, or two numbers in ascending order")
	}
	return list, nil
}

// NewSubmission creates a submission from a file or folder outside the package:
// name is its name in fsys. The submission is expected to be accepted. Constants are
// replaced only in submissions of the package. The error is for a file that cannot
// be read.
func NewSubmission(p *Problem, fsys fs.FS, name string) (*Submission, error) {
	if _, err := fs.Stat(fsys, name); err != nil {
		return nil, Unreadable(fsys, name, err)
	}
	var found Defects
	program := ReadProgram(fsys, path.Clean(name), &found)
	if program == nil {
		return nil, found.Errs[0]
	}
	accepted := p.Spec().expectations["accepted"].From("judging a file")
	s := &Submission{Program: *program, Problem: p, Expected: []Expectation{accepted}}
	s.Name = path.Base(name)
	Identify(s)
	s.Entry = s.likelyEntry()
	return s, nil
}
