package foreign

import (
	"bytes"
	_ "embed" // for the script
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"crucible/judge/internal/lazy"
	"crucible/judge/prepare/archive"
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
	root.seen = true
	if err := InOrder(p.testset, p.metadata, p.validators, p.testCases, p.outputValidator, p.fileNames,
		p.solutions, p.statements, p.resources); err != nil {
		return err
	}
	p.account(root, "", polygonRules, polygonDecisive)
	return nil
}

// polygonRules are the states of the elements and attributes of problem.xml that the
// reader does not use.
var polygonRules = rulesOf(
	keyList{"@revision", partRule{state: Equal, what: "a package has no revision"}},
	keyList{"@short-name", partRule{state: Equal, what: "the id is that of the new problem"}},
	keyList{"@url", partRule{state: Lost, what: "it is no address on the web"}},
	keyList{"statements/statement@charset tutorials/tutorial@charset", partRule{state: Equal, what: "the text is UTF-8"}},
	keyList{"statements/statement@mathjax tutorials/tutorial@mathjax",
		partRule{state: Equal, what: "formulas are always shown as such"}},
	keyList{"statements/statement@path statements/statement@type",
		partRule{state: Equal, what: "the statement is made of its sections, or of its PDF file"}},
	keyList{"tutorials/tutorial@type tutorials/tutorial@path",
		partRule{state: Equal, what: "the tutorial is made of its section"}},
	keyList{"judging@cpu-name judging@cpu-speed", partRule{state: Equal, what: "information only"}},
	keyList{"judging/testset/test-count assets/checker/testset/test-count " +
		"assets/validators/validator/testset/test-count", partRule{state: Equal, what: "the tests are counted"}},
	keyList{"judging/testset/tests/test@description judging/testset/tests/test/executables " +
		"files/executables/executable@path assets/checker/testset/tests/test@description " +
		"assets/validators/validator/testset/tests/test@group", partRule{state: Lost}},
	keyList{"judging/testset/groups/group@feedback-policy",
		partRule{state: Lost, what: "it says what contestants see of the tests"}},
	keyList{"files/executables/executable/binary assets/checker/binary assets/interactor/binary " +
		"assets/validators/validator/binary assets/solutions/solution/binary",
		partRule{state: Equal, what: "programs are compiled from their sources"}},
	keyList{"assets/checker/copy", partRule{state: Equal, what: "it is a copy of the source"}},
	keyList{"assets/checker@type", partRule{state: Equal, what: "checkers must use testlib"}},
	keyList{"assets/checker@name", partRule{state: Equal, what: "the source is the checker"}},
	keyList{"assets/checker/testset",
		partRule{state: Lost, what: "tests of the checker, which is the default output validator"}},
	keyList{"assets/solutions/solution/source@type assets/checker/source@type assets/interactor/source@type " +
		"assets/validators/validator/source@type files/executables/executable/source@type files/resources/file@type",
		partRule{state: Equal, what: "the language is that of the name"}},
)

// polygonDecisive are the beginnings of the names of parts on which verdicts depend. Unknown
// parts of validators and solutions change no verdict.
var polygonDecisive = []string{
	"judging", "assets/checker", "assets/interactor", "assets/scorer", "assets/arbiter", "assets/strategy",
	"assets/program",
	"files/resources/file/", "files/resources/file@for-type", "files/resources/file@location",
	"files/resources/file@secure-grader",
}

// lose states an element that is lost or, with its name, an attribute.
func (p *polygon) lose(e *element, attr, format string, args ...any) {
	e.stated[attr] = true
	p.draft.lose(e.where(), format, args...)
}

// loseVerdicts is lose for a part on which verdicts depend.
func (p *polygon) loseVerdicts(e *element, attr, format string, args ...any) {
	e.stated[attr] = true
	p.draft.loseVerdicts(e.where(), format, args...)
}

// testset finds the test set and the generators.
func (p *polygon) testset() error {
	sets := p.problem.all("judging/testset")
	if len(sets) == 0 {
		return p.problem.errorf("expected judging/testset")
	}
	p.tests = sets[0]
	p.tests.attr("name")
	for _, s := range sets[1:] {
		if s.attr("name") == "tests" {
			p.tests = s
		}
	}
	for _, s := range sets {
		if s == p.tests {
			continue
		}
		if p.tests.attr("name") == "tests" {
			p.lose(s, "", "test set %q: only %q was imported", s.attr("name"), "tests")
		} else {
			p.loseVerdicts(s, "", "test set %q: only %q was imported", s.attr("name"), p.tests.attr("name"))
		}
		s.seen = false
	}
	if n := p.tests.one("test-count"); n != nil &&
		strings.TrimSpace(n.text) != strconv.Itoa(len(p.tests.all("tests/test"))) {
		p.loseVerdicts(n, "", "test-count %s: the package lists %d tests", strings.TrimSpace(n.text),
			len(p.tests.all("tests/test")))
	}
	j := p.problem.one("judging")
	if runs := j.attr("run-count"); runs != "" && runs != "1" {
		p.loseVerdicts(j, "run-count", "run-count %s: submissions run once on each test", runs)
	}
	if as := j.attr("treat-points-from-checker-as-percent"); as != "" && as != "false" {
		p.loseVerdicts(j, "treat-points-from-checker-as-percent",
			"treat-points-from-checker-as-percent: points of the checker are those of the test, not a part of them")
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
			p.lose(n, "", "the name in the language %q", n.attr("language"))
		}
	}
	for _, t := range p.problem.all("tags/tag") {
		if word := t.attr("value"); word != "" {
			p.meta.Keywords = append(p.meta.Keywords, word)
			if word == "run-twice" {
				p.loseVerdicts(t, "value", "the tag run-twice: submissions run once on each test")
			}
		}
	}
	if url := p.problem.attr("url"); strings.HasPrefix(url, "https://") || strings.HasPrefix(url, "http://") {
		p.meta.Source = &source{Name: "Polygon", URL: url}
	} else if url != "" {
		p.lose(p.problem, "url", "the url %q, which is no address on the web", url)
	}
	ms, err := p.number(p.tests.one("time-limit"), "time-limit", 1, 1<<30)
	if err != nil {
		return err
	}
	p.setTime(time.Duration(ms) * time.Millisecond)
	bytes, err := p.number(p.tests.one("memory-limit"), "memory-limit", 1, problem.MaxLimitMiB<<20)
	if p.meta.Limits.Memory = (bytes + 1<<20 - 1) >> 20; err == nil && bytes%(1<<20) != 0 && p.Memory == 0 {
		e := p.tests.one("memory-limit")
		p.loseVerdicts(e, "", "memory-limit %d bytes: the format has whole MiB, so the limit is %d MiB", bytes,
			p.meta.Limits.Memory)
	}
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
		p.groupArgs = p.groupArgs || readsGroup().Match(text)
		err = p.ownTests(v, func(n string, test *element, files map[string]string) {
			if test.attr("verdict") == "invalid" {
				p.files["data/invalid_input/validator-"+n+".in"] = archive.File{From: p.at(files["input"])}
				return
			}
			p.lose(test, "verdict", "a test of the validator with the verdict %q: the format has invalid inputs only",
				test.attr("verdict"))
			p.used[p.at(files["input"])] = true
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// readsGroup matches validators that depend on the group of the test.
var readsGroup = lazy.Regexp(`\bgroup\(\)|\bgetGroup\(`)

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
					p.lose(test, "", "a test of the program: %s is missing", name)
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

// outputValidator adds the output validator: the checker unless the default validator is
// equal in meaning, the interactor, or both.
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
		interactor := i.one("source").attr("path")
		if interactor == "" {
			return i.errorf("expected the source of the interactor")
		}
		text, err := p.read(name, maxSource)
		if checker == nil || err == nil && bytes.Equal(text, AlwaysAccept) {
			return p.draft.outputValidator("interactor", interactor)
		}
		if err := p.interactorAndChecker(interactor, name); err != nil {
			return err
		}
		return p.checkerPoints(checker, name)
	}
	if args, ok := standardCheckers[checker.attr("name")]; ok {
		p.validatorArgs = args
		p.used[p.at(name)] = true
		p.used[p.at(checker.one("copy").attr("path"))] = true
		checker.stated["name"] = true
		p.equal(checker.where(), "checker %s: the default output validator decides in the same way", checker.attr("name"))
		return nil
	}
	if checker == nil || name == "" {
		return p.problem.errorf("expected assets/checker with a source")
	}
	if err := p.draft.outputValidator("checker", name); err != nil {
		return err
	}
	if err := p.checkerPoints(checker, name); err != nil {
		return err
	}
	return p.ownTests(checker, func(n string, test *element, files map[string]string) {
		folder := "invalid_output"
		if v := test.attr("verdict"); v == "ok" {
			folder = "valid_output"
		} else if v != "wrong-answer" && v != "presentation-error" {
			p.lose(test, "verdict", "a test of the checker with the verdict %q", v)
			for _, name := range files {
				p.used[p.at(name)] = true
			}
			return
		}
		for kind, ext := range map[string]string{"input": ".in", "answer": ".ans", "output": ".out"} {
			if files[kind] != "" {
				p.files["data/"+folder+"/checker-"+n+ext] = archive.File{From: p.at(files[kind])}
			}
		}
	})
}

// checkerPoints states the points that the checker gives, if no test has points, and the
// shares of them, which testlib calls _pc, if tests have points.
func (p *polygon) checkerPoints(checker *element, name string) error {
	text, err := p.read(name, maxSource)
	if err == nil && givesPoints().Match(text) && !p.scoring() {
		p.loseVerdicts(checker, "",
			"the points that the checker gives: no test has points, so an output that is correct in part is wrong")
	} else if err == nil && givesShares().Match(text) {
		p.loseVerdicts(checker, "",
			"_pc of the checker: in Polygon it is a share of the points of the test, here its number is the score")
	}
	return err
}

// RunBoth is the script run of an output validator that is an interactor and a checker, in
// folders of these names: it runs the interactor and, if that accepts, the checker on what
// the interactor wrote to tout.
//
//go:embed polygon_both.sh
var RunBoth []byte

// interactorAndChecker adds an output validator that runs both programs.
func (p *polygon) interactorAndChecker(interactor, checker string) error {
	const folder = "output_validator/"
	build := "#!/bin/sh\nset -e\n"
	for _, one := range [][2]string{{"interactor", interactor}, {"checker", checker}} {
		what, name := one[0], one[1]
		if !p.checkName(p.where(name), path.Base(name)) {
			return nil
		}
		if err := p.judging(what, name, folder+what); err != nil {
			return err
		}
		build += fmt.Sprintf("c++ -O2 -std=gnu++17 -o %[1]s.bin %[1]s/%[2]s\n", what, path.Base(name))
	}
	p.files[folder+"build"] = archive.File{Data: []byte(build), Executable: true}
	p.files[folder+"run"] = archive.File{Data: RunBoth, Executable: true}
	return nil
}

// givesPoints matches checkers that give points, and givesShares those that give a share of
// the points of a test.
var (
	givesPoints = lazy.Regexp(`\b(quitp|quitpi|_pc|_points|_partially)\b`)
	givesShares = lazy.Regexp(`\b(_pc|_partially)\b`)
)

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
	"main":                  {"accepted", nil},
	"accepted":              {"accepted", nil},
	"rejected":              {"rejected", nil},
	"failed":                {"rejected", nil},
	"wrong-answer":          {"wrong_answer", nil},
	"presentation-error":    {"wrong_answer", nil}, // the format has no verdict of its own for it
	"time-limit-exceeded":   {"time_limit_exceeded", nil},
	"memory-limit-exceeded": {"run_time_error", nil}, // likewise
	"time-limit-exceeded-or-accepted": {"time_limit_exceeded_or_accepted",
		&rule{Permitted: []problem.Verdict{problem.Accepted, problem.TimeLimit}}},
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
			p.lose(s, "", "solution %s with the tag %q", name, t)
			p.used[p.at(name)] = true
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
		at := p.submission(to.folder, files, name)
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
			p.lose(extra, "", "the tag %q of %s for one test set or group", extra.attr("tag"), name)
			extra.seen = false
		}
	}
	return nil
}

// fileNames reads the names of the files that submissions read and write.
func (p *polygon) fileNames() error {
	j := p.problem.one("judging")
	name := func(attr, stream string) string {
		if file := j.attr(attr); file != stream {
			return file
		}
		return ""
	}
	return p.ioFiles(j.where(), name("input-file", "stdin"), name("output-file", "stdout"))
}

// resources states the files, and adds the attachments.
func (p *polygon) resources() error {
	for _, f := range p.problem.all("files/attachments/file") {
		name := f.attr("path")
		if base := path.Base(name); p.has(name) && !problem.IgnoredName(base) {
			p.files["attachments/"+base] = archive.File{From: p.at(name)}
		} else {
			p.lose(f, "path", "the attachment %q, which is missing or has a name that the format ignores", name)
		}
	}
	for _, list := range []string{"files/resources/file", "files/executables/executable/source"} {
		for _, f := range p.problem.all(list) {
			switch name := f.attr("path"); {
			case p.used[p.at(name)]:
			case !p.has(name) || slices.Contains(polygonOwn, path.Base(name)):
				f.stated["path"] = true
				p.equal(f.where(), "%s: the new problem does not need it", name)
			default:
				p.lose(f, "path", "%s: no program of the new problem includes or runs it", name)
			}
			p.used[p.at(f.attr("path"))] = true
		}
	}
	return nil
}

// polygonOwn are files of Polygon itself, for its own statements and programs.
var polygonOwn = []string{"olymp.sty", "problem.tex", "statements.ftl", "tutorial.tex", "testlib.h"}

// polygonLeftovers are files of a package that problem.xml does not name, or names in other
// ways.
var polygonLeftovers = []unusedFiles{
	{lazy.Regexp(`^(doall|wipe|check)\.|^scripts/|\.(exe|bat|sh|cmd)$`), Equal,
		"which build the package on Polygon"},
	{lazy.Regexp(`^(statements/|statement-sections/[^/]*/name\.tex$|statement-sections/[^/]*/example\.[0-9]+)`),
		Equal, "which the new problem has in another form"},
	{lazy.Regexp(`^solutions/.*\.desc$`), Equal, "which repeat the tags of solutions"},
	{lazy.Regexp(`^(problem\.xml\.polygon|tags|check\.[a-z+]+)$`), Equal, "which repeat problem.xml"},
}
