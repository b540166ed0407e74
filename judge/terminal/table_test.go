package terminal

import (
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	table := Table{Right: []int{1}, Most: 8}
	table.Add("name", "runs", "note")
	table.Add("a\x1b[2J", "7", "")
	table.Add("日本", "1234567")
	table.Add("a long name", "", "kept")
	table.Rows[0][0].Colour = Faint
	want := strings.Join([]string{
		"\x1b[2mname\x1b[0m         runs  note",
		`a\x1b[2J        7`,
		"日本      1234567",
		"a long …           kept",
		"",
	}, "\n")
	if got := table.String(); got != want {
		t.Errorf("got\n%s\nexpected\n%s", got, want)
	}
	table.Plain = true
	if got := table.String(); got != strings.NewReplacer("\x1b[2mname\x1b[0m", "name").Replace(want) {
		t.Errorf("without colours:\n%s", got)
	}
}
