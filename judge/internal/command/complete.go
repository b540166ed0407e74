package command

import (
	"github.com/spf13/cobra"

	"crucible/judge/internal/selection"
	"crucible/judge/internal/text"
	"crucible/judge/language"
)

// CompleteNames completes arguments with the ids of problems and, for run, the
// names of their submissions. The shell completes files as well.
func CompleteNames(submissions bool) func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		h, err := selection.Open(nil)
		if err != nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		defer h.Close()
		var names []string
		for _, c := range h.Choices {
			names = append(names, c.Problem.ID)
			if !submissions {
				continue
			}
			for _, s := range c.Problem.Submissions {
				names = append(names, c.Problem.ID+"/"+s.Name)
			}
		}
		return names, cobra.ShellCompDirectiveDefault
	}
}

// CompleteLanguages completes the codes of languages.
func CompleteLanguages(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	codes := text.Map(language.Languages, func(l language.Language) string { return l.Code + "\t" + l.Name })
	return codes, cobra.ShellCompDirectiveNoFileComp
}
