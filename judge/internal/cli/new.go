package cli

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"crucible/judge/internal/lazy"
	"crucible/judge/prepare/archive"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// skeletons has small, complete problems. judge verify reports nothing about them, so
// every later finding is caused by a change. The files of a type in each language are in
// TYPE/any, and those in one language in TYPE/LANGUAGE; common/LANGUAGE has the programs
// that types share.
//
//go:embed all:skeleton
var skeletons embed.FS

var problemID = lazy.Regexp(`^[a-z0-9]{1,64}$`)

// A kind is a type of problems.
type kind struct {
	name    string
	folders []string // with programs, in skeletons
	values  []string // for strings.NewReplacer: of the names in the programs of common
}

var kinds = []kind{
	{"pass-fail", []string{"common", "pass-fail"}, sums},
	{"scoring", []string{"common", "pass-fail", "scoring"}, sums},
	{"interactive", []string{"common", "interactive"}, []string{
		"{{generator}}", "secret", "{{least}}", "1", "{{most}}", "1000",
		"{{form}}", "(0|[1-9][0-9]*)", "{{expected}}", "one integer without leading zeros",
		"{{print.go}}", "fmt.Println(1 + r.next()%most)",
		"{{print.cpp}}", `std::cout << 1 + next() % most << "\n";`,
		"{{print.python3}}", "print(1 + next(r) % most)",
	}},
	{"multi-pass", []string{"common", "multi-pass"}, []string{
		"{{generator}}", "number", "{{least}}", "0", "{{most}}", "1000000000",
		"{{form}}", "encode (0|[1-9][0-9]*)", "{{expected}}", "the word encode and one integer without leading zeros",
		"{{print.go}}", `fmt.Println("encode", r.next()%(most+1))`,
		"{{print.cpp}}", `std::cout << "encode " << next() % (most + 1) << "\n";`,
		"{{print.python3}}", `print("encode", next(r) % (most + 1))`,
	}},
}

// sums are the values of the problem to add two numbers.
var sums = []string{
	"{{generator}}", "sum", "{{least}}", "0", "{{most}}", "1000000000",
	"{{form}}", "(0|[1-9][0-9]*) (0|[1-9][0-9]*)", "{{expected}}", "two integers without leading zeros, one space between",
	"{{print.go}}", "fmt.Println(r.next()%(most+1), r.next()%(most+1))",
	"{{print.cpp}}", `uint64_t a = next() % (most + 1), b = next() % (most + 1);
	std::cout << a << " " << b << "\n";`,
	"{{print.python3}}", "print(next(r) % (most + 1), next(r) % (most + 1))",
}

// newLanguages are the languages of the skeletons.
var newLanguages = []string{"go", "cpp", "python3"}

// newFlags are the flags of judge new.
type newFlags struct {
	name      string
	kind      string
	languages []string
	from      string
	whole     bool // one folder, also in a repository with a split layout
}

// New returns the command that creates a problem package.
func New(e *Env) *cobra.Command {
	var f newFlags
	types := terminal.Texts(kinds, func(k kind) string { return k.name })
	c := &cobra.Command{
		Use:   "new ID",
		Short: "create a small, complete problem package to start from",
		Long: `Create a small, complete problem package to start from: statement, input
validator, generators.yaml with comments, test data, an accepted and a wrong
submission in each language of --lang, and what the --type needs. Validators and
generators are in the first of these languages. If the working folder or one above
it has a folder problems/, the parts go to problems/ID, solutions/ID (the folder
submissions/ of the package) and testdata/ID beside each other there; elsewhere,
or with --whole, they form one package folder ID.

Then change its files: judge gen --prune ID makes the test data and removes what
generators.yaml does not make, judge verify ID checks all of the package and runs
the submissions, and judge pack ID makes a zip. With judge test --interactive
--problem ID you talk to an interactor yourself.

With --from, the package is a copy of your own FOLDER, in which {{id}}, {{name}}
and {{uuid}} are replaced.`,
		Example: `  judge new sums
  judge new guess --type interactive --lang cpp,python3
  judge new sums --from ~/skeleton`,
		Args: Arguments(1, 1),
		RunE: func(c *cobra.Command, args []string) error { return f.newProblem(e, args[0]) },
	}
	flags := c.Flags()
	flags.StringVar(&f.name, "name", "", "the problem's `NAME` (default: its id)")
	flags.StringVar(&f.kind, "type", types[0], "the `TYPE`: "+strings.Join(types, ", "))
	flags.StringSliceVar(&f.languages, "lang", newLanguages[:1], "the languages `CODE,...` of the programs: "+
		strings.Join(newLanguages, ", "))
	flags.StringVar(&f.from, "from", "", "copy this `FOLDER` instead")
	flags.BoolVar(&f.whole, "whole", false,
		"make one package folder in the working folder, also below a folder with problems/")
	c.MarkFlagsMutuallyExclusive("from", "type")
	c.MarkFlagsMutuallyExclusive("from", "lang")
	c.RegisterFlagCompletionFunc("type", cobra.FixedCompletions(types, cobra.ShellCompDirectiveNoFileComp))
	c.RegisterFlagCompletionFunc("lang", cobra.FixedCompletions(newLanguages, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// files returns the files of the new package by their names, and the values to replace in
// names and contents.
func (f *newFlags) files() (files map[string][]byte, values []string, err error) {
	files = make(map[string][]byte)
	if f.from != "" {
		if _, err := os.Stat(filepath.Join(f.from, "problem.yaml")); err != nil {
			return nil, nil, fmt.Errorf("--from %s: expected a folder with problem.yaml", terminal.Clean(f.from))
		}
		err := addFiles(files, os.DirFS(f.from), "", everything)
		return files, []string{"{{solution}}", accepted(files)}, err
	}
	i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == f.kind })
	if i < 0 {
		return nil, nil, fmt.Errorf("--type %s: expected pass-fail, scoring, interactive or multi-pass", f.kind)
	}
	below, err := fs.Sub(skeletons, "skeleton")
	if err != nil {
		return nil, nil, err
	}
	for n, code := range f.languages {
		if code == "python" {
			code = "python3"
		}
		if !slices.Contains(newLanguages, code) {
			return nil, nil, fmt.Errorf("--lang %s: expected one or several of %s", code, strings.Join(newLanguages, ", "))
		}
		wanted := everything
		if n > 0 {
			wanted = func(name string) bool { return strings.HasPrefix(name, "submissions/") }
		}
		for _, folder := range kinds[i].folders {
			if err := addFiles(files, below, folder+"/"+code, wanted); err != nil {
				return nil, nil, err
			}
		}
		if n == 0 {
			values = append([]string{"{{solution}}", accepted(files)}, kinds[i].values...)
		}
	}
	return files, values, addFiles(files, below, f.kind+"/any", everything)
}

// accepted returns the file name of the first accepted submission; "" if there is none.
func accepted(files map[string][]byte) string {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if path.Dir(name) == "submissions/accepted" {
			return path.Base(name)
		}
	}
	return ""
}

func everything(string) bool { return true }

// addFiles adds the wanted files of a folder. Go files of skeletons have the extension
// .txt, too, so that they are no package of this repository.
func addFiles(files map[string][]byte, from fs.FS, folder string, wanted func(name string) bool) error {
	return fs.WalkDir(from, cmp.Or(folder, "."), func(at string, entry fs.DirEntry, err error) error {
		name := strings.TrimPrefix(at, folder+"/")
		if err == nil && entry.IsDir() && entry.Name() == ".git" {
			return fs.SkipDir
		}
		if err != nil || entry.IsDir() || !wanted(name) {
			return err
		}
		if stem, ok := strings.CutSuffix(name, ".go.txt"); ok {
			name = stem + ".go"
		}
		files[name], err = fs.ReadFile(from, at)
		return err
	})
}

func (f *newFlags) newProblem(e *Env, id string) error {
	name := f.name
	if !problemID().MatchString(id) {
		return fmt.Errorf("%q: expected a problem id of 1 to 64 lowercase letters and digits", id)
	}
	if name == "" {
		name = id
	}
	if strings.ContainsFunc(name, unicode.IsControl) || !utf8.ValidString(name) {
		return fmt.Errorf("--name %q: expected one line of UTF-8 without control characters", name)
	}
	root := Repository()
	if f.whole {
		root = "."
	}
	if at := Inside(); at != "" && !f.whole && !problem.IsRepository(root) {
		return fmt.Errorf("%s: the working folder is in the package with %s: change to a folder outside it, or add "+
			"--whole to make a package inside it", id, terminal.Clean(filepath.Join(at, problem.ProblemFile)))
	}
	places := problem.Places(root, id, f.whole || !problem.IsRepository(root))
	made := make([]string, len(places))
	for i, p := range places {
		if _, err := os.Lstat(p.Dir); err == nil {
			return fmt.Errorf("%s: already exists", p.Dir)
		}
		made[i] = p.Dir
	}
	files, values, err := f.files()
	if err != nil {
		return err
	}
	names := strings.NewReplacer(values...)
	texts := strings.NewReplacer(append([]string{"{{id}}", id, "{{name}}", strings.ReplaceAll(name, "'", "''"), "{{uuid}}",
		archive.NewUUID()}, values...)...)
	for at, data := range files {
		to := problem.In(places, names.Replace(at))
		mode := fs.FileMode(0o644)
		if path.Base(at) == "build" || path.Base(at) == "run" {
			mode = 0o755
		}
		if err = os.MkdirAll(filepath.Dir(to), 0o755); err == nil {
			err = os.WriteFile(to, []byte(texts.Replace(string(data))), mode)
		}
		if err != nil {
			break
		}
	}
	if err != nil {
		for _, dir := range made {
			if _, absent := os.Lstat(dir); absent == nil {
				err = errors.Join(err, os.RemoveAll(dir))
			}
		}
		return err
	}
	fmt.Fprintf(e.Stdout, "made %s; next: change its files, then judge gen --prune %[2]s, judge verify %[2]s and judge "+
		"pack %[2]s\n", strings.Join(made, ", "), id)
	return nil
}
