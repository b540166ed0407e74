package foreign

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/internal/yaml"
	"crucible/judge/problem"
)

// cmsGEN lists the tests of a task: each line is a command of the generator, a file to
// copy, or the beginning of a subtask.
const cmsGEN = "gen/GEN"

// scores reads the subtasks: from the keys score_type, score_type_parameters and n_input
// if all of them exist, else from gen/GEN.
func (r *cms) scores() error {
	if r.has(cmsGEN) {
		if err := r.gen(); err != nil {
			return err
		}
	}
	n := r.key("n_input")
	number := r.number
	if n != nil {
		i, err := n.AsInt()
		if err != nil || i < 1 || i > maxTests {
			return n.Errorf("n_input: expected an integer from 1 to %d, found %q", maxTests, n.Text())
		}
		if number = int(i); r.subtasks != nil && number != r.number {
			return n.Errorf("n_input: expected %d, the number of tests in %s, found %d", r.number, cmsGEN, number)
		}
	} else if r.subtasks == nil {
		for number < maxTests && r.has(fmt.Sprintf("input/input%d.txt", number)) {
			number++
		}
		if number == 0 {
			return r.root.Errorf("expected the key n_input, the file %s or the file input/input0.txt", cmsGEN)
		}
	}
	if r.subtasks == nil {
		r.subtasks, r.number = []cmsSubtask{{tests: make([]cmsTest, number)}}, number
		for i := range number {
			r.subtasks[0].tests[i].number = i
		}
	}
	kind, parameters := r.key("score_type"), r.key("score_type_parameters")
	if kind != nil && parameters != nil && n != nil {
		return r.scoreType(kind, parameters)
	}
	if at := cmp.Or(kind, parameters); at != nil {
		r.equal(placeOf(at), "the score type: CMS reads it only with all of score_type, score_type_parameters and n_input")
	}
	if r.grouped {
		return nil
	}
	r.subtasks[0].points = 100
	if total := r.key("total_value"); total != nil {
		return cmsPoints(total, &r.subtasks[0].points)
	}
	return nil
}

// gen reads gen/GEN.
func (r *cms) gen() error {
	data, err := r.read(cmsGEN, problem.MaxYAML)
	if err != nil {
		return err
	}
	r.subtasks = []cmsSubtask{{}}
	for i, line := range strings.Split(string(data), "\n") {
		at := func(format string, args ...any) error {
			return &problem.Defect{File: r.where(cmsGEN), Line: i + 1, Msg: fmt.Sprintf(format, args...)}
		}
		command, comment, _ := strings.Cut(line, "#")
		command, comment = strings.TrimSpace(command), strings.TrimSpace(comment)
		points, subtask := strings.CutPrefix(comment, "ST:")
		from, copied := strings.CutPrefix(comment, "COPY:")
		switch {
		case command != "" && (subtask || copied):
			return at("expected either a test or #%s, found both", comment[:strings.Index(comment, ":")])
		case subtask:
			p, err := strconv.ParseUint(strings.TrimSpace(points), 10, 30)
			if err != nil {
				return at("#ST: expected an integer of points from 0, found %q", strings.TrimSpace(points))
			}
			if r.grouped {
				r.subtasks = append(r.subtasks, cmsSubtask{})
			} else if r.number > 0 {
				return at("#ST: expected no tests before the first subtask, found %d", r.number)
			}
			r.grouped = true
			r.subtasks[len(r.subtasks)-1].points = float64(p)
		case command != "" || copied:
			last := &r.subtasks[len(r.subtasks)-1]
			last.tests = append(last.tests, cmsTest{number: r.number, where: fmt.Sprintf("%s:%d", r.where(cmsGEN), i+1),
				command: command, copy: strings.TrimSpace(from)})
			if !copied {
				last.tests[len(last.tests)-1].copy = ""
			}
			if r.number++; r.number > maxTests {
				return at("expected at most %d tests", maxTests)
			}
		}
	}
	return nil
}

// cmsCheckers are the files of checkers.
var cmsCheckers = []string{"check/checker", "check/checker.cpp", "check/checker.cc", "check/checker.c",
	"cor/correttore", "cor/correttore.cpp", "cor/correttore.cc", "cor/correttore.c"}

// scoreType reads the score types Sum, GroupMin and GroupMul. Without a checker, scores of
// tests are 0 or 1, and their product is the least.
func (r *cms) scoreType(kind, parameters *yaml.Node) error {
	var all []cmsTest
	for _, s := range r.subtasks {
		all = append(all, s.tests...)
	}
	switch kind.Text() {
	case "Sum":
		one := 0.0
		err := cmsPoints(parameters, &one)
		r.subtasks, r.grouped = []cmsSubtask{{points: one * float64(len(all)), tests: all}}, false
		return err
	case "GroupMin":
	case "GroupMul":
		if name := r.first(cmsCheckers...); name != "" {
			r.loseVerdicts(placeOf(kind),
				"score_type GroupMul with the checker %s: parts of scores are not multiplied, the least counts", name)
		}
	default:
		r.loseVerdicts(placeOf(kind), "score_type %q: the least score of a subtask counts, as with GroupMin", kind.Text())
	}
	if parameters.Kind() != yaml.Sequence {
		return parameters.Errorf("score_type_parameters: expected a list of [points, number of tests]")
	}
	r.subtasks, r.grouped = nil, true
	next, counted, in := 0, false, make(map[int]bool)
	for _, p := range parameters.Items() {
		points, tests := p.Get("max_score"), p.Get("testcases")
		if p.Kind() == yaml.Sequence && len(p.Items()) >= 2 {
			points, tests = p.Items()[0], p.Items()[1]
		}
		if points == nil || tests == nil {
			return p.Errorf("score_type_parameters: expected [points, number of tests]")
		}
		var s cmsSubtask
		if err := cmsPoints(points, &s.points); err != nil {
			return err
		}
		n, err := tests.AsInt()
		switch {
		case err == nil && n >= 0 && n <= int64(len(all)-next):
			s.tests, counted = all[next:next+int(n)], true
			next += int(n)
		case tests.Kind() == yaml.String || tests.Kind() == yaml.Sequence:
			if s.tests, err = cmsTests(tests, all); err != nil {
				return err
			}
		default:
			return tests.Errorf("score_type_parameters: expected a number of tests from 0 to %d, "+
				"or a pattern or list of their names, found %q", len(all)-next, tests.Text())
		}
		for _, t := range s.tests {
			in[t.number] = true
		}
		r.subtasks = append(r.subtasks, s)
	}
	switch left := len(all) - len(in); {
	case left > 0 && counted:
		return parameters.Errorf("score_type_parameters: %d of %d tests are in no subtask", left, len(all))
	case left > 0:
		r.lose(placeOf(parameters), "%d tests that are in no subtask and have no points", left)
	}
	return nil
}

// cmsTests returns the tests whose names match a pattern at their beginning, or are listed.
func cmsTests(n *yaml.Node, all []cmsTest) (found []cmsTest, err error) {
	names := n.Items()
	pattern, err := regexp.Compile(`\A(?:` + n.Text() + `)`)
	if err != nil {
		return nil, n.Errorf("score_type_parameters: %v", err)
	}
	for _, t := range all {
		name := pad(t.number, 3)
		listed := slices.ContainsFunc(names, func(item *yaml.Node) bool { return item.Text() == name })
		if listed || n.Kind() != yaml.Sequence && pattern.MatchString(name) {
			found = append(found, t)
		}
	}
	if len(found) == 0 || n.Kind() == yaml.Sequence && len(found) != len(names) {
		return nil, n.Errorf("score_type_parameters: expected names of tests, such as 000, or a pattern of them, found %q",
			n.Text())
	}
	return found, nil
}

// cmsPoints reads a number of points.
func cmsPoints(n *yaml.Node, to *float64) error {
	p, err := n.AsFloat()
	if err != nil || !(p >= 0 && p <= 1e9) {
		return n.Errorf("expected a number of points from 0 to 1e9, found %q", n.Text())
	}
	*to = p
	return nil
}
