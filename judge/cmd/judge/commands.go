package main

import (
	"github.com/spf13/cobra"

	"crucible/judge/internal/cli"
	"crucible/judge/internal/lab"
)

// groups is the table of subcommands, in the order of the help.
var groups = []cli.Group{
	{Title: "Judge:", Commands: []func(*cli.Env) *cobra.Command{
		cli.Run, cli.Test, cli.Watch, lab.Listen, lab.Eval, lab.Workers, lab.CI,
	}},
	{Title: "Measure:", Commands: []func(*cli.Env) *cobra.Command{lab.Bench, lab.Scale, lab.Limits}},
	{Title: "Stored runs:", Commands: []func(*cli.Env) *cobra.Command{lab.Report, cli.History, lab.Compare}},
	{Title: "Problems:", Commands: []func(*cli.Env) *cobra.Command{
		cli.New, cli.Gen, cli.Verify, lab.Statement, lab.Visualize, lab.Import, lab.Export, cli.Pack, cli.Unpack, lab.Stats,
	}},
	{Title: "Strength of test data, and faults of programs:", Commands: []func(*cli.Env) *cobra.Command{
		lab.Adequacy, lab.Stress, lab.Vet,
	}},
	{Title: cli.ThisMachine, Commands: []func(*cli.Env) *cobra.Command{cli.Doctor, cli.Lang, lab.Editor, lab.Man}},
}
