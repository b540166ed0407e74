package generate

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"regexp"

	"crucible/judge/internal/yaml"
	"crucible/judge/problem"
)

// ScaleFile is the file in a package that names series of inputs of growing
// size. The format of packages does not know it, and passes it over.
//
//	puzzles:                                  # the name of a series; the first is taken if none is asked for
//	  generate: sudoku -any easy {n} 32 {seed}  # as in generators.yaml; {n} is the size
//	  n: puzzles                              # what n counts; may be left out
//	  from: 16                                # the smallest size; 1 if left out
//	  to: 65536                               # the largest; no bound if left out
//	  factor: 2                               # from size to size, above 1; 2 if left out
const ScaleFile = "generators/scale.yaml"

// A Growth is a series of inputs whose size grows.
type Growth struct {
	Name    string  // in scale.yaml; "" if it is not from there
	Command string  // what makes an input: as in generators.yaml, {n} being the size
	Counts  string  // what n is, for people: "puzzles"; "" if nothing is said
	From    int64   // the smallest size, at least 1
	To      int64   // the largest; 0 is no bound
	Factor  float64 // from one size to the next, above 1

	file         string // where it is written; "" if in no file
	line, column int    // of the command
}

// where names the file that the series is from, or else the flag.
func (g *Growth) where() string { return cmp.Or(g.file, "--gen") }

// Fault says what is wrong with the command, and where it is written.
func (g *Growth) Fault(format string, args ...any) error {
	return &problem.Defect{File: g.where(), Line: g.line, Column: g.column, Msg: fmt.Sprintf(format, args...)}
}

// MaxSize bounds the sizes of inputs: they are exact in floating point.
const MaxSize = 1 << 53

// Growths reads the package's scale.yaml, in its order. The result is nil if
// there is none.
func Growths(fsys fs.FS) ([]Growth, error) {
	if problem.Absent(fsys, ScaleFile) {
		return nil, nil
	}
	p, err := problem.OpenWithoutData(fsys)
	if err != nil {
		return nil, err
	}
	data, err := problem.ReadBounded(fsys, ScaleFile, problem.MaxYAML)
	if err != nil {
		return nil, err
	}
	root, _, err := yaml.ParseLast(problem.Where(fsys, ScaleFile), data)
	if err != nil {
		return nil, err
	}
	if root.Kind() != yaml.Map || len(root.Fields()) == 0 {
		return nil, root.Errorf("want a map of series, each with the key generate; got %v", root.Kind())
	}
	var found problem.Defects
	var all []Growth
	for _, field := range root.Fields() {
		g, err := readGrowth(field, p.Constants)
		found.Add(err)
		all = append(all, g)
	}
	if found.Errs != nil {
		return nil, errors.Join(found.Errs...)
	}
	return all, nil
}

var growthName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)

// readGrowth reads one series.
func readGrowth(field yaml.Field, constants map[string]string) (Growth, error) {
	n := field.Value
	g := Growth{Name: field.Key.Text(), From: 1, Factor: 2, file: n.File()}
	switch {
	case !growthName.MatchString(g.Name):
		return g, field.Key.Errorf("series %q: want a name of letters, digits, _ and -", g.Name)
	case n.Kind() != yaml.Map || n.Get("generate") == nil:
		return g, n.Errorf("series %s: want a map with the key generate", g.Name)
	}
	for _, f := range n.Fields() {
		if err := g.readKey(f, constants); err != nil {
			return g, err
		}
	}
	if g.To != 0 && g.To < g.From {
		return g, n.Get("to").Errorf("to %d: want at least from, %d", g.To, g.From)
	}
	return g, nil
}

func (g *Growth) readKey(f yaml.Field, constants map[string]string) (err error) {
	size := func() (int64, error) {
		v, err := f.Value.AsInt()
		if err == nil && (v < 1 || v > MaxSize) {
			err = f.Value.Errorf("%s %d: want 1 to 2^53", f.Key.Text(), v)
		}
		return v, err
	}
	switch f.Key.Text() {
	case "generate":
		if g.Command, err = f.Value.AsString(); err != nil {
			return err
		}
		if _, err := Sized(g.Command, constants, 1, ""); err != nil {
			return f.Value.Errorf("%v", err)
		}
		g.line, g.column = f.Value.Line(), f.Value.Column()
	case "n":
		g.Counts, err = f.Value.AsString()
	case "from":
		g.From, err = size()
	case "to":
		g.To, err = size()
	case "factor":
		g.Factor, err = f.Value.AsFloat()
		if err == nil && g.Factor <= 1 {
			err = f.Value.Errorf("factor %v: want more than 1", g.Factor)
		}
	default:
		err = f.Key.Errorf("%q: want generate, n, from, to or factor", f.Key.Text())
	}
	return err
}
