package lab

import (
	"embed"

	"crucible/judge/internal/cli"
)

//go:embed help/*.txt
var helpTexts embed.FS

// helpText returns the long help of a command.
func helpText(command string) string { return cli.HelpText(helpTexts, command) }
