package lab

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"crucible/judge/internal/cli"
)

var update = flag.Bool("update", false, "write the stubs of judge")

// stubOf describes a command.
func stubOf(c *cobra.Command) cli.StubCommand {
	s := cli.StubCommand{Use: c.Use, Short: c.Short, Long: c.Long, Example: c.Example, Aliases: c.Aliases}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		one := cli.StubFlag{Name: f.Name, Usage: f.Usage, Kind: f.Value.Type(), Shorthand: f.Shorthand,
			Optional: f.NoOptDefVal, Hidden: f.Hidden}
		var only pflag.FlagSet
		only.AddFlag(f)
		if strings.Contains(only.FlagUsages(), "(default ") {
			one.Default = f.DefValue
		}
		s.Flags = append(s.Flags, one)
	})
	for _, below := range c.Commands() {
		s.Commands = append(s.Commands, stubOf(below))
	}
	return s
}

// TestStubs checks that the stubs of judge are as the commands of judgelab. With -update, it
// writes them.
func TestStubs(t *testing.T) {
	const file = "../cli/stubs.json"
	for _, name := range []string{"CRUCIBLE_FRESH", "CRUCIBLE_REQUIRE_LANGUAGES", "CRUCIBLE_SERVER"} {
		t.Setenv(name, "http://localhost:1") // the environment changes no help
	}
	all := make(map[string]cli.StubCommand)
	for name, create := range Lab.Commands {
		all[name] = stubOf(create(&cli.Env{Lab: Lab}))
	}
	text, err := json.MarshalIndent(all, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, '\n')
	if *update {
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	stored, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(stored), "\n"), strings.Split(string(text), "\n")); diff != "" {
		t.Errorf("%s differs from the commands: go test ./judge/internal/lab -run TestStubs -update writes it (-file +commands):\n%s",
			file, diff)
	}
}
