package foreign

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"crucible/judge/internal/yaml"
	"crucible/judge/problem"
)

// Tasks of CMS (cms-dev.github.io) in the Italian format, which
// cmscontrib/loaders/italy_yaml.py in github.com/cms-dev/cms reads: task.yaml has the
// limits, gen/GEN the subtasks and the commands of the generator. The tests are in
// input/ and output/ if they have been made.

const cmsFile = "task.yaml"

// cmsDirective matches the directive before a document, which older tasks have. It becomes
// a comment: of YAML 1.1, tasks use nothing that 1.2 reads in another way but yes and no.
var cmsDirective = regexp.MustCompile(`\A((?:[ \t]*(?:#.*)?\n)*)%YAML`)

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
	where         string // file and line; "" if gen/GEN does not exist
	command, copy string
}

func readCMS(d *draft) error {
	data, err := d.read(cmsFile, problem.MaxYAML)
	if err != nil {
		return err
	}
	r := &cms{draft: d, lang: "it"}
	data = cmsDirective.ReplaceAll(data, []byte("$1#"))
	if r.root, err = yaml.Parse(d.where(cmsFile), data); err != nil {
		return err
	}
	if r.root.Kind() != yaml.Map || r.key("name", "nome_breve") == nil {
		return r.root.Errorf("expected a map with the key name")
	}
	d.is(problem.Scoring)
	for _, step := range []func() error{r.supported, r.metadata, r.scores, r.cases, r.checker, r.validator, r.solutions, r.statements} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
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

// supported returns an error for tasks of types other than Batch.
func (r *cms) supported() error {
	if n := r.key("output_only"); n != nil {
		if only, err := n.AsBool(); err != nil || only {
			return n.Errorf("output_only: tasks of the type OutputOnly are not supported: expected false")
		}
	}
	for _, key := range []string{"output_only_testcases", "output_optional_testcases"} {
		if n := r.key(key); n != nil && n.Text() != "" {
			return n.Errorf("%s: tasks of the type BatchAndOutput are not supported: expected no tests", key)
		}
	}
	if name := r.first("check/manager", "check/manager.cpp", "cor/manager", "cor/manager.cpp"); name != "" {
		return &problem.Defect{File: r.where(name), Msg: "tasks of the type Communication, which have a manager, are not supported: expected a task of the type Batch"}
	}
	return nil
}

// cmsKeys are the keys that the reader uses.
var cmsKeys = []string{
	"name", "nome_breve", "title", "nome", "time_limit", "timeout", "memory_limit", "memlimit", "n_input", "infile", "outfile",
	"output_only", "output_only_testcases", "output_optional_testcases", "primary_language",
	"score_type", "score_type_parameters", "total_value",
}

func (r *cms) metadata() error {
	for _, f := range r.root.Fields() {
		if key := f.Key.Text(); !slices.Contains(cmsKeys, key) {
			r.lose(strings.TrimSuffix(f.Key.Errorf("").Error(), ": "), "the key %s", key)
		}
	}
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
		if r.meta.Limits.Memory, err = n.AsInt(); err != nil || r.meta.Limits.Memory < 1 || r.meta.Limits.Memory > problem.MaxLimitMiB {
			return n.Errorf("memory limit: expected an integer from 1 to %d MiB, found %q", problem.MaxLimitMiB, n.Text())
		}
	}
	for _, f := range [][2]string{{"infile", "input.txt"}, {"outfile", "output.txt"}} {
		key, name, where := f[0], f[1], r.where(cmsFile)
		if n := r.key(key); n != nil {
			name, where = n.Text(), strings.TrimSuffix(n.Errorf("").Error(), ": ")
		}
		if name != "" {
			r.lose(where, "%s %q: programs read standard input and write standard output; those that open files only if EVAL is defined do so", key, name)
			r.lost[len(r.lost)-1].Verdicts = true
		}
	}
	return nil
}

// cases adds the tests to groups. A subtask without points has the samples. A command
// that an earlier test has makes the same case, which then is once in each of the groups.
func (r *cms) cases() error {
	width := max(3, len(fmt.Sprint(r.number-1)))
	next := 0
	made := make(map[string]string) // names of cases by their commands
	for number, s := range r.subtasks {
		var cases []scored
		var include []string
		for _, t := range s.tests {
			c, err := r.testCase(t, next)
			if err != nil {
				r.wrong.Add(err)
			}
			c.name = pad(next, width)
			next++
			first := made[c.command]
			switch {
			case c.command == "" || first == "":
				made[c.command] = c.name
				cases = append(cases, scored{testCase: c})
			case !r.grouped:
				r.lose(t.where, "a second test with the command of test %s, whose points count once", first)
			case !slices.ContainsFunc(cases, func(c scored) bool { return c.name == first }) && !slices.Contains(include, first):
				include = append(include, first)
			}
		}
		if len(cases)+len(include) == 0 {
			r.lose(r.where(cmsGEN), "a subtask of %v points without tests", s.points)
			continue
		}
		g := &r.sample
		if r.grouped && s.points == 0 {
			for _, c := range cases {
				g.cases = append(g.cases, c.testCase)
			}
		} else {
			how := problem.Min
			if !r.grouped {
				how = problem.Sum
			}
			r.group("", cases, s.points, how)
			g = r.groups[len(r.groups)-1]
		}
		g.include = append(g.include, include...)
		if r.grouped {
			g.settings.InputArgs = []string{strconv.Itoa(number + 1)}
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
		return c, &problem.Defect{File: t.where, Msg: fmt.Sprintf("test %d: %q is missing", n, t.copy)}
	case t.command == "":
		return c, &problem.Defect{File: r.where(input), Msg: "is missing"}
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
		return "", &problem.Defect{File: t.where, Msg: fmt.Sprintf("test %d: input/input%d.txt is missing, and so is its generator: expected gen/generatore.py, .cpp, .cc, .c or .sh", n, n)}
	case strings.ContainsAny(t.command, "{}\"'\\|<>$`"):
		return "", &problem.Defect{File: t.where, Msg: fmt.Sprintf("command %q: expected arguments without quotes, braces and redirections", t.command)}
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
		r.files["generators/"+name] = File{From: r.at("gen/" + name)}
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
		if path.Ext(name) != ".py" || name == base || name == "main.py" || problem.IgnoredName(name) || strings.HasPrefix(name, "valida") || strings.HasPrefix(name, "generator") {
			continue
		}
		if r.has("gen/" + name) {
			names = append(names, name)
		} else if lost := (Lost{Where: r.where("gen/" + name), What: "the file, which is not in the package; programs that import it fail"}); !slices.Contains(r.lost, lost) {
			r.lost = append(r.lost, lost)
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
			r.files["statement/problem."+code+".pdf"] = File{From: r.at(name)}
			r.meta.Name[code] = r.meta.Name[r.lang]
		}
		if len(found) > 0 {
			return nil
		}
	}
	r.lose(r.where("statement"), "the statement: neither statement/statement.pdf nor testo/testo.pdf exists")
	return nil
}
