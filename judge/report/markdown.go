package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"crucible/judge"
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
		if p.Measurement != nil {
			markdownMeasured(&b, p)
			continue
		}
		markdownTable(&b, p)
		markdownGroups(&b, p)
		markdownReasons(&b, p)
	}
	b.WriteString(Summary(d) + ".\n")
	if m := machineLine(d.Machine); m != "" {
		b.WriteString("\nMeasured on " + m + ".\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func markdownTable(b *strings.Builder, p *record.Problem) {
	bounds := sheet.LimitsText(p.Limits)
	if bounds != "" {
		bounds += ", "
	}
	fmt.Fprintf(b, "%s%s.\n\n", bounds, units.Count(len(p.Cases), "case"))
	if len(p.Reports) == 0 {
		return
	}
	scored := slices.ContainsFunc(p.Reports, func(r *judge.Report) bool { return r.Groups != nil })
	heading, line := "| submission | language | expected | verdict |", "|---|---|---|---|"
	if scored {
		heading, line = heading+" score |", line+"---:|"
	}
	b.WriteString(heading + " as expected | cases | slowest | CPU | wall | memory |\n")
	b.WriteString(line + ":---:|---:|---|---:|---:|---:|\n")
	for _, r := range p.Reports {
		slowest, cpu, wall, memory := "", "", "", ""
		if run := r.Slowest(); run != nil {
			o := run.Outcome
			slowest, cpu, wall, memory = code(run.Case), units.Duration(o.CPU), units.Duration(o.Wall), units.Memory(o.Memory)
		}
		word, passed := string(FinalVerdict(r)), fmt.Sprintf("%d/%d", AcceptedRuns(r), len(p.Cases))
		mark := map[Standing]string{AsExpected: "✓", Unexpected: "✗"}[StandingOf(r)]
		switch standing := StandingOf(r); standing {
		case Skipped:
			word, passed = "skipped", ""
		case JudgeError:
			word = "judge error"
		case Broken:
			word = "package error"
		case Unfinished:
			word = "interrupted"
		}
		cells := []string{code(r.Submission), code(r.Language), ExpectedText(r.Expected, code), word}
		if scored {
			cells = append(cells, units.ScoreOf(r.Score, r.MaxScore))
		}
		cells = append(cells, mark, passed, slowest, cpu, wall, memory)
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	b.WriteByte('\n')
}

// markdownGroups writes a table of submissions and groups, if groups have scores.
func markdownGroups(b *strings.Builder, p *record.Problem) {
	var names []string
	for _, r := range p.Reports {
		for _, g := range judge.ShownGroups(r) {
			if !slices.Contains(names, g.Name) {
				names = append(names, g.Name)
			}
		}
	}
	if names == nil {
		return
	}
	slices.Sort(names)
	b.WriteString("| submission |")
	for _, name := range names {
		b.WriteString(" " + code(name) + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(names)) + "\n")
	for _, r := range p.Reports {
		if r.Groups == nil {
			continue
		}
		cells := make([]string, len(names))
		for _, g := range judge.ShownGroups(r) {
			text := strings.TrimSpace(string(g.Verdict) + " " + units.ScoreOf(g.Score, g.Max))
			switch {
			case g.Err != nil:
				text = "judge error"
			case g.NotRun != "":
				text = "not run"
			}
			cells[slices.Index(names, g.Name)] = text
		}
		b.WriteString("| " + code(r.Submission) + " | " + strings.Join(cells, " | ") + " |\n")
	}
	b.WriteByte('\n')
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
		word := map[Standing]string{Unexpected: "not as expected", Skipped: "skipped", JudgeError: "judge error", Broken: "package error", Unfinished: "interrupted"}[standing]
		fmt.Fprintf(b, "- %s %s", code(r.Submission), word)
		if headline := Headline(r); headline != "" && headline != word {
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
