// Package lab has the commands of the judge that measure, search, convert and serve: all
// that are not needed to judge, test and write a problem.
package lab

import (
	"github.com/spf13/cobra"

	"crucible/judge/internal/cli"
	"crucible/judge/report/html"
	"crucible/judge/report/sheet"
)

// Lab has these commands, and what those of package cli do with packages that judge does not
// link.
var Lab = &cli.Lab{
	Commands: map[string]func(*cli.Env) *cobra.Command{
		"listen": Listen, "eval": Eval, "submit": Submit,
		"workers": Workers, "ci": CI, "bench": Bench, "scale": Scale, "limits": Limits,
		"compare": Compare, "statement": Statement, "visualize": Visualize, "import": Import, "export": Export,
		"stats": Stats, "verify": Verify, "pack": Pack, "adequacy": Adequacy, "stress": Stress, "vet": Vet, "editor": Editor,
	},
	Dial: dial, Report: sheet.Writer, Sections: sheet.Sections, Calibrate: calibrate,
	HTML: html.Write,
}
