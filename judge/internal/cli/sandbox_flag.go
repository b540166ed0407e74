package cli

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"crucible/judge"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

// A Levels is the value of --sandbox: the sandbox levels that are allowed. The
// zero value selects the strongest level that the machine supports.
type Levels struct{ sandbox.Range }

func (l *Levels) String() string {
	if l.Word == "" {
		return "auto"
	}
	return l.Word
}

func (l *Levels) Type() string { return "WORD" }

func (l *Levels) Set(word string) (err error) {
	if word == "" {
		return errors.New("expected a word")
	}
	l.Range, err = sandbox.RangeOf(word)
	return err
}

// Flag adds --sandbox. $CRUCIBLE_SANDBOX sets it too, which is useful in CI.
func (l *Levels) Flag(c *cobra.Command) {
	words := terminal.Texts(sandbox.Ranges(), func(r sandbox.Range) string { return r.Word + "\t" + r.Meaning })
	c.Flags().Var(l, "sandbox",
		"how programs are confined: auto is the strongest level that this machine supports, require demands level box "+
			"(otherwise exit status 3); process, guarded and userbox are single levels; $CRUCIBLE_SANDBOX does the same")
	c.RegisterFlagCompletionFunc("sandbox", cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// Limit makes j use the sandbox levels of l, or of $CRUCIBLE_SANDBOX if --sandbox was not
// given.
func (l *Levels) Limit(j *judge.Judge) error {
	if word := os.Getenv("CRUCIBLE_SANDBOX"); word != "" && l.Word == "" {
		if err := l.Set(word); err != nil {
			return fmt.Errorf("$CRUCIBLE_SANDBOX: %w", err)
		}
	}
	j.Least, j.Most = l.Least, l.Most
	return nil
}

// Judge starts j with the sandbox levels of l, see Limit. After an error, j is closed.
func (l *Levels) Judge(j *judge.Judge) (*judge.Judge, error) {
	if err := l.Limit(j); err != nil {
		return nil, err
	}
	if err := j.Start(); err != nil {
		var unavailable *sandbox.NoCountingError
		if errors.As(err, &unavailable) {
			return nil, errors.Join(fmt.Errorf("--clock instructions: %w", err), j.Close())
		}
		return nil, errors.Join(WithStatus(StatusJudge, err), j.Close())
	}
	j.Distortion = measuredDistortion(j)
	return j, nil
}

// Closed closes the judge. Its error has the status of a judge failure.
func Closed(j *judge.Judge) error {
	if err := j.Close(); err != nil {
		return WithStatus(StatusJudge, err)
	}
	return nil
}
