package generate

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"crucible/judge/build"
	"crucible/judge/check"
	"crucible/judge/internal/yaml"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// A caseWork is the work on one case: making its files and validating them.
type caseWork struct {
	*generation
	*casePlan
	files    map[string]*File // by extension
	answered bool             // a solution made the answer
	ran      int              // how many programs ran

	once sync.Once // for a case that other cases include
	err  error
}

func (m *caseWork) fail(format string, args ...any) error {
	return m.defect(m.casePlan, format, args...)
}

// make makes the files of the case: those of the program, replaced by copied files,
// replaced by given text; then the answer, and then links to other files.
func (m *caseWork) make(ctx context.Context) error {
	m.files = make(map[string]*File)
	if m.program != "" {
		if err := m.run(ctx); err != nil {
			return err
		}
	}
	printed := m.files[".ans"]
	if m.copy != "" {
		if err := m.copyFiles(); err != nil {
			return err
		}
	}
	for ext, text := range m.text {
		m.files[ext] = fileOf([]byte(text))
	}
	if m.yaml != nil {
		m.files[".yaml"] = fileOf(formatYAML(m.yaml))
	}
	if err := m.describe(); err != nil {
		return err
	}
	if err := m.link(".in"); err != nil {
		return err
	}
	in := m.files[".in"]
	if in == nil && !(m.files[".in.download"] != nil && (m.files[".in.statement"] != nil ||
		m.files[".interaction"] != nil)) {
		return m.fail("has no input: expected a program, copy or text that makes it")
	}
	if m.files[".ans"] == nil && !m.noSolution && in != nil {
		if err := m.answer(ctx); err != nil {
			return err
		}
	} else if printed != nil && m.files[".ans"] == printed {
		blank, err := m.blank(printed)
		if err == nil && blank {
			err = m.empty("%s left it empty", m.commandLine(m.args))
		}
		if err != nil {
			return err
		}
	}
	if err := m.link(".ans"); err != nil {
		return err
	}
	return m.complete()
}

// link adds the links whose extensions begin with kind.
func (m *caseWork) link(kind string) error {
	for _, ext := range slices.Sorted(maps.Keys(m.links)) {
		from := m.links[ext]
		if !strings.HasPrefix(ext, kind) {
			continue
		}
		if m.files[from] == nil {
			return m.fail("%s links to %s, which the case does not have", ext[1:], from[1:])
		}
		m.files[ext] = m.files[from]
	}
	return nil
}

// complete checks that the case has all files that it must have.
func (m *caseWork) complete() error {
	var needs []string
	root := m.root()
	switch root {
	case "sample", "secret":
		needs = []string{".ans"}
	case "valid_output", "invalid_output":
		needs = []string{".ans", ".out"}
	}
	for _, ext := range needs {
		switch {
		case m.files[ext] != nil || m.files[".in"] == nil:
		case root == "sample" || root == "secret":
			return m.fail("has no answer: expected a solution, or the answer itself")
		default:
			return m.fail("has no %s: expected the key %s, or a generator or copy that makes it", ext, ext[1:])
		}
	}
	return nil
}

// describe moves the description and the hint into the .yaml file, if the package's
// version of the format has no files for them.
func (m *caseWork) describe() error {
	const longest = 64 << 10
	for _, d := range []struct{ ext, key string }{{".desc", "description"}, {".hint", "hint"}} {
		f := m.files[d.ext]
		if f == nil || slices.Contains(m.problem.Spec().CaseExtensions, d.ext) {
			continue
		}
		text, err := f.read(longest)
		if err != nil {
			return m.fail("%s: %v", d.ext[1:], err)
		}
		var node *yaml.Node
		if f := m.files[".yaml"]; f != nil {
			text, err := f.read(problem.MaxYAML)
			if err == nil {
				node, _, err = yaml.ParseLast("data/"+m.name+".yaml", text)
			}
			if err != nil {
				return m.fail("%v", err)
			}
		}
		if node.Get(d.key) != nil {
			return m.fail("a second %s in yaml", d.key)
		}
		m.files[".yaml"] = fileOf(withText(node, d.key, strings.TrimRight(string(text), "\n")))
		delete(m.files, d.ext)
	}
	return nil
}

// maxCopied limits how many files of a .files folder are copied.
const maxCopied = 1000

// copyFiles adds the files below generators/ that the case copies.
func (m *caseWork) copyFiles() error {
	from := path.Join("generators", m.copy)
	exts, copied := caseExtensions, false
	if info, err := fs.Stat(m.fsys, from+".files"); err == nil && info.IsDir() {
		var found problem.Defects
		folder := problem.ReadProgram(m.fsys, from+".files", &found)
		switch {
		case folder == nil:
			return m.fail("copy: %v", errors.Join(found.Errs...))
		case len(folder.Files) > maxCopied:
			return m.fail("copy: %s.files has more than %d files", m.copy, maxCopied)
		}
		exts = slices.Concat(exts, terminal.Texts(folder.Files, func(name string) string { return ".files/" + name }))
	}
	for _, ext := range exts {
		if _, err := fs.Stat(m.fsys, from+ext); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		f, err := packageFile(m.fsys, from+ext)
		if err != nil {
			return m.fail("copy: %v", err)
		}
		m.files[ext] = f
		copied = copied || slices.Contains(caseExtensions, ext)
	}
	if !copied {
		return m.fail("copy: %s: no such file", problem.Where(m.fsys, from+".in"))
	}
	return nil
}

// run runs the case's program. The program prints the input, or leaves testcase.in and
// possibly other files in its working folder. If it fails, it runs again with the next
// seed, up to the number of retries.
func (m *caseWork) run(ctx context.Context) error {
	t := m.generator(m.casePlan)
	b, err := m.ready(ctx, t)
	if err != nil {
		return err
	}
	_, given := m.text[".in"]
	optional := given || m.copy != "" // the program need not make an input
	parts := append([]string{"generate", b.Key(), strconv.Itoa(m.retries), strconv.FormatBool(optional)}, m.args...)
	if m.hasSeed && m.retries > 1 {
		parts = append(parts, m.command, strconv.FormatUint(uint64(m.seed), 10))
	}
	made, err := m.stored(m.commandLine(m.args), build.HashOf(parts...), m.Twice, func(dir string) (err error) {
		for try := range m.retries {
			b, readyErr := m.ready(ctx, t)
			if readyErr != nil {
				return readyErr
			}
			args := m.args
			if try > 0 {
				args = m.argsWith((m.seed + uint32(try)) & (1<<31 - 1))
				m.ran++
			}
			var retry bool
			if retry, err = m.generate(ctx, b, args, dir, optional); err == nil || !retry {
				return err
			}
		}
		if m.retries > 1 {
			return fmt.Errorf("%w (with each of %d seeds)", err, m.retries)
		}
		return err
	})
	maps.Copy(m.files, made)
	return err
}

// commandLine returns the case's program with arguments.
func (m *caseWork) commandLine(args []string) string {
	return strings.Join(slices.Concat([]string{m.program}, args), " ")
}

// answer runs the solution on the input. Interactive and multi-pass problems have
// empty answers.
func (m *caseWork) answer(ctx context.Context) error {
	if m.problem.Answerless() {
		m.files[".ans"] = fileOf(nil)
		return nil
	}
	if m.solution == "" {
		return m.fail("has no answer: expected a solution, or the answer itself")
	}
	t := m.solutionTool(m.solution)
	b, err := m.ready(ctx, t)
	if err != nil {
		return err
	}
	c, err := m.withoutAnswer()
	if err != nil {
		return err
	}
	in := m.files[".in"]
	parts := []string{"answer", b.Key(), hex.EncodeToString(in.Sum[:]), strconv.FormatBool(m.AllowEmpty)}
	if c != nil {
		parts = append(append(parts, fmt.Sprintf("%q", c.Args)), m.sums(".files/")...)
	}
	made, err := m.stored(t.name, build.HashOf(parts...), m.Twice, func(dir string) error {
		b, err := m.ready(ctx, t)
		if err != nil {
			return err
		}
		answer := filepath.Join(dir, caseFile(".ans"))
		why, size, err := m.execute(ctx, b, c, nil, in, answer, nil)
		if err == nil && why.text != "" {
			err = m.fail("%s: %s%s", t.name, why.text, m.j.Reason(t.name, m.name, why.stderr))
		}
		if err != nil {
			return err
		}
		blank, err := m.blank(&File{path: answer})
		if err == nil && blank {
			printed, wrote := "nothing", ""
			if size > 0 {
				printed = "only white space"
			}
			wrote, err = m.wrote(ctx, b, c, in, answer)
			err = cmp.Or(err, m.empty("%s wrote %s%s on standard output", t.name, wrote, printed))
		}
		return err
	})
	if err != nil {
		return err
	}
	m.files[".ans"], m.answered = made[".ans"], true
	return nil
}

// blank reports whether an answer that a program made is empty, and may not be. In an
// interactive or multi-pass problem, the output validator decides without an answer.
func (m *caseWork) blank(answer *File) (bool, error) {
	if m.AllowEmpty || m.problem.Answerless() || !slices.Contains([]string{"sample", "secret"}, m.root()) {
		return false, nil
	}
	f, err := answer.open()
	if err != nil {
		return false, err
	}
	defer f.Close()
	return check.Blank(f)
}

// empty returns the error of a case with an empty answer.
func (m *caseWork) empty(format string, args ...any) error {
	why := fmt.Sprintf(format, args...)
	return kindError{m.defect(m.casePlan, "empty answer: %s; --allow-empty-answers, or the key ans, allows it", why),
		ErrEmptyAnswer}
}

// withoutAnswer returns the case as a solution runs on it, with the arguments that its
// folders declare and its .files; nil if submissions do not run on such cases.
func (m *caseWork) withoutAnswer() (*problem.Case, error) {
	if !slices.Contains([]string{"sample", "secret", "valid_output", "invalid_output"}, m.root()) {
		return nil, nil
	}
	placed := &caseWork{generation: m.generation, casePlan: m.casePlan, files: maps.Clone(m.files)}
	for _, ext := range []string{".ans", ".out"} {
		if placed.files[ext] == nil {
			placed.files[ext] = fileOf(nil)
		}
	}
	_, c, err := placed.placed()
	return c, err
}

// sums returns the extensions that begin with prefix, and the sums of these files.
func (m *caseWork) sums(prefix string) []string {
	var all []string
	for _, ext := range slices.Sorted(maps.Keys(m.files)) {
		if strings.HasPrefix(ext, prefix) {
			all = append(all, ext, hex.EncodeToString(m.files[ext].Sum[:]))
		}
	}
	return all
}

// placed reads the case as if the package had no other case, with the settings of its
// folders.
func (m *caseWork) placed() (*problem.Problem, *problem.Case, error) {
	at := make(map[string]*File)
	for ext, f := range m.files {
		at["data/"+m.name+ext] = f
	}
	for dir := path.Dir(m.name); ; dir = path.Dir(dir) {
		for _, name := range []string{"test_group.yaml", "testdata.yaml"} {
			name = path.Join(dir, name)
			if f := m.settings[name]; f != nil {
				at["data/"+name] = f
			} else if f, err := packageFile(m.fsys, "data/"+name); err == nil {
				at["data/"+name] = f
			}
		}
		if dir == "." {
			break
		}
	}
	if m.root() != "secret" {
		// A package without a secret case is invalid.
		at["data/secret/a.in"], at["data/secret/a.ans"] = fileOf(nil), fileOf(nil)
	}
	p, err := m.problem.WithData(newCaseFS(at, m.fsys))
	if err != nil {
		return nil, nil, m.fail("%v", err)
	}
	for _, c := range slices.Concat(p.Cases, p.InvalidInput, p.InvalidOutput, p.ValidOutput) {
		if c.Name == m.name {
			return p, c, nil
		}
	}
	return nil, nil, m.fail("is not a case in format %s", p.Version)
}
