package report

import (
	"strings"

	"crucible/judge/internal/lazy"
	"crucible/judge/terminal"
)

// markdownSheet writes one table, and its notes as a fenced block.
func markdownSheet(b *strings.Builder, s *Sheet) {
	if s.Detail {
		b.WriteString("<details><summary>" + terminal.Count(len(s.Rows), "row") + " of details</summary>\n\n")
	}
	if s.Title != "" {
		b.WriteString("### " + cellText(s.Title) + "\n\n")
	}
	if len(s.Rows) > 0 {
		heading, line := "|", "|"
		for _, c := range s.Columns {
			heading += " " + cellText(c.Name) + " |"
			if c.Number {
				line += "---:|"
			} else {
				line += "---|"
			}
		}
		b.WriteString(heading + "\n" + line + "\n")
		for _, row := range s.Rows {
			b.WriteByte('|')
			for i := range s.Columns {
				text := ""
				if i < len(row) {
					text = cellText(row[i].Text)
					if row[i].Mark == Bad && text != "" {
						text = "**" + text + "**"
					}
				}
				b.WriteString(" " + text + " |")
			}
			b.WriteByte('\n')
		}
		b.WriteByte('\n')
	}
	if len(s.Notes) > 0 {
		var lines []string
		for _, note := range s.Notes {
			lines = append(lines, terminal.Clean(note))
		}
		fence(b, "", lines)
		b.WriteByte('\n')
	}
	if s.Detail {
		b.WriteString("</details>\n\n")
	}
}

// harmless matches texts that are no markup anywhere in a line: words and numbers,
// two numbers with a slash, "<1 MiB". It does not match a number with a full stop and a
// space, which begins a list.
var harmless = lazy.Regexp(`^[\pL\pN ,%±=×∞–…()µ^✓✗-]*([.][\pN][\pL\pN ,%±=×∞–…()µ^-]*)*$|^<1 MiB$|` +
	`^(\pL+ )?\pN+([.]\pN+)?/\pN+([.]\pN+)?$`)

// cellText returns an untrusted text for a table cell: words and numbers unchanged,
// all other texts as a code span.
func cellText(s string) string {
	if harmless().MatchString(s) {
		return s
	}
	return code(s)
}
