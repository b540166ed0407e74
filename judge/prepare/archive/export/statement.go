package export

import (
	"crucible/judge/prepare/archive"
	"crucible/judge/prepare/statement"
)

// contestStatement adds the statement that DOMjudge shows: a PDF of the package, or an HTML
// page made from another statement. DOMjudge has one statement, without a language.
func (d *draft) contestStatement() error {
	for _, name := range []string{"problem_statement/problem.pdf", "problem_statement/problem.html", "problem.pdf",
		"problem.html"} {
		if _, ok := d.files[name]; ok {
			return nil
		}
	}
	f, err := statement.Choose(d.p, "")
	if err != nil {
		d.lose("problem_statement", "no statement for DOMjudge: %v", err)
		return nil
	}
	const shown = "problem_statement/problem"
	if f.Kind() == ".pdf" {
		d.files[shown+".pdf"] = archive.File{From: f.Name}
		return nil
	}
	page, err := statement.Render(d.p, f)
	if err != nil {
		d.lose(f.Name, "no page of the statement for DOMjudge: %v", err)
		return nil
	}
	html, err := page.HTML()
	if err != nil {
		return err
	}
	d.files[shown+".html"] = archive.File{Data: html}
	return nil
}
