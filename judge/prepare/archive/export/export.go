// Package export converts problems to packages for other judges.
//
// A writer makes a [Package], which is a list of files; [WriteZip] writes it to a zip.
// It runs nothing. [Package.Parts] says which parts of the problem it has, needs not have,
// or cannot express.
package export

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	lib "go.yaml.in/yaml/v3"

	"crucible/judge/prepare/archive"
	"crucible/judge/prepare/archive/foreign"
	"crucible/judge/problem"
)

// A Format is a format that problems are exported to.
type Format struct {
	Name  string // the value of --to
	Root  bool   // the files are at the top of the zip, not in a folder
	write func(*draft) error
}

// Formats lists the formats.
var Formats = []Format{
	{"kattis", false, (*draft).current},       // the problem package format 2025-09
	{"kattis-legacy", false, (*draft).legacy}, // the legacy problem package format
	{"domjudge", true, (*draft).domjudge},     // the legacy format with the files of DOMjudge
	{"polygon", true, (*draft).polygon},       // a full package of Polygon
	{"dmoj", true, (*draft).dmoj},             // a problem of DMOJ: init.yml and the tests
}

// FormatOf returns the format of that name, or nil.
func FormatOf(name string) *Format {
	i := slices.IndexFunc(Formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &Formats[i]
}

// A Package is a problem in another format.
type Package struct {
	Format *Format
	Source *problem.Source
	Files  map[string]archive.File // by name in the new package
	Parts  foreign.Parts           // of the problem

	Name      string        // of the problem, in English if it has an English name
	TimeLimit time.Duration // 0 means that the judge infers it
	In        ContestEntry  // place in the contest
}

// Make converts the problem that was opened from a source.
func Make(ctx context.Context, s *problem.Source, p *problem.Problem, f *Format, in ContestEntry) (*Package, error) {
	w, err := s.Files(ctx)
	if err != nil {
		return nil, err
	}
	d := &draft{p: p, in: in, id: s.ID, list: w.Files, files: make(map[string]archive.File), raw: make(map[string]any)}
	if !problem.Absent(s, problem.ProblemFile) { // a package of DOMjudge may have domjudge-problem.ini only
		data, err := problem.ReadBounded(s, problem.ProblemFile, problem.MaxYAML)
		if err == nil {
			err = lib.Unmarshal(data, &d.raw)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Where(problem.ProblemFile), err)
		}
	}
	for _, name := range w.Meant() {
		d.lose(name, "left out: the format ignores the name")
	}
	if err := f.write(d); err != nil {
		return nil, err
	}
	d.account()
	name := p.Names["en"]
	for _, lang := range slices.Sorted(maps.Keys(p.Names)) {
		name = cmp.Or(name, p.Names[lang])
	}
	return &Package{Format: f, Source: s, Files: d.files, Parts: d.parts.Parts, Name: cmp.Or(name, s.ID),
		TimeLimit: p.Limits.Time, In: in}, nil
}

// account states the keys and files of which the writer has stated nothing: what is in the
// new package, or is made into something in it, is carried, and other files are lost.
func (d *draft) account() {
	lost := make(map[string]bool) // places, and keys of problem.yaml
	for _, p := range d.parts.Parts {
		lost[p.Where] = true
		if key, _, ok := strings.Cut(p.What, ": "); ok && p.Where == d.p.Where(problem.ProblemFile) {
			lost[key] = true
		}
	}
	for _, key := range slices.Sorted(maps.Keys(d.raw)) {
		if !lost[key] {
			d.parts.State(foreign.Part{State: foreign.Carried, Where: d.p.Where(problem.ProblemFile), What: "the key " + key})
		}
	}
	copied := make(map[string]bool)
	var collect func(files map[string]archive.File)
	collect = func(files map[string]archive.File) {
		for _, f := range files {
			copied[f.From] = true
			collect(f.Zip)
		}
	}
	collect(d.files)
	for _, f := range d.list {
		top, rest := below(f.Name)
		ofValidators := strings.HasPrefix(rest, "invalid_") || strings.HasPrefix(rest, "valid_")
		switch ext := path.Ext(f.Name); {
		case f.Name == problem.ProblemFile || lost[d.p.Where(f.Name)] || rest != "" && (top != "data" || ofValidators) &&
			lost[d.p.Where(top)]:
		case copied[f.Name] || rest != "" && slices.Contains(transformed, top) || slices.Contains(ownFiles, f.Name):
			d.parts.State(foreign.Part{State: foreign.Carried, Where: d.p.Where(top), What: top})
		case top == "data" && slices.Contains(settingsExts, ext):
			d.parts.State(foreign.Part{State: foreign.Carried, Where: d.p.Where(path.Dir(f.Name)),
				What: "settings of cases and groups"})
		case top == "data" && (ext == ".in" || ext == ".ans"):
			d.lose(path.Dir(f.Name), "inputs or answers of cases that are not judged")
		case top == "data":
			d.lose(path.Dir(f.Name), "files that end with %s: the format has no such file", shownEnd(f.Name))
		default:
			d.lose(f.Name, "the format has no such file")
		}
	}
}

// transformed are the folders whose files become others, of which the writers state what is
// lost.
var transformed = []string{
	"submissions", "generators", "statement", "problem_statement", "input_validators", "input_format_validators",
	"input_validator",
	"output_validator", "output_validators", "graders",
}

// shownEnd returns the extensions of a file of a case, such as .in.statement.
func shownEnd(name string) string {
	ext := path.Ext(name)
	if before := path.Ext(strings.TrimSuffix(name, ext)); slices.Contains([]string{".in", ".ans"}, before) {
		return before + ext
	}
	return ext
}
