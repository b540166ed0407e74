package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"crucible/judge/prepare/archive"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

func Unpack(e *Env) *cobra.Command {
	var u archive.UnpackOptions
	c := &cobra.Command{
		Use:   "unpack ZIP|FOLDER [DIR]",
		Short: "split a package into problems/, solutions/ and testdata/",
		Long: `Split a package, either a zip or one folder, into problems/ID, solutions/ID and
testdata/ID below DIR: by default the repository around the working folder, or
otherwise the working folder itself. Either everything is written or nothing.

Names that the format ignores are left out, except .timelimit. Nothing else
changes: judge pack makes the same archive again.`,
		Example: `  judge unpack hello.zip           # problems/hello, solutions/hello, testdata/hello
  judge unpack --whole hello.zip . # hello, as one folder`,
		Args: Arguments(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			root := Repository()
			if u.Whole {
				root = "."
			}
			if len(args) == 2 {
				root = args[1]
			}
			return unpack(c.Context(), e, u, args[0], root)
		},
	}
	c.Flags().StringVar(&u.ID, "id", "", "the problem's `ID` (default: the name of the zip or folder)")
	c.Flags().BoolVar(&u.Whole, "whole", false, "write one folder DIR/ID (default DIR: the working folder)")
	c.Flags().BoolVar(&u.Force, "force", false, "replace the existing problem of that id completely")
	return c
}

func unpack(ctx context.Context, e *Env, u archive.UnpackOptions, from, root string) error {
	s, err := problem.Locate(from)
	if err != nil {
		return err
	}
	defer s.Close()
	if !u.Whole && !problem.IsRepository(root) {
		if err := hidesNone(root, s.Path); err != nil {
			return err
		}
	}
	Warn(e, s.Departures()...)
	un, err := u.Unpack(ctx, s, root)
	if err != nil {
		return err
	}
	WarnLeft(e, s, un.Left)
	folders := strings.Join(terminal.Texts(un.Folders, terminal.Clean), ", ")
	fmt.Fprintf(e.Stdout, "made %s (%s, %s); next: judge verify %s\n", folders, terminal.Count(un.Files, "file"),
		terminal.Bytes(un.Bytes), un.ID)
	return nil
}

// hidesNone returns an error for a folder with packages other than one at a path: a folder
// problems/ beside them would be all that is looked at.
func hidesNone(root, but string) error {
	entries, _ := os.ReadDir(root) // what is wrong with it shows later
	for _, one := range entries {
		name := filepath.Join(root, one.Name())
		if one.IsDir() && name != filepath.Clean(but) && problem.IsPackage(name) {
			return fmt.Errorf("%s is a package: a folder problems/ beside it would hide it; expected --whole, or another DIR",
				terminal.Clean(name))
		}
	}
	return nil
}

// maxLeft is the maximum number of printed omitted names.
const maxLeft = 20

// WarnLeft warns of names that were omitted because the format ignores them.
func WarnLeft(e *Env, s *problem.Source, left []string) {
	warnings := terminal.Texts(left, func(name string) string {
		return s.Where(name) + ": left out: the format ignores names that start with - or . and those with characters " +
			"other than letters, digits and _.-"
	})
	for _, warning := range AtMost(maxLeft, warnings) {
		Warn(e, errors.New(warning))
	}
}
