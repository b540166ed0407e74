package cli

import "github.com/spf13/cobra"

// groups are the subcommands in the order of the help.
var groups = []struct {
	title    string
	commands []string
}{
	{"Judge:", []string{"run", "test", "watch", "listen", "eval", "submit", "workers", "ci"}},
	{"Measure:", []string{"bench", "scale", "limits"}},
	{"Stored runs:", []string{"report", "history", "compare"}},
	{"Problems:", []string{
		"new", "gen", "verify", "statement", "visualize", "import", "export", "pack", "unpack", "stats",
	}},
	{"Strength of test data, and faults of programs:", []string{"adequacy", "stress", "vet"}},
	{thisMachine, []string{"doctor", "lang", "editor", "man"}},
}

// commands are those of this package; [Lab] has the others.
var commands = map[string]func(*Env) *cobra.Command{
	"run": Run, "test": Test, "watch": Watch, "report": Report, "history": History, "new": New, "gen": Gen,
	"unpack": Unpack, "doctor": Doctor, "lang": Lang, "man": Man,
}
