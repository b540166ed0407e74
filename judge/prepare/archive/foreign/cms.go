package foreign

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"crucible/judge/internal/lazy"
	"crucible/judge/internal/yaml"
	"crucible/judge/prepare/archive"
	"crucible/judge/problem"
)

// Tasks of CMS (cms-dev.github.io) in the Italian format, which
// cmscontrib/loaders/italy_yaml.py in github.com/cms-dev/cms reads: task.yaml has the
// limits, gen/GEN the subtasks and the commands of the generator. The tests are in
// input/ and output/ if they have been made.

const cmsFile = "task.yaml"

// cmsDirective matches the directive before a document, which older tasks have. It becomes
// a comment: of YAML 1.1, tasks use nothing that 1.2 reads in another way but yes and no.
var cmsDirective = lazy.Regexp(`\A((?:[ \t]*(?:#.*)?\n)*)%YAML`)

// A cms reads a task of CMS.
type cms struct {
	*draft
	root     *yaml.Node
	lang     string // code of the primary language
	subtasks []cmsSubtask
	grouped  bool // subtasks have points; otherwise, there is one and its cases share them
	number   int  // of tests
}

// A cmsSubtask has the tests between two lines #ST of gen/GEN.
type cmsSubtask struct {
	points float64
	tests  []cmsTest
}

// A cmsTest is a line of gen/GEN: a command of the generator, or a file.
type cmsTest struct {
	number        int
	where         string // file and line; "" if gen/GEN does not exist
	command, copy string
}

func readCMS(d *draft) error {
	data, err := d.read(cmsFile, problem.MaxYAML)
	if err != nil {
		return err
	}
	r := &cms{draft: d, lang: "it"}
	data = cmsDirective().ReplaceAll(data, []byte("$1#"))
	if r.root, err = yaml.Parse(d.where(cmsFile), data); err != nil {
		return err
	}
	if r.root.Kind() != yaml.Map || r.key("name", "nome_breve") == nil {
		return r.root.Errorf("expected a map with the key name")
	}
	d.is(problem.Scoring)
	return InOrder(r.supported, r.metadata, r.scores, r.cases, r.checker, r.validator, r.solutions,
		r.statements, r.attachments)
}

// key returns the value of the first of the keys that exists, or nil. CMS reads older
// keys under Italian names.
func (r *cms) key(names ...string) *yaml.Node {
	for _, name := range names {
		if n := r.root.Get(name); n != nil {
			return n
		}
	}
	return nil
}

// first returns the first of the names that is a file of the package, or "".
func (r *cms) first(names ...string) string {
	for _, name := range names {
		if r.has(name) {
			return name
		}
	}
	return ""
}

// supported states the task types other than Batch, as which they are imported.
func (r *cms) supported() error {
	if n := r.key("output_only"); n != nil {
		if only, err := n.AsBool(); err != nil {
			return n.Errorf("output_only: expected true or false, found %q", n.Text())
		} else if only {
			r.loseVerdicts(placeOf(n),
				"output_only: submissions of the task type OutputOnly are outputs; here they are programs")
		}
	}
	for _, key := range []string{"output_only_testcases", "output_optional_testcases"} {
		if n := r.key(key); n != nil && n.Text() != "" {
			r.loseVerdicts(placeOf(n),
				"%s: in the task type BatchAndOutput submissions have outputs for some tests; here they are programs", key)
		}
	}
	managers := []string{"check/manager", "cor/manager"}
	for _, name := range slices.Clone(managers) {
		managers = append(managers, name+".cpp", name+".cc", name+".c", name+".py")
	}
	if name := r.first(managers...); name != "" {
		r.used[r.at(name)] = true
		r.loseVerdicts(r.where(name),
			"the manager of the task type Communication, which talks to submissions; here outputs are compared")
	}
	return nil
}

// cmsRules are the states of keys. A key with an empty rule is read.
var cmsRules = rulesOf(
	keyList{"name nome_breve title nome time_limit timeout memory_limit memlimit primary_language", partRule{}},
	keyList{"n_input infile outfile total_value score_type score_type_parameters", partRule{}},
	keyList{"output_only output_only_testcases output_optional_testcases", partRule{}},
	keyList{"token_mode token_max_number token_min_interval token_initial token_total token_max", cmsContest},
	keyList{"token_gen_initial token_gen_number token_gen_interval token_gen_max token_gen_time", cmsContest},
	keyList{"score_mode max_submission_number max_user_test_number", cmsContest},
	keyList{"min_submission_interval min_user_test_interval", cmsContest},
	keyList{"public_testcases risultati feedback_level", partRule{state: Lost, what: "it says what contestants see"}},
	keyList{"score_precision", partRule{state: Lost, what: "it says how scores are shown"}},
	keyList{"version", partRule{state: Lost, what: "it is the name of the data"}},
	keyList{"num_processes user_io", partRule{state: Lost, what: "it is for the task type Communication"}},
)

var cmsContest = partRule{state: Lost, what: "it is for a contest, and changes no score of a submission"}

// cmsLeftovers are files that the reader does not use.
var cmsLeftovers = []unusedFiles{
	{lazy.Regexp(`^(\.|res/|sol/.*\.(o|exe|out|class)$)|^(gen|check|cor|sol)/[^.]*$`), Equal,
		"which are made of other files"},
	{lazy.Regexp(`^(input|output)/`), Lost, "which belong to no test"},
}

func (r *cms) metadata() error {
	r.keys(r.root, "", cmsRules)
	if n := r.key("primary_language"); n != nil {
		lang, err := n.AsString()
		if err != nil || problem.IgnoredName(lang) || len(lang) > 10 {
			return n.Errorf("primary_language: expected the code of a language, such as it, found %q", n.Text())
		}
		r.lang = lang
	}
	title, err := r.key("title", "nome", "name", "nome_breve").AsScalar()
	if err != nil {
		return err
	}
	r.meta.Name = map[string]string{r.lang: title}
	if n := r.key("time_limit", "timeout"); n != nil {
		s, err := n.AsFloat()
		if err != nil || !(s >= 0.001 && s <= 3600) {
			return n.Errorf("time limit: expected a number of seconds from 0.001 to 3600, found %q", n.Text())
		}
		r.setTime(time.Duration(s*1000+0.5) * time.Millisecond)
	}
	if n := r.key("memory_limit", "memlimit"); n != nil {
		if r.meta.Limits.Memory, err = n.AsInt(); err != nil || r.meta.Limits.Memory < 1 ||
			r.meta.Limits.Memory > problem.MaxLimitMiB {
			return n.Errorf("memory limit: expected an integer from 1 to %d MiB, found %q", problem.MaxLimitMiB, n.Text())
		}
	}
	where := r.where(cmsFile)
	file := func(key, name string) string {
		if n := r.key(key); n != nil {
			where, name = placeOf(n), n.Text()
		}
		return name
	}
	return r.ioFiles(where, file("infile", "input.txt"), file("outfile", "output.txt"))
}

// attachments adds the files in att/.
func (r *cms) attachments() error {
	entries, _ := r.src.ReadDir(r.at("att"))
	for _, e := range entries {
		if name := e.Name(); !problem.IgnoredName(name) && r.has("att/"+name) {
			r.files["attachments/"+name] = archive.File{From: r.at("att/" + name)}
		}
	}
	return nil
}

// cases adds the tests to groups. A subtask without points has the samples. A command
// that an earlier test has makes the same case, which then is once in each of the groups;
// without subtasks, its points count as often as it is listed.
func (r *cms) cases() error {
	width := max(3, len(fmt.Sprint(r.number-1)))
	for number, s := range r.subtasks {
		var cases []scoredCase
		for _, t := range s.tests {
			c, err := r.testCase(t, t.number)
			if err != nil {
				r.wrong.Add(err)
			}
			c.name = pad(t.number, width)
			cases = append(cases, scoredCase{testCase: c, points: s.points / float64(len(s.tests))})
		}
		cases = merged(cases)
		args := []string{strconv.Itoa(number + 1)}
		switch {
		case len(cases) == 0:
			r.loseVerdicts(r.where(cmsGEN), "a subtask of %v points without tests", s.points)
		case r.grouped && s.points == 0:
			r.place(&r.sample, cases)
			r.sample.settings.InputArgs = args
		case r.grouped:
			r.group("", cases, s.points, problem.Min)
			r.groups[len(r.groups)-1].settings.InputArgs = args
		default:
			for _, part := range byPoints(cases) {
				r.group("", part, part[0].points*float64(len(part)), problem.Sum)
			}
		}
	}
	return nil
}

// testCase finds the files of a test, or the command that makes its input.
func (r *cms) testCase(t cmsTest, n int) (c testCase, err error) {
	input, output := fmt.Sprintf("input/input%d.txt", n), fmt.Sprintf("output/output%d.txt", n)
	if r.has(output) {
		c.answer = r.at(output)
	}
	switch {
	case r.has(input):
		c.input = r.at(input)
	case t.copy != "" && r.has(t.copy):
		c.input = r.at(t.copy)
	case t.copy != "":
		return c, problem.Defectf(t.where, "test %d: %q is missing", n, t.copy)
	case t.command == "":
		return c, problem.Defectf(r.where(input), "is missing")
	default:
		c.answer = "" // of an input that may have been another
		c.command, err = r.command(t, n)
	}
	return c, err
}

// command returns the command of a test in the form of generators.yaml.
func (r *cms) command(t cmsTest, n int) (string, error) {
	var names []string
	for _, base := range []string{"gen/generatore", "gen/generator"} {
		for _, ext := range []string{".py", ".cpp", ".cc", ".c", ".sh"} {
			names = append(names, base+ext)
		}
	}
	name := r.first(names...)
	switch {
	case name == "":
		return "", problem.Defectf(t.where, "test %d: input/input%d.txt is missing, and so is its generator: expected "+
			"gen/generatore.py, .cpp, .cc, .c or .sh", n, n)
	case strings.ContainsAny(t.command, "{}\"'\\|<>$`"):
		return "", problem.Defectf(t.where, "command %q: expected arguments without quotes, braces and redirections",
			t.command)
	}
	base := path.Base(name)
	id := strings.TrimSuffix(base, path.Ext(base))
	known := r.programs[id] != nil
	id, err := r.generator(name)
	if err == nil && !known && path.Ext(name) == ".py" {
		r.modules(id, base)
	}
	return strings.Join(append([]string{id}, strings.Fields(t.command)...), " "), err
}

// modules adds the Python files beside the generator, which it may import.
func (r *cms) modules(id, base string) {
	for _, name := range r.beside(base) {
		r.programs[id] = append(r.programs[id], name)
		r.files["generators/"+name] = archive.File{From: r.at("gen/" + name)}
	}
}

// beside returns the Python files in gen/ other than the named one and the validator. Names
// that are no files of the package, such as links that lead out of it, are lost.
func (r *cms) beside(base string) (names []string) {
	entries, err := r.src.ReadDir(r.at("gen"))
	if err != nil {
		return nil
	}
	for _, e := range entries {
		name := e.Name()
		if path.Ext(name) != ".py" || name == base || name == "main.py" || problem.IgnoredName(name) ||
			strings.HasPrefix(name, "valida") || strings.HasPrefix(name, "generator") {
			continue
		}
		if r.has("gen/" + name) {
			names = append(names, name)
		} else {
			r.lose(r.where("gen/"+name), "the file, which is not in the package; programs that import it fail")
		}
	}
	return names
}

// statements adds the PDF files of the statement: those named for languages, or else that
// of the primary language.
func (r *cms) statements() error {
	for _, folder := range []string{"statement", "testo"} {
		found := make(map[string]string) // names by codes of languages
		for lang, code := range LanguageCodes {
			if name := folder + "/" + lang + ".pdf"; r.has(name) {
				found[code] = name
			}
		}
		if name := folder + "/" + folder + ".pdf"; len(found) == 0 && r.has(name) {
			found[r.lang] = name
		}
		for code, name := range found {
			r.files["statement/problem."+code+".pdf"] = archive.File{From: r.at(name)}
			r.meta.Name[code] = r.meta.Name[r.lang]
		}
		if len(found) > 0 {
			return nil
		}
	}
	r.lose(r.where("statement"), "the statement: neither statement/statement.pdf nor testo/testo.pdf exists")
	return nil
}
