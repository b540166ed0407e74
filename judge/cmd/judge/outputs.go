package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"crucible/judge/report"
)

// outputs are the files that a call writes its report to, by format.
type outputs struct {
	json, junit, markdown string
	files                 []outputFile
}

type outputFile struct {
	format report.Format
	name   string
	file   *os.File // nil for standard output
}

func (o *outputs) flags(c *cobra.Command) {
	c.Flags().StringVar(&o.json, "json", "", "write the report as JSON to FILE; - is standard output, which then carries nothing else")
	c.Flags().StringVar(&o.junit, "junit", "", "write the report as JUnit XML to FILE")
	c.Flags().StringVar(&o.markdown, "markdown", "", "write the report as Markdown to FILE")
}

// quiet reports whether standard output belongs to a report.
func (o *outputs) quiet() bool { return o.json == "-" || o.junit == "-" || o.markdown == "-" }

// open makes sure, before anything is judged, that each file can be written.
func (o *outputs) open() error {
	used := make(map[string]bool)
	for _, one := range []struct{ flag, name string }{{"json", o.json}, {"junit", o.junit}, {"markdown", o.markdown}} {
		if one.name == "" {
			continue
		}
		if used[one.name] {
			o.abandon()
			return fmt.Errorf("--%s %s: another report goes there already", one.flag, one.name)
		}
		used[one.name] = true
		format, _ := report.FormatFor(one.flag)
		f := outputFile{format: format, name: one.name}
		if one.name != "-" {
			var err error
			// Not truncated yet: an earlier report stays until there is a new one.
			if f.file, err = os.OpenFile(one.name, os.O_WRONLY|os.O_CREATE, 0o644); err != nil {
				o.abandon()
				return fmt.Errorf("--%s: %w", one.flag, err)
			}
		}
		o.files = append(o.files, f)
	}
	return nil
}

// abandon closes what was not written.
func (o *outputs) abandon() {
	for _, f := range o.files {
		if f.file != nil {
			f.file.Close()
		}
	}
	o.files = nil
}

// write writes every report asked for.
func (o *outputs) write(e *env, doc *report.Document) error {
	var errs []error
	for _, f := range o.files {
		if err := f.write(e.stdout, doc); err != nil {
			errs = append(errs, &statusError{statusJudge, fmt.Errorf("%s: %w", f.name, err)})
		}
	}
	o.files = nil
	return errors.Join(errs...)
}

func (f *outputFile) write(stdout io.Writer, doc *report.Document) error {
	if f.file == nil {
		return f.format.Write(stdout, doc)
	}
	var b bytes.Buffer
	err := f.format.Write(&b, doc)
	// A pipe or a device, such as a shell's >(jq .), has no length to cut.
	if info, statErr := f.file.Stat(); err == nil && statErr == nil && info.Mode().IsRegular() {
		err = f.file.Truncate(0)
	}
	if err == nil {
		_, err = f.file.Write(b.Bytes())
	}
	return errors.Join(err, f.file.Close())
}
