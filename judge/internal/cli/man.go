package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"crucible/judge/internal/osfile"
	"crucible/judge/terminal"
)

// Man returns the command that writes the help as manual pages.
func Man(e *Env) *cobra.Command {
	return &cobra.Command{
		Use:   "man FOLDER",
		Short: "write the help as manual pages",
		Long: `Write what judge help prints as manual pages: FOLDER/man1/judge.1, a page
judge-COMMAND.1 for each command, and FOLDER/man7/judge-TOPIC.7 for each topic.
Pages of these names that exist are replaced.

Then man judge-run and man judge run print one, if man searches the folder. It
searches ~/.local/share/man if ~/.local/bin is on the PATH (see man manpath); man
-M FOLDER searches any folder.`,
		Example: `  judge man ~/.local/share/man
  judge man pages && man -M pages judge-run`,
		Args: Arguments(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if info, err := os.Stat(args[0]); args[0] == "" || err == nil && !info.IsDir() {
				return fmt.Errorf("man %q: expected a folder", args[0])
			}
			pages := manPages(c.Root())
			for _, p := range pages {
				name := filepath.Join(args[0], "man"+p.section, p.name+"."+p.section)
				if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
					return err
				}
				if err := osfile.WriteAtomic(name, []byte(p.text)); err != nil {
					return fmt.Errorf("%s: %w", terminal.Clean(name), osfile.Cause(err))
				}
			}
			folder := terminal.Clean(args[0])
			fmt.Fprintf(e.Stdout, "wrote %d manual pages to %s; next: man -M %s judge\n", len(pages), folder, folder)
			return nil
		},
	}
}

// A manPage is a manual page in the language of man(7).
type manPage struct{ name, section, text string }

// manPages returns the pages of a command, of the commands below it, and of its topics.
func manPages(c *cobra.Command) []manPage {
	pages := []manPage{newManPage(c)}
	for _, below := range c.Commands() {
		if documented(below) {
			pages = append(pages, manPages(below)...)
		}
	}
	return pages
}

// documented reports whether a command has a page. The page of help would have only its usage.
func documented(c *cobra.Command) bool {
	return (c.IsAvailableCommand() || isTopic(c)) && c.Name() != "help"
}

func isTopic(c *cobra.Command) bool { return c.IsAdditionalHelpTopicCommand() }

// manName returns the name of the page of a command.
func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manSection returns the section of the manual: 1 for commands, 7 for topics.
func manSection(c *cobra.Command) string {
	if isTopic(c) {
		return "7"
	}
	return "1"
}

// newManPage returns the page of a command or topic.
func newManPage(c *cobra.Command) manPage {
	var b roff
	p := manPage{name: manName(c), section: manSection(c)}
	version, _, _ := strings.Cut(c.Root().Version, " ")
	b.macro("TH", strings.ToUpper(p.name), p.section, "", "judge "+version, "Manual of the judge")
	b.WriteString(".nh\n.ad l\n") // a command that is hyphenated cannot be copied
	b.macro("SH", "NAME")
	b.line(roffText(p.name) + ` \- ` + roffText(c.Short))
	if !isTopic(c) {
		c.InitDefaultHelpFlag()
		b.macro("SH", "SYNOPSIS")
		b.line(`\fB` + roffText(c.UseLine()) + `\fR`)
	}
	b.macro("SH", "DESCRIPTION")
	b.paragraphs(cmp.Or(c.Long, c.Short))
	if c.Example != "" {
		b.macro("SH", "EXAMPLES")
		b.paragraphs(c.Example)
	}
	b.commands("COMMANDS", c, (*cobra.Command).IsAvailableCommand)
	if !isTopic(c) {
		b.flags("OPTIONS", c.NonInheritedFlags())
		b.flags("GLOBAL OPTIONS", c.InheritedFlags())
	}
	b.commands("TOPICS", c, isTopic)
	if c.HasParent() {
		b.macro("SH", "SEE ALSO")
		b.macro("BR", manName(c.Parent()), "(1)")
	}
	p.text = b.String()
	return p
}

// A roff is a text in the language of man(7) that is being written.
type roff struct{ strings.Builder }

// macro writes a request with its arguments.
func (b *roff) macro(name string, args ...string) {
	b.WriteString("." + name)
	for _, arg := range args {
		b.WriteString(` "` + strings.ReplaceAll(roffText(arg), `"`, `\(dq`) + `"`)
	}
	b.WriteByte('\n')
}

// line writes a line that roffText has escaped. A line that begins with a dot would be
// a request.
func (b *roff) line(text string) {
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	b.WriteString(text + "\n")
}

// paragraphs writes the text of a help. Lines of a paragraph with tables or examples
// stay as they are.
func (b *roff) paragraphs(text string) {
	for paragraph := range strings.SplitSeq(strings.Trim(text, "\n"), "\n\n") {
		b.macro("PP")
		fixed := strings.Contains(paragraph, "  ")
		if fixed {
			b.macro("nf")
		}
		for line := range strings.SplitSeq(paragraph, "\n") {
			b.line(roffText(line))
		}
		if fixed {
			b.macro("fi")
		}
	}
}

// commands writes a list of the commands below c for which is returns true.
func (b *roff) commands(title string, c *cobra.Command, is func(*cobra.Command) bool) {
	for _, below := range c.Commands() {
		if !documented(below) || !is(below) {
			continue
		}
		if title != "" {
			b.macro("SH", title)
			title = ""
		}
		b.macro("TP")
		b.macro("BR", manName(below), "("+manSection(below)+")")
		b.line(roffText(below.Short))
	}
}

// flags writes a list of flags.
func (b *roff) flags(title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	b.macro("SH", title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Deprecated != "" {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		name := `\fB` + roffText("--"+f.Name) + `\fR`
		if f.Shorthand != "" {
			name = `\fB` + roffText("-"+f.Shorthand) + `\fR, ` + name
		}
		if value != "" {
			name += ` \fI` + roffText(value) + `\fR`
		}
		switch f.DefValue {
		case "", "false", "0", "0s", "[]":
		default:
			usage += fmt.Sprintf(" (default %s)", f.DefValue)
		}
		b.macro("TP")
		b.line(name)
		b.line(roffText(usage))
	})
}

// roffText escapes the characters that roff would replace.
func roffText(text string) string { return roffEscapes.Replace(text) }

var roffEscapes = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`)
