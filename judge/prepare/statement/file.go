package statement

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// A File is the statement of a problem in one language.
type File struct {
	Language string // code of its natural language: "en"
	Name     string // in the package: "statement/problem.en.md"
}

// Kind returns the file extension: ".md", ".tex" or ".pdf".
func (f File) Kind() string { return path.Ext(f.Name) }

// Files returns the statements of a problem in the order of their languages, English
// first. The error is for a package without statements.
func Files(p *problem.Problem) (files []File, err error) {
	var found problem.Defects
	dir := p.Folder(p.Spec().Statement, &found)
	if err := errors.Join(found.Errs...); err != nil {
		return nil, err
	}
	byLanguage := map[string]string{}
	if dir != "" {
		if byLanguage, _, err = p.Documents(dir, "problem", p.Spec().UnnamedLanguage); err != nil {
			return nil, problem.Unreadable(p.FS, dir, err)
		}
	}
	for _, language := range slices.Sorted(maps.Keys(byLanguage)) {
		files = append(files, File{language, byLanguage[language]})
	}
	slices.SortStableFunc(files, func(a, b File) int {
		switch {
		case a.Language == b.Language:
			return 0
		case a.Language == "en":
			return -1
		case b.Language == "en":
			return 1
		}
		return 0
	})
	// DOMjudge's own packages have one PDF in their root.
	if files == nil && !problem.Absent(p.FS, "problem.pdf") {
		files = []File{{"en", "problem.pdf"}}
	}
	if files == nil {
		return nil, problem.Defectf(p.Where(p.Spec().Statement[0]), "no statement: expected problem.LANGUAGE.%s",
			strings.Join(p.Spec().StatementTypes, " or ."))
	}
	return files, nil
}

// Choose returns the statement in a language; "" is English, or the first language if
// there is no English statement.
func Choose(p *problem.Problem, language string) (File, error) {
	files, err := Files(p)
	if err != nil || language == "" {
		return append(files, File{})[0], err
	}
	i := slices.IndexFunc(files, func(f File) bool { return f.Language == language })
	if i < 0 {
		have := terminal.Texts(files, func(f File) string { return f.Language })
		return File{}, fmt.Errorf("%s has no statement in language %q: expected one of %s", p.ID, language,
			strings.Join(have, ", "))
	}
	return files[i], nil
}
