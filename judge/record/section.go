package record

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Sections are results that other packages measure, by their keys in a JSON object. Each
// value encodes itself. A value that was read, and that no [Section] decoded, is a
// [jsontext.Value], and is written as it was read.
type Sections map[string]any

// Of returns the section of type T of a problem; the zero value if it has none.
func Of[T any](p *Problem) (found T) {
	for _, v := range p.Sections {
		if one, ok := v.(T); ok {
			return one
		}
	}
	return found
}

// A Section is a kind of results that another package measures. Whoever reads a document
// or a stored call names those that it needs.
type Section struct {
	Name string // its key in a problem, and the kind of its lines in the log of a call
	// Decode adds a value that was read to the sections of the problem, and what is computed
	// from it.
	Decode func(p *Problem, text jsontext.Value) error
	// Problems returns the problems of a call for which results are stored. It is nil if the
	// section is a part of a problem of the head, see [Recording.Section].
	Problems func(c *Call) ([]Problem, error)
}

// SectionOf returns a section of type *T, which a problem of the head has.
func SectionOf[T any](name string) Section {
	return Section{Name: name, Decode: func(p *Problem, text jsontext.Value) error {
		v := new(T)
		p.Sections[name] = v
		return Parse(text, v)
	}}
}

// A SectionLine is a line of a call about a section.
type SectionLine struct {
	Name   string         // the kind of the line
	Number int            // of the line in the file, from 1
	Text   jsontext.Value // the value
}

// aboutProblem has the keys that a line about a section of a problem has before those of
// the section.
type aboutProblem struct {
	Problem int            `json:"problem"` // index in Head.Problems
	Key     string         `json:"key"`     // hash of what the section depends on; "" if it is not known
	Section jsontext.Value `json:",embed"`
}

// Section decodes the last line of a kind about problem i of the head into v. It reports
// whether there is one. The keys are those of the section, and "key", as in
// [Recording.Section].
func (c *Call) Section(i int, name string, v any) bool {
	parts, err := c.parts([]Section{{Name: name}})
	text, ok := parts[i][name].(jsontext.Value)
	return err == nil && ok && Parse(text, v) == nil
}

// parts returns the sections of each problem of the head, as they are stored.
func (c *Call) parts(sections []Section) ([]Sections, error) {
	parts := make([]Sections, len(c.problems))
	for _, line := range c.Sections {
		if !slices.ContainsFunc(sections, func(s Section) bool { return s.Name == line.Name && s.Problems == nil }) {
			continue
		}
		var about aboutProblem
		err := Parse(line.Text, &about)
		if i := about.Problem; err == nil && (i < 0 || i >= len(parts)) {
			err = fmt.Errorf("%s of problem %d: there are %d", line.Name, i, len(parts))
		}
		if err != nil {
			return parts, fmt.Errorf("%s:%d: %w", c.Path, line.Number, err)
		}
		if parts[about.Problem] == nil {
			parts[about.Problem] = make(Sections)
		}
		parts[about.Problem][line.Name] = line.Text
	}
	return parts, nil
}

// decode decodes the sections of a problem.
func (p *Problem) decode(sections []Section) error {
	for _, s := range sections {
		if text, ok := p.Sections[s.Name].(jsontext.Value); ok {
			if err := s.Decode(p, text); err != nil {
				return fmt.Errorf("problem %q: %w", p.ID, err)
			}
		}
	}
	return nil
}
