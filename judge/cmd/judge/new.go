package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"crucible/judge/archive"
	"crucible/judge/internal/command"
	"crucible/judge/internal/selection"
	"crucible/judge/problem"
)

// skeleton is a small, complete problem. judge verify reports nothing about it,
// so every later finding is caused by a change.
//
//go:embed all:skeleton
var skeleton embed.FS

var problemID = regexp.MustCompile(`^[a-z0-9]{1,64}$`)

func newCommand(e *command.Env) *cobra.Command {
	var name string
	c := &cobra.Command{
		Use:   "new ID",
		Short: "create a small, complete problem package to start from",
		Long: `Create a small, complete problem package to start from. In a repository with a
folder problems/, its parts go to problems/ID, solutions/ID and testdata/ID;
elsewhere they form one package folder ID.`,
		Args: command.Arguments(1, 1),
		RunE: func(c *cobra.Command, args []string) error { return newProblem(e, args[0], name) },
	}
	c.Flags().StringVar(&name, "name", "", "the problem's `NAME` (default: its id)")
	return c
}

func newProblem(e *command.Env, id, name string) error {
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
	replace := strings.NewReplacer("{{id}}", id, "{{name}}", strings.ReplaceAll(name, "'", "''"), "{{uuid}}", archive.NewUUID())
	err := fs.WalkDir(skeleton, "skeleton", func(at string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := skeleton.ReadFile(at)
		if err != nil {
			return err
		}
		rest := strings.TrimSuffix(strings.TrimPrefix(at, "skeleton/"), ".txt")
		to := problem.In(places, rest)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if filepath.Base(to) == "build" {
			mode = 0o755
		}
		return os.WriteFile(to, []byte(replace.Replace(string(data))), mode)
	})
	if err != nil {
		for _, dir := range made {
			err = errors.Join(err, os.RemoveAll(dir))
		}
		return err
	}
	fmt.Fprintf(e.Stdout, "made %s; next: judge verify %s\n", strings.Join(made, ", "), id)
	return nil
}
