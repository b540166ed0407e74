package generate

import (
	"errors"
	"io/fs"

	"crucible/judge/internal/lazy"
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

	at *yaml.Node // of the command in scale.yaml; nil for a command of --gen
}

// where returns the file or flag that declares the series.
func (g *Growth) where() string {
	if g.at == nil {
		return "--gen"
	}
	return g.at.File()
}

// Fault returns a defect of the command, with its position.
func (g *Growth) Fault(format string, args ...any) error {
	return defectAt(g.where(), g.at, format, args...)
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

var growthName = lazy.Regexp(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)

// readGrowth reads one series.
func readGrowth(field yaml.Field, constants map[string]string) (Growth, error) {
	n := field.Value
	g := Growth{Name: field.Key.Text(), From: 1, Factor: 2}
	switch {
	case !growthName().MatchString(g.Name):
		return g, field.Key.Errorf("series %q: expected a name of letters, digits, _ and -", g.Name)
	case n.Get("generate") == nil:
		return g, n.Errorf("series %s: expected a map with the key generate", g.Name)
	}
	for _, f := range n.Fields() {
		if err := g.readKey(f.Key, f.Value, constants); err != nil {
			return g, err
		}
	}
	if g.To != 0 && g.To < g.From {
		return g, n.Get("to").Errorf("to %d: expected at least from, %d", g.To, g.From)
	}
	return g, nil
}

func (g *Growth) readKey(key, n *yaml.Node, constants map[string]string) (err error) {
	switch key.Text() {
	case "generate":
		g.at = n
		if g.Command, err = n.AsString(); err == nil {
			if err := CheckSized(g.Command, constants); err != nil {
				return n.Errorf("%v", err)
			}
		}
	case "n":
		g.Counts, err = n.AsString()
	case "from":
		g.From, err = size(key, n)
	case "to":
		g.To, err = size(key, n)
	case "factor":
		if g.Factor, err = n.AsFloat(); err == nil && g.Factor <= 1 {
			err = n.Errorf("factor %v: expected more than 1", g.Factor)
		}
	default:
		err = key.Errorf("unknown key %q: expected generate, n, from, to or factor", key.Text())
	}
	return err
}

func size(key, n *yaml.Node) (int64, error) {
	v, err := n.AsInt()
	if err == nil && (v < 1 || v > MaxSize) {
		err = n.Errorf("%s %d: expected 1 to 2^53", key.Text(), v)
	}
	return v, err
}
