package problem

import (
	"crucible/judge/language"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Identify settles a submission's language, unless submissions.yaml did. A
// language that the problem does not allow, or files of two languages, are the
// package's mistake; a language that this judge does not have is nobody's.
func Identify(s *Submission) {
	if s.Problem.Is("submit-answer") {
		return // it has none
	}
	if s.Language == nil && s.Unusable == "" && s.Unreadable == nil {
		var why string
		if s.Language, why = language.Of(s.Files); s.Language == nil {
			if len(language.Extensions(s.Files)) > 1 {
				s.Unreadable = &Defect{File: Where(s.FS, s.Path), Msg: why}
			} else {
				s.Unusable = why
			}
		} else if l := firstLineLanguage(s); l != nil {
			s.Language = l
		}
	}
	if s.Language != nil && s.Problem.Languages != nil && !slices.Contains(s.Problem.Languages, s.Language.Code) {
		s.Unreadable = &Defect{File: Where(s.FS, s.Path), Msg: fmt.Sprintf("the problem does not allow %s: expected one of %s", s.Language.Name, strings.Join(s.Problem.Languages, ", "))}
	}
}

// firstLineLanguage returns the language that all sources of a submission claim
// by their first lines, though their extension is mostly another's, or nil:
// archives are full of .py files that begin with #!/usr/bin/env python2, and
// Kattis goes by that.
func firstLineLanguage(s *Submission) *language.Language {
	claims := func(l *language.Language) bool {
		if l.FirstLine == "" {
			return false
		}
		line := regexp.MustCompile(l.FirstLine)
		for _, name := range s.Language.Sources(s.Files) {
			if !slices.Contains(l.Shared, path.Ext(name)) {
				return false
			}
			head, err := s.head(name, 256)
			if first, _, _ := strings.Cut(string(head), "\n"); err != nil || !line.MatchString(first) {
				return false
			}
		}
		return true
	}
	for i := range language.Languages {
		if claims(&language.Languages[i]) {
			return &language.Languages[i]
		}
	}
	return nil
}

var mainMethod = regexp.MustCompile(`\bstatic\s+(final\s+)?void\s+main\b|\bfun\s+main\b|\bdef\s+main\b|\bextends\s+App\b`)

// likelyEntry returns the file that a submission of several starts at where
// nothing says so, as other judges guess it, or "". 2025-09 knows default entry
// points only, so that there the guess is for languages that start at a class,
// where it is as good as sure.
func (s *Submission) likelyEntry() string {
	if l := s.Language; l == nil || s.Problem.Spec().Strict && l.Class == nil {
		return ""
	}
	if _, err := fs.Stat(s.Problem.FS, "include"); err == nil {
		return ""
	}
	return s.Program.LikelyEntry(s.Language)
}

// LikelyEntry returns the file that a program of several starts at if none is a
// default entry point: one that is called main, in capitals or not, else of
// classes the first that has such a method, else the first by name.
func (p *Program) LikelyEntry(l *language.Language) string {
	of := l.Sources(p.Files)
	if l.Entry == nil || len(of) < 2 || slices.ContainsFunc(p.Files, func(name string) bool { return slices.Contains(l.Entry, name) }) {
		return ""
	}
	for _, name := range of {
		if stem, _, _ := strings.Cut(name, "."); strings.EqualFold(stem, "main") {
			return name
		}
	}
	if l.Class != nil {
		for _, name := range of {
			if head, err := p.head(name, maxMarks); err == nil && mainMethod.Match(head) {
				return name
			}
		}
	}
	return of[0]
}
