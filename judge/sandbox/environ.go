package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// environment returns the environment of a run in dir on a level.
func (c *Cmd) environment(dir string, level Level) []string {
	return slices.Concat(c.ownEnvironment(dir, level), c.AddEnv)
}

func (c *Cmd) ownEnvironment(dir string, level Level) []string {
	switch {
	case c.Env != nil:
		return c.Env
	case level.Full():
		return []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "HOME=/tmp", "TMPDIR=/tmp"}
	}
	env := []string{"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "HOME=" + dir, "TMPDIR=" + dir}
	if runtime.GOOS == "windows" {
		// Without SystemRoot, programs cannot use sockets or random numbers.
		env = append(env, "SystemRoot="+os.Getenv("SystemRoot"), "TEMP="+dir, "TMP="+dir, "USERPROFILE="+dir)
	}
	return env
}

// program returns the path of the file to run.
func (c *Cmd) program(dir string) (string, error) {
	name := c.Args[0]
	if filepath.IsAbs(name) {
		return name, nil
	}
	if strings.ContainsRune(name, '/') || strings.ContainsRune(name, filepath.Separator) {
		return filepath.Join(dir, name), nil
	}
	path := os.Getenv("PATH")
	for _, pair := range c.Env {
		if value, ok := strings.CutPrefix(pair, "PATH="); ok {
			path = value
		}
	}
	for _, folder := range filepath.SplitList(path) {
		// An empty or relative entry would search the working folder.
		if !filepath.IsAbs(folder) {
			continue
		}
		for _, ext := range programExts() {
			file := filepath.Join(folder, name+ext)
			if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() &&
				(runtime.GOOS == "windows" || info.Mode()&0o111 != 0) {
				return file, nil
			}
		}
	}
	return "", fmt.Errorf("run %s: no such program in the PATH %s", name, path)
}

// programExts are the suffixes that are tried after a program's name.
func programExts() []string {
	if runtime.GOOS == "windows" {
		return []string{"", ".exe"}
	}
	return []string{""}
}

// explain turns the error of starting a program into one that says what to do.
func explain(program string, err error) error {
	switch {
	case errors.Is(err, errNotForThisMachine):
		return fmt.Errorf("run %s: exec format error: expected a program for %s/%s, or a script whose first line names "+
			"its interpreter", program, runtime.GOOS, runtime.GOARCH)
	case errors.Is(err, fs.ErrPermission):
		if info, statErr := os.Stat(program); statErr == nil && info.IsDir() {
			return fmt.Errorf("run %s: expected a program, found a folder", program)
		}
		return fmt.Errorf("run %s: not executable: %w", program, err)
	case errors.Is(err, fs.ErrNotExist):
		if _, statErr := os.Stat(program); statErr == nil {
			return fmt.Errorf("run %s: its interpreter or loader is missing: %w", program, err)
		}
		return fmt.Errorf("run %s: no such program: %w", program, fs.ErrNotExist)
	}
	return fmt.Errorf("run %s: %w", program, err)
}

// systemFolders are the folders of programs and libraries that every box shows if
// the machine has them.
var systemFolders = []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}

// OfMachine reports whether every box shows the path, so that a Cmd need not list
// it in Reads.
func OfMachine(path string) bool {
	return slices.ContainsFunc(systemFolders, func(folder string) bool {
		return path == folder || strings.HasPrefix(path, folder+"/")
	})
}
