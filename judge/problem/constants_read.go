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
	for _, f := range n.Fields() {
		name := f.Key.Text()
		add := func(variant string, n *yaml.Node) {
			if k := n.Kind(); k != yaml.Int && k != yaml.Float && k != yaml.String {
				m.Add(n.Errorf("expected a number or text, found %v", k))
			}
			m.p.Constants[name+"."+variant] = n.Text()
			if variant == "value" {
				m.p.Constants[name] = n.Text()
			}
		}
		switch {
		case !constantName().MatchString(name):
			m.Add(f.Key.Errorf("constant %q: expected letters, digits and _, not starting with a digit", name))
			continue
		case f.Value.Kind() != yaml.Map:
			add("value", f.Value)
			continue
		case f.Value.Get("value") == nil:
			m.Add(f.Key.Errorf("constant %q: key value is missing", name))
		}
		for _, variant := range f.Value.Fields() {
			if key := variant.Key.Text(); constantName().MatchString(key) {
				add(key, variant.Value)
			} else {
				m.Add(variant.Key.Errorf("variant %q of constant %q: expected letters, digits and _, not starting with a digit",
					key, name))
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
			m.doubt(f.Value.Errorf("variant %q of constant %q: %q seems to be a different number than %q", f.Key.Text(), name,
				f.Value.Text(), m.p.Constants[name]))
		}
	}
}

// numberIn guesses the number that a text represents.
func numberIn(text string) (float64, bool) {
	text = separators.Replace(text)
	if parts := power().FindStringSubmatch(text); parts != nil {
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
		for _, use := range constantUse().FindAllString(s, -1) {
			word := use[2 : len(use)-2]
			if _, ok := p.Constants[word]; !ok && word != "nextsample" && word != "remainingsamples" {
				defects.doubt(&Defect{File: p.Where(name), Line: line + 1,
					Msg: fmt.Sprintf("%s is not a constant of problem.yaml", use)})
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
