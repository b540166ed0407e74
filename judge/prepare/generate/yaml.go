package generate

import (
	"bytes"
	"fmt"
	"strconv"

	"crucible/judge/internal/lazy"
	"crucible/judge/internal/yaml"
)

// formatYAML formats a value as a YAML file in block style. The keys of a map keep
// their order. Parsing the file gives the same value, with aliases replaced by their
// values. A value that is null, or nil, is an empty file.
func formatYAML(n *yaml.Node) []byte {
	var b bytes.Buffer
	if n != nil && n.Kind() != yaml.Null {
		writeBlock(&b, n, "")
	}
	return b.Bytes()
}

// withText formats a map, which may be nil or null, with one more key that has text as
// its value.
func withText(n *yaml.Node, key, value string) []byte {
	if len(n.Fields()) == 0 {
		n = nil
	}
	return fmt.Appendf(formatYAML(n), "%s: %s\n", quoteYAML(key), quoteYAML(value))
}

// writeBlock writes a value on its own lines.
func writeBlock(b *bytes.Buffer, n *yaml.Node, indent string) {
	for _, field := range n.Fields() {
		b.WriteString(indent + quoteYAML(field.Key.Text()) + ":")
		writeValue(b, field.Value, indent)
	}
	for _, item := range n.Items() {
		b.WriteString(indent + "-")
		writeValue(b, item, indent)
	}
	if len(n.Fields())+len(n.Items()) == 0 {
		b.WriteString(indent + inline(n) + "\n")
	}
}

// writeValue writes the value after a key or a dash.
func writeValue(b *bytes.Buffer, n *yaml.Node, indent string) {
	if len(n.Fields())+len(n.Items()) > 0 {
		b.WriteByte('\n')
		writeBlock(b, n, indent+"  ")
		return
	}
	b.WriteString(" " + inline(n) + "\n")
}

// inline formats a scalar, or an empty map or sequence.
func inline(n *yaml.Node) string {
	switch n.Kind() {
	case yaml.Map:
		return "{}"
	case yaml.Sequence:
		return "[]"
	case yaml.Null:
		return "null"
	case yaml.String:
		return quoteYAML(n.Text())
	}
	return n.Text()
}

// plainForm matches text that needs no quotes, except for words that older versions
// of YAML read as booleans or null.
var (
	plainForm = lazy.Regexp(`^[A-Za-z_/]([A-Za-z0-9_./ -]*[A-Za-z0-9_./-])?$`)
	wordForm  = lazy.Regexp(`^(?i:true|false|yes|no|on|off|y|n|null)$`)
)

// quoteYAML quotes text if necessary.
func quoteYAML(s string) string {
	if plainForm().MatchString(s) && !wordForm().MatchString(s) {
		return s
	}
	return strconv.Quote(s) // its escapes are those of YAML
}
