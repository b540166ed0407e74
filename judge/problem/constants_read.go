package problem

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"crucible/judge/internal/yaml"
)

// constants reads the constants of the problem. A constant is a scalar, or a map
// with the key value and variants of its notation.
func (m *metadata) constants(n *yaml.Node) error {
	if n.Kind() != yaml.Map {
		return n.Errorf("constants: expected a map, found %v", n.Kind())
	}
	m.p.Constants = make(map[string]string)
	scalar := func(n *yaml.Node) (string, error) {
		switch n.Kind() {
		case yaml.Int, yaml.Float, yaml.String:
			return n.Text(), nil
		}
		return "", n.Errorf("expected a number or text, found %v", n.Kind())
	}
	for _, f := range n.Fields() {
		name := f.Key.Text()
		if !constantName.MatchString(name) {
			m.Add(f.Key.Errorf("constant %q: expected letters, digits and _, not starting with a digit", name))
			continue
		}
		if f.Value.Kind() != yaml.Map {
			value, err := scalar(f.Value)
			m.Add(err)
			m.p.Constants[name], m.p.Constants[name+".value"] = value, value
			continue
		}
		if f.Value.Get("value") == nil {
			m.Add(f.Key.Errorf("constant %q: key value is missing", name))
		}
		for _, variant := range f.Value.Fields() {
			key := variant.Key.Text()
			if !constantName.MatchString(key) {
				m.Add(variant.Key.Errorf("variant %q of constant %q: expected letters, digits and _, not starting with a digit", key, name))
				continue
			}
			value, err := scalar(variant.Value)
			m.Add(err)
			m.p.Constants[name+"."+key] = value
			if key == "value" {
				m.p.Constants[name] = value
			}
		}
		m.compareVariants(name, f.Value)
	}
	return nil
}

// compareVariants reports a doubt for each variant that seems to be a different
// number than the value. It reads digits with separators and powers of ten in TeX.
func (m *metadata) compareVariants(name string, n *yaml.Node) {
	value, ok := numberIn(m.p.Constants[name])
	if !ok {
		return
	}
	for _, f := range n.Fields() {
		if other, ok := numberIn(f.Value.Text()); ok && other != value {
			m.doubt(f.Value.Errorf("variant %q of constant %q: %q seems to be a different number than %q", f.Key.Text(), name, f.Value.Text(), m.p.Constants[name]))
		}
	}
}

// numberIn guesses the number that a text represents.
func numberIn(text string) (float64, bool) {
	text = separators.Replace(text)
	if parts := power.FindStringSubmatch(text); parts != nil {
		if parts[1] == "" {
			parts[1] = "1"
		}
		text = parts[1] + "e" + parts[2]
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil
}

// doubtConstants reports a doubt for each undefined constant in a statement.
func doubtConstants(p *Problem, name string, text []byte, defects *Defects) {
	for line, s := range strings.Split(string(text), "\n") {
		for _, use := range constantUse.FindAllString(s, -1) {
			word := use[2 : len(use)-2]
			if _, ok := p.Constants[word]; !ok && word != "nextsample" && word != "remainingsamples" {
				defects.doubt(&Defect{File: p.Where(name), Line: line + 1, Msg: fmt.Sprintf("%s is not a constant of problem.yaml", use)})
			}
		}
	}
}

// readConstantUses checks the statements for undefined constants.
func readConstantUses(p *Problem, defects *Defects) {
	if !p.Format.constants {
		return
	}
	for _, dir := range p.Format.Statement {
		files, _ := fs.Glob(p.FS, dir+"/problem.*")
		for _, name := range files {
			if !strings.HasSuffix(name, ".md") {
				continue
			}
			if text, err := ReadBounded(p.FS, name, MaxYAML); err == nil {
				doubtConstants(p, name, text, defects)
			}
		}
	}
}
