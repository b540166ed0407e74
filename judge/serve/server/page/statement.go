package page

import (
	"errors"
	"html/template"
	"strings"

	"crucible/judge/prepare/statement"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// addStatement adds the statement in a language; "" is English, or the first language. If
// it cannot be rendered, its source and the reasons are shown.
func (d *problemPage) addStatement(code string) {
	files, err := statement.Files(d.P)
	if err != nil {
		d.Reasons = reasons(d.P, err)
		return
	}
	if len(files) > 1 {
		for _, f := range files {
			d.Translations = append(d.Translations, choice{f.Language, f.Language})
		}
	}
	f, err := statement.Choose(d.P, code)
	if err != nil {
		d.Reasons = reasons(d.P, err)
		return
	}
	d.Natural = f.Language
	page, err := statement.Render(d.P, f)
	if err == nil {
		d.Statement = template.HTML(page.Body) // it has allowed elements only
		for _, w := range page.Warnings {
			d.Warnings = append(d.Warnings, terminal.Clean(w.Error()))
		}
		return
	}
	d.Reasons = reasons(d.P, err)
	if f.Kind() == ".pdf" {
		return
	}
	if data, err := problem.ReadBounded(d.P.FS, f.Name, maxSource); err == nil {
		d.Text = new(highlight(f.Name, string(data), ""))
	}
}

// reasons returns the lines of an error, at most 20, with names below the package.
func reasons(p *problem.Problem, err error) []string {
	lines := strings.Split(terminal.CleanText(strings.ReplaceAll(err.Error(), p.Path+"/", "")), "\n")
	if errors.Is(err, statement.ErrNeedsTeX) {
		lines = append(lines, "judge statement makes a PDF of it if TeX is installed.")
	}
	return lines[:min(len(lines), 20)]
}
