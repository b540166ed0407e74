package generate

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"crucible/judge/internal/yaml"
)

// A Text is a key with text as its value.
type Text struct{ Key, Value string }

// FormatYAML writes a value as a YAML file, in blocks, the keys of maps in
// their order, and behind those of the outermost map some more. It reads back
// as the same. Aliases come out as what they stand for. N is a map, or
// nothing where there is more.
func FormatYAML(n *yaml.Node, more ...Text) []byte {
	var b bytes.Buffer
	if n == nil || n.Kind() == yaml.Null {
		n = nil
	} else if n.Kind() != yaml.Map || len(n.Fields()) > 0 || len(more) == 0 {
		writeBlock(&b, n, 0)
	}
	for _, m := range more {
		fmt.Fprintf(&b, "%s: %s\n", scalarText(m.Key), scalarText(m.Value))
	}
	return b.Bytes()
}

// writeBlock writes a value on lines of its own, indented.
func writeBlock(b *bytes.Buffer, n *yaml.Node, indent int) {
	spaces := strings.Repeat(" ", indent)
	switch {
	case n.Kind() == yaml.Map && len(n.Fields()) > 0:
		for _, field := range n.Fields() {
			b.WriteString(spaces + scalarText(field.Key.Text()) + ":")
			writeValue(b, field.Value, indent)
		}
	case n.Kind() == yaml.Sequence && len(n.Items()) > 0:
		for _, item := range n.Items() {
			b.WriteString(spaces + "-")
			writeValue(b, item, indent)
		}
	default:
		b.WriteString(spaces + inline(n) + "\n")
	}
}

// writeValue writes what stands behind a key or a dash: on the same line, or
// on further ones.
func writeValue(b *bytes.Buffer, n *yaml.Node, indent int) {
	if n.Kind() == yaml.Map && len(n.Fields()) > 0 || n.Kind() == yaml.Sequence && len(n.Items()) > 0 {
		b.WriteByte('\n')
		writeBlock(b, n, indent+2)
		return
	}
	b.WriteString(" " + inline(n) + "\n")
}

// inline writes a value that has nothing in it.
func inline(n *yaml.Node) string {
	switch n.Kind() {
	case yaml.Map:
		return "{}"
	case yaml.Sequence:
		return "[]"
	case yaml.Null:
		return "null"
	case yaml.String:
		return scalarText(n.Text())
	}
	return n.Text()
}

// plainForm is text that means itself without quotes, to any reader of YAML:
// but for words, in wordForm, that older ones take for something else.
var (
	plainForm = regexp.MustCompile(`^[A-Za-z_/]([A-Za-z0-9_./ -]*[A-Za-z0-9_./-])?$`)
	wordForm  = regexp.MustCompile(`^(?i:true|false|yes|no|on|off|y|n|null)$`)
)

func scalarText(s string) string {
	if plainForm.MatchString(s) && !wordForm.MatchString(s) {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == utf8.RuneError, strconv.IsPrint(r):
			b.WriteRune(r)
		case r < 1<<16:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			fmt.Fprintf(&b, `\U%08X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
