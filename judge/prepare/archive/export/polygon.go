package export

import (
	"encoding/xml"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"crucible/judge/prepare/archive"
	"crucible/judge/prepare/archive/foreign"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// Full packages of Polygon: problem.xml describes the files. Programs that judge are in C++
// and follow the conventions of testlib.

// A polygon is a package of Polygon while it is made.
type polygon struct {
	*draft
	xml      polygonProblem
	commands map[string]string // of generators, by case
	solution string            // that makes answers: "submissions/accepted/a.cpp"; "" if not known
}

// polygon writes a package of Polygon.
func (d *draft) polygon() error {
	if err := d.simpleType("Polygon"); err != nil {
		return err
	}
	p := &polygon{draft: d, commands: make(map[string]string)}
	p.metadata()
	d.siteLosses(true)
	if err := foreign.InOrder(p.generators, p.tests, p.checker, p.validators, p.solutions, p.statements,
		p.shownTexts); err != nil {
		return err
	}
	data, err := xml.MarshalIndent(p.xml, "", "    ")
	if err != nil {
		return err
	}
	d.files["problem.xml"] = archive.File{Data: append([]byte(xml.Header), append(data, '\n')...)}
	return nil
}

// simpleType returns an error for the types of problems that only the package format has.
func (d *draft) simpleType(site string) error {
	for _, t := range []problem.Type{problem.SubmitAnswer, problem.MultiPass} {
		if d.p.Is(t) {
			return problem.Defectf(d.p.Where(problem.ProblemFile), "type %s: %s has no such problems", t, site)
		}
	}
	return nil
}

// polygonLanguage returns the name that Polygon has for a language of statements, or "".
func polygonLanguage(code string) string {
	for name, c := range foreign.LanguageCodes {
		if c == code {
			return name
		}
	}
	return ""
}

func (p *polygon) metadata() {
	p.xml.Revision, p.xml.ShortName = 1, p.id
	for _, code := range slices.Sorted(maps.Keys(p.p.Names)) {
		if name := polygonLanguage(code); name != "" {
			p.xml.Names = append(p.xml.Names, polygonName{name, p.p.Names[code]})
		} else {
			p.lose(problem.ProblemFile, "the name in the language %s", code)
		}
	}
	switch words := p.raw["keywords"].(type) {
	case []any:
		for _, word := range words {
			p.xml.Tags = append(p.xml.Tags, polygonTag{fmt.Sprint(word)})
		}
	case string:
		for _, word := range strings.Fields(words) {
			p.xml.Tags = append(p.xml.Tags, polygonTag{word})
		}
	}
	for _, o := range p.p.Credits.Sources {
		if o.Name == "Polygon" && o.URL != "" {
			p.xml.URL = o.URL
		} else {
			p.lose(problem.ProblemFile, "source %s: the format has no such key", o.Name)
		}
	}
}

const cppType = "cpp.g++17"

// program adds a program to files/. It reports false if another file has one of its names.
func (p *polygon) program(t *testlibProgram) (main polygonSource, ok bool) {
	for name, data := range t.files {
		if old, ok := p.files["files/"+name]; ok && string(old.Data) != string(data) {
			return main, false
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t.files)) {
		p.files["files/"+name] = archive.File{Data: t.files[name]}
		r := polygonSource{"files/" + name, "h.g++"}
		if slices.Contains(cppSources, path.Ext(name)) {
			r.Type = cppType
		}
		if name != t.main && !slices.Contains(p.xml.Resources, r) {
			p.xml.Resources = append(p.xml.Resources, r)
		}
	}
	main = polygonSource{"files/" + t.main, cppType}
	p.xml.Executables = append(p.xml.Executables, polygonExecutable{main})
	return main, true
}

// checker adds the checker and the interactor.
func (p *polygon) checker() error {
	var t *testlibProgram
	after, err := &testlibProgram{"accept.cpp", map[string][]byte{"accept.cpp": foreign.AlwaysAccept}}, error(nil)
	if len(p.p.OutputValidators) == 1 {
		var checks *testlibProgram
		if t, checks, err = both(p.p.OutputValidators[0]); checks != nil {
			after = checks
		}
	}
	if t == nil && err == nil {
		t, err = p.outputChecker()
	}
	if err != nil || t == nil {
		return err
	}
	main, ok := p.program(t)
	if ok && p.p.Is(problem.Interactive) {
		p.xml.Assets.Interactor = &polygonProgram{Source: main}
		main, ok = p.program(after)
	}
	if !ok {
		p.loseVerdicts("output_validator", "the output validator has a file with the name of another one in files/")
		return nil
	}
	check := &polygonProgram{Type: "testlib", Source: main}
	const tests = "files/tests/checker-tests/"
	if cases := slices.Concat(p.p.InvalidOutput, p.p.ValidOutput); len(cases) > 0 {
		check.Tests = p.ownTests(tests, cases, map[string]string{"": ".in", ".o": ".out", ".a": ".ans"})
		check.Tests.Output, check.Tests.Answer = tests+"%02d.o", tests+"%02d.a"
		for i := range cases {
			if check.Tests.Tests[i].Verdict = "ok"; i < len(p.p.InvalidOutput) {
				check.Tests.Tests[i].Verdict = "wrong-answer"
			}
		}
	}
	p.xml.Assets.Checker = check
	return nil
}

// ownTests adds the tests of a checker or validator. ends maps the ends of their names to
// the extensions of the cases.
func (p *polygon) ownTests(folder string, cases []*problem.Case, ends map[string]string) *polygonOwnTests {
	set := &polygonOwnTests{Count: len(cases), Input: folder + "%02d"}
	for i, c := range cases {
		for end, ext := range ends {
			p.files[fmt.Sprintf("%s%02d%s", folder, i+1, end)] = fileOf(c, ext)
		}
		set.Tests = append(set.Tests, polygonOwnTest{Verdict: "invalid"})
	}
	return set
}

// fileOf returns the file of a case with an extension, which is empty if there is none.
func fileOf(c *problem.Case, ext string) archive.File {
	if !c.Has(ext) {
		return archive.File{Data: []byte{}}
	}
	return archive.File{From: c.Path(ext)}
}

// validators adds the input validators.
func (p *polygon) validators() error {
	args := slices.ContainsFunc(p.p.Cases, func(c *problem.Case) bool { return inputArgs(c) != nil })
	for _, v := range p.p.InputValidators {
		t, why, err := testlib(v, validator, nil)
		if err != nil {
			return err
		}
		if args {
			why = "gets arguments, which testlib does not pass"
		}
		var main polygonSource
		if why == "" {
			var ok bool
			if main, ok = p.program(t); !ok {
				why = "has a file with the name of another one in files/"
			}
		}
		if why != "" {
			p.lose(v.Path, "the input validator %s: expected one that can follow the conventions of testlib", why)
			continue
		}
		p.xml.Assets.Validators = append(p.xml.Assets.Validators, polygonProgram{Source: main})
	}
	switch n := len(p.p.InvalidInput); {
	case n == 0:
	case len(p.xml.Assets.Validators) != 1:
		p.lose("data/invalid_input", "%s: the format has them for one validator", terminal.Count(n, "case"))
	default:
		p.xml.Assets.Validators[0].Tests = p.ownTests("files/tests/validator-tests/", p.p.InvalidInput,
			map[string]string{"": ".in"})
	}
	return nil
}
