package report

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"crucible/judge/problem"
	"crucible/judge/record"
)

// WriteGithub writes the document as workflow commands of GitHub Actions: an error for
// each failed or broken test case of [WriteJUnit], and a warning for each skipped one.
// GitHub shows them in the list of changed files, if the file of the submission or of
// the package is below the working folder.
//
// The format is that of "Workflow commands for GitHub Actions" in GitHub's documentation.
func WriteGithub(w io.Writer, d *record.Document) error {
	var b strings.Builder
	all := suitesOf(d)
	for i := range all.Suites {
		s := &all.Suites[i]
		if s.SystemErr != "" {
			b.WriteString(annotation("warning", s, s.Name, &junitProblem{Message: s.SystemErr}))
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
				b.WriteString(annotation("error", s, title, c.Error))
			case c.Skipped != nil:
				b.WriteString(annotation("warning", s, title, c.Skipped))
			}
		}
	}
	fmt.Fprintf(&b, "::notice title=judge::%s\n", escapeData(Summary(d)))
	_, err := io.WriteString(w, b.String())
	return err
}

// annotation returns one workflow command.
func annotation(level string, s *junitSuite, title string, p *junitProblem) string {
	text := p.Text
	if !strings.HasPrefix(text, p.Message) {
		text = strings.TrimSpace(p.Message + "\n" + text)
	}
	var properties []string
	if file := s.file(); file != "" {
		properties = append(properties, "file="+escapeProperty(file))
		if at := position(text, file); at != "" {
			properties = append(properties, at)
		}
	}
	properties = append(properties, "title="+escapeProperty(title))
	return fmt.Sprintf("::%s %s::%s\n", level, strings.Join(properties, ","), escapeData(text))
}

// file returns the file of a suite, below the working folder; "" if there is none.
func (s *junitSuite) file() string {
	source, err := problem.Locate(cmp.Or(s.path, "."))
	if err != nil || s.path == "" {
		return ""
	}
	defer source.Close()
	name := problem.ProblemFile
	if s.submission != "" {
		name = "submissions/" + s.submission
	}
	at := source.Where(name)
	if info, err := os.Stat(at); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	here, err1 := filepath.Abs(".")
	at, err2 := filepath.Abs(at)
	below, err3 := filepath.Rel(here, at)
	if err1 != nil || err2 != nil || err3 != nil || !filepath.IsLocal(below) {
		return ""
	}
	return filepath.ToSlash(below)
}

// position returns the first position in the file that a text names, as compilers and the
// judge print it.
func position(text, file string) string {
	at := regexp.MustCompile(`(?m)(?:^|[\s/])` + regexp.QuoteMeta(filepath.Base(file)) + `:(\d{1,6})(?::(\d{1,6}))?\b`).FindStringSubmatch(text)
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
