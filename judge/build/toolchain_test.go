package build

import "testing"

func TestNewest(t *testing.T) {
	for _, tt := range []struct {
		fact string
		all  []interpreter
		want string
	}{
		{"only one", []interpreter{{"a", "x", false}}, "a"},
		{"a newer one of a version manager", []interpreter{{"mine", "Python 3.11.7", false}, {"usr", "Python 3.11.2", true}}, "mine"},
		{"a newer one of the machine", []interpreter{{"mine", "Python 3.9.18", false}, {"usr", "Python 3.11.2", true}}, "usr"},
		{"equal ones", []interpreter{{"mine", "Python 3.11.2", false}, {"usr", "Python 3.11.2", true}}, "usr"},
		{"equal ones, neither of the machine", []interpreter{{"first", "v20.1", false}, {"second", "v20.1", false}}, "first"},
		{"numbers are not text", []interpreter{{"nine", "v9.10.0", true}, {"ten", "v10.2.0", false}}, "ten"},
		{"more parts", []interpreter{{"short", "Lua 5.4", true}, {"long", "Lua 5.4.6", false}}, "long"},
		{"unknown versions", []interpreter{{"first", "", false}, {"second", "none", true}}, "second"},
	} {
		if got := newest(tt.all); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.fact, got, tt.want)
		}
	}
}
