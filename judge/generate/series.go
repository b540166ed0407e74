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

// ScaleFile is the file of a package that declares series of inputs of growing size.
// The package format does not specify it; other tools ignore it.
//
//	puzzles:                                    # name of a series; the first is the default
//	  generate: sudoku -any easy {n} 32 {seed}  # as in generators.yaml; {n} is the size
//	  n: puzzles                                # optional: what n counts
//	  from: 16                                  # smallest size; default 1
//	  to: 65536                                 # largest size; default no limit
//	  factor: 2                                 # ratio of one size to the one before, above 1; default 2
const ScaleFile = "generators/scale.yaml"

// A Growth is a series of inputs whose size grows.
type Growth struct {
	Name    string  // in scale.yaml; "" for a command of --gen
	Command string  // makes an input: as in generators.yaml, with {n} for the size
	Counts  string  // what n counts: "puzzles"; "" if not given
	From    int64   // smallest size, at least 1
	To      int64   // largest size; 0 means no limit
	Factor  float64 // ratio of one size to the one before, above 1

	file         string // scale.yaml, or "" for a command of --gen
	line, column int    // of the command
}

// where returns the file or flag that declares the series.
func (g *Growth) where() string { return cmp.Or(g.file, "--gen") }

// Fault returns a defect of the command, with its position.
func (g *Growth) Fault(format string, args ...any) error {
	return &problem.Defect{File: g.where(), Line: g.line, Column: g.column, Msg: fmt.Sprintf(format, args...)}
}

// MaxSize limits the sizes of inputs, so that they are exact as float64.
const MaxSize = 1 << 53

// Growths reads the [ScaleFile] of a package. It returns the series in the order of the
// file, or nil if there is no file.
func Growths(fsys fs.FS) ([]Growth, error) {
	data, err := readOptional(fsys, ScaleFile, problem.MaxYAML)
	if data == nil || err != nil {
		return nil, err
	}
	p, err := problem.OpenWithoutData(fsys)
	if err != nil {
		return nil, err
	}
	root, _, err := yaml.ParseLast(problem.Where(fsys, ScaleFile), data)
	if err != nil {
		return nil, err
	}
	if root.Kind() != yaml.Map || len(root.Fields()) == 0 {
		return nil, root.Errorf("expected a map of series, each with the key generate, found %v", root.Kind())
	}
	var all []Growth
	var found problem.Defects
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
		return g, field.Key.Errorf("series %q: expected a name of letters, digits, _ and -", g.Name)
	case n.Kind() != yaml.Map || n.Get("generate") == nil:
		return g, n.Errorf("series %s: expected a map with the key generate", g.Name)
	}
	for _, f := range n.Fields() {
		if err := g.readKey(f, constants); err != nil {
			return g, err
		}
	}
	if g.To != 0 && g.To < g.From {
		return g, n.Get("to").Errorf("to %d: expected at least from, %d", g.To, g.From)
	}
	return g, nil
}

func (g *Growth) readKey(f yaml.Field, constants map[string]string) (err error) {
	size := func() (int64, error) {
		v, err := f.Value.AsInt()
		if err == nil && (v < 1 || v > MaxSize) {
			err = f.Value.Errorf("%s %d: expected 1 to 2^53", f.Key.Text(), v)
		}
		return v, err
	}
	switch f.Key.Text() {
	case "generate":
		if g.Command, err = f.Value.AsString(); err != nil {
			return err
		}
		if err := CheckSized(g.Command, constants); err != nil {
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
			err = f.Value.Errorf("factor %v: expected more than 1", g.Factor)
		}
	default:
		err = f.Key.Errorf("unknown key %q: expected generate, n, from, to or factor", f.Key.Text())
	}
	return err
}
