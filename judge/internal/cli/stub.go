package cli

import (
	_ "embed"
	"slices"
	"strings"

	json "github.com/go-json-experiment/json/v1"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

//go:embed stubs.json
var stubs []byte

// A StubCommand describes a command that only judgelab has, for its help and completion.
type StubCommand struct {
	Use, Short, Long string
	Example          string        `json:",omitzero"`
	Aliases          []string      `json:",omitzero"`
	Flags            []StubFlag    `json:",omitzero"`
	Commands         []StubCommand `json:",omitzero"`
}

// A StubFlag describes a flag of a [StubCommand].
type StubFlag struct {
	Name, Usage, Kind string // Kind is the type of its value: "bool", "duration"
	Shorthand         string `json:",omitzero"`
	Default           string `json:",omitzero"` // "" if the help does not show it
	Optional          string `json:",omitzero"` // the value without "="
	Hidden            bool   `json:",omitzero"`
}

// allStubs returns the commands that only judgelab has, by name.
func allStubs() map[string]*StubCommand {
	var all map[string]*StubCommand
	if err := json.Unmarshal(stubs, &all); err != nil {
		panic(err) // the file is compiled in, and a test compares it with the commands
	}
	return all
}

func (s *StubCommand) command() *cobra.Command {
	c := &cobra.Command{Use: s.Use, Short: s.Short, Long: s.Long, Example: s.Example, Aliases: s.Aliases,
		DisableFlagParsing: true}
	c.RunE = func(c *cobra.Command, args []string) error {
		if end := slices.Index(args, "--"); end >= 0 {
			args = args[:end]
		}
		if slices.Contains(args, "--help") || slices.Contains(args, "-h") {
			return c.Help()
		}
		return errLab
	}
	c.ValidArgsFunction = func(c *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if name := "--" + f.Name; !f.Hidden && begun != "" && strings.HasPrefix(name, begun) {
				names = append(names, name+"\t"+f.Usage)
			}
		})
		return names, cobra.ShellCompDirectiveDefault
	}
	for _, f := range s.Flags {
		made := c.Flags().VarPF(&stubValue{f.Kind, f.Default}, f.Name, f.Shorthand, f.Usage)
		made.NoOptDefVal, made.Hidden = f.Optional, f.Hidden
	}
	for i := range s.Commands {
		c.AddCommand(s.Commands[i].command())
	}
	return c
}

// A stubValue is the value of a flag that is described, but not parsed.
type stubValue struct{ kind, standard string }

func (v *stubValue) Set(string) error { return nil }
func (v *stubValue) Type() string     { return v.kind }
func (v *stubValue) String() string   { return v.standard }
