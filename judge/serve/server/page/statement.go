package page

import (
	"errors"
	"html/template"
	"strings"

	"crucible/judge/prepare/statement"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// A statementView is the statement of a problem in a language.
type statementView struct {
	Statement    template.HTML // "" if it cannot be shown as HTML
	Text         *sourceFile   // the source of the statement instead
	Reasons      []string      // why it is not shown
	Natural      string        // its language
	Translations []choice      // all languages, if there are several
	warnings     []string
}

// statementOf returns the statement in a language; "" is English, or the first language. If
// it cannot be rendered, its source and the reasons are shown.
func statementOf(p *problem.Problem, code string) (d statementView) {
	files, err := statement.Files(p)
	if err != nil {
		d.Reasons = reasons(p, err)
		return d
	}
	if len(files) > 1 {
		for _, f := range files {
			d.Translations = append(d.Translations, choice{f.Language, f.Language})
		}
	}
	f, err := statement.Choose(p, code)
	if err != nil {
		d.Reasons = reasons(p, err)
		return d
	}
	d.Natural = f.Language
	page, err := statement.Render(p, f)
	if err == nil {
		d.Statement = template.HTML(page.Body) // it has allowed elements only
		for _, w := range page.Warnings {
			d.warnings = append(d.warnings, terminal.Clean(w.Error()))
		}
		return d
	}
	d.Reasons = reasons(p, err)
	if f.Kind() == ".pdf" {
		return d
	}
	if data, err := problem.ReadBounded(p.FS, f.Name, maxSource); err == nil {
		d.Text = new(highlight(f.Name, string(data), ""))
	}
	return d
}

// reasons returns the lines of an error, at most 20, with names below the package.
func reasons(p *problem.Problem, err error) []string {
	lines := strings.Split(terminal.CleanText(strings.ReplaceAll(err.Error(), p.Path+"/", "")), "\n")
	if errors.Is(err, statement.ErrNeedsTeX) {
		lines = append(lines, "judge statement makes a PDF of it if TeX is installed.")
	}
	return lines[:min(len(lines), 20)]
}
