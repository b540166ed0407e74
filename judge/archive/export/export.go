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
	"slices"
	"time"

	lib "go.yaml.in/yaml/v3"

	"crucible/judge/archive/foreign"
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
	{"polygon", "a full package of Polygon", true, (*draft).polygon},
	{"dmoj", "a problem of DMOJ: init.yml and the tests", true, (*draft).dmoj},
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
	Files  map[string]foreign.File // by name in the new package
	Lost   []foreign.Lost          // what the format cannot express

	Name      string        // of the problem, in English if it has an English name
	TimeLimit time.Duration // 0 means that the judge infers it
	In        Listed        // place in the contest
}

// Verdicts reports whether submissions can get other verdicts because of what is lost.
func (p *Package) Verdicts() bool {
	return slices.ContainsFunc(p.Lost, func(l foreign.Lost) bool { return l.Verdicts })
}

// Make converts the problem that was opened from a source.
func Make(ctx context.Context, s *problem.Source, p *problem.Problem, f *Format, in Listed) (*Package, error) {
	w, err := s.Files(ctx)
	if err != nil {
		return nil, err
	}
	d := &draft{p: p, in: in, id: s.ID, list: w.Files, files: make(map[string]foreign.File), raw: make(map[string]any)}
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
