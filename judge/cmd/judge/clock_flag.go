package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"crucible/judge/bench"
)

// A clockFlag is the value of --clock: the metric that commands measure; "" is the default.
type clockFlag bench.Metric

func (k *clockFlag) Type() string { return "CLOCK" }

func (k *clockFlag) String() string { return string(*k) }

func (k *clockFlag) Set(word string) error {
	switch clockFlag(word) {
	case clockFlag(bench.ByCPU), clockFlag(bench.ByInstructions):
		*k = clockFlag(word)
		return nil
	}
	return fmt.Errorf("%q: expected %s or %s", word, bench.ByCPU, bench.ByInstructions)
}

// instructions reports whether instructions are to be counted.
func (k clockFlag) instructions() bool { return k == clockFlag(bench.ByInstructions) }

// flag adds --clock.
func (k *clockFlag) flag(c *cobra.Command, usage string) {
	c.Flags().Var(k, "clock", usage)
	words := []string{string(bench.ByCPU) + "\tCPU time", string(bench.ByInstructions) + "\tinstructions in user space"}
	c.RegisterFlagCompletionFunc("clock", cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}
