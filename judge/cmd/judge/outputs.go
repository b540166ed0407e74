package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
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

// outputs are the reports that a call writes: one file per format, and the format
// of standard output.
type outputs struct {
	without  []string           // formats that do not support this report
	format   string             // the format of standard output
	names    map[string]*string // names of the files, by format
	diverted *outputFile        // the file that replaces standard output; nil if there is none
	files    []*outputFile
}

// An outputFile is a report that is written at the end. It goes to standard
// output if neither file nor regular is set.
type outputFile struct {
	flag    string
	format  reportFormat
	name    string
	file    *os.File // a pipe, a device, or a file that is already open
	regular *osfile.Replacement
}

// asText is the default format of standard output.
const asText = "text"

// flags adds --format, and a flag for each format.
func (o *outputs) flags(c *cobra.Command) {
	o.names = make(map[string]*string)
	for _, f := range o.formats() {
		if f.Name != asText {
			o.names[f.Name] = c.Flags().String(f.Name, "", "write a report as "+f.Name+" to `FILE`; - is standard output")
		}
	}
	c.Flags().StringVar(&o.format, "format", asText, "`FORMAT` of standard output: "+strings.Join(o.formatNames(), ", "))
	c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(o.formatNames(), cobra.ShellCompDirectiveNoFileComp))
}

// quiet reports whether standard output carries a report in another format, so
// nothing else may be printed there.
func (o *outputs) quiet() bool {
	for _, name := range o.names {
		if *name == "-" {
			return true
		}
	}
	return o.format != "" && o.format != asText
}

// open checks that each file can be written, before anything is judged.
func (o *outputs) open(e *env) error {
	if o.diverted != nil {
		o.files = append(o.files, o.diverted)
	}
	if o.format != "" && o.format != asText {
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
			o.abandon()
			return fmt.Errorf("%s: %w", f.flag, err)
		}
		if used[f.place()] {
			o.abandon()
			return fmt.Errorf("%s %s: another report is written to the same file", f.flag, terminal.Clean(f.name))
		}
		used[f.place()] = true
		if out, ok := e.stdout.(*guardedWriter); ok && (f.regular != nil || f.file != nil) {
			out.files = true
		}
	}
	return nil
}

// open checks that a file can be written. It does not create a regular file yet,
// because judging may take long or be interrupted.
func (f *outputFile) open(e *env) (err error) {
	if f.name == "-" {
		return nil
	}
	switch info, err := os.Stat(f.name); {
	case err == nil && e.isStdout(info):
		return nil // such as /dev/stdout: the report follows the printed text
	case err == nil && (!info.Mode().IsRegular() || osfile.IsOpen(f.name)):
		f.file, err = os.OpenFile(f.name, os.O_WRONLY|os.O_APPEND, 0)
		return err
	}
	f.regular, err = osfile.Replacing(f.name)
	return err
}

// place returns the same name for two reports that would overwrite each other.
func (f *outputFile) place() string {
	switch {
	case f.regular != nil:
		if abs, err := filepath.Abs(f.regular.Name); err == nil {
			return abs
		}
	case f.file == nil:
		return "-"
	}
	return filepath.Clean(f.name)
}

// formats returns the formats that support this report.
func (o *outputs) formats() []reportFormat {
	return slices.DeleteFunc(slices.Clone(reportFormats), func(f reportFormat) bool { return slices.Contains(o.without, f.Name) })
}

func (o *outputs) formatNames() []string {
	var names []string
	for _, f := range o.formats() {
		names = append(names, f.Name)
	}
	return names
}

// formatNamed returns the format that --format names.
func (o *outputs) formatNamed(name string) (reportFormat, error) {
	formats := o.formats()
	if i := slices.IndexFunc(formats, func(f reportFormat) bool { return f.Name == name }); i >= 0 {
		return formats[i], nil
	}
	return reportFormat{}, fmt.Errorf("--format %s: expected %s", name, strings.Join(o.formatNames(), ", "))
}

// abandon closes files that were not written.
func (o *outputs) abandon() {
	for _, f := range o.files {
		if f.file != nil {
			f.file.Close()
		}
	}
	o.files = nil
}

// show writes a document: to the requested files, and as text to standard output
// unless that carries another format or goes to a file.
func (o *outputs) show(e *env, doc *record.Document, verbose bool) error {
	var failed error
	if !o.quiet() && o.diverted == nil {
		text := report.Text{Palette: report.Palette{On: e.color}, Verbose: verbose}
		if columns, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
			text.Columns = columns
		}
		if err := text.Write(e.stdout, doc); err != nil {
			failed = &statusError{status: statusJudge, err: err}
		}
	}
	return errors.Join(failed, o.write(e, doc))
}

// write writes all requested reports.
func (o *outputs) write(e *env, doc *record.Document) error {
	var errs []error
	for _, f := range o.files {
		if err := f.write(e.stdout, doc); err != nil {
			errs = append(errs, &statusError{statusJudge, fmt.Errorf("%s: %w", terminal.Clean(f.name), err)})
		}
	}
	o.files = nil
	return errors.Join(errs...)
}

func (f *outputFile) write(stdout io.Writer, doc *record.Document) error {
	if f.file == nil && f.regular == nil {
		return f.format.Write(stdout, doc)
	}
	var b bytes.Buffer
	err := f.format.Write(&b, doc)
	switch {
	case f.file != nil:
		if err == nil {
			_, err = f.file.Write(b.Bytes())
		}
		err = errors.Join(err, f.file.Close())
	case err == nil:
		err = f.regular.Write(b.Bytes())
	}
	return osfile.Cause(err)
}
