package report

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"crucible/judge/record"
)

var update = flag.Bool("update", false, "write the golden files anew")

// A format is a format of a writer.
type format struct {
	Name, Ext string
	Write     func(io.Writer, *record.Document) error
}

// formatsOf returns the formats of this package.
func formatsOf(w Writer) []format {
	return []format{
		{"text", ".txt", w.WriteText}, {"markdown", ".md", w.WriteMarkdown}, {"json", ".json", record.Write},
		{"junit", ".xml", w.WriteJUnit}, {"csv", ".csv", w.WriteCSV}, {"benchfmt", ".bench", w.WriteBenchfmt}, {"github", ".annotations", w.WriteGithub},
	}
}

// formats write verdicts only.
var formats = formatsOf(Writer{})

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-expected +got, go test -update writes it):\n%s", name, diff)
	}
}

func TestFormatsWriteTheirGoldenFiles(t *testing.T) {
	for _, f := range formats {
		t.Run(f.Name, func(t *testing.T) {
			var b bytes.Buffer
			if err := f.Write(&b, document()); err != nil {
				t.Fatal(err)
			}
			golden(t, "document"+f.Ext, b.Bytes())
			if i := bytes.IndexFunc(b.Bytes(), func(r rune) bool { return r != '\n' && unicode.IsControl(r) }); i >= 0 {
				t.Errorf("control character %q at byte %d", b.Bytes()[i], i)
			}
		})
	}
}

func TestFormatsWriteAnEmptyDocument(t *testing.T) {
	for _, f := range formats {
		var b bytes.Buffer
		if err := f.Write(&b, &record.Document{}); err != nil || b.Len() == 0 {
			t.Errorf("%s of the zero Document: %d bytes, error %v", f.Name, b.Len(), err)
		}
	}
}

func TestVerboseLinesShowEveryRun(t *testing.T) {
	p := &document().Problems[1]
	l := linesOf(p)
	l.Verbose = true
	var b strings.Builder
	b.WriteString(l.Head())
	for _, r := range p.Reports {
		b.WriteString(l.Row(r))
	}
	golden(t, "verbose.txt", []byte(b.String()))
}

func TestColorsChangeNothingElse(t *testing.T) {
	p := &document().Problems[1]
	for _, verbose := range []bool{false, true} {
		plain, colored := linesOf(p), linesOf(p)
		plain.Verbose, colored.Verbose, colored.Palette.On = verbose, verbose, true
		text := func(l *Lines) string {
			s := l.Head()
			for _, r := range p.Reports {
				s += l.Row(r)
			}
			return s
		}
		without, with := text(plain), text(colored)
		if with == without {
			t.Error("no colors")
		}
		if diff := cmp.Diff(without, uncolor(with)); diff != "" {
			t.Errorf("-without +with colors, escapes removed:\n%s", diff)
		}
	}
}

// uncolor removes the escapes that a Palette writes, and no others.
func uncolor(s string) string {
	for _, code := range []string{"0", "1", "2", "31", "32", "33", "35", "1;31", "1;35"} {
		s = strings.ReplaceAll(s, "\x1b["+code+"m", "")
	}
	return s
}

// reread writes and reads a record.
func reread(t *testing.T, d *record.Document, sections ...record.Section) *record.Document {
	t.Helper()
	var b bytes.Buffer
	if err := record.Write(&b, d); err != nil {
		t.Fatal(err)
	}
	again, err := record.Read(&b, sections...)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// Text and the other formats need facts that JSON has under other names.
func TestWhatIsReadLooksTheSame(t *testing.T) {
	d := reread(t, document())
	for _, f := range formats {
		if f.Name == "json" {
			continue
		}
		var want, got bytes.Buffer
		if err := f.Write(&want, document()); err != nil {
			t.Fatal(err)
		}
		if err := f.Write(&got, d); err != nil {
			t.Fatal(err)
		}
		// JSON cannot represent bytes that are not UTF-8.
		clean := strings.NewReplacer(`\xff`, "\ufffd", `\\xff`, "\ufffd", "\xff", "\ufffd").Replace
		if diff := cmp.Diff(clean(want.String()), clean(got.String())); diff != "" {
			t.Errorf("%s (-as judged +as read):\n%s", f.Name, diff)
		}
	}
}
