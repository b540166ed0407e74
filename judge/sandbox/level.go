package sandbox

import (
	"errors"
	"fmt"
	"strings"
)

// A Level is a level of protection. The operating system, the kernel's settings and
// the user's rights decide which levels a machine supports.
type Level int

const (
	Plain   Level = iota + 1 // a child process: only limits that the judge itself can enforce
	Process                  // limits on all descendants, and no process survives the run; Linux only
	Guarded                  // also, the kernel refuses what no submission needs: Landlock, seccomp
	UserBox                  // also, the program has its own namespaces, created without root
	RootBox                  // the same, created by root, with a separate user
)

// String returns the name of the level as messages and records show it.
func (l Level) String() string {
	return [...]string{"none", "plain", "process", "guarded", "user box", "box"}[l]
}

// Full reports whether the level is a box, which contains hostile programs.
func (l Level) Full() bool { return l >= UserBox }

// A Protection describes what a Runner enforces on a machine.
type Protection struct {
	Level       Level    // the level
	Enforced    []string // each a phrase without a full stop
	NotEnforced []string // likewise
	Why         string   // why the level is not higher or cgroups are missing; "" if nothing is missing
	Raise       string   // one command that would improve it; "" if none is known
}

// AtLeast returns an error that explains what is missing if the level is lower
// than least.
func (p Protection) AtLeast(least Level) error {
	if p.Level >= least {
		return nil
	}
	text := fmt.Sprintf("expected at least the sandbox level %q, this machine has only %q", least, p.Level)
	if p.Why != "" {
		text += ": " + p.Why
	}
	if p.Raise != "" {
		text += "; to raise it: " + p.Raise
	}
	return errors.New(text)
}

// A Range is a range of levels that a user allows.
type Range struct {
	Word        string // the word that the user writes for it
	Meaning     string // what it means, in one phrase
	Least, Most Level  // the fields of a Sandbox
}

// Ranges returns the table of ranges. The first is the default. Ranges of a single
// level serve to compare levels and to test what happens on machines without
// higher ones.
func Ranges() []Range {
	return []Range{
		{"auto", "the highest level that this machine supports", 0, 0},
		{"require", "a full box; without one, nothing is run", UserBox, 0},
		{"process", "limits, but the rights of the judge", Process, Process},
		{"guarded", "limits, and the kernel refuses what no program needs", Guarded, Guarded},
		{"userbox", "a full box, created without root", UserBox, UserBox},
	}
}

// RangeOf returns the range with the given word; "" means the default.
func RangeOf(word string) (Range, error) {
	ranges := Ranges()
	var words []string
	for _, r := range ranges {
		if word == r.Word {
			return r, nil
		}
		words = append(words, r.Word)
	}
	if word == "" {
		return ranges[0], nil
	}
	last := len(words) - 1
	return Range{}, fmt.Errorf("sandbox %q: expected %s or %s", word, strings.Join(words[:last], ", "), words[last])
}
