package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"crucible/judge"
)

// A ladder is the flag --sandbox: how well programs must be confined. The zero
// value takes the best that there is.
type ladder struct{ judge.Ladder }

func (l *ladder) String() string {
	if l.Word == "" {
		return "auto"
	}
	return l.Word
}

func (l *ladder) Type() string { return "WORD" }

func (l *ladder) Set(word string) (err error) {
	if word == "" {
		return errors.New("expected a word")
	}
	l.Ladder, err = judge.LadderOf(word)
	return err
}

// flag adds --sandbox, which CI sets by the environment.
func (l *ladder) flag(c *cobra.Command) {
	var words []string
	for _, known := range judge.Ladders() {
		words = append(words, known.Word+"\t"+known.Meaning)
	}
	c.Flags().Var(l, "sandbox", "how programs are confined: auto is the strongest level that this machine supports, require demands level box (otherwise exit status 3); process, guarded and userbox are single levels; $CRUCIBLE_SANDBOX does the same")
	c.RegisterFlagCompletionFunc("sandbox", cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	before := c.PreRunE
	c.PreRunE = func(c *cobra.Command, args []string) error {
		if word := os.Getenv("CRUCIBLE_SANDBOX"); word != "" && !c.Flags().Changed("sandbox") {
			if err := l.Set(word); err != nil {
				return fmt.Errorf("$CRUCIBLE_SANDBOX: %w", err)
			}
		}
		if before != nil {
			return before(c, args)
		}
		return nil
	}
}

// judge makes a judge ready that confines programs so, or tells why none can.
func (l *ladder) judge(j *judge.Judge) (*judge.Judge, error) {
	j.Least, j.Most = l.Least, l.Most
	if _, err := j.CacheDir(); err != nil {
		return nil, errors.Join(&statusError{statusJudge, err}, j.Close())
	}
	return j, nil
}

// closed closes the judge, of whose failure it is told.
func closed(j *judge.Judge) error {
	if err := j.Close(); err != nil {
		return &statusError{statusJudge, err}
	}
	return nil
}
