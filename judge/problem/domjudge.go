package problem

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	json "github.com/go-json-experiment/json/v1"

	"crucible/judge/terminal"
)

// DOMjudge reads settings that the format lacked from files of its own, and the
// expectation of a submission from marks in the source. This file reads both
// (DOMjudge manual, "Problem package format" and "Providing example submissions").

const (
	timeLimitFile = ".timelimit"
	entriesFile   = "submissions.json"
	maxMarks      = 64 << 10
)

// domjudgeKeys lists the keys of domjudge-problem.ini. Except for timelimit they
// do not affect judging, or they refer to DOMjudge's own programs.
var domjudgeKeys = []string{
	"allow_judge", "allow_submit", "cid", "color", "combined_run_compare", "externalid", "name", "points", "probid",
	"short-name", "special_compare", "special_compare_args", "special_run", "timelimit",
}

// readDOMjudge reads the time limit from DOMjudge's files if problem.yaml has
// none.
func readDOMjudge(p *Problem, defects *Defects) {
	set := func(file, txt string, line int) {
		v, ok := legacyFloat(strings.TrimSpace(txt))
		if !ok || !(v > 0 && v <= maxSeconds) {
			defects.Add(&Defect{File: p.Where(file), Line: line, Msg: fmt.Sprintf("time limit %q: expected a number of seconds",
				terminal.Excerpt(txt, 40))})
			return
		}
		m := metadata{Defects: defects, p: p, f: p.Format}
		switch before := p.Limits.Time; {
		case before == 0:
			m.setTimeLimit(v)
			p.limitFrom = p.Where(file)
		case before.Seconds() != v:
			defects.warn(&Defect{File: p.Where(file), Line: line, Msg: fmt.Sprintf("time limit %v s is not used: %s has %s", v,
				cmp.Or(p.limitFrom, p.Where(ProblemFile)), terminal.Exactly(before))})
		}
	}
	if txt, ok := readSmall(p, domjudgeFile, defects); ok {
		p.madeForDOMjudge = p.Where(domjudgeFile)
		last := make(map[string]iniField)
		for _, f := range parseINI([]byte(txt)) {
			warn := func(format string, args ...any) {
				defects.warn(&Defect{File: p.Where(domjudgeFile), Line: f.line, Msg: fmt.Sprintf(format, args...)})
			}
			before, again := last[f.key]
			last[f.key] = f
			switch {
			case !f.set:
				warn("%q: expected key = value", terminal.Excerpt(f.key, 40))
			case again && before.value != f.value:
				warn("the key %q is given twice, also on line %d; the last one counts", terminal.Excerpt(f.key, 40), before.line)
			case f.key == "special_run" || f.key == "special_compare":
				warn("%s: the program belongs to DOMjudge, is not in the package and is not used", f.key)
			case !slices.Contains(domjudgeKeys, f.key):
				warn("unknown key %q%s", terminal.Excerpt(f.key, 40), terminal.DidYouMean(f.key, domjudgeKeys))
			case f.value == "" && f.key == "timelimit":
				warn("timelimit has no value, and is read as if it were absent: expected a number of seconds")
			}
		}
		if f := last["timelimit"]; f.value != "" {
			set(domjudgeFile, f.value, f.line)
		}
		if f := last["name"]; f.value != "" && p.Names == nil {
			p.Names = map[string]string{"en": f.value}
		}
	}
	if txt, ok := readSmall(p, timeLimitFile, defects); ok {
		set(timeLimitFile, txt, 1)
	}
}

// readSmall reads a file that may be absent.
func readSmall(p *Problem, name string, defects *Defects) (string, bool) {
	if Absent(p.FS, name) {
		return "", false
	}
	data, err := ReadBounded(p.FS, name, MaxYAML)
	defects.Add(err)
	return string(data), err == nil
}

// legacyFloat parses a decimal number or an infinity (legacy, "General
// Requirements").
func legacyFloat(text string) (float64, bool) {
	if strings.ContainsAny(text, "xXpP_nN") && !strings.Contains(strings.ToLower(text), "inf") {
		return 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil && v == v
}

// domjudgeResults maps the results of DOMjudge's marks to verdicts.
var domjudgeResults = map[string]Verdict{
	"CORRECT": Accepted, "ACCEPTED": Accepted,
	"WRONG-ANSWER": WrongAnswer, "WRONG_ANSWER": WrongAnswer, "PRESENTATION-ERROR": WrongAnswer, "NO-OUTPUT": WrongAnswer,
	"NO_OUTPUT": WrongAnswer,
	"TIMELIMIT": TimeLimit, "TIME-LIMIT": TimeLimit, "TIME_LIMIT_EXCEEDED": TimeLimit, "TIME-LIMIT-EXCEEDED": TimeLimit,
	"RUN-ERROR": RuntimeError, "RUN_TIME_ERROR": RuntimeError, "RUNTIME-ERROR": RuntimeError,
	"MEMORY-LIMIT": MemoryLimit, "MEMORY_LIMIT": MemoryLimit,
	"OUTPUT-LIMIT": OutputLimit, "OUTPUT_LIMIT": OutputLimit,
	"COMPILER-ERROR": CompileError, "COMPILER_ERROR": CompileError, "COMPILE-ERROR": CompileError,
}

// domjudgeFolders maps the folders of submissions/ that only DOMjudge knows to
// their expectations.
var domjudgeFolders = map[string]Expectation{
	"compiler_error":        {Final: []Verdict{CompileError}},
	"compile_error":         {Final: []Verdict{CompileError}},
	"memory_limit":          {Final: []Verdict{MemoryLimit}},
	"memory_limit_exceeded": {Final: []Verdict{MemoryLimit}},
	"output_limit":          {Final: []Verdict{OutputLimit}},
	"output_limit_exceeded": {Final: []Verdict{OutputLimit}},
	"no_output":             {Final: []Verdict{WrongAnswer}},
}

// eachLine calls see with each line in the first maxMarks bytes of the submission's
// files, and with a function that creates a defect at that line. It skips files that
// cannot be read, because they are reported when the submission is compiled.
func (s *Submission) eachLine(see func(line string, at func(format string, args ...any) *Defect)) {
	if s.Unreadable != nil {
		return
	}
	for _, name := range s.Files {
		data, err := s.head(name, maxMarks)
		if err != nil {
			continue
		}
		for i, line := range strings.Split(string(data), "\n") {
			see(line, func(format string, args ...any) *Defect {
				return &Defect{File: Where(s.FS, s.file(name)), Line: i + 1, Msg: fmt.Sprintf(format, args...)}
			})
		}
	}
}

// marks reads the expectations in a submission's source: the results and the
// score that DOMjudge expects. They replace the expectation of its folder.
func marks(s *Submission, defects *Defects) (expected []Expectation) {
	s.eachLine(func(line string, at func(string, ...any) *Defect) {
		for _, mark := range []string{"@EXPECTED_RESULTS@", "@EXPECTED_SCORE@"} {
			txt, found := after(line, mark+":")
			if !found {
				continue
			}
			from := at(mark).Error()
			verdicts, unknown := results(txt)
			v, number := legacyFloat(txt)
			switch {
			case unknown != "" && mark == "@EXPECTED_RESULTS@":
				defects.warn(at("%s: unknown result %q", mark, terminal.Excerpt(unknown, 40)))
				continue
			case unknown == "" && verdicts != nil: // some packages write results after the mark for scores
				expected = append(expected, resulting(verdicts, from))
			case mark == "@EXPECTED_RESULTS@":
			case number:
				expected = append(expected, Expectation{Score: []float64{v}, from: from})
			default:
				defects.warn(at("%s: %q is not a number", mark, terminal.Excerpt(txt, 40)))
			}
			s.Problem.madeForDOMjudge = cmp.Or(s.Problem.madeForDOMjudge, from)
		}
	})
	return expected
}

// grades reads the expected verdict of each group of secret, in order, from a
// submission's source. The packages of the Swedish olympiad use this mark.
func grades(s *Submission, defects *Defects) (expected []Expectation) {
	if s.Problem.Data == nil {
		return nil
	}
	var groups []string
	if secret := s.Problem.Data.At("secret"); secret != nil {
		for _, g := range secret.Groups {
			if g.any() {
				groups = append(groups, g.Name)
			}
		}
	}
	if groups == nil {
		groups = []string{"secret"}
	}
	const mark = "@EXPECTED_GRADES@"
	s.eachLine(func(line string, at func(string, ...any) *Defect) {
		txt, found := after(line, mark)
		words := strings.Fields(strings.TrimPrefix(txt, ":"))
		switch {
		case !found:
			return
		case len(words) != len(groups):
			defects.warn(at("%s is not read: expected one verdict for each of the %d groups of secret, found %d", mark,
				len(groups), len(words)))
			return
		}
		for k, word := range words {
			if v := Verdict(word); v == Accepted || slices.Contains(WorstFirst, v) {
				expected = append(expected, Expectation{Cases: groups[k], Final: []Verdict{v}, from: at(mark).Error()})
			} else {
				defects.warn(at("%s: unknown verdict %q for %s", mark, terminal.Excerpt(word, 40), groups[k]))
			}
		}
	})
	return expected
}

// resulting returns the expectation of a mark with these verdicts.
func resulting(verdicts []Verdict, from string) Expectation {
	e := Expectation{Final: verdicts, from: from}
	switch {
	case len(verdicts) == 1 && verdicts[0] == Accepted:
		e.Permitted = verdicts
	case len(verdicts) == 1 && verdicts[0] == TimeLimit:
		e.Required = verdicts
	}
	return e
}

// readEntries returns the entry points in DOMjudge's submissions.json, by the
// name of the submission. Its other fields concern DOMjudge's database.
func readEntries(p *Problem, defects *Defects) map[string]string {
	txt, ok := readSmall(p, entriesFile, defects)
	if !ok {
		return nil
	}
	var all map[string]struct {
		Entry string `json:"entry_point"`
	}
	if err := json.Unmarshal([]byte(txt), &all); err != nil {
		defects.warnf(p.Where(entriesFile), "is not read: %s", terminal.Excerpt(err.Error(), 200))
		return nil
	}
	entries := make(map[string]string, len(all))
	for name, of := range all {
		entries[strings.Trim(strings.TrimPrefix(name, "submissions/"), "/")] = of.Entry
	}
	return entries
}

// scoreAsDOMjudge selects DOMjudge's computation of scores for a legacy scoring
// package that was made for DOMjudge, or warns that DOMjudge cannot score it. The
// rules are (DOMjudge/domjudge, webapp/src/Service/SubmissionService.php,
// maybeSetScoringResult, and ImportProblemService.php, parseTestCaseGroupMeta)
//
//   - only folders with a testdata.yaml are groups, and no group inherits;
//   - a group whose cases are all accepted scores its accept_score once, unless a
//     case of the group has a score.txt;
//   - a score.txt counts if the verdict of the case is AC or WA, and is 0 otherwise;
//   - the verdict is that of the first failure, and a rejected submission has a score.
func scoreAsDOMjudge(p *Problem, defects *Defects) {
	if p.madeForDOMjudge == "" || !p.Legacy() || !p.Is(Scoring) || p.Data == nil {
		return
	}
	tell := func(format string, args ...any) {
		msg := "the package is made for DOMjudge (" + p.madeForDOMjudge + "): " + fmt.Sprintf(format, args...)
		defects.warn(&Defect{File: p.Where(ProblemFile), Msg: msg, Harmless: true})
	}
	switch {
	case !p.Data.Own.file:
		tell("scores are not computed as in DOMjudge, which requires data/testdata.yaml")
		return
	case p.Data.custom():
		tell("scores are not computed as in DOMjudge, which does not support graders in a package")
		return
	}
	tell("scores are computed as in DOMjudge: accept_score counts once per group, settings are not inherited, and " +
		"folders without testdata.yaml do not count")
	p.DomjudgeScores = true
	p.Data.adoptOwn()
}

func (g *Group) custom() bool { return g.Custom || slices.ContainsFunc(g.Groups, (*Group).custom) }

// adoptOwn replaces the inherited settings of the groups with their own.
func (g *Group) adoptOwn() {
	g.OnReject, g.GraderFlags = "break", []string{"first_error"}
	if g.Own.onReject != "" {
		g.OnReject = g.Own.onReject
	}
	for _, flag := range g.Own.flags {
		if slices.Contains([]string{"sum", "avg", "min", "max", "ignore_sample"}, flag) {
			g.GraderFlags = append(g.GraderFlags, flag)
		}
	}
	for _, sub := range g.Groups {
		sub.Uncounted = !sub.Own.file
		sub.adoptOwn()
	}
}

// after returns the text after a mark on its line, without the end of a comment.
func after(line, mark string) (string, bool) {
	_, text, ok := strings.Cut(line, mark)
	for _, end := range []string{"*/", "-->", "*)", "-}", "|#", "}"} {
		text = strings.TrimSuffix(strings.TrimSpace(text), end)
	}
	return strings.TrimSpace(text), ok
}

// results parses a list of DOMjudge's results. It returns no verdicts for
// CHECK-MANUALLY, and the first unknown result if there is one.
func results(text string) (verdicts []Verdict, unknown string) {
	for _, word := range strings.Split(text, ",") {
		word = strings.ToUpper(strings.TrimSpace(word))
		v, ok := domjudgeResults[word]
		switch {
		case word == "CHECK-MANUALLY":
			return nil, ""
		case !ok:
			return nil, word
		case !slices.Contains(verdicts, v):
			verdicts = append(verdicts, v)
		}
	}
	return verdicts, ""
}
