// Package mutate makes mutants of programs: copies that differ from the original
// in one small change, such as those that separate wrong submissions from accepted
// ones. It runs no programs.
//
// Programs are read by the tokens of chroma's lexers, or of go/scanner, and a parser of
// statements, which describes a source by facts (type outline). Each operator is a function
// of these facts, in the table [Operators].
//
// Nothing in comments, strings, preprocessor lines (except the value of a numeric
// #define), imports or unreachable code is changed. No two mutants of a program
// have the same tokens, and none has those of the original.
package mutate

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"crucible/judge/language"
)

// MostBytes is the size of the largest source file that is mutated, in bytes.
// Contests accept at most 64 to 256 KiB.
const MostBytes = 1 << 20

// ErrLanguage is the cause if programs in a language cannot be mutated.
var ErrLanguage = errors.New("no mutants are made in this language")

// A Mutant is a program with one change.
type Mutant struct {
	Operator string // name of a row of Operators
	ID       string // 16 hexadecimal digits; the same for the same file name and mutated text
	File     string // name of the changed file
	Line     int    // of the first change, from 1
	Column   int    // of the first change in bytes, from 1
	Edits    []Edit // by offset; they do not overlap

	files map[string][]byte // of the original
}

// An Edit replaces a part of a file.
type Edit struct {
	From, To int    // bytes of the original file: From is the first, To the one after the last
	Old, New string // the replaced and the new text; one of them may be empty
}

// Source returns the mutated text of the file File.
func (m *Mutant) Source() []byte {
	text := m.files[m.File]
	var out bytes.Buffer
	at := 0
	for _, e := range m.Edits {
		out.Write(text[at:e.From])
		out.WriteString(e.New)
		at = e.To
	}
	out.Write(text[at:])
	return out.Bytes()
}

// Files returns the sources of the mutated program, by name. Files without change
// share their bytes with the original.
func (m *Mutant) Files() map[string][]byte {
	files := maps.Clone(m.files)
	files[m.File] = m.Source()
	return files
}

// Supports reports whether [Mutants] reads the language.
func Supports(l *language.Language) bool { return dialectOf(l) != nil }

// Mutants returns the mutants of a program, given its files by name. They are sorted
// by file, place and operator. Files that are not sources of the language are kept
// as they are. The error is for languages without operators (ErrLanguage), and for
// sources that cannot be read: no mutant of a part of a program is returned.
func Mutants(l *language.Language, files map[string][]byte) ([]*Mutant, error) {
	d := dialectOf(l)
	if d == nil {
		return nil, fmt.Errorf("%s: %w", l.Name, ErrLanguage)
	}
	sources := make(map[string][]byte)
	for _, name := range l.Sources(slices.Collect(maps.Keys(files))) {
		switch {
		case len(files[name]) > MostBytes:
			return nil, fmt.Errorf("%s: %d bytes, expected at most %d", name, len(files[name]), MostBytes)
		case !utf8.Valid(files[name]):
			// An invalid byte may stand in a comment. It must not move others.
			sources[name] = replaceInvalid(files[name])
		default:
			sources[name] = files[name]
		}
	}
	outlines, err := d.outlines(sources)
	if err != nil {
		return nil, err
	}
	var all []*Mutant
	for _, o := range outlines {
		all = append(all, o.mutants(files)...)
	}
	return all, nil
}

// replaceInvalid returns the text with a question mark for each invalid byte.
func replaceInvalid(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if r == utf8.RuneError && n == 1 {
			out = append(out, '?')
		} else {
			out = append(out, text[:n]...)
		}
		text = text[n:]
	}
	return out
}

// mutants applies all operators to one file of a program.
func (o *outline) mutants(files map[string][]byte) []*Mutant {
	var all []*Mutant
	text := files[o.name]
	hashes := newStream(o.fine)
	seen := map[uint64]bool{hashes.original(): true}
	for _, op := range Operators {
		op.find(o, func(edits ...edit) {
			m := &Mutant{Operator: op.Name, File: o.name, files: files}
			slices.SortFunc(edits, func(a, b edit) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
			for i, e := range edits {
				if e.from < 0 || e.to > len(text) || e.from > e.to || i > 0 && e.from < edits[i-1].to || o.isDead(e.span) {
					return
				}
				m.Edits = append(m.Edits, Edit{From: e.from, To: e.to, Old: string(text[e.from:e.to]), New: e.text})
			}
			if o.refuses != nil && o.refuses(edits) {
				return
			}
			if h := hashes.mutated(edits); !seen[h] {
				seen[h] = true
				all = append(all, m)
			}
		})
	}
	for _, m := range all {
		m.locate()
	}
	slices.SortStableFunc(all, func(a, b *Mutant) int { return cmp.Compare(a.Edits[0].From, b.Edits[0].From) })
	return all
}

// locate sets the fields that follow from the edits.
func (m *Mutant) locate() {
	before := string(m.files[m.File][:m.Edits[0].From])
	m.Line = 1 + strings.Count(before, "\n")
	m.Column = len(before) - strings.LastIndex(before, "\n")
	h := sha256.New()
	fmt.Fprintf(h, "%q\n", m.File)
	h.Write(m.Source())
	m.ID = hex.EncodeToString(h.Sum(nil)[:8])
}
