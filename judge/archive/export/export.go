// Package export converts problems to packages for other judges.
//
// A writer makes a [Package], which is a list of files; judge/archive writes it to a zip.
// It runs nothing. What the format cannot express is in [Package.Lost].
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

	"crucible/judge/archive/foreign"
	"crucible/judge/internal/yaml"
	"crucible/judge/problem"
)

// A Format is a format that problems are exported to.
type Format struct {
	Name  string // the value of --to
	About string // one line of help
	Root  bool   // the files are at the top of the zip, not in a folder
	write func(*draft) error
}

// Formats lists the formats.
var Formats = []Format{
	{"kattis", "the problem package format 2025-09", false, (*draft).current},
	{"kattis-legacy", "the legacy problem package format", false, (*draft).legacy},
	{"domjudge", "the legacy problem package format with the files of DOMjudge", true, (*draft).domjudge},
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
	Files  map[string]File // by name in the new package
	Lost   []foreign.Lost  // what the format cannot express

	Name      string        // of the problem, in English if it has an English name
	TimeLimit time.Duration // 0 means that the judge infers it
	In        Listed        // place in the contest
}

// Verdicts reports whether submissions can get other verdicts because of what is lost.
func (p *Package) Verdicts() bool {
	return slices.ContainsFunc(p.Lost, func(l foreign.Lost) bool { return l.Verdicts })
}

// A File is a file of a [Package]: Data or, if From is set, the contents of a file of the
// source.
type File struct {
	Data       []byte
	From       string // name in the source
	Executable bool
}

// A Listed describes a problem in a contest. DOMjudge's packages contain it.
type Listed struct {
	Label string // such as "A"; "" if not known
	Color string // a name or #rrggbb of CSS; "" if not known
}

// maxText is the maximum size in bytes of a text in which constants are replaced.
const maxText = 16 << 20

// Make converts the problem that was opened from a source.
func Make(ctx context.Context, s *problem.Source, p *problem.Problem, f *Format, in Listed) (*Package, error) {
	w, err := s.Files(ctx)
	if err != nil {
		return nil, err
	}
	d := &draft{p: p, in: in, id: s.ID, list: w.Files, files: make(map[string]File), raw: make(map[string]any)}
	data, err := problem.ReadBounded(s, problem.ProblemFile, problem.MaxYAML)
	if err == nil {
		err = lib.Unmarshal(data, &d.raw)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Where(problem.ProblemFile), err)
	}
	for _, name := range w.Meant() {
		d.lose(name, "left out: the format ignores the name")
	}
	if err := f.write(d); err != nil {
		return nil, err
	}
	name := p.Names["en"]
	for _, lang := range slices.Sorted(maps.Keys(p.Names)) {
		name = cmp.Or(name, p.Names[lang])
	}
	return &Package{Format: f, Source: s, Files: d.files, Lost: d.lost, Name: cmp.Or(name, s.ID), TimeLimit: p.Limits.Time, In: in}, nil
}

// A draft is a package while a writer makes it.
type draft struct {
	p     *problem.Problem
	id    string
	in    Listed
	list  []problem.Listed
	raw   map[string]any // problem.yaml
	files map[string]File
	lost  []foreign.Lost
}

// lose records a loss that does not affect judging. name is that of a file.
func (d *draft) lose(name, what string, args ...any) {
	d.lost = append(d.lost, foreign.Lost{Where: d.p.Where(name), What: fmt.Sprintf(what, args...)})
}

// loseVerdicts records a loss that can change the verdicts of submissions.
func (d *draft) loseVerdicts(name, what string, args ...any) {
	d.lose(name, what, args...)
	d.lost[len(d.lost)-1].Verdicts = true
}

// loseKeys records the keys of problem.yaml that the format lacks.
func (d *draft) loseKeys(keys ...string) {
	for _, key := range keys {
		if d.raw[key] != nil {
			d.lose(problem.ProblemFile, "%s: the format has no such key", key)
		}
	}
}

// copyAll copies the files of a package that has the format already.
func (d *draft) copyAll() {
	for _, f := range d.list {
		d.files[f.Name] = File{From: f.Name, Executable: f.Executable}
	}
}

// put copies a file to another name. Constants are replaced if the file may use them.
func (d *draft) put(from problem.Listed, to string, constants bool) error {
	file := File{From: from.Name, Executable: from.Executable}
	if constants && len(d.p.Inserted()) > 0 && from.Size <= maxText {
		data, err := problem.ReadBounded(d.p.FS, from.Name, maxText)
		if err != nil {
			return err
		}
		replaced, ok := d.p.Insert(data, maxText)
		if !ok {
			return &problem.Defect{File: d.p.Where(from.Name), Msg: "too large after the problem's constants are inserted"}
		}
		if string(replaced) != string(data) {
			file.From, file.Data = "", replaced
		}
	}
	d.files[to] = file
	return nil
}

// yaml adds a YAML file, unless the value has no keys.
func (d *draft) yaml(name string, value any) error {
	data, err := yaml.Marshal(value)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if string(data) != "{}\n" {
		d.files[name] = File{Data: data}
	}
	return nil
}

// below splits a name into its first folder and the rest.
func below(name string) (top, rest string) {
	top, rest, _ = strings.Cut(name, "/")
	return top, rest
}

// outputValidators copies the output validators, which are in folder of the new package. A single
// program is the folder itself in 2025-09.
func (d *draft) outputValidators(folder string, single bool) error {
	for i, v := range d.p.OutputValidators {
		if single && i > 0 {
			d.loseVerdicts(v.Path, "the format has one output validator only")
			continue
		}
		dir := folder
		if !single && v.IsFolder {
			name := v.Name
			if v.Path == "output_validator" {
				name = "validator"
			}
			dir = path.Join(folder, name)
		}
		for _, f := range d.list {
			rest, ok := strings.CutPrefix(f.Name, v.Path+"/")
			if f.Name == v.Path {
				rest, ok = path.Base(v.Path), true
			}
			if !ok {
				continue
			}
			if err := d.put(f, path.Join(dir, rest), true); err != nil {
				return err
			}
		}
	}
	return nil
}
