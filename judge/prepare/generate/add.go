package generate

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"crucible/judge/check"
	"crucible/judge/internal/yaml"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// An Addition is a new case for a package.
type Addition struct {
	Folder  string            // below data/: "secret", or a group
	Name    string            // in the folder; a number is added if that exists
	Files   map[string][]byte // by extension: ".in", ".ans", and ".yaml" if the case has settings
	History []string          // how the case was made, one line each
}

// Add writes a case into the package. If the package has a generators.yaml, Add declares
// the case there, with the history as a comment, and adds its files to the pins, if the
// package has any. Otherwise the history becomes the description of the case, if it has no
// settings. Add returns the names of the files that it wrote. The error is a
// *[problem.Defect] if generators.yaml cannot be changed safely, and [ErrEmptyAnswer] if
// the answer is empty and must not be; nothing is written then.
func Add(s *problem.Source, a Addition) (written []string, err error) {
	plan, err := ReadPlan(s)
	if err != nil {
		return nil, err
	}
	if answer, ok := a.Files[".ans"]; ok {
		p, err := problem.OpenWithoutData(s)
		if blank, _ := check.Blank(bytes.NewReader(answer)); blank && err == nil && !p.Answerless() {
			return nil, fmt.Errorf("%s/%s is not added: %w", a.Folder, a.Name, ErrEmptyAnswer)
		}
	}
	a.Files = maps.Clone(a.Files)
	a.Name = a.free(s, plan)
	name := a.Folder + "/" + a.Name
	type file struct {
		name string
		data []byte
	}
	var files []file
	var last []file // generators.yaml must not declare what does not exist
	if plan == nil {
		a.describe(s)
	} else {
		d, err := a.declare(s, plan)
		if err != nil {
			return nil, err
		}
		name, last = d.name, []file{{planFile, d.text}}
		if d.copied {
			for _, ext := range slices.Sorted(maps.Keys(a.Files)) {
				files = append(files, file{"generators/" + a.source() + ext, a.Files[ext]})
			}
		}
	}
	exts := slices.DeleteFunc(slices.Sorted(maps.Keys(a.Files)), func(ext string) bool { return ext == ".in" })
	for _, ext := range append(exts, ".in") { // a case whose input exists is complete
		files = append(files, file{"data/" + name + ext, a.Files[ext]})
	}
	pins, err := ReadPins(s)
	if err != nil {
		return nil, err
	}
	if plan != nil && pins != nil {
		for ext, data := range a.Files {
			pins[name+ext] = sha256.Sum256(data)
		}
		last = append([]file{{PinsFile, pins.Format()}}, last...)
	}
	for _, f := range append(files, last...) {
		if err := s.WriteFile(f.name, f.data); err != nil {
			return written, err
		}
		written = append(written, f.name)
	}
	return written, nil
}

// free returns the name, with a number if the package or the plan has a case of that name.
func (a *Addition) free(s *problem.Source, plan *Plan) string {
	for i := 1; ; i++ {
		name := a.Name
		if i > 1 {
			name += "-" + strconv.Itoa(i)
		}
		at := a.Folder + "/" + name
		if problem.Absent(s, "data/"+at+".in") && (plan == nil || !plan.Makes(at+".in")) {
			return name
		}
	}
}

// describe makes the history the description of the case.
func (a *Addition) describe(s *problem.Source) {
	if a.Files[".yaml"] != nil {
		return
	}
	history := terminal.Excerpt(strings.Join(a.History, "\n"), 4000) + "\n"
	if p, err := problem.OpenWithoutData(s); err == nil && p.Legacy() {
		a.Files[".desc"] = []byte(history)
		return
	}
	a.Files[".yaml"] = []byte("description: |\n" + indented(history))
}

func indented(block string) string {
	var b strings.Builder
	for line := range strings.Lines(block) {
		if line != "\n" {
			b.WriteString("  ")
		}
		b.WriteString(line)
	}
	return b.String()
}

// source is the path below generators/ of the files of a case that is not written in
// generators.yaml itself.
func (a *Addition) source() string { return "stress/" + path.Base(a.Folder) + "-" + a.Name }

// A declaration is a generators.yaml that declares a new case.
type declaration struct {
	name   string // of the case, below data/; in a list the judge numbers it
	text   []byte // of generators.yaml
	copied bool   // the case is copied from files in generators/
}

// declare declares the case: with its text if that is short and can be written so, and
// else as a copy of files. It reads what it wrote and compares the plans.
func (a *Addition) declare(s *problem.Source, plan *Plan) (*declaration, error) {
	data, err := readOptional(s, planFile, problem.MaxYAML)
	if err != nil {
		return nil, err
	}
	p, err := problem.OpenWithoutData(s)
	if err != nil {
		return nil, err
	}
	at := problem.Where(s, planFile)
	root, err := yaml.Parse(at, data)
	if err != nil {
		return nil, err
	}
	why := "uses YAML that cannot be edited safely"
	for _, copied := range []bool{false, true} {
		if !copied && !a.literal() {
			continue
		}
		edit := &yaml.Edit{Text: string(data)}
		if err := a.insert(edit, root, a.entry(copied)); err != nil {
			why = err.Error()
			break
		}
		after, err := parse(at, []byte(edit.Text), p.Constants)
		if err != nil {
			continue
		}
		if c := onlyNew(plan, after); c != nil && path.Dir(c.name) == a.Folder && a.makes(c, copied) {
			return &declaration{c.name, []byte(edit.Text), copied}, nil
		}
	}
	return nil, problem.Defectf(at, "%s, so it is not modified: add to %s the case\n%s", why, a.Folder,
		strings.Join(a.entry(!a.literal()), "\n"))
}

// maxLiteral is the largest size in bytes of a file that is written into generators.yaml.
const maxLiteral = 2000

// literal reports whether all files can be written as text.
func (a *Addition) literal() bool {
	for _, data := range a.Files {
		if len(data) > maxLiteral || !utf8.Valid(data) || strings.ContainsFunc(string(data),
			func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f }) {
			return false
		}
	}
	return true
}

// entry returns the lines of the case.
func (a *Addition) entry(copied bool) []string {
	var lines []string
	for _, line := range a.History {
		lines = append(lines, "# "+terminal.Excerpt(line, 200))
	}
	lines = append(lines, a.Name+":")
	if copied {
		return append(lines, "  copy: "+a.source())
	}
	for _, ext := range slices.Sorted(maps.Keys(a.Files)) {
		style := "|2" // the text may begin with spaces
		if strings.HasSuffix(string(a.Files[ext]), "\n\n") {
			style = "|2+"
		}
		lines = append(lines, "  "+ext[1:]+": "+style)
		for line := range strings.Lines(string(a.Files[ext])) {
			lines = append(lines, strings.TrimRight("    "+strings.TrimSuffix(line, "\n"), "\n"))
		}
	}
	return lines
}

// insert adds the lines to the folder of the case, which it creates if it is missing.
func (a *Addition) insert(e *yaml.Edit, root *yaml.Node, entry []string) error {
	at := root
	folders := strings.Split(a.Folder, "/")
	for {
		data := at.Get("data")
		switch {
		case data == nil:
			return fmt.Errorf("has a folder without data")
		case len(folders) == 0 && data.Kind() == yaml.Sequence:
			for i := range entry {
				if strings.HasPrefix(entry[i], "# ") {
					continue // beside the "- " of the case, not inside the case before
				}
				if entry[i] = "  " + entry[i]; strings.HasSuffix(entry[i], a.Name+":") {
					entry[i] = "- " + entry[i][2:]
				}
			}
			return e.Append(data, entry)
		case len(folders) == 0:
			return e.Append(data, entry)
		}
		sub := data.Get(folders[0])
		if sub == nil {
			for _, folder := range slices.Backward(folders) {
				for i := range entry {
					entry[i] = "    " + entry[i]
				}
				entry = append([]string{folder + ":", "  data:"}, entry...)
			}
			return e.Append(data, entry)
		}
		at, folders = sub, folders[1:]
	}
}

// onlyNew returns the only case that the plan after has and the plan before has not; nil
// if there is another difference.
func onlyNew(before, after *Plan) *casePlan {
	if len(after.cases) != len(before.cases)+1 {
		return nil
	}
	var found *casePlan
	for i := range after.cases {
		c := &after.cases[i]
		k, ok := before.index[c.name]
		switch {
		case !ok && found == nil:
			found = c
		case !ok || before.cases[k].work() != c.work():
			return nil
		}
	}
	return found
}

// makes reports whether a planned case makes exactly the files.
func (a *Addition) makes(c *casePlan, copied bool) bool {
	if copied {
		return c.copy == a.source()
	}
	for ext, data := range a.Files {
		if c.text[ext] != string(data) {
			return false
		}
	}
	return len(c.text) == len(a.Files)
}
