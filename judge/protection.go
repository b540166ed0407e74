package judge

import (
	"fmt"
	"strings"

	"crucible/judge/sandbox"
)

// A Ladder is a choice among the rungs of protection, by the word that people
// give for it.
type Ladder struct {
	Word, Meaning string
	Least, Most   sandbox.Rung // as in Judge
}

// Ladders is the table of words. Those of a single rung are for comparing
// them, and for testing what happens where no other can be had.
func Ladders() []Ladder {
	return []Ladder{
		{"auto", "the best protection that this machine has", 0, 0},
		{"require", "a full box, or nothing is run", sandbox.UserBox, 0},
		{"process", "limits, but the rights of the judge", sandbox.Process, sandbox.Process},
		{"guarded", "limits, and what no program needs is refused", sandbox.Guarded, sandbox.Guarded},
		{"userbox", "a full box as a user who is not root makes it", sandbox.UserBox, sandbox.UserBox},
	}
}

// LadderOf returns the ladder of a word; no word is auto.
func LadderOf(word string) (Ladder, error) {
	var words []string
	for _, l := range Ladders() {
		if word == l.Word || word == "" && l.Word == "auto" {
			return l, nil
		}
		words = append(words, l.Word)
	}
	last := len(words) - 1
	return Ladder{}, fmt.Errorf("sandbox %q: want %s or %s", word, strings.Join(words[:last], ", "), words[last])
}

// A ProtectionError says that programs would be run with less protection than
// is wanted.
type ProtectionError struct {
	Want sandbox.Rung
	Have sandbox.Protection
}

func (e *ProtectionError) Error() string {
	want := e.Want.String()
	if e.Want.Full() {
		want = "a full box"
	}
	text := fmt.Sprintf("the sandbox: want %s, have only %q", want, e.Have.Rung)
	if e.Have.Why != "" {
		text += ": " + e.Have.Why
	}
	if e.Have.Raise != "" {
		text += "; this would change that: " + e.Have.Raise
	}
	return text
}

// guarded returns an error if the Runner gives less protection than is wanted.
func (j *Judge) guarded() error {
	if j.Least == 0 {
		return nil
	}
	if have := sandbox.ProtectionOf(j.runner); have.Rung < j.Least {
		return &ProtectionError{j.Least, have}
	}
	return nil
}

// Confined reports whether programs are held in boxes, and so can change
// nothing but what they may.
func (j *Judge) Confined() bool {
	j.confining.Do(func() { j.boxed = sandbox.ProtectionOf(j.runner).Rung.Full() })
	return j.boxed
}
