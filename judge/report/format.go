package report

import (
	"io"
	"path/filepath"
	"strings"
)

// A Format is one way to write a [Document].
type Format struct {
	Name  string // "markdown"
	Ext   string // of its files, with the dot: ".md"
	Write func(io.Writer, *Document) error
}

// Formats lists every format there is.
var Formats = []Format{
	{"text", ".txt", WriteText},
	{"markdown", ".md", WriteMarkdown},
	{"json", ".json", WriteJSON},
	{"junit", ".xml", WriteJUnit},
	{"csv", ".csv", WriteCSV},
	{"html", ".html", WriteHTML},
	{"benchfmt", ".bench", WriteBenchfmt},
}

// FormatFor returns the format of that name, or of that file's extension. The
// result is false if there is none.
func FormatFor(nameOrFile string) (Format, bool) {
	ext := strings.ToLower(filepath.Ext(nameOrFile))
	for _, f := range Formats {
		if nameOrFile == f.Name || ext == f.Ext {
			return f, true
		}
	}
	return Format{}, false
}
