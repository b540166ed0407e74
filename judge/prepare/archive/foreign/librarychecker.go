package foreign

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"crucible/judge/internal/lazy"
	"crucible/judge/prepare/archive"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// Problems of Library Checker (github.com/yosupo06/library-checker-problems): info.toml
// lists generators, each with a number of tests, and hash.json has the SHA-256 of the
// files that they make. Headers of all problems are in ../../common.

const (
	libraryCheckerFile = "info.toml"
	maxTOML            = 1 << 20
)

// libraryLeftovers are files that the reader does not use.
var libraryLeftovers = []unusedFiles{
	{lazy.Regexp(`^(in|out)/|^params\.h$|\.(exe|o|out)$`), Equal, "which are made of other files"},
}

// libraryInfo is info.toml.
type libraryInfo struct {
	Title     string
	TimeLimit float64
	Forum     string
	Checker   string
	Verifier  string
	Tests     []struct {
		Name   string
		Number int
	}
	Solutions []librarySolution
	Params    map[string]any
}

type librarySolution struct {
	Name     string
	Expect   string
	Wrong    bool
	AllowTLE bool `toml:"allow_tle"`
	AllowRE  bool `toml:"allow_re"`
	Function bool
}

// A library reads a problem of Library Checker.
type library struct {
	*draft
	info libraryInfo
	text []byte // of info.toml
}

func readLibraryChecker(d *draft) error {
	l := &library{draft: d}
	var err error
	if l.text, err = d.read(libraryCheckerFile, maxTOML); err != nil {
		return err
	}
	meta, err := toml.Decode(string(l.text), &l.info)
	var syntax toml.ParseError
	if errors.As(err, &syntax) {
		return &problem.Defect{File: d.where(libraryCheckerFile), Line: syntax.Position.Line, Msg: syntax.Message}
	}
	if err != nil {
		return problem.Defectf(d.where(libraryCheckerFile), "%s", strings.TrimPrefix(err.Error(), "toml: "))
	}
	for _, key := range meta.Undecoded() {
		l.loseVerdicts(d.where(libraryCheckerFile), "the key %s", key)
	}
	for _, key := range meta.Keys() {
		if !slices.ContainsFunc(meta.Undecoded(), func(other toml.Key) bool { return other.String() == key.String() }) {
			l.carry(d.where(libraryCheckerFile), "the key %s", key)
		}
	}
	if d.src.Zip == nil {
		d.include = append(d.include, filepath.Join(d.src.Path, filepath.FromSlash(d.dir), "..", "..", "common"))
	}
	return InOrder(l.metadata, l.params, l.validators, l.cases, l.solutions, l.hashes, l.statement)
}

// errorf returns an error at the n-th line (from 0) of info.toml that begins a table of
// that name, or at the line of a key.
func (l *library) errorf(name string, n int, format string, args ...any) error {
	line := 0
	start := regexp.MustCompile(`^\s*(\[\[` + regexp.QuoteMeta(name) + `\]\]|` + regexp.QuoteMeta(name) + `\s*=)`)
	for i, text := range strings.Split(string(l.text), "\n") {
		if start.MatchString(text) {
			if n == 0 {
				line = i + 1
				break
			}
			n--
		}
	}
	return &problem.Defect{File: l.where(libraryCheckerFile), Line: line, Msg: fmt.Sprintf(format, args...)}
}

func (l *library) metadata() error {
	if l.info.TimeLimit <= 0 || l.info.TimeLimit > 3600 {
		return l.errorf("timelimit", 0, "timelimit: expected a number of seconds from 0 to 3600, found %v", l.info.TimeLimit)
	}
	if l.info.Title != "" {
		l.meta.Name = map[string]string{"en": l.info.Title}
	}
	l.setTime((time.Duration(l.info.TimeLimit*1000) * time.Millisecond))
	l.meta.Limits.Memory = 1024 // of the site
	l.meta.Source = &source{Name: "Library Checker"}
	if strings.HasPrefix(l.info.Forum, "https://") {
		l.meta.Source.URL = l.info.Forum
	}
	return nil
}

// params makes params.h, which programs include, from the table params.
func (l *library) params() error {
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(l.info.Params)) {
		switch v := l.info.Params[key].(type) {
		case int64:
			fmt.Fprintf(&b, "#define %s (long long)%d\n", key, v)
		case float64:
			fmt.Fprintf(&b, "#define %s %v\n", key, v)
		case string:
			fmt.Fprintf(&b, "#define %s %q\n", key, v)
		default:
			return l.errorf(key, 0, "params: expected a number or text for %s", key)
		}
		if !macroName().MatchString(key) {
			return l.errorf(key, 0, "params: expected the name of a macro, found %q", key)
		}
	}
	l.headers = map[string][]byte{"params.h": []byte(b.String())}
	return nil
}

var macroName = lazy.Regexp(`^[A-Za-z_][A-Za-z0-9_]*$`)

func (l *library) validators() error {
	verifier, checker := l.info.Verifier, l.info.Checker
	if verifier == "" {
		verifier = "verifier.cpp"
	}
	if checker == "" {
		checker = "checker.cpp"
	}
	if err := l.judging("verifier", verifier, "input_validators/verifier"); err != nil {
		return err
	}
	return l.judging("checker", checker, "output_validator")
}

// cases reads the tests. Those named example are samples.
func (l *library) cases() error {
	l.solution = "submissions/accepted/correct.cpp"
	for n, t := range l.info.Tests {
		ext := path.Ext(t.Name)
		stem := strings.TrimSuffix(t.Name, ext)
		switch {
		case t.Number < 0 || t.Number > maxTests:
			return l.errorf("tests", n, "number: expected an integer from 0 to %d, found %d", maxTests, t.Number)
		case ext != ".in" && ext != ".cpp" || path.Base(t.Name) != t.Name || problem.IgnoredName(t.Name):
			return l.errorf("tests", n, "name: expected the name of a .cpp or .in file in gen/, found %q", t.Name)
		}
		command := ""
		if ext == ".cpp" {
			if !l.has("gen/" + t.Name) {
				return l.errorf("tests", n, "generator gen/%s is missing", t.Name)
			}
			var err error
			if command, err = l.generator("gen/" + t.Name); err != nil {
				return err
			}
		}
		for i := range t.Number {
			c := testCase{name: stem + "_" + pad(i, 2)}
			if command != "" {
				c.command = fmt.Sprintf("%s %d", command, i)
			} else if name := "gen/" + c.name + ".in"; l.has(name) {
				c.input = l.at(name)
			} else {
				return l.errorf("tests", n, "%s is missing", name)
			}
			to := l.groups[0]
			if stem == "example" {
				to = &l.sample
			}
			to.cases = append(to.cases, c)
		}
	}
	return nil
}

// solutions reads sol/correct.cpp, which makes the answers, and the others.
func (l *library) solutions() error {
	all := []librarySolution{{Name: "correct.cpp"}}
	for n, s := range append(all, l.info.Solutions...) {
		if path.Base(s.Name) != s.Name || problem.IgnoredName(s.Name) || !l.has("sol/"+s.Name) {
			return l.errorf("solutions", n-1, "name: expected the name of a file in sol/, found %q", s.Name)
		}
		if s.Name == "correct.cpp" && n > 0 {
			continue
		}
		files, err := l.sources("sol/" + s.Name)
		if err != nil {
			return err
		}
		if s.Function {
			if err := l.grader(s, files); err != nil {
				return err
			}
		}
		folder, r := s.folder()
		if folder == "" {
			return l.errorf("solutions", n-1, "expect: expected AC, WA, TLE or RE, found %q", s.Expect)
		}
		at := l.submission(folder, files, "sol/"+s.Name)
		if r != nil {
			l.rules[folder] = *r
		}
		if n == 0 {
			l.solution = at
		}
	}
	return nil
}

// grader adds the grader that calls the function of a solution.
func (l *library) grader(s librarySolution, files map[string]archive.File) error {
	more, err := l.sources("grader/grader.cpp")
	if err != nil {
		return err
	}
	for name, f := range more {
		if _, ok := files[name]; ok && name == s.Name {
			return problem.Defectf(l.where("sol/"+s.Name), "has the name of a file of the grader")
		}
		files[name] = f
	}
	return nil
}

// folder returns the folder of a solution and, if the format has no expectation for it, a
// rule. It returns "" for an unknown expectation.
func (s librarySolution) folder() (string, *rule) {
	permitted := []problem.Verdict{problem.Accepted}
	if s.AllowTLE {
		permitted = append(permitted, problem.TimeLimit)
	}
	if s.AllowRE {
		permitted = append(permitted, problem.RuntimeError)
	}
	switch {
	case s.Wrong || s.Expect == "WA":
		if len(permitted) == 1 {
			return "wrong_answer", nil
		}
		return "wrong_answer_or_else", &rule{Permitted: append(permitted, problem.WrongAnswer),
			Required: []problem.Verdict{problem.WrongAnswer}}
	case s.Expect == "TLE":
		return "time_limit_exceeded", nil
	case s.Expect == "RE":
		return "run_time_error", nil
	case s.Expect != "" && s.Expect != "AC":
		return "", nil
	case s.AllowTLE && s.AllowRE:
		return "allow_tle_re", &rule{Permitted: permitted}
	case s.AllowTLE:
		return "allow_tle", &rule{Permitted: permitted}
	case s.AllowRE:
		return "allow_re", &rule{Permitted: permitted}
	}
	return "accepted", nil
}

// hashes makes the given sums of the generated data from hash.json.
func (l *library) hashes() error {
	if !l.has("hash.json") {
		return nil
	}
	data, err := l.read("hash.json", problem.MaxProgramBytes)
	if err != nil {
		return err
	}
	var sums map[string]string
	if err := json.Unmarshal(data, &sums); err != nil {
		var syntax *json.SyntaxError
		line := 1
		if errors.As(err, &syntax) {
			line += strings.Count(string(data[:min(syntax.Offset, int64(len(data)))]), "\n")
		}
		return &problem.Defect{File: l.where("hash.json"), Line: line,
			Msg: "expected a JSON object of names and SHA-256 sums: " + err.Error()}
	}
	lines := make(map[string]string)
	for _, g := range []struct {
		folder string
		cases  []testCase
	}{{"sample", l.sample.cases}, {"secret", l.groups[0].cases}} {
		for _, c := range g.cases {
			for _, ext := range [][2]string{{".in", ".in"}, {".out", ".ans"}} {
				sum := sums[c.name+ext[0]]
				if b, err := hex.DecodeString(sum); err != nil || len(b) != 32 {
					l.wrong.Addf(l.where("hash.json"), "%s%s: expected a SHA-256 sum of 64 hexadecimal digits, found %q", c.name,
						ext[0], sum)
					continue
				}
				name := g.folder + "/" + c.name + ext[1]
				lines[name] = sum + "  " + name + "\n"
			}
		}
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		b.WriteString(lines[name])
	}
	l.files["generators/given.sha256"] = archive.File{Data: []byte(b.String())}
	return nil
}

// statement makes problem.en.md from task.md, which has commands in @{…}.
func (l *library) statement() error {
	if !l.has("task.md") {
		l.lose(l.where("task.md"), "the statement, which is missing")
		return nil
	}
	data, err := l.read("task.md", problem.MaxYAML)
	if err != nil {
		return err
	}
	english, others := true, make(map[string]bool)
	text := statementCommand().ReplaceAllStringFunc(string(data), func(command string) string {
		kind, name, _ := strings.Cut(strings.Trim(command, "@{}"), ".")
		switch kind {
		case "lang":
			if english = name == "en" || name == "end"; english {
				return "\x01"
			}
			others[name] = true
			return "\x02"
		case "keyword":
			return terminal.Capital(name)
		case "param":
			return fmt.Sprint(l.info.Params[name])
		}
		return "" // examples, which are samples here
	})
	var b strings.Builder
	for i, part := range strings.FieldsFunc(text, func(r rune) bool { return r == 1 }) {
		if before, _, other := strings.Cut(part, "\x02"); i > 0 || other {
			part = before
		}
		b.WriteString(part)
	}
	for _, language := range slices.Sorted(maps.Keys(others)) {
		l.lose(l.where("task.md"), "the statement in %s: only that in English is imported", language)
	}
	l.files["statement/problem.en.md"] = archive.File{Data: []byte(b.String())}
	return nil
}

var statementCommand = lazy.Regexp(`@\{[a-z]+\.[A-Za-z0-9_]+\}`)
