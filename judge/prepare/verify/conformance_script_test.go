package verify

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing/fstest"
	"time"

	"golang.org/x/tools/txtar"

	"crucible/judge/problem"
)

// A conformance is one package of the suite, with the behavior that is expected of a
// judge. Its txtar comment begins with a paragraph that quotes the deciding sentence
// of the specification. After an empty line it has lines of these forms only:
//
//	open ok                            Open accepts the package
//	open error FILE[:LINE]: PART       Open returns an error that contains PART; all errors are listed
//	warn FILE[:LINE]: PART             one of the warnings; all are listed
//	doubt FILE[:LINE]: PART            one of the doubts; all are listed
//	is KEY: VALUE                      a fact about the opened package; the table facts has the keys
//	run SUBMISSION VERDICT [CLAUSE...] the result of a submission; all submissions are listed
//	infer error PART                   no time limit can be inferred
//	infer DURATION                     the time limit, inferred or not
//	verify ok                          every promise that can be checked is kept
//	verify broken PROMISE: FILE[:LINE]: PART
//	verify doubt PROMISE: FILE[:LINE]: PART
//	verify fails                       Verify returns an error; broken promises are listed as well
//	boxed                              the package needs full boxes and is skipped elsewhere
//	pending REASON                     the judge does not support this yet; the package is skipped
//
//	id NAME                            the package's folder; default the file's name without _
//	dir NAME                           an empty folder
//	link NAME TARGET                   a symbolic link
//	bytes NAME "TEXT"                  a file as a Go string, for contents that txtar cannot store
//
// A VERDICT is AC, WA, TLE, MLE, OLE, RTE, CE, JE (a judge error), skipped, or - if the
// specification gives none. Clauses: score N; cases CASE=VERDICT...; not-run GROUP...
// (by a judge that skips the cases that cannot change the result); unexpected (the
// expectation of the folder is not met); and at the end: says WORDS, which the report
// must contain.
//
// Verify repeats the warnings of the format; they are listed in warn lines only.
type conformance struct {
	name    string
	about   string
	pending string
	boxed   bool
	id      string
	files   fstest.MapFS
	links   map[string]string

	opened  bool // there is an open line
	opens   []defectLine
	warns   []defectLine
	doubts  []defectLine
	facts   []factLine
	runs    []runLine
	infer   string
	limit   time.Duration
	verify  bool
	fails   bool
	broken  []brokenLine
	doubted []brokenLine
}

// A defectLine is a position and a part of the expected message.
type defectLine struct {
	file string
	line int
	part string
}

func (d defectLine) String() string {
	if d.line == 0 {
		return d.file + ": " + d.part
	}
	return fmt.Sprintf("%s:%d: %s", d.file, d.line, d.part)
}

var placeAt = regexp.MustCompile(`^:([0-9]+)(:[0-9]+)?: `)

func (d defectLine) matches(text string) bool {
	rest, ok := strings.CutPrefix(text, d.file)
	if !ok {
		return false
	}
	line := 0
	if m := placeAt.FindStringSubmatch(rest); m != nil {
		line, _ = strconv.Atoi(m[1])
		rest = rest[len(m[0])-2:]
	}
	msg, ok := strings.CutPrefix(rest, ": ")
	return ok && line == d.line && strings.Contains(msg, d.part)
}

type brokenLine struct {
	promise string
	defectLine
}

type runLine struct {
	submission string
	verdict    string
	score      *float64
	cases      map[string]string
	notRun     []string
	unexpected bool
	says       string
}

type factLine struct {
	key, want string
	ask       func(*problem.Problem) string
}

func readConformance(name string) (*conformance, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return parseConformance(filepath.Base(name), data)
}

func parseConformance(name string, data []byte) (*conformance, error) {
	archive := txtar.Parse(data)
	about, script, _ := strings.Cut(string(archive.Comment), "\n\n")
	if strings.HasPrefix(about, "\n") {
		about, script = "", string(archive.Comment)
	}
	base := strings.TrimSuffix(name, ".txtar")
	c := &conformance{name: base, about: about, id: strings.ReplaceAll(base, "_", ""), files: fstest.MapFS{}, links: make(map[string]string)}
	if strings.TrimSpace(about) == "" {
		return nil, fmt.Errorf("%s:1: expected a comment that quotes the deciding sentence", name)
	}
	for _, f := range archive.Files {
		if _, ok := c.files[f.Name]; ok || !fs.ValidPath(f.Name) {
			return nil, fmt.Errorf("%s: file %q: expected a path that occurs once", name, f.Name)
		}
		// The judge runs these scripts directly.
		mode := fs.FileMode(0o644)
		if base := path.Base(f.Name); base == "build" || base == "run" {
			mode = 0o755
		}
		c.files[f.Name] = &fstest.MapFile{Data: f.Data, Mode: mode}
	}
	first := strings.Count(about, "\n") + 2
	for i, line := range strings.Split(strings.TrimSuffix(script, "\n"), "\n") {
		if line == "" {
			continue
		}
		if err := c.read(line); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, first+i+1, err)
		}
	}
	switch {
	case !c.opened:
		return nil, fmt.Errorf("%s: expected an open line in the comment", name)
	case len(c.opens) > 0 && (c.runs != nil || c.verify || c.facts != nil || c.warns != nil || c.doubts != nil):
		return nil, fmt.Errorf("%s: expected no other results for a package that does not open", name)
	}
	return c, nil
}

// read reads one line of the comment.
func (c *conformance) read(line string) (err error) {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "open":
		c.opened = true
		if rest == "ok" {
			return nil
		}
		if rest, ok := strings.CutPrefix(rest, "error "); ok {
			return c.place(&c.opens, rest)
		}
	case "warn":
		return c.place(&c.warns, rest)
	case "doubt":
		return c.place(&c.doubts, rest)
	case "is":
		return c.fact(rest)
	case "run":
		return c.run(rest)
	case "infer":
		if part, ok := strings.CutPrefix(rest, "error "); ok {
			c.infer = part
			return nil
		}
		c.limit, err = time.ParseDuration(rest)
		return err
	case "verify":
		return c.promise(rest)
	case "pending":
		c.pending = rest
		if rest != "" {
			return nil
		}
	case "boxed":
		c.boxed = true
		return nil
	case "id":
		c.id = rest
		return nil
	case "dir":
		c.files[rest] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
		return nil
	case "link":
		if f := strings.Fields(rest); len(f) == 2 {
			c.links[f[0]] = f[1]
			return nil
		}
	case "bytes":
		name, quoted, _ := strings.Cut(rest, " ")
		text, err := strconv.Unquote(quoted)
		c.files[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
		return err
	}
	return fmt.Errorf("unknown line %q", line)
}

func (c *conformance) place(to *[]defectLine, text string) error {
	d, err := parsePlace(text)
	*to = append(*to, d)
	return err
}

func parsePlace(text string) (d defectLine, err error) {
	file, part, ok := strings.Cut(text, ": ")
	if !ok || part == "" {
		return d, fmt.Errorf("%q: expected FILE[:LINE]: PART", text)
	}
	d.file, d.part = file, part
	if i := strings.LastIndexByte(file, ':'); i >= 0 {
		d.file = file[:i]
		if d.line, err = strconv.Atoi(file[i+1:]); err != nil {
			return d, fmt.Errorf("%q: expected FILE[:LINE]: PART", text)
		}
	}
	return d, nil
}

func (c *conformance) promise(text string) error {
	c.verify = true
	switch text {
	case "ok":
		return nil
	case "fails":
		c.fails = true
		return nil
	}
	to := &c.broken
	kind, text, ok := strings.Cut(text, " ")
	if kind == "doubt" {
		to = &c.doubted
	} else if kind != "broken" {
		ok = false
	}
	promise, rest, _ := strings.Cut(text, ": ")
	known := false
	for _, row := range promises {
		known = known || row.name == promise
	}
	if !ok || !known {
		return fmt.Errorf("verify %s: expected ok, fails, or broken or doubt and a promise of the judge's table", text)
	}
	d, err := parsePlace(rest)
	*to = append(*to, brokenLine{promise, d})
	return err
}

var runVerdicts = []string{"AC", "WA", "TLE", "MLE", "OLE", "RTE", "CE", "JE", "skipped", "-"}

func (c *conformance) run(text string) error {
	text, says, _ := strings.Cut(text, " says ")
	words := strings.Fields(text)
	if len(words) < 2 || !slices.Contains(runVerdicts, words[1]) {
		return fmt.Errorf("run %s: expected a submission and a verdict, found verdict %q", text, words[min(1, len(words)-1)])
	}
	r := runLine{submission: words[0], verdict: words[1], says: says}
	if slices.ContainsFunc(c.runs, func(o runLine) bool { return o.submission == r.submission }) {
		return fmt.Errorf("run %s: a second line for this submission", r.submission)
	}
	clause := ""
	for _, w := range words[2:] {
		switch {
		case slices.Contains([]string{"score", "cases", "not-run"}, w):
			clause = w
		case w == "unexpected":
			r.unexpected, clause = true, ""
		case clause == "score":
			v, err := strconv.ParseFloat(w, 64)
			if err != nil {
				return err
			}
			r.score, clause = &v, ""
		case clause == "cases":
			name, verdict, _ := strings.Cut(w, "=")
			if !slices.Contains(runVerdicts[:8], verdict) {
				return fmt.Errorf("run %s: %q: expected CASE=VERDICT", r.submission, w)
			}
			if r.cases == nil {
				r.cases = make(map[string]string)
			}
			r.cases[name] = verdict
		case clause == "not-run":
			r.notRun = append(r.notRun, w)
		default:
			return fmt.Errorf("run %s: unknown clause %q", r.submission, w)
		}
	}
	c.runs = append(c.runs, r)
	return nil
}

func (c *conformance) fact(text string) error {
	key, want, ok := strings.Cut(text, ": ")
	kind, of, _ := strings.Cut(key, " ")
	ask := facts[kind]
	if !ok || ask == nil {
		return fmt.Errorf("is %s: expected a key of the table of facts and a value", text)
	}
	c.facts = append(c.facts, factLine{key, want, func(p *problem.Problem) string { return ask(p, of) }})
	return nil
}

// facts is the table of facts about an opened package. A fact about a case or group
// takes its name.
var facts = map[string]func(p *problem.Problem, of string) string{
	"version":     func(p *problem.Problem, _ string) string { return p.Version },
	"types":       func(p *problem.Problem, _ string) string { return words(p.Types) },
	"uuid":        func(p *problem.Problem, _ string) string { return p.UUID },
	"license":     func(p *problem.Problem, _ string) string { return p.License },
	"name":        func(p *problem.Problem, language string) string { return p.Names[language] },
	"languages":   func(p *problem.Problem, _ string) string { return words(p.Languages) },
	"writing":     func(p *problem.Problem, _ string) string { return fmt.Sprint(p.AllowFileWriting) },
	"passes":      func(p *problem.Problem, _ string) string { return fmt.Sprint(p.Passes) },
	"minimize":    func(p *problem.Problem, _ string) string { return fmt.Sprint(p.Minimize) },
	"constant":    func(p *problem.Problem, name string) string { return p.Constants[name] },
	"time_limit":  func(p *problem.Problem, _ string) string { return p.Limits.Time.String() },
	"memory":      func(p *problem.Problem, _ string) string { return mebibytes(p.Limits.Memory) },
	"output":      func(p *problem.Problem, _ string) string { return mebibytes(p.Limits.Output) },
	"code":        func(p *problem.Problem, _ string) string { return fmt.Sprint(p.Code>>10, "KiB") },
	"resolution":  func(p *problem.Problem, _ string) string { return fmt.Sprint(p.Timing.Resolution) },
	"multipliers": func(p *problem.Problem, _ string) string { return fmt.Sprint(p.Timing.ACToLimit, p.Timing.LimitToTLE) },
	"building":    func(p *problem.Problem, _ string) string { return guarantee(p.Building) },
	"checking":    func(p *problem.Problem, _ string) string { return guarantee(p.Checking) },
	"cases":       func(p *problem.Problem, _ string) string { return caseNames(p.Cases) },
	"samples":     func(p *problem.Problem, _ string) string { return caseNames(p.Samples()) },
	"validation": func(p *problem.Problem, _ string) string {
		return caseNames(slices.Concat(p.InvalidInput, p.InvalidOutput, p.ValidOutput))
	},
	"submissions":   func(p *problem.Problem, _ string) string { return submissionNames(p.Submissions) },
	"args":          ofCase(func(c *problem.Case) string { return words(c.Args) }),
	"output_args":   ofCase(func(c *problem.Case) string { return words(c.OutputValidatorArgs) }),
	"input_args":    ofCase(func(c *problem.Case) string { return words(c.InputValidatorArgs) }),
	"hint":          ofCase(func(c *problem.Case) string { return strings.TrimSpace(c.Hint) }),
	"description":   ofCase(func(c *problem.Case) string { return strings.TrimSpace(c.Description) }),
	"full_feedback": ofCase(func(c *problem.Case) string { return fmt.Sprint(c.FullFeedback) }),
	"max_score":     ofGroup(func(g *problem.Group) string { return fmt.Sprint(g.MaxScore) }),
	"aggregation":   ofGroup(func(g *problem.Group) string { return string(g.Aggregation) }),
	"require_pass":  ofGroup(func(g *problem.Group) string { return words(g.RequirePass) }),
	"on_reject":     ofGroup(func(g *problem.Group) string { return g.OnReject }),
	"grader_flags":  ofGroup(func(g *problem.Group) string { return words(g.GraderFlags) }),
	"range":         ofGroup(func(g *problem.Group) string { return fmt.Sprint(g.Range[0], g.Range[1]) }),
	"authors": func(p *problem.Problem, submission string) string {
		if s := p.SubmissionNamed(submission); s != nil {
			return strings.Join(s.Authors, ", ")
		}
		return "no such submission"
	},
	"model": func(p *problem.Problem, submission string) string {
		s := p.SubmissionNamed(submission)
		return fmt.Sprint(s != nil && s.Model)
	},
	"language": func(p *problem.Problem, submission string) string {
		if s := p.SubmissionNamed(submission); s != nil && s.Language != nil {
			return s.Language.Code
		}
		return "none"
	},
}

func ofCase(ask func(*problem.Case) string) func(*problem.Problem, string) string {
	return func(p *problem.Problem, name string) string {
		all := slices.Concat(p.Cases, p.InvalidInput, p.InvalidOutput, p.ValidOutput)
		i := slices.IndexFunc(all, func(c *problem.Case) bool { return c.Name == name })
		if i < 0 {
			return "no such case"
		}
		return ask(all[i])
	}
}

func ofGroup(ask func(*problem.Group) string) func(*problem.Problem, string) string {
	return func(p *problem.Problem, name string) string {
		if g := p.Data.At(name); g != nil {
			return ask(g)
		}
		return "no such group"
	}
}

func words[T ~string](list []T) string { return strings.Trim(fmt.Sprint(list), "[]") }

func mebibytes(n int64) string { return fmt.Sprint(n>>20, "MiB") }

func guarantee(g problem.Guarantee) string {
	return fmt.Sprint(g.Time, " ", mebibytes(g.Memory), " ", mebibytes(g.Output))
}

func caseNames(cases []*problem.Case) string {
	var names []string
	for _, c := range cases {
		names = append(names, c.Name)
	}
	return words(names)
}

func submissionNames(all []*problem.Submission) string {
	var names []string
	for _, s := range all {
		names = append(names, s.Name)
	}
	return words(names)
}
