package inputs

import "slices"

// A structure is what the inputs of a problem have in common.
type structure struct {
	form    form
	gaps    bool     // empty lines only separate others
	trailer []string // the tokens of the last line, which is the same in all; nil if there is none
}

// unknown returns the structure about which nothing is known: lines of any tokens.
func unknown() structure {
	s := structure{form: form{free()}}
	s.form.mark()
	s.form.locate("")
	return s
}

// structureOf returns a structure of inputs. It describes these inputs, and may not
// describe others. Strict means that the number of tokens of each line follows from
// others. Empty lines only separate others if the inputs have a strict structure then.
func structureOf(texts [][]byte) (s structure, strict bool) {
	for _, gaps := range []bool{true, false} {
		for _, closed := range []bool{true, false} {
			var docs []*document
			blank := false
			for _, text := range texts {
				d := parse(text, gaps)
				blank = blank || slices.ContainsFunc(d.lines, func(l line) bool { return l.gap != "" })
				docs = append(docs, d)
			}
			if gaps && !blank {
				break
			}
			one := structure{gaps: gaps}
			if closed {
				one.trailer = endsAlike(docs)
			}
			one.form, strict = infer(docs)
			s = one
			// Few inputs may end alike by chance.
			if strict || one.trailer == nil || len(texts) >= enough {
				break
			}
		}
		if strict {
			break
		}
	}
	s.form.mark()
	s.form.locate("")
	return s, strict
}

// read parses an input. The tree is nil if it does not have the form.
func (s *structure) read(text []byte) (d *document, tree []*node) {
	d = parse(text, s.gaps)
	if s.trailer != nil {
		last := len(d.lines) - 1
		if last < 0 || !slices.Equal(d.lines[last].tokens, s.trailer) {
			return d, nil
		}
		d.cut()
	}
	return d, s.tree(d)
}

// tree returns the tree of a document; nil if it does not have the form.
func (s *structure) tree(d *document) []*node {
	if tree, ok := s.form.parse(d.lines, make(env)); ok {
		return tree
	}
	return nil
}
