package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"crucible/judge/archive"
	"crucible/judge/internal/command"
	"crucible/judge/internal/osfile"
	"crucible/judge/internal/selection"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// skeletons has small, complete problems. judge verify reports nothing about them, so
// every later finding is caused by a change. The files of a type are in TYPE/any, and
// those in a language in TYPE/LANGUAGE.
//
//go:embed all:skeleton
var skeletons embed.FS

var problemID = regexp.MustCompile(`^[a-z0-9]{1,64}$`)

// newTypes are the types of problems that can be made, each with the folders of its files
// in skeletons.
var newTypes = []struct {
	name    string
	folders []string
}{
	{"pass-fail", []string{"pass-fail"}},
	{"scoring", []string{"pass-fail", "scoring"}},
	{"interactive", []string{"interactive"}},
	{"multi-pass", []string{"multi-pass"}},
}

// newLanguages are the languages of the skeletons.
var newLanguages = []string{"go", "cpp", "python3"}

// newFlags are the flags of judge new.
type newFlags struct {
	name      string
	kind      string
	languages []string
	from      string
}

func newCommand(e *command.Env) *cobra.Command {
	var f newFlags
	types := make([]string, len(newTypes))
	for i, t := range newTypes {
		types[i] = t.name
	}
	c := &cobra.Command{
		Use:   "new ID",
		Short: "create a small, complete problem package to start from",
		Long: `Create a small, complete problem package to start from: statement, input
validator, generators.yaml with comments, test data, an accepted and a wrong
submission in each language of --lang, and what the --type needs. Validators and
generators are in the first of these languages. In a repository with a folder
problems/, its parts go to problems/ID, solutions/ID and testdata/ID; elsewhere
they form one package folder ID.

With --from, the package is a copy of your own FOLDER, in which {{id}}, {{name}}
and {{uuid}} are replaced.`,
		Example: `  judge new sums
  judge new guess --type interactive --lang cpp,python3
  judge new sums --from ~/skeleton`,
		Args: command.Arguments(1, 1),
		RunE: func(c *cobra.Command, args []string) error { return f.newProblem(e, args[0]) },
	}
	flags := c.Flags()
	flags.StringVar(&f.name, "name", "", "the problem's `NAME` (default: its id)")
	flags.StringVar(&f.kind, "type", types[0], "the `TYPE`: "+strings.Join(types, ", "))
	flags.StringSliceVar(&f.languages, "lang", newLanguages[:1], "the languages `CODE,...` of the programs: "+strings.Join(newLanguages, ", "))
	flags.StringVar(&f.from, "from", "", "copy this `FOLDER` instead")
	c.MarkFlagsMutuallyExclusive("from", "type")
	c.MarkFlagsMutuallyExclusive("from", "lang")
	c.RegisterFlagCompletionFunc("type", cobra.FixedCompletions(types, cobra.ShellCompDirectiveNoFileComp))
	c.RegisterFlagCompletionFunc("lang", cobra.FixedCompletions(newLanguages, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// files returns the files of the new package by their names.
func (f *newFlags) files() (map[string][]byte, error) {
	files := make(map[string][]byte)
	if f.from != "" && !osfile.IsDir(f.from) {
		return nil, fmt.Errorf("--from %s: expected a folder", terminal.Clean(f.from))
	}
	if f.from != "" {
		return files, addFiles(files, os.DirFS(f.from), func(string) bool { return true })
	}
	i := slices.IndexFunc(newTypes, func(t struct {
		name    string
		folders []string
	}) bool {
		return t.name == f.kind
	})
	if i < 0 {
		return nil, fmt.Errorf("--type %s: expected pass-fail, scoring, interactive or multi-pass", f.kind)
	}
	add := func(folder string, wanted func(name string) bool) error {
		below, err := fs.Sub(skeletons, "skeleton/"+folder)
		if err != nil {
			return err
		}
		return addFiles(files, below, wanted)
	}
	for n, code := range f.languages {
		if code == "python" {
			code = "python3"
		}
		if !slices.Contains(newLanguages, code) {
			return nil, fmt.Errorf("--lang %s: expected languages of %s", code, strings.Join(newLanguages, ", "))
		}
		for _, folder := range newTypes[i].folders {
			wanted := func(name string) bool { return n == 0 || strings.HasPrefix(name, "submissions/") }
			if err := add(folder+"/"+code, wanted); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
		}
	}
	return files, add(f.kind+"/any", func(string) bool { return true })
}

// addFiles adds the wanted files of a folder. Go files of skeletons have the extension
// .txt, too, so that they are no package of this repository.
func addFiles(files map[string][]byte, from fs.FS, wanted func(name string) bool) error {
	return fs.WalkDir(from, ".", func(at string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !wanted(at) {
			return err
		}
		data, err := fs.ReadFile(from, at)
		files[strings.TrimSuffix(at, ".go.txt")+map[bool]string{true: ".go"}[strings.HasSuffix(at, ".go.txt")]] = data
		return err
	})
}

func (f *newFlags) newProblem(e *command.Env, id string) error {
	name := f.name
	if !problemID.MatchString(id) {
		return fmt.Errorf("%q: expected a problem id of 1 to 64 lowercase letters and digits", id)
	}
	if name == "" {
		name = id
	}
	if strings.ContainsFunc(name, unicode.IsControl) || !utf8.ValidString(name) {
		return fmt.Errorf("--name %q: expected one line of UTF-8 without control characters", name)
	}
	root := selection.Repository()
	places := problem.Places(root, id, !problem.IsRepository(root))
	made := make([]string, len(places))
	for i, p := range places {
		if _, err := os.Lstat(p.Dir); err == nil {
			return fmt.Errorf("%s: already exists", p.Dir)
		}
		made[i] = p.Dir
	}
	files, err := f.files()
	if err != nil {
		return err
	}
	solution := ""
	for at := range files {
		if strings.HasPrefix(at, "submissions/accepted/") && (solution == "" || strings.HasSuffix(at, ".go")) {
			solution = path.Base(at)
		}
	}
	replace := strings.NewReplacer("{{id}}", id, "{{name}}", strings.ReplaceAll(name, "'", "''"), "{{uuid}}", archive.NewUUID(), "{{solution}}", solution)
	for at, data := range files {
		to := problem.In(places, at)
		mode := fs.FileMode(0o644)
		if path.Base(at) == "build" || path.Base(at) == "run" {
			mode = 0o755
		}
		if err = errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, []byte(replace.Replace(string(data))), mode)); err != nil {
			break
		}
	}
	if err != nil {
		for _, dir := range made {
			err = errors.Join(err, os.RemoveAll(dir))
		}
		return err
	}
	fmt.Fprintf(e.Stdout, "made %s; next: judge verify %s\n", strings.Join(made, ", "), id)
	return nil
}
