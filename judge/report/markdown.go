package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/internal/lazy"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/terminal"
)

// WriteMarkdown writes the document as GitHub Flavored Markdown: a table for each
// problem, and below it the submissions that are not as expected. Every untrusted
// text is in a code span or a fenced block, so it cannot be markup.
func (w Writer) WriteMarkdown(to io.Writer, d *record.Document) error {
	var b strings.Builder
	for i := range d.Problems {
		p := &d.Problems[i]
		fmt.Fprintf(&b, "## %s\n\n", code(p.ID))
		if p.Err != nil {
			b.WriteString("Cannot be opened:\n\n")
			fence(&b, "", ErrorLines(p.Err))
			b.WriteByte('\n')
			continue
		}
		bounds, part := Bounds(p.Limits, len(p.Cases)), w.part(p)
		if part.Bounds != "" {
			bounds = part.Bounds + "; " + part.Conditions
		}
		b.WriteString(bounds + ".\n\n")
		for _, s := range part.sheets(p) {
			markdownSheet(&b, &s)
		}
		markdownReasons(&b, p)
	}
	for _, s := range made(w.against(d).Sheets) {
		markdownSheet(&b, &s)
	}
	b.WriteString(w.Summary(d) + ".\n")
	if machine := place(d.Machine, record.Fact{Name: "Go", Value: d.Machine.Go}); machine != "" {
		b.WriteString("\nMeasured on " + code(machine) + ".\n")
	}
	_, err := io.WriteString(to, b.String())
	return err
}

// markdownReasons lists the submissions that are not as expected, and the reasons.
func markdownReasons(b *strings.Builder, p *record.Problem) {
	start := b.Len()
	for _, r := range p.Reports {
		standing := StandingOf(r)
		for _, text := range Remarks(r) {
			fmt.Fprintf(b, "- %s %s\n", code(r.Submission), code(text))
		}
		if standing == AsExpected {
			continue
		}
		fmt.Fprintf(b, "- %s %s", code(r.Submission), standing.Text())
		if headline := Headline(r); headline != "" && headline != standing.Text() {
			b.WriteString(": " + code(headline))
		}
		b.WriteByte('\n')
		if reasons := Reasons(r); len(reasons) > 0 {
			b.WriteByte('\n')
			fence(b, "  ", reasons)
		}
	}
	if b.Len() > start {
		b.WriteByte('\n')
	}
}

// ExpectedText describes expectations in a few words: the required verdicts, or if
// there are none the permitted ones, or else the final ones. quote escapes the
// untrusted texts. ExpectedText returns "" if nothing is expected.
func ExpectedText(expected []problem.Expectation, quote func(string) string) string {
	var parts []string
	for i := range expected {
		e := &expected[i]
		verdicts := e.Required
		if verdicts == nil {
			verdicts = e.Permitted
		}
		if verdicts == nil {
			verdicts = e.Final
		}
		var words []string
		for _, v := range verdicts {
			words = append(words, string(v))
		}
		part := strings.Join(words, " or ")
		if e.Partial {
			part = "AC with less than the best score"
		}
		if e.Score != nil {
			part = strings.TrimSpace(part + " score " + scoreRange(e.Score))
		}
		if e.Message != "" {
			part = strings.TrimSpace(part + " with " + quote(strconv.Quote(e.Message)))
		}
		if part == "" {
			continue
		}
		if e.Cases != "" {
			part += " on " + quote(e.Cases)
		}
		if !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", ")
}

func scoreRange(score []float64) string {
	var ends []string
	for _, s := range score {
		ends = append(ends, strconv.FormatFloat(s, 'g', -1, 64))
	}
	return strings.Join(ends, " to ")
}

// code returns any text as a code span. It escapes pipes, because they end a table
// cell even in a code span. The delimiter is longer than any run of backticks in
// the text.
func code(s string) string {
	s = strings.ReplaceAll(terminal.Clean(s), "|", `\x7c`)
	if s == "" {
		return ""
	}
	ticks := ticks(1, s)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || strings.TrimSpace(s) != s {
		s = " " + s + " "
	}
	return ticks + s + ticks
}

// fence writes cleaned lines as a fenced code block that no line can close.
func fence(b *strings.Builder, indent string, lines []string) {
	ticks := ticks(3, lines...)
	fmt.Fprintf(b, "%s%stext\n", indent, ticks)
	for _, line := range lines {
		b.WriteString(strings.TrimRight(indent+line, " ") + "\n")
	}
	fmt.Fprintf(b, "%s%s\n", indent, ticks)
}

var backticks = lazy.Regexp("`+")

// ticks returns at least that many backticks, and more than any text has in a row.
func ticks(least int, texts ...string) string {
	for _, run := range backticks().FindAllString(strings.Join(texts, "\n"), -1) {
		least = max(least, len(run)+1)
	}
	return strings.Repeat("`", least)
}
