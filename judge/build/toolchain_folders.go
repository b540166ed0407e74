package build

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"crucible/judge/internal/osfile"
	"crucible/judge/language"
	"crucible/judge/sandbox"
)

// A box shows a program only the machine's own folders. A toolchain elsewhere, such
// as below a home folder, needs folders of its own: this file finds them, and keeps
// them small.

// findFolders sets the folders that a toolchain needs.
func (t *Toolchains) findFolders(ctx context.Context, l *language.Language, tc *Toolchain) error {
	for _, tool := range []*string{&tc.Compiler, &tc.Runtime} {
		if *tool == "" {
			continue
		}
		var prefixes []string
		if l.Prefix != nil {
			answer, err := t.ask(ctx, l, *tool, l.Prefix)
			if err != nil {
				return fmt.Errorf("%s does not print where it is installed: %w", *tool, err)
			}
			for line := range strings.Lines(answer) {
				if line = strings.TrimSpace(line); filepath.IsAbs(line) {
					prefixes = append(prefixes, line)
				}
			}
		}
		var folders []string
		*tool, folders = foldersOf(*tool, prefixes)
		tc.Folders = append(tc.Folders, folders...)
	}
	for _, name := range l.Reads {
		if _, err := os.Stat(name); err == nil {
			tc.Folders = append(tc.Folders, name)
		}
	}
	slices.Sort(tc.Folders)
	tc.Folders = slices.Compact(tc.Folders)
	tc.Folders = slices.DeleteFunc(tc.Folders, func(f string) bool {
		return slices.ContainsFunc(tc.Folders, func(g string) bool { return f != g && Within(f, g) })
	})
	return nil
}

// foldersOf returns the path by which to start a tool, and the folders and files
// that must be readable for it. prefixes are its installation folders; if there are
// none, the folder above that of the tool is used, such as /opt/jdk-21 for
// /opt/jdk-21/bin/java.
func foldersOf(tool string, prefixes []string) (start string, needs []string) {
	real := Resolved(tool)
	if top := filepath.Dir(filepath.Dir(real)); len(prefixes) == 0 && !sandbox.OfMachine(real) && canEnter(top) {
		prefixes = []string{top}
	}
	for _, f := range prefixes {
		for _, f := range []string{filepath.Clean(f), Resolved(f)} {
			if !sandbox.OfMachine(f) && isSmall(f) {
				needs = append(needs, f)
			}
		}
	}
	has := func(name string) bool {
		return sandbox.OfMachine(name) || slices.ContainsFunc(needs, func(f string) bool { return Within(name, f) })
	}
	switch {
	case has(tool):
	case strings.Contains(filepath.Base(real), filepath.Base(tool)):
		tool = real // a link from elsewhere into the toolchain
	default:
		needs = append(needs, tool) // the tool depends on the name by which it is called
	}
	if !has(real) {
		needs = append(needs, real)
	}
	return tool, needs
}

// isSmall reports whether a folder may contain only a toolchain: it is not a home
// folder, the working folder, a folder of the root, or above any of them.
func isSmall(folder string) bool {
	home, _ := os.UserHomeDir()
	for _, wide := range []string{home, Resolved(home), osfile.Getwd(), Resolved(osfile.Getwd())} {
		if wide != "" && Within(wide, folder) {
			return false
		}
	}
	// Folders of the root, and home folders of other users.
	parent := filepath.Dir(folder)
	return filepath.Dir(parent) != parent && parent != "/home" && parent != "/Users"
}

// canEnter reports whether programs can enter a folder. If the judge runs as root,
// they run as another user.
func canEnter(folder string) bool {
	info, err := os.Stat(folder)
	return err == nil && (os.Geteuid() != 0 || info.Mode().Perm()&0o005 == 0o005)
}

// Within reports whether a path is the folder or below it.
func Within(name, folder string) bool {
	return name == folder || strings.HasPrefix(name, strings.TrimSuffix(folder,
		string(filepath.Separator))+string(filepath.Separator))
}

// Resolved returns the path without symbolic links; the path itself, cleaned, if that
// is not possible.
func Resolved(name string) string {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		return real
	}
	return filepath.Clean(name)
}
