package main

import (
	"crypto/rand"
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

	"crucible/judge"
)

// skeleton is a small problem that is complete: judge verify finds nothing
// wrong with it, so that every later finding is news.
//
//go:embed all:skeleton
var skeleton embed.FS

var (
	problemID = regexp.MustCompile(`^[a-z0-9]{1,64}$`)
	// folders says where the parts of a package lie in a repository.
	folders = []struct{ part, in string }{{"submissions", "solutions"}, {"data", "testdata"}, {"", "problems"}}
)

func newCommand(e *env) *cobra.Command {
	var name string
	c := &cobra.Command{
		Use:   "new ID",
		Short: "start a problem: a small complete package to change",
		Long: `Start a problem: a small package that is complete, to be changed. In a
repository with a folder problems/ its parts go to problems/ID, solutions/ID and
testdata/ID; elsewhere they become one package folder ID.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return newProblem(e, args[0], name) },
	}
	c.Flags().StringVar(&name, "name", "", "the problem's name (default: its id)")
	return c
}

func newProblem(e *env, id, name string) error {
	if !problemID.MatchString(id) {
		return fmt.Errorf("%q: the format wants a problem id of lowercase letters and digits", id)
	}
	if name == "" {
		name = id
	}
	if strings.ContainsFunc(name, unicode.IsControl) || !utf8.ValidString(name) {
		return fmt.Errorf("--name %q: want one line of UTF-8 without control characters", name)
	}
	root, repository := ".", false
	if found, _, err := judge.Find("."); err == nil {
		if info, err := os.Stat(filepath.Join(found, "problems")); err == nil && info.IsDir() {
			root, repository = found, true
		}
	}
	place := func(part, rest string) string {
		if !repository {
			return filepath.Join(root, id, part, rest)
		}
		for _, f := range folders {
			if f.part == part {
				return filepath.Join(root, f.in, id, rest)
			}
		}
		return ""
	}
	var made []string
	for _, f := range folders {
		dir := place(f.part, "")
		if _, err := os.Lstat(dir); err == nil {
			return fmt.Errorf("%s: exists already", dir)
		}
		made = append(made, dir)
	}
	replace := strings.NewReplacer("{{id}}", id, "{{name}}", strings.ReplaceAll(name, "'", "''"), "{{uuid}}", newUUID())
	err := fs.WalkDir(skeleton, "skeleton", func(at string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := skeleton.ReadFile(at)
		if err != nil {
			return err
		}
		rest := strings.TrimSuffix(strings.TrimPrefix(at, "skeleton/"), ".txt")
		part, below, _ := strings.Cut(rest, "/")
		if part != "submissions" && part != "data" {
			part, below = "", rest
		}
		to := place(part, filepath.FromSlash(below))
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
	fmt.Fprintf(e.stdout, "made %s; next: judge verify %s\n", strings.Join(relevant(made), ", "), id)
	return nil
}

// relevant drops what lies inside another of the folders.
func relevant(dirs []string) []string {
	last := dirs[len(dirs)-1]
	if strings.HasPrefix(dirs[0], last+string(filepath.Separator)) {
		return []string{last}
	}
	return dirs
}

// newUUID makes a random UUID (RFC 9562, version 4).
func newUUID() string {
	var b [16]byte
	rand.Read(b[:])
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
