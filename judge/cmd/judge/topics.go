package main

import (
	_ "embed"

	"github.com/spf13/cobra"
)

//go:embed topics/generators.txt
var generatorsTopic string

// topics are the help topics that are not commands.
var topics = []cobra.Command{
	{Use: "generators", Short: "the file generators.yaml, with an example", Long: generatorsTopic},
}
