package cli

import (
	"io"
	"path/filepath"
	"strings"

	"crucible/judge/record"
	"crucible/judge/report/html"
	"crucible/judge/report/sheet"
)

// A reportWriter writes a document in one format.
type reportWriter = func(io.Writer, *record.Document) error

// A reportFormat is one way to write a document.
type reportFormat struct {
	Name  string // name of the format: "markdown"
	Ext   string // extension of its files, with the dot: ".md"
	Write reportWriter
}

// reportFormats is the list of all report formats.
var reportFormats = []reportFormat{
	{"text", ".txt", sheet.Writer.WriteText},
	{"markdown", ".md", sheet.Writer.WriteMarkdown},
	{"json", ".json", record.Write},
	{"junit", ".xml", sheet.Writer.WriteJUnit},
	{"csv", ".csv", sheet.Writer.WriteCSV},
	{"html", ".html", html.Write},
	{"benchfmt", ".bench", sheet.Writer.WriteBenchfmt},
	{"github", ".annotations", sheet.Writer.WriteGithub},
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
