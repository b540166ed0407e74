package main

import (
	"fmt"
	"io"
	"strings"

	"crucible/judge/language"
)

// customizeLanguages changes the table of languages as the files languages.yaml for a
// folder and the flags --flag say, in this order.
func customizeLanguages(dir string, flags []string) error {
	if err := language.ReadFiles(dir); err != nil {
		return err
	}
	for _, f := range flags {
		code, added, ok := strings.Cut(f, "=")
		if !ok {
			return fmt.Errorf("--flag %q: expected LANG=FLAGS, such as cpp=-g", f)
		}
		if err := language.AddFlags(code, strings.Fields(added)); err != nil {
			return fmt.Errorf("--flag %q: %w", f, err)
		}
	}
	return nil
}

// describeLanguage prints the commands of a language and the tools that they use.
func describeLanguage(w io.Writer, l *language.Language, f found) {
	fmt.Fprintf(w, "%s (%s)\n", l.Code, l.Name)
	print := func(what string, words ...string) {
		if len(words) > 0 && words[0] != "" {
			fmt.Fprintf(w, "  %-10s%s\n", what, quoteWords(words))
		}
	}
	print("files", append(append([]string{}, l.Exts...), l.Shared...)...)
	if f.unusable != nil {
		fmt.Fprintf(w, "  %-10s%v\n", "unusable", f.unusable)
	}
	print("compiler", f.tc.Compiler)
	print("runtime", f.tc.Runtime)
	print("version", strings.Fields(f.tc.Version)...)
	print("flags", l.Flags...)
	print("compile", l.Compile...)
	print("run", l.Command()...)
}

// quoteWords joins words. Words with spaces or other unusual characters are quoted.
func quoteWords(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		if quoted[i] = word; word == "" || strings.ContainsAny(word, " \t\n\"'`$\\;") {
			quoted[i] = fmt.Sprintf("%q", word)
		}
	}
	return strings.Join(quoted, " ")
}
