package statement

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// maxSample is how many bytes of one file of a sample a page shows.
const maxSample = 64 << 10

// A sample is what a statement shows of a sample case.
type sample struct {
	name        string
	args        []string
	input       string
	output      string
	interaction string   // with marks < and >; "" if the sample has input and output
	files       []string // names and texts of further input files, in pairs
}

// Files of a sample that are shown, the first that exists (2025-09, "Displaying test
// cases").
var (
	shownInput  = []string{".in.statement", ".in"}
	shownOutput = []string{".out", ".ans.statement", ".ans"}
)

// samplesOf returns the samples of a problem in the order of their names, including
// those that are only shown.
func samplesOf(p *problem.Problem) (all []sample, err error) {
	stems := make(map[string]bool)
	shown := append([]string{".interaction"}, slices.Concat(shownInput, shownOutput)...)
	err = fs.WalkDir(p.FS, "data/sample", func(name string, d fs.DirEntry, err error) error {
		if err != nil || problem.IgnoredName(path.Base(name)) {
			if d != nil && d.IsDir() && err == nil {
				return fs.SkipDir
			}
			return err
		}
		if d.IsDir() {
			if strings.HasSuffix(name, ".files") {
				return fs.SkipDir
			}
			return nil
		}
		for _, ext := range shown {
			// The extension .in does not end a name that ends with .in.statement.
			if stem, ok := strings.CutSuffix(name, ext); ok && !problem.IgnoredName(path.Base(stem)) {
				stems[strings.TrimPrefix(stem, "data/")] = true
			}
		}
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, problem.Unreadable(p.FS, "data/sample", err)
	}
	cases := make(map[string]*problem.Case)
	for _, c := range p.Samples() {
		cases[c.Name] = c
		if c.Static != nil {
			delete(stems, c.Name)
		}
	}
	for stem := range stems {
		s := sample{name: stem}
		if c := cases[stem]; c != nil {
			s.args = c.Args
			for _, name := range c.Files {
				text, _ := readShown(p, c.Path(".files")+"/"+name)
				s.files = append(s.files, name, text)
			}
		}
		at := "data/" + stem
		var ok bool
		if s.interaction, ok = readShown(p, at+".interaction"); !ok {
			s.input = firstOf(p, at, shownInput)
			s.output = firstOf(p, at, shownOutput)
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b sample) int { return strings.Compare(a.name, b.name) })
	return all, nil
}

// firstOf returns the text of the first of several files that exists.
func firstOf(p *problem.Problem, stem string, exts []string) string {
	for _, ext := range exts {
		if text, ok := readShown(p, stem+ext); ok {
			return text
		}
	}
	return ""
}

// readShown returns what a page shows of a file, and whether there is one.
func readShown(p *problem.Problem, name string) (string, bool) {
	f, err := problem.OpenRegular(p.FS, name)
	if err != nil {
		return "", false
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSample+1))
	if err != nil {
		return "", false
	}
	if len(data) <= maxSample {
		return visible(string(data)), true
	}
	return visible(string(data[:maxSample])) + "\n… the first " + terminal.Bytes(maxSample), true
}

// nextSample returns the next sample as HTML.
func (r *renderer) nextSample() string {
	s := r.samples[0]
	r.samples = r.samples[1:]
	r.shown++
	var b strings.Builder
	b.WriteString("<section class=\"sample\">\n")
	if len(s.args) > 0 {
		fmt.Fprintf(&b, "<p>%s: <code>%s</code></p>\n", escape(r.words.arguments), escape(visible(strings.Join(s.args, " "))))
	}
	if s.interaction != "" {
		b.WriteString(r.interactionTable(&s))
	} else {
		fmt.Fprintf(&b, "<table class=\"io\"><thead><tr><th scope=\"col\">%s %d</th><th scope=\"col\">%s "+
			"%[2]d</th></tr></thead>\n<tbody><tr><td><pre>%[4]s</pre></td><td><pre>%[5]s</pre></td></tr></tbody></table>\n",
			escape(r.words.sampleInput), r.shown, escape(r.words.sampleOutput), escape(s.input), escape(s.output))
	}
	for i := 0; i+1 < len(s.files); i += 2 {
		fmt.Fprintf(&b, "<table class=\"io\"><thead><tr><th "+
			"scope=\"col\">%s</th></tr></thead><tbody><tr><td><pre>%s</pre></td></tr></tbody></table>\n", escape(s.files[i]),
			escape(s.files[i+1]))
	}
	b.WriteString("</section>\n")
	return b.String()
}

// remainingSamples returns the samples that are not shown yet as HTML.
func (r *renderer) remainingSamples() string {
	var b strings.Builder
	for len(r.samples) > 0 {
		b.WriteString(r.nextSample())
	}
	return b.String()
}

// interactionTable returns an interaction as a table: a row for the lines of one side,
// and a part for each pass.
func (r *renderer) interactionTable(s *sample) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<table class=\"io interaction\"><thead><tr><th scope=\"col\">%s</th><th class=\"title\">%s "+
		"%d</th><th scope=\"col\">%s</th></tr></thead>\n",
		escape(r.words.read), escape(r.words.sampleInteraction), r.shown, escape(r.words.write))
	passes := passesOf(s.interaction)
	for i, pass := range passes {
		b.WriteString("<tbody>\n")
		if len(passes) > 1 {
			fmt.Fprintf(&b, "<tr><th colspan=\"3\" scope=\"rowgroup\">%s %d</th></tr>\n", escape(r.words.pass), i+1)
		}
		for len(pass) > 0 {
			side := pass[0][0]
			end := slices.IndexFunc(pass, func(line string) bool { return line[0] != side })
			if end < 0 {
				end = len(pass)
			}
			var lines []string
			for _, line := range pass[:end] {
				lines = append(lines, line[1:])
			}
			cells := [2]string{"<td colspan=\"2\"><pre>%s</pre></td><td></td>", "<td></td><td colspan=\"2\"><pre>%s</pre></td>"}
			cell := cells[0]
			if side == '>' {
				cell = cells[1]
			}
			fmt.Fprintf(&b, "<tr>"+cell+"</tr>\n", escape(strings.Join(lines, "\n")+"\n"))
			pass = pass[end:]
		}
		b.WriteString("</tbody>\n")
	}
	b.WriteString("</table>\n")
	return b.String()
}

// passesOf returns the lines of each pass of an interaction. A line without a mark
// belongs to the side of the line before.
func passesOf(text string) (passes [][]string) {
	pass, side := []string(nil), "<"
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		switch {
		case strings.TrimSpace(line) == "---":
			passes = append(passes, pass)
			pass = nil
			continue
		case strings.HasPrefix(line, "<") || strings.HasPrefix(line, ">"):
			side = line[:1]
		default:
			line = side + line
		}
		pass = append(pass, line)
	}
	return append(passes, pass)
}
