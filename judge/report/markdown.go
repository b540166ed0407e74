package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report/sheet"
	"crucible/judge/terminal"
	"crucible/judge/units"
)

// WriteMarkdown writes the document as GitHub Flavored Markdown: a table for each
// problem, and below it the submissions that are not as expected. Every untrusted
// text is in a code span or a fenced block, so it cannot be markup.
func WriteMarkdown(w io.Writer, d *record.Document) error {
	if d.Against != nil {
		return markdownAgainst(w, d.Against)
	}
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
		bounds, m := sheet.Bounds(p.Limits, len(p.Cases)), p.Measurement
		if m != nil {
			bounds = sheet.Bounds(m.Limits, len(m.Cases)) + "; " + conditions(m, record.Machine{Pinned: len(m.Cores) > 0})[1]
		}
		b.WriteString(bounds + ".\n\n")
		for _, s := range Sheets(p) {
			markdownSheet(&b, &s)
		}
		markdownReasons(&b, p)
	}
	b.WriteString(Summary(d) + ".\n")
	if m := machineLine(d.Machine); m != "" {
		b.WriteString("\nMeasured on " + m + ".\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdownReasons lists the submissions that are not as expected, and the reasons.
func markdownReasons(b *strings.Builder, p *record.Problem) {
	listed := false
	for _, r := range p.Reports {
		standing := StandingOf(r)
		if standing == AsExpected {
			continue
		}
		listed = true
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
	if listed {
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
	ticks := strings.Repeat("`", longestRun(s, '`')+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || strings.TrimSpace(s) != s {
		s = " " + s + " "
	}
	return ticks + s + ticks
}

// fence writes cleaned lines as a fenced code block that no line can close.
func fence(b *strings.Builder, indent string, lines []string) {
	longest := 2
	for _, line := range lines {
		longest = max(longest, longestRun(line, '`'))
	}
	ticks := strings.Repeat("`", longest+1)
	fmt.Fprintf(b, "%s%stext\n", indent, ticks)
	for _, line := range lines {
		b.WriteString(strings.TrimRight(indent+line, " ") + "\n")
	}
	fmt.Fprintf(b, "%s%s\n", indent, ticks)
}

// longestRun returns the length of the longest run of c in s.
func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

func machineLine(m record.Machine) string {
	var parts []string
	if m.CPU != "" {
		parts = append(parts, code(m.CPU))
	}
	if m.Cores > 0 {
		parts = append(parts, units.Count(m.Cores, "core"))
	}
	if m.OS != "" {
		parts = append(parts, strings.TrimSpace(code(m.OS+"/"+m.Arch)+" "+code(m.Kernel)))
	}
	if m.Go != "" {
		parts = append(parts, code(m.Go))
	}
	if m.Pinned {
		parts = append(parts, "pinned to cores")
	}
	if m.FixedAddresses {
		parts = append(parts, "at fixed addresses")
	}
	return strings.Join(parts, ", ")
}
