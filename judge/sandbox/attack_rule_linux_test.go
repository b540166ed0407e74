//go:build amd64 || arm64

package sandbox

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAttacksDoNotTouchTheMachine checks for all attacks that none runs as root
// below a box, and that an attack that nothing contains runs only as a user of
// the test's own or in a virtual machine.
func TestAttacksDoNotTouchTheMachine(t *testing.T) {
	for _, a := range readAttacks(t, "testdata/attack") {
		for level := Plain; level <= RootBox; level++ {
			for who := caller; who <= guestRoot; who++ {
				runs, held := a.facts(level, who) != nil, level >= a.least && level != a.except
				switch {
				case runs && who == root && !level.Full():
					t.Errorf("%s: runs as root on the level %v", a.name, level)
				case runs && !held && who != guestRoot && !(who == ownUser && a.bare == ownUser):
					t.Errorf("%s: runs on the level %v, which does not contain it", a.name, level)
				case runs && level < Process:
					t.Errorf("%s: runs on the level %v", a.name, level)
				}
			}
		}
		if a.facts(max(a.least, Guarded+1), root) == nil {
			t.Errorf("%s: runs in no box", a.name)
		}
	}
}

func TestAttackMustSayWhatHoldsIt(t *testing.T) {
	for _, test := range []struct{ fact, head, err string }{
		{"all is said", "// least: guarded\n// want: exit=0\n// bare: user\n// without: exit=1\n", ""},
		{"no level", "// want: exit=0\n", "no line with // least"},
		{"unknown level", "// least: rootbox\n// want: exit=0\n", "unknown level"},
		{"facts without a tester", "// least: guarded\n// want: exit=0\n// without: exit=1\n", "want both or none"},
		{"a tester without facts", "// least: guarded\n// want: exit=0\n// bare: user\n", "want both or none"},
		{"root as a tester", "// least: guarded\n// want: exit=0\n// bare: root\n// without: exit=1\n", "unknown tester"},
		{"held everywhere, and bare", "// least: process\n// want: exit=0\n// bare: user\n// without: exit=1\n", "above process"},
	} {
		name := filepath.Join(t.TempDir(), "attack.c")
		if err := os.WriteFile(name, []byte(test.head), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := readAttack(name); (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("%s: error %v, want %q", test.fact, err, test.err)
		}
	}
}
