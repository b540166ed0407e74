package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing/fstest"
	"unicode/utf8"

	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// take chooses submissions and cases for --problem. An argument is a file in any
// folder or, if no such file exists, names submissions and cases of the problem
// as in [Packages.choose]. Submissions are in the order of the arguments.
func (c *Choice) take(args []string) error {
	var files []string
	var given []*problem.Submission // submissions of the files
	for _, arg := range args {
		var m match
		if _, err := os.Stat(arg); err != nil {
			if m = c.matchName(arg); m.submissions == nil && m.cases == nil {
				return fmt.Errorf("%s: no such file, and no submission or case of %s has this name", terminal.Clean(arg),
					c.Problem.ID)
			}
		} else if name, ok := c.Source.Within(arg); ok && strings.HasPrefix(name, "data/") {
			m = c.matchPath(name)
		}
		if m.submissions == nil && m.cases == nil {
			s, err := c.SubmissionOf(arg)
			if err != nil {
				return err
			}
			files, given = append(files, arg), append(given, s)
			m.submissions = []*problem.Submission{s}
		}
		c.Submissions = appendNew(c.Submissions, m.submissions)
		c.Cases = append(c.Cases, m.cases...)
	}
	if len(c.Submissions) == 0 {
		return fmt.Errorf("--problem %s: expected a file to judge", c.Problem.ID)
	}
	c.Cases = inOrder(c.Problem.Cases, c.Cases)
	nameApart(given, files)
	return nil
}

// SubmissionOf makes a submission of a file, which may be in any folder. A submission of
// the package keeps its constants, and the language and entry point of
// submissions.yaml, but not its expectations.
func (c *Choice) SubmissionOf(name string) (*problem.Submission, error) {
	if err := c.tool(name); err != nil {
		return nil, err
	}
	dir, base := filepath.Split(filepath.Clean(name))
	fsys := os.DirFS(cmp.Or(dir, "."))
	if !utf8.ValidString(base) {
		// A name in an fs.FS must be UTF-8; a name on disk need not be.
		data, err := readRegular(name)
		if err != nil {
			return nil, err
		}
		base = strings.ToValidUTF8(base, "_")
		fsys = fstest.MapFS{base: {Data: data}}
	}
	s, err := problem.NewSubmission(c.Problem, fsys, base)
	var defect *problem.Defect
	if errors.As(err, &defect) {
		defect.File = name
	}
	if err != nil {
		return nil, err
	}
	if own := c.own(name); own != nil {
		one := *own
		one.Name, one.Expected = s.Name, s.Expected
		s = &one
	}
	return s, nil
}

// readRegular reads a regular file. Opening a pipe would wait for its other end.
func readRegular(name string) ([]byte, error) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: expected a regular file", terminal.Clean(name))
	}
	return os.ReadFile(name)
}

// tools are the folders of the programs of a package that are no submissions.
var tools = map[string]struct{ what, instead string }{
	"input_validators":  {"an input validator", "judge verify %s runs it on every input"},
	"output_validators": {"an output validator", "judge verify %s runs it on every answer"},
	"output_validator":  {"an output validator", "judge verify %s runs it on every answer"},
	"answer_validators": {"an answer validator", "judge verify %s runs it on every answer"},
	"generators":        {"a generator", "judge gen %s runs it"},
}

// tool returns an error for a file that is another program of the package.
func (c *Choice) tool(file string) error {
	name, ok := c.Source.Within(file)
	if !ok {
		return nil
	}
	folder, _, _ := strings.Cut(name, "/")
	if t, ok := tools[folder]; ok {
		return fmt.Errorf("%s: is %s of %s, not a submission: "+t.instead, terminal.Clean(file), t.what, c.Problem.ID,
			c.Problem.ID)
	}
	return nil
}

// own returns the submission of the package to which a file belongs, or nil.
func (c *Choice) own(file string) *problem.Submission {
	name, ok := c.Source.Within(file)
	if !ok {
		return nil
	}
	return c.Problem.SubmissionNamed(strings.TrimPrefix(name, "submissions/"))
}

// nameApart gives submissions of files distinct names: those of old/a.c and new/a.c
// contain their folders, and a file that is given again gets a number.
func nameApart(submissions []*problem.Submission, files []string) {
	paths := make([]string, len(files))
	for i, file := range files {
		file = filepath.Clean(file)
		if abs, err := filepath.Abs(file); err == nil {
			file = abs
		}
		paths[i] = strings.ToValidUTF8(filepath.ToSlash(file), "_")
	}
	for i, s := range submissions {
		start := len(paths[i]) - len(s.Name)
		for start > 0 && slices.ContainsFunc(paths, func(other string) bool {
			return other != paths[i] && strings.HasSuffix(other, paths[i][start-1:])
		}) {
			start = strings.LastIndexByte(paths[i][:start-1], '/') + 1
		}
		number := 1
		for _, earlier := range paths[:i] {
			if earlier == paths[i] {
				number++
			}
		}
		if s.Name = paths[i][max(start, 0):]; number > 1 {
			s.Name += fmt.Sprintf(" (%d)", number)
		}
	}
}
