package statement

import (
	"fmt"
	"strconv"
	"strings"

	"crucible/judge/internal/lazy"
)

// A column is the layout of a column of a table.
type column struct {
	align         string // class: "l", "c" or "r"
	left, right   bool   // rules beside it
	width         string // LaTeX; "" if it follows from the text
	middle        bool   // vertically
	before, after string // LaTeX that stands in each cell
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
	if c.middle {
		all = append(all, "middle")
	}
	return all
}

// maxColumns is the maximum number of columns of a table.
const maxColumns = 200

// columnAligns are the letters of columns, with how their text is aligned.
var columnAligns = map[byte]string{
	'l': "l", 'c': "c", 'r': "r", 'p': "l", 'm': "l", 'b': "l", 'X': "l", 'L': "l", 'C': "c",
	'R': "r", 'J': "l", 'S': "r",
}

// columns reads the argument of tabular, such as {|l|c|p{3cm}|}.
func (l *latex) columns(command string) (columns []column) {
	in := l.of(l.expandedText(l.raw(command)), l.offset())
	rule, before := false, ""
	last := func() *column { return &columns[len(columns)-1] }
	for in.skipSpace(); in.more() && len(columns) < maxColumns; in.skipSpace() {
		c := in.src[in.pos]
		in.pos++
		switch {
		case c == '|':
			if rule = true; len(columns) > 0 {
				last().right = true
			}
			continue
		case columnAligns[c] != "":
			columns = append(columns, column{
				align: columnAligns[c], left: rule && len(columns) == 0, before: before, middle: c == 'm',
			})
			if strings.Contains(before, `\centering`) {
				last().align = "c"
			} else if strings.Contains(before, `\raggedleft`) {
				last().align = "r"
			}
			in.option() // of S (siunitx)
			if before = ""; c == 'p' || c == 'm' || c == 'b' {
				last().width = in.raw(command)
			}
		case c == '>':
			before += in.raw(command)
		case c == '<' && len(columns) > 0:
			last().after = in.raw(command) + last().after
		case c == '@' || c == '!': // text between columns
			if text := in.raw(command); len(columns) > 0 {
				last().after += text
			} else {
				before += text
			}
		case c == '*':
			count := max(0, min(in.number(command), maxColumns))
			in.push(command, strings.Repeat(in.raw(command), count), l.offset())
		default:
			l.unknown(l.offset(), "%s: the column %c", command, c)
		}
		rule = false
	}
	return columns
}

// A cell is a cell of a table.
type cell struct {
	html    string
	width   string // of CSS; "" if it follows from the text
	columns int    // that it covers
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
	columns := l.columns(name)
	if name == "longtable" {
		l.float = "table"
	}
	l.box.absolute = true // the width of a cell depends on what is in it
	var rows [][]cell
	above, parts := false, []int(nil) // rules before the next row: all of it, or pairs of columns
	heads := 0                        // rows of the head of the first page
	for {
		switch rule := l.rules(&above, &parts); rule {
		case `\endfirsthead`:
			heads = len(rows)
			continue
		case `\endhead`: // of the other pages
			if heads > 0 {
				rows = rows[:heads]
			}
			continue
		}
		for l.endOfUser() {
			l.more()
		}
		if l.pos == len(l.src) || l.at(`\end`) || l.src[l.pos] == '}' {
			break
		}
		at := l.offset()
		row, wide := l.row(columns)
		if wide > len(columns) {
			l.warn(at, "a row of %d columns in a table of %d", wide, len(columns))
		}
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

var lineRange = lazy.Regexp(`^\s*(\d+)\s*-\s*(\d+)\s*$`)

// rules are the commands between rows.
var rules = strings.Fields(`\hline \toprule \midrule \bottomrule \addlinespace \cline \cmidrule \endhead \endfirsthead`)

// rules consumes spaces and the commands that draw lines between rows. It stops behind
// the end of a head of a longtable, which it returns.
func (l *latex) rules(above *bool, parts *[]int) string {
	for again := true; again; {
		l.skipSpace()
		for l.pos < len(l.src) && l.src[l.pos] == '\n' {
			l.pos++
			l.skipSpace()
		}
		again = false
		for _, rule := range rules {
			if !l.at(rule) {
				continue
			}
			at := l.offset()
			again = true
			l.pos += len(rule)
			switch rule {
			case `\endhead`, `\endfirsthead`:
				return rule
			case `\addlinespace`:
				l.option()
			case `\cline`, `\cmidrule`:
				l.option()
				if rest := l.src[l.pos:]; strings.HasPrefix(rest, "(") { // what is trimmed at the ends
					l.pos += strings.IndexByte(rest+")", ')') + 1
				}
				found := lineRange().FindStringSubmatch(l.raw(rule))
				if found == nil {
					l.fail(at, "%s: expected two columns, such as {1-2}", rule)
					continue
				}
				from, _ := strconv.Atoi(found[1])
				to, _ := strconv.Atoi(found[2])
				*parts = append(*parts, from, to)
			default:
				if *above = true; rule != `\hline` {
					l.option()
				}
			}
		}
	}
	return ""
}

// row converts one row up to and including \\, and returns how many columns it has.
func (l *latex) row(columns []column) (row []cell, next int) {
	for {
		c := cell{columns: 1, rows: 1, layout: column{align: "l"}}
		if next < len(columns) {
			c.layout = columns[next]
		}
		var stop string
		nested := l.nest()
		c.html = l.capture(false, func() { stop = l.cell(&c, next == 0) })
		nested()
		row = append(row, c)
		next += c.columns
		switch stop {
		case "&":
			l.pos++
			if next >= maxColumns {
				l.fail(l.offset(), "a table of more than %d columns", maxColumns)
				l.pos, l.outer = len(l.src), nil
				return row, next
			}
			continue
		case `\\`:
			if l.pos += 2; strings.HasPrefix(l.src[l.pos:], "*") {
				l.pos++
			}
			l.spacing(stop)
		case `\tabularnewline`:
			l.pos += len(stop)
			l.spacing(stop)
		}
		return row, next
	}
}

// cell converts one cell and returns what ends it.
func (l *latex) cell(c *cell, first bool) (stop string) {
	l.skipSpace()
	stops := []string{"&", `\\`, `\tabularnewline`, `\end`, `\hline`}
	number := func(command string) int {
		at := l.offset()
		n := l.number(command)
		if n < 1 || n > 1000 {
			l.fail(at, "%s: expected a number from 1 to 1000", command)
			return 1
		}
		return n
	}
	for _, command := range []string{`\multicolumn`, `\multicol`} {
		if l.at(command) {
			l.pos += len(command)
			c.columns = number(command)
			if layout := l.columns(command); len(layout) > 0 {
				// A rule on the left of a later column is that of the column before.
				c.layout = layout[0]
				c.layout.left = c.layout.left && first
			}
			l.beginCell(c)
			if l.skipSpace(); l.pos < len(l.src) && l.src[l.pos] == '{' {
				l.pos++
				inner := cell{rows: 1}
				if l.cell(&inner, first) == "}" {
					l.pos++
				}
				c.rows = inner.rows
			}
			stop = l.parse(stops...)
			l.part(c.layout.after)
			return stop
		}
	}
	l.beginCell(c)
	if l.at(`\multirow`) {
		l.pos += len(`\multirow`)
		l.option()
		c.rows = number(`\multirow`)
		l.option()
		l.raw(`\multirow`)
		l.option()
		l.styled(`\multirow`, nil)
	}
	stop = l.parse(stops...)
	l.part(c.layout.after)
	return stop
}

// beginCell applies the layout of the column to a cell.
func (l *latex) beginCell(c *cell) {
	if x, ok := l.length(c.layout.width); ok {
		c.width = x.css()
		l.box.line = l.box.points(x) / l.box.points(length{100, "%"})
	} else if c.layout.width != "" {
		l.warn(l.offset(), "the width %s of a column is not known", quoteSource(c.layout.width))
	}
	l.part(c.layout.before)
}

// part converts LaTeX that the layout of a column has, up to the end of the cell.
func (l *latex) part(source string) {
	if source == "" {
		return
	}
	inner := l.of(source, l.offset())
	inner.parse()
	l.code = inner.code
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
			if c.width != "" {
				fmt.Fprintf(&b, ` style="width:%s"`, c.width)
			}
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
