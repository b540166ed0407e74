package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"crucible/judge/internal/osfile"
	"crucible/judge/internal/text"
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/terminal"
)

// outputs are the reports that a call writes: one file per format, and the format
// of standard output.
type outputs struct {
	without []string           // formats that do not support this report
	format  string             // the format of standard output
	names   map[string]*string // names of the files, by format
	files   []*outputFile      // the reports to write
	quiet   bool               // no text is printed on standard output; set by open and divert
}

// An outputFile is a report that is written at the end.
type outputFile struct {
	flag, name string
	format     reportFormat
	place      string                  // the same for two reports that would overwrite each other
	write      func(data []byte) error // nil for standard output
}

// asText is the default format of standard output.
const asText = "text"

// flags adds --format, and a flag for each format.
func (o *outputs) flags(c *cobra.Command) {
	o.names = make(map[string]*string)
	for _, f := range o.formats() {
		if f.Name != asText {
			o.names[f.Name] = c.Flags().String(f.Name, "", "write the report as "+f.Name+" to `FILE`; - is standard output")
		}
	}
	c.Flags().StringVar(&o.format, "format", asText, "`FORMAT` of standard output: "+strings.Join(o.formatNames(), ", "))
	c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(o.formatNames(), cobra.ShellCompDirectiveNoFileComp))
}

// open checks that each file can be written, before anything is judged. Files that
// are not written, after an error, are closed when the judge exits.
func (o *outputs) open(e *env) error {
	if o.format != asText {
		format, err := o.formatNamed(o.format)
		if err != nil {
			return err
		}
		o.files = append(o.files, &outputFile{flag: "--format", format: format, name: "-"})
	}
	for _, format := range o.formats() {
		if name := o.names[format.Name]; name != nil && *name != "" {
			o.files = append(o.files, &outputFile{flag: "--" + format.Name, format: format, name: *name})
		}
	}
	used := make(map[string]bool)
	for _, f := range o.files {
		if err := f.open(e); err != nil {
			return fmt.Errorf("%s: %w", f.flag, err)
		}
		if used[f.place] {
			return fmt.Errorf("%s %s: another report is written to the same file", f.flag, terminal.Clean(f.name))
		}
		used[f.place] = true
		o.quiet = o.quiet || f.name == "-"
		if out, ok := e.stdout.(*guardedWriter); ok && f.write != nil {
			out.files = true
		}
	}
	return nil
}

// open checks that a file can be written. It does not create a regular file yet,
// because judging may take long or be interrupted.
func (f *outputFile) open(e *env) error {
	info, err := os.Stat(f.name)
	switch {
	case f.name == "-", err == nil && e.isStdout(info): // such as /dev/stdout: the report follows the printed text
		f.place = "-"
		return nil
	case err == nil && (!info.Mode().IsRegular() || osfile.IsOpen(f.name)):
		file, err := os.OpenFile(f.name, os.O_WRONLY|os.O_APPEND, 0)
		f.place = filepath.Clean(f.name)
		f.write = func(data []byte) error {
			_, err := file.Write(data)
			return errors.Join(err, file.Close())
		}
		return err
	}
	r, err := osfile.Replacing(f.name)
	if err != nil {
		return err
	}
	f.write = r.Write
	f.place, err = filepath.Abs(r.Name)
	return err
}

// formats returns the formats that support this report.
func (o *outputs) formats() []reportFormat {
	return slices.DeleteFunc(slices.Clone(reportFormats), func(f reportFormat) bool { return slices.Contains(o.without, f.Name) })
}

func (o *outputs) formatNames() []string {
	return text.Map(o.formats(), func(f reportFormat) string { return f.Name })
}

// formatNamed returns the format that --format names.
func (o *outputs) formatNamed(name string) (reportFormat, error) {
	formats := o.formats()
	if i := slices.IndexFunc(formats, func(f reportFormat) bool { return f.Name == name }); i >= 0 {
		return formats[i], nil
	}
	return reportFormat{}, fmt.Errorf("--format %s: expected %s", name, strings.Join(o.formatNames(), ", "))
}

// show writes a document: to the requested files, and as text to standard output
// unless that carries another format or goes to a file.
func (o *outputs) show(e *env, doc *record.Document, verbose bool) error {
	var failed error
	if !o.quiet {
		w := report.Text{Palette: e.palette, Verbose: verbose}
		if columns, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
			w.Columns = columns
		}
		if err := w.Write(e.stdout, doc); err != nil {
			failed = &statusError{status: statusJudge, err: err}
		}
	}
	return errors.Join(failed, o.write(e, doc))
}

// write writes all requested reports.
func (o *outputs) write(e *env, doc *record.Document) error {
	var errs []error
	for _, f := range o.files {
		var b bytes.Buffer
		err := f.format.Write(&b, doc)
		switch {
		case err != nil:
		case f.write != nil:
			err = osfile.Cause(f.write(b.Bytes()))
		default:
			_, err = e.stdout.Write(b.Bytes())
		}
		if err != nil {
			errs = append(errs, &statusError{statusJudge, fmt.Errorf("%s: %w", terminal.Clean(f.name), err)})
		}
	}
	return errors.Join(errs...)
}

// divert writes the report for standard output to a file. formatted reports whether
// --format was given.
func (o *outputs) divert(name string, formatted bool) (err error) {
	format, ok := formatFor(name)
	switch {
	case formatted:
		if format, err = o.formatNamed(o.format); err != nil {
			return err
		}
	case !ok:
		return fmt.Errorf("--output %s: no format has this extension; --format chooses one", terminal.Clean(name))
	}
	o.format, o.quiet = asText, true
	o.files = append(o.files, &outputFile{flag: "--output", format: format, name: name})
	return nil
}
