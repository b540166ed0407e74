package lab

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"crucible/judge/internal/cli"
	"crucible/judge/internal/osfile"
	"crucible/judge/terminal"
)

//go:embed judge.yml
var workflow string

//go:embed tasks.json
var codeTasks string

// ciFlags are the flags of judge ci.
type ciFlags struct {
	source string
	force  bool
}

// CI returns the command that writes a workflow of GitHub Actions.
func CI(e *cli.Env) *cobra.Command {
	var f ciFlags
	c := &cobra.Command{
		Use:   "ci",
		Short: "write a workflow of GitHub Actions that verifies and judges every problem",
		Long: `Write .github/workflows/judge.yml in the repository around the working folder: a
workflow of GitHub Actions that verifies every package and judges every submission
at each push to main or master, and for each pull request. Failures appear beside
the lines of a pull request (--github), and the HTML report is kept with the run.

The workflow builds the judge: from the repository itself, if its go.mod provides
the judge; or from the git repository that --source names, which must be one that
GitHub can clone. Without --source, a judge that go install fetched is installed in the
same version. Only the languages that the programs of the packages need are installed.`,
		Example: `  judge ci
  judge ci --source https://github.com/OWNER/crucible`,
		Args: cli.Arguments(0, 0),
		RunE: func(*cobra.Command, []string) error {
			root := workTree()
			build, err := f.build(root)
			if err != nil {
				return err
			}
			next := "commit it, and push"
			if _, err := os.Stat(filepath.Join(root, ".git")); err != nil {
				next = "put it into the git repository of the problems; " + terminal.Clean(root) + " is in none"
			}
			return writeSetup(e, filepath.Join(root, ".github", "workflows", "judge.yml"),
				strings.ReplaceAll(workflow, "{{build}}", build), f.force, next)
		},
	}
	c.Flags().StringVar(&f.source, "source", "", "the git repository with the judge's source: an https `URL`")
	c.Flags().BoolVar(&f.force, "force", false, "replace the file if it exists")
	return c
}

// Editor returns the command that writes tasks for an editor.
func Editor(e *cli.Env) *cobra.Command {
	var force bool
	c := &cobra.Command{
		Use:   "editor",
		Short: "write tasks for Visual Studio Code",
		Long: `Write .vscode/tasks.json in the repository around the working folder. Its tasks
test the open program on the samples (Ctrl+Shift+B), judge it on all cases, verify
the packages, and judge again on every save. Positions in the messages of compilers
become links, and so do those in the YAML files of packages.`,
		Args: cli.Arguments(0, 0),
		RunE: func(*cobra.Command, []string) error {
			root := workTree()
			judge := "judge"
			if _, err := exec.LookPath(judge); err != nil && providesJudge(root) {
				judge = "go tool judge"
			}
			return writeSetup(e, filepath.Join(root, ".vscode", "tasks.json"), strings.ReplaceAll(codeTasks, "{{judge}}", judge),
				force, "in Visual Studio Code, Ctrl+Shift+B tests the open program; Terminal > Run Task lists the other tasks")
		},
	}
	c.Flags().BoolVar(&force, "force", false, "replace the file if it exists")
	return c
}

// workTree returns the root of the git repository around the working folder, or the root
// of the repository of problems.
func workTree() string {
	for dir := osfile.Getwd(); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return cmp.Or(cli.Repository(), ".")
		}
	}
}

// Import paths of the judge's two programs.
const (
	judgePackage = "crucible/judge/cmd/judge"
	labPackage   = judgePackage + "lab"
)

// providesJudge reports whether go build finds the judge in a folder.
func providesJudge(root string) bool {
	list := exec.Command("go", "list", "-find", judgePackage)
	list.Dir = root
	return list.Run() == nil
}

// installed returns the arguments of go install that install this judge; "" if it was not
// fetched from a module proxy.
func installed(info *debug.BuildInfo) string {
	host, _, _ := strings.Cut(info.Main.Path, "/")
	if info.Main.Sum == "" || !strings.Contains(host, ".") || !strings.HasPrefix(info.Path, info.Main.Path+"/") {
		return ""
	}
	program := strings.TrimSuffix(info.Path, "lab")
	return program + "@" + info.Main.Version + " " + program + "lab@" + info.Main.Version
}

// build returns the shell command that builds the judge in a fresh clone.
func (f *ciFlags) build(root string) (string, error) {
	const to = `"$HOME/.local/bin/"`
	switch {
	case f.source == "" && providesJudge(root):
		return "go build -o " + to + " " + judgePackage + " " + labPackage, nil
	case f.source == "":
		if info, ok := debug.ReadBuildInfo(); ok && installed(info) != "" {
			return `GOBIN="$HOME/.local/bin" go install ` + installed(info), nil
		}
		return "", fmt.Errorf("the workflow has to build the judge, and no go.mod in %s provides %s: expected --source "+
			"URL, the https URL of a git repository with the judge's source", terminal.Clean(root), judgePackage)
	case !strings.HasPrefix(f.source, "https://") || strings.Contains(f.source, "/OWNER/") ||
		strings.ContainsAny(f.source, " '\"`$\\\n"):
		return "", fmt.Errorf("--source %q: expected an https URL from which GitHub can clone the judge's source, without "+
			"a name in capitals such as OWNER", f.source)
	}
	return `git clone --depth 1 '` + f.source + `' "$RUNNER_TEMP/crucible"
          go build -C "$RUNNER_TEMP/crucible" -o ` + to + " ./judge/cmd/judge ./judge/cmd/judgelab", nil
}

// writeSetup writes a file of the user's repository.
func writeSetup(e *cli.Env, name, text string, force bool, next string) error {
	if _, err := os.Lstat(name); err == nil && !force {
		return fmt.Errorf("%s: exists already; --force replaces it", terminal.Clean(name))
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	if err := osfile.WriteAtomic(name, []byte(text)); err != nil {
		return err
	}
	if below, err := filepath.Rel(osfile.Getwd(), name); err == nil {
		name = below
	}
	fmt.Fprintf(e.Stdout, "wrote %s; next: %s\n", terminal.Clean(name), next)
	return nil
}
