package vet

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/format"
	"maps"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// Fix applies suggested fixes, one after the other, until the analyzers suggest none
// for the result. It returns the program with the fixes, which is p if there are
// none, and how many it applied. It writes no files. A fix after which the
// program would not compile is not applied.
func Fix(p *Submission, analyzers []*analysis.Analyzer) (fixed *Submission, applied int, err error) {
	refused := make(map[string]bool)
	for {
		findings, err := Check(p, analyzers)
		if err != nil {
			return p, applied, err
		}
		at := slices.IndexFunc(findings, func(f Finding) bool { return len(f.SuggestedFixes) > 0 && !refused[f.key()] })
		if at < 0 || applied == mostFixes {
			return p, applied, nil
		}
		next, err := p.apply(findings[at].SuggestedFixes[0])
		if err != nil {
			refused[findings[at].key()] = true
			continue
		}
		p = next
		applied++
	}
}

// mostFixes bounds the number of fixes of a program.
const mostFixes = 1000

func (f Finding) key() string { return f.Position.String() + f.Analyzer.Name }

// Changed returns the texts of the files of p that differ from those of old.
func (p *Submission) Changed(old *Submission) map[string][]byte {
	changed := make(map[string][]byte)
	for name, text := range p.texts {
		if !bytes.Equal(text, old.texts[name]) {
			changed[name] = text
		}
	}
	return changed
}

// apply returns the program with a fix. Files that were formatted stay so.
func (p *Submission) apply(fix analysis.SuggestedFix) (*Submission, error) {
	edits := make(map[string][]analysis.TextEdit)
	for _, e := range fix.TextEdits {
		name := p.Fset.PositionFor(e.Pos, false).Filename
		edits[name] = append(edits[name], e)
	}
	texts := maps.Clone(p.texts)
	for name, list := range edits {
		text, err := p.edit(texts[name], list)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if was, err := format.Source(p.texts[name]); err == nil && bytes.Equal(was, p.texts[name]) {
			if text, err = format.Source(text); err != nil {
				return nil, err
			}
		}
		texts[name] = text
	}
	return newProgramOf(p.Sources, texts, p.library)
}

// edit applies the edits of one file. Insertions at one place keep their order.
func (p *Submission) edit(text []byte, edits []analysis.TextEdit) ([]byte, error) {
	slices.SortStableFunc(edits, func(a, b analysis.TextEdit) int { return cmp.Compare(a.Pos, b.Pos) })
	var out []byte
	done := 0
	for _, e := range edits {
		from := p.Fset.PositionFor(e.Pos, false).Offset
		to := from
		if e.End.IsValid() {
			to = p.Fset.PositionFor(e.End, false).Offset
		}
		if from < done || to < from || to > len(text) {
			return nil, errors.New("the edits of a suggested fix overlap")
		}
		out = append(append(out, text[done:from]...), e.NewText...)
		done = to
	}
	return append(out, text[done:]...), nil
}
