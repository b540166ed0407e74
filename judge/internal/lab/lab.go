// Package lab has the commands of the judge that measure, search, convert and serve: all
// that are not needed to judge, test and write a problem.
package lab

import (
	"embed"

	"crucible/judge/internal/cli"
	"crucible/judge/prepare/statement"
	"crucible/judge/report/html"
	"crucible/judge/report/sheet"
)

// Lab is what the commands of package cli do with packages that only others link.
var Lab = cli.Lab{Dial: dial, Render: statement.Check, Report: sheet.Writer, Calibrate: calibrate,
	HTML: html.Write}

//go:embed help/*.txt
var helpTexts embed.FS

// helpText returns the long help of a command.
func helpText(command string) string { return cli.HelpText(helpTexts, command) }
