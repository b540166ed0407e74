package statement

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A column is the layout of a column of a table.
type column struct {
	align       string // class: "l", "c" or "r"
	left, right bool   // rules beside it
}

// classes returns the classes of a cell of the column.
func (c column) classes() (all []string) {
	all = append(all, "align-"+c.align)
	if c.left {
		all = append(all, "rule-left")
	}
	if c.right {
		all = append(all, "rule-right")
	}
	return all
}

// maxColumns is the maximum number of columns of a table.
const maxColumns = 200

// columnsOf reads the argument of tabular, such as {|l|c|p{3cm}|}.
func columnsOf(spec string) (columns []column) {
	rule := false
	for i := 0; i < len(spec); i++ {
		argument := func() string {
			rest := spec[i+1:]
			if !strings.HasPrefix(rest, "{") {
				return ""
			}
			end := closing(rest[1:], '}')
			if end < 0 {
				return ""
			}
			i += end + 2
			return rest[1 : end+1]
		}
		switch c := spec[i]; c {
		case ' ', '\n', '\t':
			continue
		case '|':
			if rule = true; len(columns) > 0 {
				columns[len(columns)-1].right = true
			}
			continue
		case 'l', 'c', 'r':
			columns = append(columns, column{align: string(c), left: rule && len(columns) == 0})
		case 'p', 'm', 'b', 'X', 'L', 'C', 'R', 'S':
			if c == 'p' || c == 'm' || c == 'b' {
				argument()
			}
			columns = append(columns, column{align: "l", left: rule && len(columns) == 0})
		case '@', '!', '>', '<':
			argument()
			continue
		case '*':
			count, err := strconv.Atoi(strings.TrimSpace(argument()))
			repeated := columnsOf(argument())
			for n := 0; err == nil && n < count && len(columns) < maxColumns; n++ {
				columns = append(columns, repeated...)
			}
		}
		rule = false
	}
	return columns[:min(len(columns), maxColumns)]
}

// A cell is a cell of a table.
type cell struct {
	html    string
	columns int // that it covers
	rows    int
	layout  column
	above   bool // a rule above it
}

// tabular converts a table.
func (l *latex) tabular(name string) {
	if name == "tabular*" || name == "tabularx" {
		l.raw(name)
	}
	l.option()
	columns := columnsOf(l.raw(name))
	var rows [][]cell
	above, parts := false, []int(nil) // rules before the next row: all of it, or pairs of columns
	for {
		l.rules(&above, &parts)
		if l.pos == len(l.src) || l.at(`\end`) || l.src[l.pos] == '}' {
			break
		}
		row := l.row(columns)
		for i := range row {
			row[i].above = above || within(parts, i+1)
		}
		rows = append(rows, row)
		above, parts = false, nil
	}
	l.w.block(tableOf(rows, above))
}

// within reports whether a number is in one of the ranges.
func within(ranges []int, n int) bool {
	for i := 0; i+1 < len(ranges); i += 2 {
		if ranges[i] <= n && n <= ranges[i+1] {
			return true
		}
	}
	return false
}

var lineRange = regexp.MustCompile(`^\s*(\d+)\s*-\s*(\d+)\s*$`)

// rules consumes spaces and the commands that draw lines between rows.
func (l *latex) rules(above *bool, parts *[]int) {
	for l.pos < len(l.src) {
		before := l.pos
		l.skipSpace()
		for l.pos < len(l.src) && l.src[l.pos] == '\n' {
			l.pos++
		}
		for _, rule := range []string{`\hline`, `\toprule`, `\midrule`, `\bottomrule`, `\endhead`, `\endfirsthead`, `\endfoot`} {
			if l.at(rule) {
				l.pos += len(rule)
				*above = *above || !strings.HasPrefix(rule, `\end`)
			}
		}
		for _, rule := range []string{`\cline`, `\cmidrule`} {
			if l.at(rule) {
				at := l.offset()
				l.pos += len(rule)
				found := lineRange.FindStringSubmatch(l.raw(rule))
				if found == nil {
					l.fail(at, "%s: expected two columns, such as {1-2}", rule)
					continue
				}
				from, _ := strconv.Atoi(found[1])
				to, _ := strconv.Atoi(found[2])
				*parts = append(*parts, from, to)
			}
		}
		if l.pos == before {
			return
		}
	}
}

// row converts one row up to and including \\.
func (l *latex) row(columns []column) (row []cell) {
	next := 0 // column
	for {
		c := cell{columns: 1, rows: 1, layout: column{align: "l"}}
		if next < len(columns) {
			c.layout = columns[next]
		}
		var stop string
		c.html = l.capture(false, func() { stop = l.cell(&c, next == 0) })
		row = append(row, c)
		next += c.columns
		switch stop {
		case "&":
			l.pos++
			if next >= maxColumns {
				l.fail(l.offset(), "a table of more than %d columns", maxColumns)
				l.pos = len(l.src)
				return row
			}
			continue
		case `\\`:
			l.pos += 2
			l.option()
		case `\tabularnewline`:
			l.pos += len(stop)
		}
		return row
	}
}

// cell converts one cell and returns what ends it.
func (l *latex) cell(c *cell, first bool) (stop string) {
	l.skipSpace()
	stops := []string{"&", `\\`, `\tabularnewline`, `\end`, `\hline`}
	number := func(command string) int {
		at := l.offset()
		n, err := strconv.Atoi(strings.TrimSpace(l.raw(command)))
		if err != nil || n < 1 || n > 1000 {
			l.fail(at, "%s: expected a number from 1 to 1000", command)
			return 1
		}
		return n
	}
	for _, command := range []string{`\multicolumn`, `\multicol`} {
		if l.at(command) {
			l.pos += len(command)
			c.columns = number(command)
			if layout := columnsOf(l.raw(command)); len(layout) > 0 {
				// A rule on the left of a later column is that of the column before.
				c.layout = layout[0]
				c.layout.left = c.layout.left && first
			}
			if l.skipSpace(); l.pos < len(l.src) && l.src[l.pos] == '{' {
				l.pos++
				inner := *c
				if l.cell(&inner, first) == "}" {
					l.pos++
				}
				c.rows = inner.rows
			}
			return l.parse(stops...)
		}
	}
	if l.at(`\multirow`) {
		l.pos += len(`\multirow`)
		l.option()
		c.rows = number(`\multirow`)
		l.option()
		l.raw(`\multirow`)
		l.styled(`\multirow`, nil)
	}
	return l.parse(stops...)
}

// tableOf returns the table as HTML. below is a rule below the last row.
func tableOf(rows [][]cell, below bool) string {
	var b strings.Builder
	b.WriteString("<div class=\"scroll\"><table class=\"tabular\"><tbody>\n")
	covered := make(map[int]int) // rows that a cell above still covers, by column
	for i, row := range rows {
		b.WriteString("<tr>")
		at := 0
		for _, c := range row {
			hidden := covered[at] > 0
			for n := at; n < at+c.columns; n++ {
				if hidden {
					covered[n]--
				} else if c.rows > 1 {
					covered[n] = c.rows - 1
				}
			}
			at += c.columns
			if hidden {
				continue
			}
			classes := c.layout.classes()
			if c.above {
				classes = append(classes, "rule-above")
			}
			if below && i+c.rows >= len(rows) {
				classes = append(classes, "rule-below")
			}
			fmt.Fprintf(&b, `<td class="%s"`, strings.Join(classes, " "))
			if c.columns > 1 {
				fmt.Fprintf(&b, ` colspan="%d"`, c.columns)
			}
			if c.rows > 1 {
				fmt.Fprintf(&b, ` rowspan="%d"`, min(c.rows, len(rows)-i))
			}
			b.WriteString(">" + c.html + "</td>")
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody></table></div>\n")
	return b.String()
}
