package report

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"crucible/judge/internal/lazy"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/terminal"
)

// WriteGithub writes the document as workflow commands of GitHub Actions: an error for
// each failed or broken test case of [Writer.WriteJUnit], and a warning for each skipped one.
// GitHub shows them in the list of changed files, if the file of the submission or of
// the package is below the working folder.
//
// The format is that of "Workflow commands for GitHub Actions" in GitHub's documentation.
func (w Writer) WriteGithub(to io.Writer, d *record.Document) error {
	var b strings.Builder
	shown := make(map[string]bool) // a failure of the package, such as of its validator, concerns every run
	all := w.suitesOf(d)
	for i := range all.Suites {
		s := &all.Suites[i]
		if s.SystemErr != "" {
			b.WriteString(annotation("warning", s, s.Name, &TestProblem{Message: s.SystemErr}))
		}
		for _, c := range s.Cases {
			title := s.Name
			if c.Name != "expectation" && c.Name != "package" {
				title += " on " + c.Name
			}
			switch {
			case c.Failure != nil:
				b.WriteString(annotation("error", s, title, c.Failure))
			case c.Error != nil:
				one := *c.Error
				one.Text = strings.TrimPrefix(one.Text, s.submission+" on "+c.Name+": ")
				if !shown[one.Text] {
					shown[one.Text] = true
					b.WriteString(annotation("error", s, title, &one))
				}
			case c.Skipped != nil:
				b.WriteString(annotation("warning", s, title, c.Skipped))
			}
		}
	}
	fmt.Fprintf(&b, "::notice title=judge::%s\n", escapeData(w.Summary(d)))
	_, err := io.WriteString(to, b.String())
	return err
}

// GithubAnnotation returns the workflow command of an error or a doubt about a package.
// Level is "error" or "warning"; the text begins with the file.
func GithubAnnotation(level, title, text string) string {
	text = terminal.CleanText(text)
	file, at := located(text)
	return command(level, file, at, terminal.Clean(title), text)
}

// annotation returns one workflow command.
func annotation(level string, s *Suite, title string, p *TestProblem) string {
	text := p.Text
	if p.Type != string(JudgeError) && !strings.HasPrefix(text, p.Message) {
		text = strings.TrimSpace(p.Message + "\n" + text)
	}
	if file, at := located(text); file != "" {
		return command(level, file, at, title, text)
	}
	file := s.file()
	return command(level, file, position(text, file), title, text)
}

// command returns a workflow command. The file may be "", and then it has no position.
func command(level, file, at, title, text string) string {
	var properties []string
	if file != "" {
		properties = append(properties, "file="+escapeProperty(file))
		if at != "" {
			properties = append(properties, at)
		}
	}
	properties = append(properties, "title="+escapeProperty(title))
	return fmt.Sprintf("::%s %s::%s\n", level, strings.Join(properties, ","), escapeData(text))
}

// located returns the file that a text begins with, and the position in it: FILE:2:3: TEXT,
// or FOLDER: TEXT with a position in a file of the folder in one of the next lines, as
// compilers print it. The file is "" if it is not below the working folder.
func located(text string) (file, at string) {
	name, rest, _ := strings.Cut(text, ": ")
	m := filePosition().FindStringSubmatch(name)
	if m == nil {
		return "", ""
	}
	if file = below(m[1]); file != "" {
		if at = position(filepath.Base(file)+strings.TrimPrefix(name, m[1]), file); at == "" {
			at = position(rest, file)
		}
		return file, at
	}
	for _, m := range compilerPosition().FindAllStringSubmatch(rest, 10) {
		if file = below(filepath.Join(name, m[1])); file != "" {
			return file, position(rest, file)
		}
	}
	return "", ""
}

var (
	filePosition     = lazy.Regexp(`^(.*?)(?::\d{1,6}){0,2}$`)
	compilerPosition = lazy.Regexp(`(?m)^\s*([^\s:]+):\d+`)
)

// file returns the file of a suite, below the working folder; "" if there is none.
func (s *Suite) file() string {
	source, err := problem.Locate(cmp.Or(s.path, "."))
	if err != nil || s.path == "" {
		return ""
	}
	defer source.Close()
	name := problem.ProblemFile
	if s.submission != "" {
		name = "submissions/" + s.submission
	}
	return below(source.Where(name))
}

// below returns the path of a file below the working folder; "" if it is not there, or no
// regular file.
func below(at string) string {
	if info, err := os.Stat(at); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	here, err1 := filepath.Abs(".")
	at, err2 := filepath.Abs(at)
	path, err3 := filepath.Rel(here, at)
	if err1 != nil || err2 != nil || err3 != nil || !filepath.IsLocal(path) {
		return ""
	}
	return filepath.ToSlash(path)
}

// position returns the first position in the file that a text names, as compilers and the
// judge print it.
func position(text, file string) string {
	at := regexp.MustCompile(`(?m)(?:^|[\s/])` + regexp.QuoteMeta(filepath.Base(file)) +
		`:(\d{1,6})(?::(\d{1,6}))?\b`).FindStringSubmatch(text)
	switch {
	case at == nil:
		return ""
	case at[2] == "":
		return "line=" + at[1]
	}
	return "line=" + at[1] + ",col=" + at[2]
}

var (
	dataEscapes     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func escapeData(s string) string     { return dataEscapes.Replace(s) }
func escapeProperty(s string) string { return propertyEscapes.Replace(s) }
