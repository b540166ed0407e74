package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	json "github.com/go-json-experiment/json/v1"

	"crucible/judge/language"
	"crucible/judge/record"
	"crucible/judge/terminal"
)

// customLanguages returns the table of languages as the files languages.yaml for a folder
// and the flags --flag say, in this order.
func customLanguages(dir string, flags []string) (language.Table, error) {
	t, err := language.ReadFiles(dir)
	if err != nil {
		return t, err
	}
	for _, f := range flags {
		code, added, ok := strings.Cut(f, "=")
		if !ok {
			return t, fmt.Errorf("--flag %q: expected LANG=FLAGS, such as cpp=-g", f)
		}
		if t, err = t.WithFlags(code, strings.Fields(added)); err != nil {
			return t, fmt.Errorf("--flag %q: %w", f, err)
		}
	}
	return t, nil
}

// describeLanguages prints the commands of languages and the tools that they use.
func describeLanguages(w io.Writer, all []foundLanguage) error {
	for i := range all {
		describeLanguage(w, &all[i])
	}
	return nil
}

func describeLanguage(w io.Writer, f *foundLanguage) {
	l := f.Language
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
	print("static", f.static...)
	if f.dynamic != "" {
		fmt.Fprintf(w, "  %-10sno: %s\n", "static", terminal.Clean(f.dynamic))
	}
	print("define", slices.Concat(l.Define, l.DefineRun)...) // at most one is set
	print("compile", l.Compile...)
	print("run", l.Command()...)
}

// A listedLanguage is a language in JSON. A list may be empty.
type listedLanguage struct {
	Code      string   `json:"code"`       // as in problem packages: "cpp"
	Name      string   `json:"name"`       // for people: "C++"
	Exts      []string `json:"exts"`       // extensions of its files, with the dot
	Shared    []string `json:"shared"`     // further extensions, if submissions.yaml names the language
	Usable    bool     `json:"usable"`     // its tools are on this machine and, with --prove, its hello program works
	Why       string   `json:"why"`        // why it is not usable; "" if it is
	Version   string   `json:"version"`    // of its compiler or interpreter; "" if it is not known
	Compiler  string   `json:"compiler"`   // absolute path; "" if there is none
	Runtime   string   `json:"runtime"`    // absolute path; "" if there is none
	Flags     []string `json:"flags"`      // of the compiler, in the place of {flags}
	Static    []string `json:"static"`     // after them, if programs are linked statically here
	Define    []string `json:"define"`     // before them, only for submissions
	DefineRun []string `json:"define_run"` // arguments of {runtime}, only for submissions
	Compile   []string `json:"compile"`    // the command that compiles a program, with names such as {compiler}
	Run       []string `json:"run"`        // the command that runs it
	Debian    []string `json:"debian"`     // the packages that have its tools
}

// writeLanguages prints languages as JSON.
func writeLanguages(w io.Writer, all []foundLanguage) error {
	list := []listedLanguage{}
	for i := range all {
		f := &all[i]
		l := listedLanguage{Code: f.Code, Name: f.Name, Exts: f.Exts, Shared: f.Shared, Usable: f.unusable == nil &&
			f.broken == nil,
			Version: f.tc.Version, Compiler: f.tc.Compiler, Runtime: f.tc.Runtime,
			Flags: f.Flags, Static: f.static, Define: f.Define, DefineRun: f.DefineRun, Compile: f.Compile, Run: f.Command(),
			Debian: strings.Fields(f.Debian)}
		if why := cmp.Or(f.unusable, f.broken); why != nil {
			l.Why = why.Error()
		}
		list = append(list, l)
	}
	text, err := record.Append(nil, list, false) // empty lists instead of null
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, append(text, '\n'), "", "  "); err != nil {
		return err
	}
	_, err = b.WriteTo(w)
	return err
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
