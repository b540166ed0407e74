package foreign

import (
	"bytes"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"crucible/judge/problem"
)

// Packages of Polygon (polygon.codeforces.com): problem.xml describes the tests, which
// are files or made by commands of generators, and the programs. Checkers, interactors
// and validators use testlib.

// polygonFile is the description of a package of Polygon.
const polygonFile = "problem.xml"

// A polygon reads a package of Polygon.
type polygon struct {
	*draft
	problem *element
	tests   *element // the test set

	generators map[string]string // file of each generator, by the name in commands
	groupArgs  bool              // a validator reads the group of the test
}

func readPolygon(d *draft) error {
	data, err := d.read(polygonFile, maxXML)
	if err != nil {
		return err
	}
	root, err := parseXML(d.where(polygonFile), data)
	if err != nil {
		return err
	}
	if root.name != "problem" {
		return root.errorf("expected the element problem, found %q", root.name)
	}
	p := &polygon{draft: d, problem: root, generators: make(map[string]string)}
	for _, step := range []func() error{p.testset, p.metadata, p.validators, p.testCases, p.outputValidator, p.solutions, p.statements} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// testset finds the test set and the generators.
func (p *polygon) testset() error {
	sets := p.problem.all("judging/testset")
	if len(sets) == 0 {
		return p.problem.errorf("expected judging/testset")
	}
	p.tests = sets[0]
	for _, s := range sets[1:] {
		if s.attr("name") == "tests" {
			p.tests = s
		}
	}
	for _, s := range sets {
		if s != p.tests {
			p.lose(s.where(), "test set %q: only %q was imported", s.attr("name"), p.tests.attr("name"))
		}
	}
	for _, e := range p.problem.all("files/executables/executable/source") {
		name := e.attr("path")
		base := path.Base(name)
		if p.has(name) {
			p.generators[strings.TrimSuffix(base, path.Ext(base))] = name
		}
	}
	return nil
}

// metadata reads the names, limits and tags.
func (p *polygon) metadata() error {
	p.meta.Name = make(map[string]string)
	for _, n := range p.problem.all("names/name") {
		if code := LanguageCodes[n.attr("language")]; code != "" && strings.TrimSpace(n.attr("value")) != "" {
			p.meta.Name[code] = strings.TrimSpace(n.attr("value"))
		} else {
			p.lose(n.where(), "the name in the language %q", n.attr("language"))
		}
	}
	for _, t := range p.problem.all("tags/tag") {
		p.meta.Keywords = append(p.meta.Keywords, t.attr("value"))
	}
	if url := p.problem.attr("url"); strings.HasPrefix(url, "https://") || strings.HasPrefix(url, "http://") {
		p.meta.Source = &source{Name: "Polygon", URL: url}
	}
	for _, name := range []string{"input-file", "output-file"} {
		j := p.problem.one("judging")
		if file := j.attr(name); file != "" && file != "stdin" && file != "stdout" {
			p.lose(j.where(), "%s %q: programs read standard input and write standard output", name, file)
		}
	}
	ms, err := p.number(p.tests.one("time-limit"), "time-limit", 1, 1<<30)
	if err != nil {
		return err
	}
	p.setTime(time.Duration(ms) * time.Millisecond)
	bytes, err := p.number(p.tests.one("memory-limit"), "memory-limit", 1, problem.MaxLimitMiB<<20)
	p.meta.Limits.Memory = (bytes + 1<<20 - 1) >> 20
	return err
}

// number reads an integer. A missing element is an error.
func (p *polygon) number(e *element, name string, least, most int64) (int64, error) {
	if e == nil {
		return 0, p.tests.errorf("%s is missing", name)
	}
	n, err := strconv.ParseInt(strings.TrimSpace(e.text), 10, 64)
	if err != nil || n < least || n > most {
		return 0, e.errorf("%s: expected an integer from %d to %d, found %q", name, least, most, strings.TrimSpace(e.text))
	}
	return n, nil
}

// validators reads the input validators and the tests of them that must be rejected.
func (p *polygon) validators() error {
	all := append(p.problem.all("assets/validators/validator"), p.problem.all("assets/validator")...)
	for _, v := range all {
		name := v.one("source").attr("path")
		base := strings.TrimSuffix(path.Base(name), path.Ext(name))
		if name == "" {
			return v.errorf("expected the source of the validator")
		}
		if err := p.validator("validator", name, "input_validators/"+base); err != nil {
			return err
		}
		text, err := p.read(name, maxSource)
		if err != nil {
			return err
		}
		p.groupArgs = p.groupArgs || readsGroup.Match(text)
		err = p.ownTests(v, func(n string, test *element, files map[string]string) {
			if test.attr("verdict") == "invalid" {
				p.files["data/invalid_input/validator-"+n+".in"] = File{From: p.at(files["input"])}
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// readsGroup matches validators that depend on the group of the test.
var readsGroup = regexp.MustCompile(`\bgroup\(\)|\bgetGroup\(`)

// ownTests calls use for each test of a validator or checker, with the names of its files
// that exist.
func (p *polygon) ownTests(program *element, use func(n string, test *element, files map[string]string)) error {
	set := program.one("testset")
	for i, test := range set.all("tests/test") {
		files := make(map[string]string)
		for _, kind := range []string{"input", "output", "answer"} {
			if e := set.one(kind + "-path-pattern"); e != nil {
				name, err := numbered(e, i+1)
				if err != nil {
					return err
				}
				files[kind] = name
				if !p.has(name) {
					p.lose(test.where(), "a test of the program: %s is missing", name)
					files = nil
					break
				}
			}
		}
		if files != nil {
			use(pad(i+1, 2), test, files)
		}
	}
	return nil
}

// outputValidator adds the output validator: the interactor, or the checker unless the default
// validator is equal in meaning.
func (p *polygon) outputValidator() error {
	checker := p.problem.one("assets/checker")
	name := checker.one("source").attr("path")
	if name == "" {
		name = checker.one("copy").attr("path")
	}
	if i := p.problem.one("assets/interactor"); i != nil {
		if !p.scoring() {
			p.is(problem.PassFail)
		}
		p.is(problem.Interactive)
		if text, err := p.read(name, maxSource); checker != nil && (err != nil || !bytes.Equal(text, AlwaysAccept)) {
			p.lose(checker.where(), "the checker: the interactor alone decides, so what it writes to tout is not checked")
			p.lost[len(p.lost)-1].Verdicts = true
		}
		return p.draft.outputValidator("interactor", i.one("source").attr("path"))
	}
	if args, ok := standardCheckers[checker.attr("name")]; ok {
		p.validatorArgs = args
		return nil
	}
	if checker == nil || name == "" {
		return p.problem.errorf("expected assets/checker with a source")
	}
	if err := p.draft.outputValidator("checker", name); err != nil {
		return err
	}
	if text, err := p.read(name, maxSource); err == nil && !p.scoring() && givesPoints.Match(text) {
		p.lose(checker.where(), "the points that the checker gives: no test has points, so an output that is correct in part is wrong")
		p.lost[len(p.lost)-1].Verdicts = true
	}
	return p.ownTests(checker, func(n string, test *element, files map[string]string) {
		folder := "invalid_output"
		if v := test.attr("verdict"); v == "ok" {
			folder = "valid_output"
		} else if v != "wrong-answer" && v != "presentation-error" {
			p.lose(test.where(), "a test of the checker with the verdict %q", v)
			return
		}
		for kind, ext := range map[string]string{"input": ".in", "answer": ".ans", "output": ".out"} {
			if files[kind] != "" {
				p.files["data/"+folder+"/checker-"+n+ext] = File{From: p.at(files[kind])}
			}
		}
	})
}

// givesPoints matches checkers that give points.
var givesPoints = regexp.MustCompile(`\b(quitp|quitpi|_pc|_points)\b`)

// standardCheckers are testlib's checkers that are equal in meaning to the default output
// validator with these arguments. Others compare lines, or numbers in one way only.
var standardCheckers = map[string][]string{
	"std::wcmp.cpp":   {"case_sensitive"},
	"std::ncmp.cpp":   nil,
	"std::icmp.cpp":   nil,
	"std::hcmp.cpp":   nil,
	"std::yesno.cpp":  nil,
	"std::nyesno.cpp": nil,
	"std::rcmp.cpp":   {"float_absolute_tolerance", "1.5e-6"},
	"std::acmp.cpp":   {"float_absolute_tolerance", "1.5e-6"},
	"std::dcmp.cpp":   {"float_tolerance", "1e-6"},
	"std::rcmp4.cpp":  {"float_tolerance", "1e-4"},
	"std::rcmp6.cpp":  {"float_tolerance", "1e-6"},
	"std::rcmp9.cpp":  {"float_tolerance", "1e-9"},
}

// A tag of a solution stands for a folder of submissions/ and, if the folder has no
// expectation of its own, a rule.
type tag struct {
	folder string
	rule   *rule
}

var polygonTags = map[string]tag{
	"main":                            {"accepted", nil},
	"accepted":                        {"accepted", nil},
	"rejected":                        {"rejected", nil},
	"failed":                          {"rejected", nil},
	"wrong-answer":                    {"wrong_answer", nil},
	"presentation-error":              {"wrong_answer", nil}, // the format has no verdict of its own for it
	"time-limit-exceeded":             {"time_limit_exceeded", nil},
	"memory-limit-exceeded":           {"run_time_error", nil}, // likewise
	"time-limit-exceeded-or-accepted": {"time_limit_exceeded_or_accepted", &rule{Permitted: []problem.Verdict{problem.Accepted, problem.TimeLimit}}},
	"time-limit-exceeded-or-memory-limit-exceeded": {"brute_force", nil},
}

// solutions reads the solutions. The one with the tag main makes answers.
func (p *polygon) solutions() error {
	for _, s := range p.problem.all("assets/solutions/solution") {
		src := s.one("source")
		name, t := src.attr("path"), s.attr("tag")
		to, ok := polygonTags[t]
		if name == "" {
			return s.errorf("expected the source of the solution")
		}
		if !ok {
			p.lose(s.where(), "solution %s with the tag %q", name, t)
			continue
		}
		if !p.has(name) {
			p.wrong.Add(src.errorf("solution %q is missing", name))
			continue
		}
		if !p.checkName(s.where(), path.Base(name)) {
			continue
		}
		files, err := p.sources(name)
		if err != nil {
			return err
		}
		at := p.submission(to.folder, files, path.Base(name))
		if t == "main" {
			p.solution = at
		}
		if to.rule != nil {
			p.rules[to.folder] = *to.rule
		}
		if kind := src.attr("type"); strings.HasPrefix(kind, "python.2") || strings.HasPrefix(kind, "python.pypy2") {
			p.rules[strings.TrimPrefix(at, "submissions/")] = rule{Language: "python2"}
		}
		for _, extra := range s.all("extra-tags/extra-tag") {
			p.lose(extra.where(), "the tag %q of %s for one test set or group", extra.attr("tag"), name)
		}
	}
	return nil
}
