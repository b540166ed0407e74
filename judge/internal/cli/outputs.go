package cli

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
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/terminal"
)

// Outputs are the reports that a call writes: one file per format, and the format
// of standard output.
type Outputs struct {
	Without []string           // formats that do not support this report
	JSON    reportWriter       // writes the JSON, if that is not the one of [record.Write]
	format  string             // the format of standard output
	names   map[string]*string // names of the files, by format
	files   []*outputFile      // the reports to write
	Quiet   bool               // no text is printed on standard output; set by open and divert
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

// asHTML is the format that only judgelab writes.
const asHTML = "html"

// Flags adds --format, and a flag for each format.
func (o *Outputs) Flags(c *cobra.Command) {
	o.names = make(map[string]*string)
	for _, f := range o.formats() {
		if f.Name != asText {
			o.names[f.Name] = c.Flags().String(f.Name, "", "write the report as "+f.Name+" to `FILE`; - is standard output")
		}
	}
	c.Flags().StringVar(&o.format, "format", asText, "`FORMAT` of standard output: "+strings.Join(o.formatNames(), ", "))
	c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(o.formatNames(), cobra.ShellCompDirectiveNoFileComp))
}

// Open checks that each file can be written, before anything is judged. Files that
// are not written, after an error, are closed when the judge exits.
func (o *Outputs) Open(e *Env) error {
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
		if f.format.Name == asHTML {
			if err := e.needLab(); err != nil {
				return err
			}
		}
		if err := f.open(e); err != nil {
			return err
		}
		if used[f.place] {
			return fmt.Errorf("%s %s: another report is written to the same file", f.flag, terminal.Clean(f.name))
		}
		used[f.place] = true
		o.Quiet = o.Quiet || f.name == "-"
	}
	return nil
}

// OpenFile checks that the file that a flag names can be written, and returns a function
// that writes it; "-" is standard output.
func (e *Env) OpenFile(flag, name string) (write func(data []byte) error, err error) {
	f := &outputFile{flag: flag, name: name}
	return func(data []byte) error { return f.put(e, data) }, f.open(e)
}

// open checks that a file can be written. It does not create a regular file yet,
// because judging may take long or be interrupted.
func (f *outputFile) open(e *Env) error {
	if err := f.find(e); err != nil {
		return fmt.Errorf("%s: %w", f.flag, err)
	}
	if out, ok := e.Stdout.(*GuardedWriter); ok && f.write != nil {
		out.files = true
	}
	return nil
}

// find sets where a file is, and the function that writes it.
func (f *outputFile) find(e *Env) error {
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
func (o *Outputs) formats() []reportFormat {
	formats := slices.DeleteFunc(slices.Clone(reportFormats),
		func(f reportFormat) bool { return slices.Contains(o.Without, f.Name) })
	for i := range formats {
		if formats[i].Name == "json" && o.JSON != nil {
			formats[i].Writer = func(*Env) reportWriter { return o.JSON }
		}
	}
	return formats
}

func (o *Outputs) formatNames() []string {
	return terminal.Texts(o.formats(), func(f reportFormat) string { return f.Name })
}

// formatNamed returns the format that --format names.
func (o *Outputs) formatNamed(name string) (reportFormat, error) {
	formats := o.formats()
	if i := slices.IndexFunc(formats, func(f reportFormat) bool { return f.Name == name }); i >= 0 {
		return formats[i], nil
	}
	return reportFormat{}, fmt.Errorf("--format %s: expected %s", name, strings.Join(o.formatNames(), ", "))
}

// Show writes a document: to the requested files, and as text to standard output
// unless that carries another format or goes to a file.
func (o *Outputs) Show(e *Env, doc *record.Document, verbose bool) error {
	var failed error
	if !o.Quiet {
		w := report.Text{Writer: e.report(), Palette: e.Palette, Verbose: verbose}
		if columns, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
			w.Columns = columns
		}
		if err := w.Write(e.Stdout, doc); err != nil {
			failed = WithStatus(StatusJudge, err)
		}
	}
	return errors.Join(failed, o.write(e, doc))
}

// write writes all requested reports.
func (o *Outputs) write(e *Env, doc *record.Document) error {
	var errs []error
	for _, f := range o.files {
		var b bytes.Buffer
		err := f.format.Writer(e)(&b, doc)
		if err != nil {
			err = f.failed(err)
		} else {
			err = f.put(e, b.Bytes())
		}
		if err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// put writes the file.
func (f *outputFile) put(e *Env, data []byte) (err error) {
	if f.write != nil {
		err = osfile.Cause(f.write(data))
	} else {
		_, err = e.Stdout.Write(data)
	}
	if err != nil {
		return f.failed(err)
	}
	return nil
}

func (f *outputFile) failed(err error) error {
	return WithStatus(StatusJudge, fmt.Errorf("%s: %w", terminal.Clean(f.name), err))
}

// Divert writes the report for standard output to a file. formatted reports whether
// --format was given.
func (o *Outputs) Divert(name string, formatted bool) (err error) {
	format, ok := formatFor(name)
	switch {
	case formatted:
		if format, err = o.formatNamed(o.format); err != nil {
			return err
		}
	case !ok:
		return fmt.Errorf("--output %s: no format has this extension; --format chooses one", terminal.Clean(name))
	}
	o.format, o.Quiet = asText, true
	o.files = append(o.files, &outputFile{flag: "--output", format: format, name: name})
	return nil
}

// CheckOutput returns an error if --output names a file although there are several
// problems, each of which is written to a file of its own.
func CheckOutput(output string, problems int) error {
	if problems > 1 && output != "" && !osfile.NamesFolder(output) {
		return fmt.Errorf("--output %s: expected a folder, for %d problems", output, problems)
	}
	return nil
}
