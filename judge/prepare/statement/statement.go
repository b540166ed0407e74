package statement

import (
	"errors"
	"fmt"

	"crucible/judge/problem"
)

// A Page is a rendered statement.
type Page struct {
	Language string
	Name     string  // of the problem, as plain text
	Heading  string  // the name as HTML, which may have formulas
	Body     string  // HTML of the statement with its samples: allowed elements only
	Warnings []error // what the page does not show, each a [*problem.Defect]

	problem *problem.Problem
	words   *words
}

// Render renders a statement in Markdown or LaTeX. The error joins all defects of the
// statement, each a [*problem.Defect] with its line. It matches [ErrNeedsTeX] if the
// statement is LaTeX and uses a command or environment that this package does not know.
func Render(p *problem.Problem, f File) (*Page, error) {
	r, err := newRenderer(p, f)
	if err != nil {
		return nil, err
	}
	var body string
	switch f.Kind() {
	case ".md":
		body = r.markdown()
	case ".tex":
		body = r.latex()
	default:
		return nil, problem.Defectf(p.Where(f.Name), "is a PDF: a page can be made of Markdown and LaTeX only")
	}
	body += r.remainingSamples()
	page := &Page{Language: f.Language, Name: r.name(), Heading: r.heading, problem: p, words: r.words}
	page.Body = r.sanitize(body)
	if page.Heading == "" {
		page.Heading = escape(page.Name)
	}
	page.Heading = r.sanitize(page.Heading)
	page.Warnings = r.warnings
	return page, errors.Join(r.errs...)
}

// Check renders the statements of a problem and returns how many. Broken are their errors;
// doubts are what a page does not show and LaTeX that needs TeX. It skips PDF files, and a
// package without statements.
func Check(p *problem.Problem) (checked int, broken, doubts []error) {
	files, _ := Files(p)
	for _, f := range files {
		if f.Kind() == ".pdf" {
			continue
		}
		checked++
		page, err := Render(p, f)
		if page != nil {
			doubts = append(doubts, page.Warnings...)
		}
		for _, one := range split(err) {
			if errors.Is(one, ErrNeedsTeX) {
				doubts = append(doubts, fmt.Errorf("%w, so a page needs TeX", one))
			} else {
				broken = append(broken, one)
			}
		}
	}
	return checked, broken, doubts
}

// split returns the errors that err joins, or err itself; none if it is nil.
func split(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	if err == nil {
		return nil
	}
	return []error{err}
}
