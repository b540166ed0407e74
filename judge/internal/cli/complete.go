package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"crucible/judge/internal/osfile"
	"crucible/judge/language"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// Names are the kinds of names that arguments of a command can have.
type Names int

const (
	Problems    Names = iota // ids of problems
	Submissions              // and names of submissions
	Cases                    // and names of cases
)

// CompleteNames completes arguments with ids of problems, and with the names of parts
// of a problem that an earlier argument or --problem names, or that contains the
// working folder; after ID/, with the parts of that problem. The shell completes
// files as well.
func CompleteNames(kinds Names) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		h, err := Open(language.Builtin, nil)
		if err != nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		defer h.Close()
		if f := c.Flag("problem"); f != nil {
			args = append(slices.Clone(args), f.Value.String())
		}
		var ids, names []string
		for _, of := range h.Choices {
			p := of.Problem
			ids = append(ids, p.ID)
			if strings.HasPrefix(begun, p.ID+"/") {
				names = append(names, partsOf(p, p.ID+"/", kinds)...)
			}
			if len(h.Choices) == 1 || slices.Contains(args, p.ID) {
				names = append(names, partsOf(p, "", kinds)...)
			}
		}
		return append(ids, names...), cobra.ShellCompDirectiveDefault
	}
}

// partsOf returns the names of submissions and cases of a problem, each after a prefix.
func partsOf(p *problem.Problem, prefix string, kinds Names) (names []string) {
	if kinds >= Submissions {
		names = terminal.Texts(p.Submissions, func(s *problem.Submission) string { return prefix + s.Name })
	}
	if kinds >= Cases {
		names = append(names, terminal.Texts(p.Cases, func(c *problem.Case) string { return prefix + c.Name })...)
	}
	return names
}

// CompleteLanguages completes the codes of languages.
func CompleteLanguages(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	t, _ := customLanguages(osfile.Getwd(), nil)
	codes := terminal.Texts(t.All(), func(l language.Language) string { return l.Code + "\t" + l.Name })
	return codes, cobra.ShellCompDirectiveNoFileComp
}
