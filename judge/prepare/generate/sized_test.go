package generate

import (
	"slices"
	"strings"
	"testing"
)

func TestSizedCommands(t *testing.T) {
	constants := map[string]string{"most": "9"}
	c, err := sized(" sudoku/ -any  'a b' {{most}}:{n} {seed} ", constants, 512, "7")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"-any", "a b", "9:512"}; c.program != "sudoku" || !slices.Equal(c.args[:3], want) || len(c.args) != 4 || !c.hasSeed {
		t.Errorf("%q %q, seed %v; want sudoku %q and a seed", c.program, c.args, c.hasSeed, want)
	}
	for _, tt := range []struct {
		name string
		n    int64
		salt string
		same bool
	}{
		{"again", 512, "7", true},
		{"another size has another seed", 513, "7", false},
		{"another salt, too", 512, "8", false},
	} {
		other, err := sized("sudoku/ -any  'a b' 9:{n} {seed}", nil, tt.n, tt.salt)
		if err != nil || (other.args[3] == c.args[3]) != tt.same {
			t.Errorf("%s: seeds %s and %s, %v", tt.name, c.args[3], other.args[3], err)
		}
	}
	for _, word := range []string{"{seed:2}", "{name}.txt", "'{}'", "a{2,3}", "'{\"k\": 1}'", "{ m }"} {
		if _, err := sized("sudoku {n} "+word, nil, 1, ""); err != nil {
			t.Errorf("%s: %v", word, err)
		}
	}
	for _, tt := range []struct{ name, command, want string }{
		{"another size", "sudoku {n} {m}", "{m} in the command: expected {n}, {seed}, {seed:2}, {name}, or a constant"},
		{"a seed of another form", "sudoku {n} {seed:x}", "{seed:x} in the command"},
		{"a count, which only generators.yaml has", "sudoku {n} {count}", "{count} in the command"},
		{"no size", "sudoku 5 {seed}", "no {n}"},
		{"a constant that there is not", "sudoku {{least}} {n}", "{{least}}"},
		{"an open quote", "sudoku 'x {n}", "quote"},
		{"a path that leads out", "../../sh {n}", "expected a name, or a path below generators/"},
		{"two seeds", "sudoku {n} {seed} {seed}", "more than one {seed}"},
	} {
		if _, err := sized(tt.command, constants, 1, ""); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %q: %v; want %q in it", tt.name, tt.command, err, tt.want)
		}
	}
}
