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

	"crucible/judge/report"
)

// outputs are the reports of a call besides what it shows: files, by format, and
// what standard output carries instead.
type outputs struct {
	format   string             // of standard output
	names    map[string]*string // of files, by format
	diverted *outputFile        // what standard output would carry, if that goes to a file
	files    []outputFile
}

type outputFile struct {
	format report.Format
	name   string
	file   *os.File // nil for standard output
}

// asText is the format of what is shown anyway.
const asText = "text"

// flags adds a flag for every format that there is, and --format.
func (o *outputs) flags(c *cobra.Command) {
	o.names = make(map[string]*string)
	for _, f := range report.Formats {
		if f.Name != asText {
			o.names[f.Name] = c.Flags().String(f.Name, "", "write the report as "+f.Name+" to FILE; - is standard output, which then carries nothing else")
		}
	}
	c.Flags().StringVar(&o.format, "format", asText, "what standard output carries: "+strings.Join(formatNames(), ", "))
	c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(formatNames(), cobra.ShellCompDirectiveNoFileComp))
}

// quiet reports whether standard output belongs to a report.
func (o *outputs) quiet() bool {
	for _, name := range o.names {
		if *name == "-" {
			return true
		}
	}
	return o.format != "" && o.format != asText
}

// open makes sure, before anything is judged, that each file can be written.
func (o *outputs) open() error {
	used := make(map[string]bool)
	if o.diverted != nil {
		o.files, used[filepath.Clean(o.diverted.name)] = append(o.files, *o.diverted), true
	}
	if o.format != "" && o.format != asText {
		format, ok := formatNamed(o.format)
		if !ok {
			return fmt.Errorf("--format %s: want %s", o.format, strings.Join(formatNames(), ", "))
		}
		o.files, used["-"] = append(o.files, outputFile{format: format, name: "-"}), true
	}
	for _, format := range report.Formats {
		name := o.names[format.Name]
		if name == nil || *name == "" {
			continue
		}
		if used[filepath.Clean(*name)] {
			o.abandon()
			return fmt.Errorf("--%s %s: another report goes there already", format.Name, *name)
		}
		used[filepath.Clean(*name)] = true
		f := outputFile{format: format, name: *name}
		if *name != "-" {
			var err error
			// Not truncated yet: an earlier report stays until there is a new one.
			if f.file, err = os.OpenFile(*name, os.O_WRONLY|os.O_CREATE, 0o644); err != nil {
				o.abandon()
				return fmt.Errorf("--%s: %w", format.Name, err)
			}
		}
		o.files = append(o.files, f)
	}
	return nil
}

func formatNames() []string {
	names := make([]string, len(report.Formats))
	for i, f := range report.Formats {
		names[i] = f.Name
	}
	return names
}

// formatNamed returns the format of that name.
func formatNamed(name string) (report.Format, bool) {
	i := slices.IndexFunc(report.Formats, func(f report.Format) bool { return f.Name == name })
	if i < 0 {
		return report.Format{}, false
	}
	return report.Formats[i], true
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
