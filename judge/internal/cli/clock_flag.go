package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"crucible/judge/measure/bench"
)

// A ClockFlag is the value of --clock: the metric that commands measure; "" is the default.
type ClockFlag bench.Metric

func (k *ClockFlag) Type() string { return "CLOCK" }

func (k *ClockFlag) String() string { return string(*k) }

func (k *ClockFlag) Set(word string) error {
	switch ClockFlag(word) {
	case ClockFlag(bench.ByCPU), ClockFlag(bench.ByInstructions):
		*k = ClockFlag(word)
		return nil
	}
	return fmt.Errorf("%q: expected %s or %s", word, bench.ByCPU, bench.ByInstructions)
}

// Instructions reports whether instructions are to be counted.
func (k ClockFlag) Instructions() bool { return k == ClockFlag(bench.ByInstructions) }

// Flag adds --clock.
func (k *ClockFlag) Flag(c *cobra.Command, usage string) {
	c.Flags().Var(k, "clock", usage)
	words := []string{string(bench.ByCPU) + "\tCPU time", string(bench.ByInstructions) + "\tinstructions in user space"}
	c.RegisterFlagCompletionFunc("clock", cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}
