package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

// A ClockFlag is the value of --clock: the metric that commands measure; "" is the default.
type ClockFlag string

const (
	byCPU          ClockFlag = "cpu"
	byInstructions ClockFlag = "instructions"
)

func (k *ClockFlag) Type() string { return "CLOCK" }

func (k *ClockFlag) String() string { return string(*k) }

func (k *ClockFlag) Set(word string) error {
	switch ClockFlag(word) {
	case byCPU, byInstructions:
		*k = ClockFlag(word)
		return nil
	}
	return fmt.Errorf("%q: expected %s or %s", word, byCPU, byInstructions)
}

// Instructions reports whether instructions are to be counted.
func (k ClockFlag) Instructions() bool { return k == byInstructions }

// Flag adds --clock.
func (k *ClockFlag) Flag(c *cobra.Command, usage string) {
	c.Flags().Var(k, "clock", usage)
	words := []string{string(byCPU) + "\tCPU time", string(byInstructions) + "\tinstructions in user space"}
	c.RegisterFlagCompletionFunc("clock", cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}
