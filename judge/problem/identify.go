package problem

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"crucible/judge/language"
)

// Identify sets a submission's Language unless submissions.yaml did. It sets
// Unreadable for a language that the problem does not allow or for files of
// several languages, which are defects of the package, and Unusable for a
// language that this judge does not support.
func Identify(s *Submission) {
	if s.Problem.Is(SubmitAnswer) {
		return // such a submission has no language
	}
	if s.Language == nil && s.Unusable == "" && s.Unreadable == nil {
		var why string
		if s.Language, why = s.Problem.Table.Of(s.Files); s.Language == nil {
			if s.Problem.Table.Ambiguous(s.Files) {
				s.Unreadable = Defectf(Where(s.FS, s.Path), "%s", why)
			} else {
				s.Unusable = why
			}
		} else if l := firstLineLanguage(s); l != nil {
			s.Language = l
		}
	}
	if s.Language != nil && s.Problem.Languages != nil && !slices.Contains(s.Problem.Languages, s.Language.Code) {
		s.Unreadable = Defectf(Where(s.FS, s.Path), "the problem does not allow %s: expected one of %s", s.Language.Name,
			strings.Join(s.Problem.Languages, ", "))
	}
}

// firstLines are the expressions of [language.Language.FirstLine], by the codes. No
// languages.yaml changes them.
var firstLines = sync.OnceValue(func() map[string]*regexp.Regexp {
	all := make(map[string]*regexp.Regexp)
	for l := range language.Builtin.Each {
		if l.FirstLine != "" {
			all[l.Code] = regexp.MustCompile(l.FirstLine)
		}
	}
	return all
})

// firstLineLanguage returns the language that the first line of every source
// names, although its extension belongs to another language, or nil. Many archives
// have .py files that begin with #!/usr/bin/env python2, and Kattis uses that
// line.
func firstLineLanguage(s *Submission) *language.Language {
	claims := func(l *language.Language) bool {
		if l.FirstLine == "" {
			return false
		}
		for _, name := range s.Language.Sources(s.Files) {
			if !slices.Contains(l.Shared, path.Ext(name)) {
				return false
			}
			head, err := s.head(name, 256)
			if first, _, _ := strings.Cut(string(head), "\n"); err != nil || !firstLines()[l.Code].MatchString(first) {
				return false
			}
		}
		return true
	}
	for l := range s.Problem.Table.Each {
		if claims(l) {
			return l
		}
	}
	return nil
}

// likelyEntry guesses the entry point of a submission of several files that names
// none, as other judges do, or returns "". 2025-09 has only default entry points,
// so there the guess is limited to languages that start at a class, where it is
// reliable.
func (s *Submission) likelyEntry() string {
	if l := s.Language; l == nil || s.Problem.Spec().Strict && !l.StartsAtClass() {
		return ""
	}
	if _, err := fs.Stat(s.Problem.FS, "include"); err == nil {
		return ""
	}
	return s.Program.LikelyEntry(s.Language)
}

// LikelyEntry guesses the entry point of a program of several files of which none
// is a default entry point: the file named main in any case, else the first file
// with a main method, for languages with classes, else the first file by name. It
// returns "" for other programs.
func (p *Program) LikelyEntry(l *language.Language) string {
	of := l.Sources(p.Files)
	if l.Entry == nil || len(of) < 2 || slices.ContainsFunc(p.Files,
		func(name string) bool { return slices.Contains(l.Entry, name) }) {
		return ""
	}
	for _, name := range of {
		if stem, _, _ := strings.Cut(name, "."); strings.EqualFold(stem, "main") {
			return name
		}
	}
	if l.StartsAtClass() {
		for _, name := range of {
			if head, err := p.head(name, maxMarks); err == nil && l.HasMain(head) {
				return name
			}
		}
	}
	return of[0]
}
