package yaml

import (
	"fmt"
	"strings"
)

// An Edit changes the text of a file in single places, so that comments, order, quotes
// and line ends are unchanged. Nodes are those of the text before the first change.
type Edit struct{ Text string }

// offset returns the offset, in bytes, at which a node begins.
func (e *Edit) offset(n *Node) (int, error) {
	at := e.line(n.Line())
	rest := e.Text[at:]
	column := 1
	for i := range rest {
		if column == n.Column() {
			return at + i, nil
		}
		column++
	}
	return 0, fmt.Errorf("ends before line %d, column %d", n.Line(), n.Column())
}

// line returns the offset of the start of line n, from 1, or the length of the text if
// it has fewer lines.
func (e *Edit) line(n int) int {
	lines := strings.SplitAfterN(e.Text, "\n", n)
	if len(lines) < n {
		return len(e.Text)
	}
	return len(e.Text) - len(lines[n-1])
}

// lineEnd returns the line end that the text uses.
func (e *Edit) lineEnd() string {
	if i := strings.IndexByte(e.Text, '\n'); i > 0 && e.Text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

func (e *Edit) insert(at int, what string) { e.Text = e.Text[:at] + what + e.Text[at:] }

// Replace replaces the text of a scalar, the value of the field name, with a number.
func (e *Edit) Replace(name string, old *Node, number string) error {
	at, err := e.offset(old)
	if err != nil {
		return err
	}
	if old.Text() == "" || !strings.HasPrefix(e.Text[at:], old.Text()) {
		return fmt.Errorf("has a %s that is not a plain number", name)
	}
	e.Text = e.Text[:at] + number + e.Text[at+len(old.Text()):]
	return nil
}

// Add adds a field to a map that has no field of that name. In a map in braces, the
// field is the first one. In a block, its line follows that of the map's own key or,
// if key is nil, is the last one of the text.
func (e *Edit) Add(to, key *Node, name, inFlow, inBlock string) error {
	at, err := e.offset(to)
	if err != nil {
		return err
	}
	if strings.HasPrefix(e.Text[at:], "{") {
		inside := strings.TrimLeft(e.Text[at+1:], " ")
		at = len(e.Text) - len(inside)
		what := name + ": " + inFlow
		switch {
		case len(to.Fields()) > 0 && strings.HasPrefix(strings.TrimPrefix(inside, "\r"), "\n"):
			what += ","
		case len(to.Fields()) > 0:
			what += ", "
		case at > 0 && e.Text[at-1] == ' ':
			what += " "
		}
		e.insert(at, what)
		return nil
	}
	indent := strings.Repeat(" ", to.Column()-1)
	if key != nil {
		e.Below(key, to.Column()-1, name+":"+inBlock)
		return nil
	}
	if e.Text != "" && !strings.HasSuffix(e.Text, "\n") {
		e.Text += e.lineEnd()
	}
	e.Text += strings.ReplaceAll(indent+name+":"+strings.ReplaceAll(inBlock, "\n", "\n"+indent), "\n",
		e.lineEnd()) + e.lineEnd()
	return nil
}

// Append adds lines after the last entry of a map or list in block form. Each line is
// indented as the entries are.
func (e *Edit) Append(to *Node, lines []string) error {
	at, err := e.offset(to)
	if err != nil {
		return err
	}
	if at < len(e.Text) && (e.Text[at] == '{' || e.Text[at] == '[') || len(to.Fields())+len(to.Items()) == 0 {
		return fmt.Errorf("line %d has a map or list in one line", to.Line())
	}
	indent := to.Column() - 1
	start := e.line(to.Line())
	end := start
	for at := start; at < len(e.Text); {
		line, _, _ := strings.Cut(e.Text[at:], "\n")
		text := strings.TrimLeft(line, " ")
		blank := strings.TrimSpace(text) == ""
		depth := len(line) - len(text)
		// A list may stand below its key without indentation.
		if !blank && !strings.HasPrefix(text, "#") && at > start &&
			(depth < indent || depth == indent && to.Kind() == Sequence && !strings.HasPrefix(text, "-")) {
			break
		}
		at = min(at+len(line)+1, len(e.Text))
		if !blank && (!strings.HasPrefix(text, "#") || depth >= indent) {
			end = at
		}
	}
	if end == len(e.Text) && !strings.HasSuffix(e.Text, "\n") {
		e.Text += e.lineEnd()
		end = len(e.Text)
	}
	var b strings.Builder
	for _, line := range lines {
		if strings.TrimSpace(line) != "" {
			b.WriteString(strings.Repeat(" ", indent) + line)
		}
		b.WriteString(e.lineEnd())
	}
	e.insert(end, b.String())
	return nil
}

// Below inserts a line after that of a key, indented by so many spaces.
func (e *Edit) Below(key *Node, indent int, what string) {
	end := e.lineEnd()
	at := e.line(key.Line() + 1)
	if at == len(e.Text) && !strings.HasSuffix(e.Text, "\n") {
		e.Text += end
		at = len(e.Text)
	}
	e.insert(at, strings.Repeat(" ", indent)+what+end)
}
