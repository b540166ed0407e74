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

// A box shows a program the machine's own folders and no others. A toolchain
// that lies elsewhere, such as below a home folder, brings folders of its own:
// this file finds out which, and keeps them from being more than that.

// place works out the folders that a toolchain needs.
func (t *Toolchains) place(ctx context.Context, l *language.Language, tc *Toolchain) error {
	for _, tool := range []*string{&tc.Compiler, &tc.Runtime} {
		if *tool == "" {
			continue
		}
		var told []string
		if l.Prefix != nil {
			answer, err := t.ask(ctx, l, *tool, l.Prefix)
			if err != nil {
				return fmt.Errorf("%s does not tell where it is installed: %w", *tool, err)
			}
			for line := range strings.Lines(answer) {
				if line = strings.TrimSpace(line); filepath.IsAbs(line) {
					told = append(told, line)
				}
			}
		}
		var folders []string
		*tool, folders = placeOf(*tool, told)
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

// placeOf returns the path to start a tool by, and what must be readable for
// it: the folders that it told of, or else the one above the folder that it
// lies in, as in /opt/jdk-21/bin/java.
func placeOf(tool string, told []string) (start string, needs []string) {
	real := Resolved(tool)
	if top := filepath.Dir(filepath.Dir(real)); len(told) == 0 && !sandbox.OfMachine(real) && open(top) {
		told = []string{top}
	}
	for _, f := range told {
		for _, f := range []string{filepath.Clean(f), Resolved(f)} {
			if !sandbox.OfMachine(f) && narrow(f) {
				needs = append(needs, f)
			}
		}
	}
	switch {
	case sandbox.OfMachine(tool):
	case slices.ContainsFunc(needs, func(f string) bool { return Within(tool, f) }):
	case strings.Contains(filepath.Base(real), filepath.Base(tool)):
		// A link into the toolchain from elsewhere: go there directly.
		tool = real
	default:
		// It goes by the name that it is called by.
		needs = append(needs, tool)
	}
	if !sandbox.OfMachine(real) && !slices.ContainsFunc(needs, func(f string) bool { return Within(real, f) }) {
		needs = append(needs, real)
	}
	return tool, needs
}

// narrow reports whether a folder is no more than a toolchain: neither a home
// folder, nor one of those that hold many things, nor above any of them.
func narrow(folder string) bool {
	home, _ := os.UserHomeDir()
	for _, wide := range []string{home, Resolved(home), osfile.Getwd(), Resolved(osfile.Getwd())} {
		if wide != "" && Within(wide, folder) {
			return false
		}
	}
	// Folders of the root, and homes of others.
	parent := filepath.Dir(folder)
	return filepath.Dir(parent) != parent && parent != "/home" && parent != "/Users"
}

// open reports whether programs can enter a folder: run by root they are of
// another user.
func open(folder string) bool {
	info, err := os.Stat(folder)
	return err == nil && (os.Geteuid() != 0 || info.Mode().Perm()&0o005 == 0o005)
}

// Within reports whether a path is the folder or is below it.
func Within(name, folder string) bool {
	return name == folder || strings.HasPrefix(name, strings.TrimSuffix(folder, string(filepath.Separator))+string(filepath.Separator))
}

// Resolved follows links where it can.
func Resolved(name string) string {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		return real
	}
	return filepath.Clean(name)
}
