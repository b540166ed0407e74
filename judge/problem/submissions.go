package problem

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"crucible/judge/glob"
	"crucible/judge/internal/text"
	"crucible/judge/internal/yaml"
	"crucible/judge/language"
)

const submissionsFile = "submissions/submissions.yaml"

// readSubmissions reads the submissions of the package and their expectations into
// p.Submissions (2025-09, "Example submissions"). p.Data must have been read.
func readSubmissions(p *Problem, defects *Defects) {
	rules := readRules(p, defects)
	starts := readEntries(p, defects)
	if Absent(p.FS, "submissions") {
		// Submissions from outside the package can still be judged.
		defects.warn(&Defect{File: p.Where("submissions"), Msg: "is missing: expected an accepted submission"})
		return
	}
	folders, _ := defects.readDir(p.FS, "submissions")
	for _, folder := range folders {
		name := folder.Name()
		switch {
		case IgnoredName(name):
			defects.ignore(p.FS, "submissions", name)
			continue
		case name == "submissions.yaml":
			continue
		case !IsFolder(p.FS, "submissions", folder):
			defects.warn(&Defect{File: p.Where("submissions/" + name), Msg: "is not a submission: expected submissions in folders such as accepted/"})
			continue
		}
		if e := p.Format.expectations[name]; e.Partial && !p.Is(Scoring) {
			defects.warn(&Defect{File: p.Where("submissions/" + name), Msg: "allowed only in scoring problems"})
		}
		entries, _ := defects.readDir(p.FS, "submissions/"+name)
		for _, e := range entries {
			if IgnoredName(e.Name()) {
				defects.ignore(p.FS, "submissions/"+name, e.Name())
				continue
			}
			s := readSubmission(p, name+"/"+e.Name())
			if marked, ok := marks(s, defects); ok {
				s.Expected = marked
			} else if e, ok := rules.folders[name]; ok {
				s.Expected = append(s.Expected, e...)
			} else if e, ok := p.expectationOf(name); ok {
				e.from = name
				s.Expected = append(s.Expected, e)
			}
			s.Expected = append(s.Expected, grades(s, defects)...)
			rules.apply(s)
			if s.Entry == "" {
				s.Entry = starts[s.Name]
			}
			Identify(s)
			if s.Entry == "" {
				if s.Entry = s.likelyEntry(); s.Entry != "" && p.Format.Strict {
					defects.warn(&Defect{File: p.Where(s.Path), Msg: fmt.Sprintf("no file is named %s, so the program starts at %s: expected that name, or entrypoint in submissions.yaml", strings.Join(s.Language.Entry, " or "), s.Entry)})
				}
			}
			p.Submissions = append(p.Submissions, s)
		}
	}
	for _, r := range rules.all {
		if !r.used {
			defects.warn(r.at.Errorf("%q matches no submission", r.glob))
		}
	}
}

// expectationOf returns the default expectation of a folder of submissions/.
func (p *Problem) expectationOf(folder string) (Expectation, bool) {
	if e, ok := p.Format.expectations[folder]; ok {
		return e, true
	}
	e, ok := domjudgeFolders[folder]
	return e, ok
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
type rules struct {
	folders map[string][]Expectation // by default folder: the expectations that replace its own
	all     []*rule
}

type rule struct {
	glob     string
	matches  glob.Pattern // glob, compiled
	at       *yaml.Node
	used     bool
	folder   bool // its expectations are already those of the folder
	language string
	entry    string
	authors  []string
	model    bool
	expected []Expectation
}

func (r *rules) apply(s *Submission) {
	for _, one := range r.all {
		if !one.matches.Covers(s.Name) {
			continue
		}
		one.used = true
		if !one.folder {
			s.Expected = append(s.Expected, one.expected...)
		}
		if one.language != "" {
			s.Language, s.Unusable = language.ByCode(one.language), ""
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
func readRules(p *Problem, defects *Defects) *rules {
	r := &rules{folders: make(map[string][]Expectation)}
	if Absent(p.FS, submissionsFile) {
		return r
	}
	if !p.Format.submissionsFile {
		defects.warn(&Defect{File: p.Where(submissionsFile), Msg: "is not read: version " + p.Version + " does not have this file"})
		return r
	}
	root, ok := readYAML(p.FS, submissionsFile, defects)
	if !ok || root.Kind() == yaml.Null {
		return r
	}
	if root.Kind() != yaml.Map {
		defects.Add(root.Errorf("expected a map from glob to metadata, found %v", root.Kind()))
		return r
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
		if one.folder {
			r.folders[one.glob] = one.expected
		}
		r.all = append(r.all, one)
	}
	return r
}

// checkGlob compiles a glob of submissions.yaml and rejects patterns that the
// format does not support.
func checkGlob(pattern string) (glob.Pattern, error) {
	if pattern == "" {
		return nil, fmt.Errorf("empty glob")
	}
	if strings.Contains(pattern, "**") {
		return nil, fmt.Errorf("glob %q: ** is not supported by the format", pattern)
	}
	return glob.Compile(pattern)
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
	whole := start
	expects := r.folder
	var perCase []Expectation
	for _, f := range n.Fields() {
		var err error
		switch key := f.Key.Text(); key {
		case "language":
			r.language, err = f.Value.AsString()
		case "entrypoint":
			r.entry, err = f.Value.AsString()
			if err == nil && !fs.ValidPath(r.entry) {
				err = f.Value.Errorf("entrypoint %q: expected the name of a file in the submission", r.entry)
			}
		case "authors":
			r.authors, err = people(f.Value, defects)
		case "model_solution":
			r.model, err = f.Value.AsBool()
		default:
			known, err := whole.read(p, key, f.Value)
			if err != nil {
				return err
			}
			if known {
				expects = true
				continue
			}
			if _, err := checkGlob(key); err != nil {
				return f.Key.Errorf("%v", err)
			}
			if !namesCases(key) {
				return f.Key.Errorf("unknown key %q%s", key, text.DidYouMean(key, ruleKeys))
			}
			warnSpaces(f.Key, defects)
			one := Expectation{Cases: key, from: shortPosition(f.Key)}
			if f.Value.Kind() != yaml.Map {
				return f.Value.Errorf("%s: expected a map, found %v", key, f.Value.Kind())
			}
			for _, g := range f.Value.Fields() {
				known, err := one.read(p, g.Key.Text(), g.Value)
				if err != nil {
					return err
				}
				if !known {
					return g.Key.Errorf("unknown key %q for %s%s", g.Key.Text(), key, text.DidYouMean(g.Key.Text(), ruleKeys))
				}
			}
			perCase = append(perCase, one)
		}
		if err != nil {
			return err
		}
	}
	if expects {
		r.expected = append(r.expected, whole)
	}
	r.expected = append(r.expected, perCase...)
	return nil
}

var spacesInBraces = regexp.MustCompile(`\{([^{}]*,)? |\{[^{}]* [,}]`)

// warnSpaces warns of spaces in braces, which the format does not define.
func warnSpaces(glob *yaml.Node, defects *Defects) {
	if spacesInBraces.MatchString(glob.Text()) {
		defects.warn(glob.Errorf("glob %q: spaces around alternatives are ignored: expected none", glob.Text()))
	}
}

// namesCases reports whether a glob can match cases: the first folder of at least one
// alternative matches sample or secret.
func namesCases(globs string) bool {
	g, err := glob.Compile(globs)
	return err == nil && (g.Reaches("sample") || g.Reaches("secret"))
}

var ruleKeys = []string{
	"language", "entrypoint", "authors", "model_solution",
	"permitted", "required", "score", "message", "use_for_time_limit",
}

// read reads one key of an expectation; known reports whether key is such a key.
func (e *Expectation) read(p *Problem, key string, n *yaml.Node) (known bool, err error) {
	switch key {
	case "permitted":
		e.Permitted, err = verdicts(n)
	case "required":
		e.Required, err = verdicts(n)
	case "message":
		e.Message, err = n.AsString()
	case "score":
		e.Score, err = scores(n)
		if err == nil && !p.Is(Scoring) {
			err = n.Errorf("score: only for scoring problems")
		}
	case "use_for_time_limit":
		var use bool
		if use, err = n.AsBool(); err == nil {
			e.Timing = TimingByVerdicts
			if !use {
				e.Timing = TimingNone
			}
			break
		}
		word, textErr := n.AsString()
		if textErr != nil || word != string(TimingLower) && word != string(TimingUpper) {
			return true, n.Errorf("use_for_time_limit: expected true, false, lower or upper")
		}
		e.Timing, err = Timing(word), nil
	default:
		return false, nil
	}
	return true, err
}

func verdicts(n *yaml.Node) ([]Verdict, error) {
	words, err := n.AsStrings()
	if err != nil {
		return nil, err
	}
	set := make([]Verdict, 0, len(words))
	for _, w := range words {
		v := Verdict(w)
		if !slices.Contains([]Verdict{Accepted, WrongAnswer, TimeLimit, RuntimeError}, v) {
			return nil, n.Errorf("verdict %q: expected AC, WA, TLE or RTE", w)
		}
		set = append(set, v)
	}
	if len(set) == 0 {
		return nil, n.Errorf("expected at least one of AC, WA, TLE, RTE")
	}
	return set, nil
}

func scores(n *yaml.Node) ([]float64, error) {
	if n.Kind() != yaml.Sequence {
		v, err := n.AsFloat()
		return []float64{v}, err
	}
	var list []float64
	for _, item := range n.Items() {
		v, err := item.AsFloat()
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	if len(list) != 2 || list[0] > list[1] {
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
	accepted := p.Spec().expectations["accepted"]
	accepted.from = "judging a file"
	s := &Submission{Program: *program, Problem: p, Expected: []Expectation{accepted}}
	s.Name = path.Base(name)
	Identify(s)
	s.Entry = s.likelyEntry()
	return s, nil
}
