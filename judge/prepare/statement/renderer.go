package statement

import (
	"errors"
	"fmt"
	"strings"

	"crucible/judge/internal/lazy"
	"crucible/judge/problem"
)

// maxStatement is the maximum size of a statement in bytes.
const maxStatement = 1 << 20

// ErrNeedsTeX matches the error of [Render] for a statement that needs TeX.
var ErrNeedsTeX = errors.New("needs TeX")

// An unknownError is for a command or environment that this package does not know.
type unknownError struct{ *problem.Defect }

func (unknownError) Is(target error) bool { return target == ErrNeedsTeX }
func (e unknownError) Unwrap() error      { return e.Defect }

// A renderer renders one statement.
type renderer struct {
	p          *problem.Problem
	file       File
	source     string // with the values of constants
	words      *words
	samples    []sample // not shown yet
	shown      int      // number of samples that are shown
	heading    string   // HTML of \problemname; "" if it is not given
	plain      string   // \problemname as plain text
	imageBytes int      // of pictures in the page
	drawings   []drawing
	pictures   map[string]picture // by their names
	lower      string             // the source in lower case
	found      map[string]int     // where next has found a text last

	errs, warnings []error
}

func newRenderer(p *problem.Problem, f File) (*renderer, error) {
	data, err := problem.ReadBounded(p.FS, f.Name, maxStatement)
	if err != nil {
		return nil, err
	}
	r := &renderer{p: p, file: f, words: wordsOf(f.Language), pictures: make(map[string]picture)}
	if r.samples, err = samplesOf(p); err != nil {
		return nil, err
	}
	r.source = textOfFile(data)
	r.insertConstants()
	r.lower, r.found = asciiLower(r.source), make(map[string]int)
	return r, nil
}

// textOfFile returns the text of a file with \n at the ends of its lines.
func textOfFile(data []byte) string {
	return strings.TrimPrefix(strings.ReplaceAll(visible(string(data)), "\r\n", "\n"), "\ufeff")
}

// asciiLower returns a text with ASCII letters in lower case, which keeps its offsets.
func asciiLower(text string) string {
	return strings.Map(func(c rune) rune {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		return c
	}, text)
}

var constantUse = lazy.Regexp(`\{\{([a-zA-Z_][a-zA-Z0-9_.]*)\}\}|\\constant\{([^{}\n]+)\}`)

// insertConstants replaces the uses of constants by their values (2025-09,
// "Constants"). Lines keep their numbers.
func (r *renderer) insertConstants() {
	tex := r.file.Kind() == ".tex"
	lines := strings.Split(r.source, "\n")
	size := 0
	for i, line := range lines {
		lines[i] = constantUse().ReplaceAllStringFunc(line, func(use string) string {
			names := constantUse().FindStringSubmatch(use)
			value, ok := r.p.Constants[names[1]+names[2]]
			switch {
			case ok:
				size += len(value)
				return strings.Join(strings.Fields(value), " ")
			case names[2] == "" || !tex: // an undefined {{name}} is not replaced
				return use
			}
			r.errs = append(r.errs, &problem.Defect{File: r.p.Where(r.file.Name), Line: i + 1,
				Msg: fmt.Sprintf("%s: problem.yaml has no constant of that name", use)})
			return ""
		})
		if size > maxStatement {
			r.errs = append(r.errs, &problem.Defect{File: r.p.Where(r.file.Name), Line: i + 1,
				Msg: "the values of constants are too long"})
			return
		}
	}
	r.source = strings.Join(lines, "\n")
}

// name returns the name of the problem in the language of the statement.
func (r *renderer) name() string {
	for _, name := range []string{r.plain, r.p.Names[r.file.Language], r.p.Names["en"]} {
		if name != "" {
			return visible(name)
		}
	}
	return r.p.ID
}

// maxErrors is the maximum number of errors, and of warnings, about one statement.
const maxErrors = 50

// fail adds an error at an offset of the source.
func (r *renderer) fail(offset int, format string, args ...any) {
	if len(r.errs) < maxErrors {
		r.errs = append(r.errs, r.defect(offset, format, args...))
	}
}

// unknown adds the error for a command that needs TeX.
func (r *renderer) unknown(offset int, format string, args ...any) {
	if len(r.errs) < maxErrors {
		r.errs = append(r.errs, unknownError{r.defect(offset, format, args...)})
	}
}

// warn adds a warning at an offset of the source.
func (r *renderer) warn(offset int, format string, args ...any) {
	if len(r.warnings) < maxErrors {
		r.warnings = append(r.warnings, r.defect(offset, format, args...))
	}
}

// defect returns a defect at an offset of the source; -1 is no position.
func (r *renderer) defect(offset int, format string, args ...any) *problem.Defect {
	d := problem.Defectf(r.p.Where(r.file.Name), format, args...)
	if offset >= 0 {
		before := r.source[:min(offset, len(r.source))]
		d.Line = strings.Count(before, "\n") + 1
		d.Column = len([]rune(before[strings.LastIndexByte(before, '\n')+1:])) + 1
	}
	return d
}
