package cli

import (
	"io"
	"path/filepath"
	"strings"

	"crucible/judge/record"
	"crucible/judge/report"
)

// A reportWriter writes a document in one format.
type reportWriter = func(io.Writer, *record.Document) error

// A reportFormat is one way to write a document.
type reportFormat struct {
	Name   string                  // name of the format: "markdown"
	Ext    string                  // extension of its files, with the dot: ".md"
	Writer func(*Env) reportWriter // returns what writes it
}

// reportFormats is the list of all report formats.
var reportFormats = []reportFormat{
	{"text", ".txt", with(report.Writer.WriteText)},
	{"markdown", ".md", with(report.Writer.WriteMarkdown)},
	{"json", ".json", func(*Env) reportWriter { return record.Write }},
	{"junit", ".xml", with(report.Writer.WriteJUnit)},
	{"csv", ".csv", with(report.Writer.WriteCSV)},
	{asHTML, ".html", func(e *Env) reportWriter { return e.Lab.HTML }},
	{"benchfmt", ".bench", with(report.Writer.WriteBenchfmt)},
	{"github", ".annotations", with(report.Writer.WriteGithub)},
}

// with returns a function that gives a method the writer that knows all sections.
func with(write func(report.Writer, io.Writer, *record.Document) error) func(*Env) reportWriter {
	return func(e *Env) reportWriter {
		return func(w io.Writer, d *record.Document) error { return write(e.report(), w, d) }
	}
}

// formatFor returns the format with that name or with the extension of that file.
// It reports false if there is none.
func formatFor(nameOrFile string) (reportFormat, bool) {
	ext := strings.ToLower(filepath.Ext(nameOrFile))
	for _, f := range reportFormats {
		if nameOrFile == f.Name || ext == f.Ext {
			return f, true
		}
	}
	return reportFormat{}, false
}
