package cli

import (
	"embed"
	"strings"

	"github.com/spf13/cobra"
)

//go:embed help/*.txt
var helpTexts embed.FS

func helpText(command string) string { return HelpText(helpTexts, command) }

// HelpText returns the long help of a command, which is the file help/COMMAND.txt.
func HelpText(texts embed.FS, command string) string {
	text, err := texts.ReadFile("help/" + command + ".txt")
	if err != nil {
		panic(err) // a command without its file, which every test finds
	}
	return strings.TrimSuffix(string(text), "\n")
}

//go:embed topics/generators.txt
var generatorsTopic string

//go:embed topics/languages.txt
var languagesTopic string

//go:embed topics/clocks.txt
var clocksTopic string

//go:embed topics/parallel.txt
var parallelTopic string

//go:embed topics/servers.txt
var serversTopic string

//go:embed topics/submissions.txt
var submissionsTopic string

//go:embed topics/time-limits.txt
var timeLimitsTopic string

//go:embed topics/validators.txt
var validatorsTopic string

// topics are the help topics that are not commands.
var topics = []cobra.Command{
	{Use: "clocks", Short: "CPU time and instructions, with an example for CI", Long: clocksTopic},
	{Use: "generators", Short: "the file generators.yaml, with an example", Long: generatorsTopic},
	{Use: "languages", Short: "the file languages.yaml, with an example", Long: languagesTopic},
	{Use: "parallel", Short: "several programs at once, with times that can be trusted", Long: parallelTopic},
	{Use: "servers", Short: "judge on other machines: judge run --on, judged serve", Long: serversTopic},
	{Use: "submissions", Short: "what the folder of a submission promises, and submissions.yaml", Long: submissionsTopic},
	{Use: "time-limits", Short: "how a time limit that is not stated is inferred", Long: timeLimitsTopic},
	{Use: "validators", Short: "input and output validators, also with testlib", Long: validatorsTopic},
}
