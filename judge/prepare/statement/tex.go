package statement

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"crucible/judge/internal/lazy"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

//go:embed statement.tex
var texPreamble string

// texProgram returns the path of a program that sets TeX; "" if there is none.
func texProgram() string { return firstProgram("latexmk", "tectonic") }

// typeset sets a statement with TeX. The program sees a copy of the folder of the
// statement, and cannot run programs. A mistake in the statement is a
// [*problem.Defect] with its line.
func typeset(ctx context.Context, program string, p *problem.Problem, f File) ([]byte, error) {
	dir, err := os.MkdirTemp("", "crucible-statement-")
	if err != nil {
		return nil, err
	}
	defer removeAll(dir)
	r, err := newRenderer(p, f)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(append(r.errs, r.copyFolder(dir), r.writeMain(dir))...); err != nil {
		return nil, err
	}
	args := []string{"-norc", "-pdf", "-interaction=nonstopmode", "-halt-on-error", "-file-line-error", "-no-shell-escape",
		mainName + ".tex"}
	if strings.HasPrefix(filepath.Base(program), "tectonic") {
		args = []string{"--untrusted", "--keep-logs", mainName + ".tex"}
	}
	output, err := run(ctx, texTime, dir, program, args...)
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if found := texError(output, path.Base(f.Name)); found != nil {
			found.File = p.Where(f.Name)
			return nil, found
		}
		return nil, problem.Defectf(p.Where(f.Name), "%s: %v: %s", filepath.Base(program), err, lastLine(output))
	}
	pdf, err := os.ReadFile(filepath.Join(dir, mainName+".pdf"))
	if err != nil {
		return nil, fmt.Errorf("%s wrote no PDF: %s", program, lastLine(output))
	}
	return pdf, nil
}

// mainName is the name, without extension, of the document that inputs the statement.
const mainName = "crucible-main"

// copyFolder copies the files beside the statement, and the statement with the values of
// its constants.
func (r *renderer) copyFolder(dir string) error {
	from := path.Dir(r.file.Name)
	entries, err := fs.ReadDir(r.p.FS, from)
	if err != nil {
		return problem.Unreadable(r.p.FS, from, err)
	}
	total := 0
	for _, e := range entries {
		if problem.IgnoredName(e.Name()) || !e.Type().IsRegular() || strings.HasPrefix(e.Name(), mainName) {
			continue
		}
		data, err := problem.ReadBounded(r.p.FS, path.Join(from, e.Name()), maxImage)
		if err != nil {
			return err
		}
		if total += len(data); total > maxImages {
			return problem.Defectf(r.p.Where(from), "the files are too large together")
		}
		if e.Name() == path.Base(r.file.Name) {
			data = []byte(r.source)
		}
		if err := os.WriteFile(filepath.Join(dir, e.Name()), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// writeMain writes the document and the files of the samples.
func (r *renderer) writeMain(dir string) error {
	var samples strings.Builder
	for i, s := range r.samples {
		show := func(title, suffix, text string) error {
			name := fmt.Sprintf("%s-%d%s", mainName, i+1, suffix)
			fmt.Fprintf(&samples, "\\expandafter\\def\\csname crucible@%d%s\\endcsname{\\samplefile{%s %d}{%s}}\n", i+1, suffix,
				title, i+1, name)
			return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)
		}
		var err error
		if s.interaction != "" {
			err = show(r.words.sampleInteraction, ".interaction", s.interaction)
		} else {
			err = errors.Join(show(r.words.sampleInput, ".in", s.input), show(r.words.sampleOutput, ".ans", s.output))
		}
		if err != nil {
			return err
		}
	}
	text := strings.NewReplacer(
		"@NAME@", texEscape(r.name()), "@FILE@", path.Base(r.file.Name), "@COUNT@", strconv.Itoa(len(r.samples)), "@SAMPLES@",
		samples.String(),
		"@INPUT@", r.words.input, "@OUTPUT@", r.words.output, "@INTERACTION@", r.words.interaction,
		"@TIME@", inSeconds(r.p.Limits.Time), "@MEMORY@", terminal.Bytes(r.p.Limits.Memory),
	).Replace(texPreamble)
	return os.WriteFile(filepath.Join(dir, mainName+".tex"), []byte(text), 0o600)
}

// texEscape returns text as TeX.
func texEscape(text string) string {
	return strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "#", `\#`, "_", `\_`,
		"%", `\%`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`).Replace(text)
}

var (
	// texLine matches the errors of latexmk: ./problem.en.tex:12: Undefined control sequence.
	texLine = lazy.Regexp(`(?m)^(?:error: )?(?:\./)?([^\s:]+):(\d+): (.*)$`)
	// texCommand matches the line after an undefined control sequence: l.12 ... \foo
	texCommand = lazy.Regexp(`(?m)^l\.\d+ .*?(\\[a-zA-Z]+)\s*$`)
)

// texError returns the first error of TeX in a file, or nil.
func texError(output, file string) *problem.Defect {
	for _, found := range texLine().FindAllStringSubmatchIndex(output, -1) {
		if path.Base(output[found[2]:found[3]]) != file {
			continue
		}
		line, _ := strconv.Atoi(output[found[4]:found[5]])
		d := &problem.Defect{Line: line, Msg: "TeX: " + visible(strings.TrimSpace(output[found[6]:found[7]]))}
		if command := texCommand().FindStringSubmatch(output[found[1]:min(len(output), found[1]+500)]); command != nil {
			d.Msg += " " + command[1]
		}
		return d
	}
	return nil
}
