package export

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/check"
	"crucible/judge/prepare/archive"
	"crucible/judge/prepare/archive/foreign"
	"crucible/judge/problem"
)

// Other judges run checkers, interactors and validators by the conventions of testlib.

// A role is what a program does, and the macro that the adapter knows it by.
type role string

const (
	checker    role = "CHECKER"
	interactor role = "INTERACTOR"
	validator  role = "INPUT"
)

var (
	cppSources = []string{".cpp", ".cc", ".cxx", ".c++"}
	cppHeaders = []string{".h", ".hh", ".hpp", ".hxx"}
)

// A testlibProgram is a program with the conventions of testlib. All files are in one
// folder.
type testlibProgram struct {
	main  string
	files map[string][]byte
}

// testlib returns a validator of the package as a program with the conventions of
// testlib. If it is not possible, it returns nil and the reason.
func testlib(v *problem.Program, as role, args []string) (p *testlibProgram, why string, err error) {
	files, err := v.Read()
	if err != nil {
		return nil, "", err
	}
	return testlibOf(files, as, args)
}

// both returns the interactor and the checker that an output validator runs, if it is the one
// that importing makes of these two.
func both(v *problem.Program) (interacts, checks *testlibProgram, err error) {
	files, err := v.Read()
	if err != nil || !bytes.Equal(files["run"], foreign.RunBoth) {
		return nil, nil, err
	}
	part := func(as role) (p *testlibProgram) {
		own := make(map[string][]byte)
		for name, data := range files {
			if rest, ok := strings.CutPrefix(name, strings.ToLower(string(as))+"/"); ok {
				own[rest] = data
			}
		}
		p, _, err = testlibOf(own, as, nil)
		return p
	}
	if interacts, checks = part(interactor), part(checker); interacts == nil || checks == nil {
		return nil, nil, err
	}
	return interacts, checks, err
}

func testlibOf(files map[string][]byte, as role, args []string) (p *testlibProgram, why string, err error) {
	source := ""
	for name := range files {
		ext := path.Ext(name)
		switch {
		case strings.Contains(name, "/"):
			return nil, "has files in folders", nil
		case slices.Contains(cppSources, ext) && source != "":
			return nil, "has several C++ sources", nil
		case slices.Contains(cppSources, ext):
			source = name
		case !slices.Contains(cppHeaders, ext):
			return nil, "is not a C++ program of one source", nil
		}
	}
	if source == "" {
		return nil, "is not a C++ program of one source", nil
	}
	original, adapted := files[foreign.TestlibOriginal]
	adapted = adapted && bytes.HasSuffix(files[foreign.TestlibHeader], foreign.Adapter)
	if adapted || problem.FollowsTestlib(files, as == validator) {
		if len(args) > 0 {
			return nil, "gets arguments, which testlib does not pass", nil
		}
		if adapted {
			files[foreign.TestlibHeader] = original
			delete(files, foreign.TestlibOriginal)
		}
		return &testlibProgram{source, files}, "", nil
	}
	main := strings.ToLower(string(as)) + ".cpp"
	if files[main] != nil || files[foreign.AdapterHeader] != nil {
		return nil, "has a file named " + main + " or " + foreign.AdapterHeader, nil
	}
	files[foreign.AdapterHeader] = foreign.ValidatorAdapter
	header := foreign.AsHeader(source)
	files[header] = files[source]
	delete(files, source)
	files[main] = foreign.Adapted(string(as), header, args)
	return &testlibProgram{main, files}, "", nil
}

// packageTestlib makes the validators with testlib, which the judge runs as they are,
// follow the package format: the adapter takes the name of testlib's header.
func (d *draft) packageTestlib() error {
	for _, v := range slices.Concat(d.p.OutputValidators, d.p.InputValidators, d.p.AnswerValidators) {
		files, err := v.Read()
		if err != nil {
			return err
		}
		if !problem.FollowsTestlib(files, v.Checks != "") {
			continue
		}
		if adapted := d.adaptHeaders(v); adapted {
			continue
		}
		state := d.lose
		if v.Checks == "" {
			state = d.loseVerdicts
		}
		state(v.Path, "the exit statuses of testlib: expected testlib.h in the folder of the validator, to replace it")
	}
	return nil
}

// adaptHeaders replaces testlib's headers in the copy of a program. It reports false if
// there are none.
func (d *draft) adaptHeaders(v *problem.Program) (adapted bool) {
	for name, f := range maps.Clone(d.files) {
		if path.Base(f.From) != foreign.TestlibHeader || !strings.HasPrefix(f.From, v.Path+"/") {
			continue
		}
		d.files[path.Join(path.Dir(name), foreign.TestlibOriginal)] = f
		d.files[name] = archive.File{Data: foreign.AdapterOf(d.p.Is(problem.Scoring))}
		adapted = true
	}
	return adapted
}

// defaultChecker returns the default output validator as a program with the conventions
// of testlib.
func defaultChecker(args []string) (*testlibProgram, error) {
	if _, err := check.ParseRules(args); err != nil {
		return nil, err
	}
	given := map[string]string{"CASE_SENSITIVE": "0", "SPACE_SENSITIVE": "0", "ABSOLUTE": "-1.0L", "RELATIVE": "-1.0L"}
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "case_sensitive":
			given["CASE_SENSITIVE"] = "1"
		case "space_change_sensitive":
			given["SPACE_SENSITIVE"] = "1"
		default:
			value, err := strconv.ParseFloat(args[i+1], 64)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", args[i], err)
			}
			for name, in := range map[string]string{"ABSOLUTE": "float_relative_tolerance",
				"RELATIVE": "float_absolute_tolerance"} {
				if args[i] != in {
					given[name] = fmt.Sprintf("%eL", value)
				}
			}
			i++
		}
	}
	return &testlibProgram{"checker.cpp", map[string][]byte{"checker.cpp": foreign.DefaultCheckerOf(args, given)}}, nil
}

// outputChecker returns the output validator as a checker or interactor with the
// conventions of testlib. It returns nil if there is none; the loss is recorded.
func (d *draft) outputChecker() (*testlibProgram, error) {
	args, same := shared(d.p.Cases, func(c *problem.Case) []string { return c.OutputValidatorArgs })
	if !same {
		d.loseVerdicts("data", "output_validator_args differ between the cases: the format has none, so they are those of "+
			"the problem")
	}
	if len(d.p.OutputValidators) == 0 {
		if slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "float_") }) {
			d.lose(problem.ProblemFile,
				"exact comparison of numbers: the checker computes in floating point, and accepts an output that exceeds the "+
					"tolerance by a rounding error")
		}
		return defaultChecker(args)
	}
	as := checker
	if d.p.Is(problem.Interactive) {
		as = interactor
	}
	v := d.p.OutputValidators[0]
	for _, more := range d.p.OutputValidators[1:] {
		d.loseVerdicts(more.Path, "the format has one output validator only")
	}
	p, why, err := testlib(v, as, args)
	if why != "" {
		d.loseVerdicts(v.Path, "the output validator %s: expected one that can follow the conventions of testlib", why)
	}
	if p != nil && d.p.Is(problem.Scoring) {
		for _, text := range p.files {
			if bytes.Contains(text, []byte("score_multiplier")) {
				d.loseVerdicts(v.Path, "score_multiplier.txt: testlib has points, as score.txt has")
				break
			}
		}
	}
	return p, err
}
