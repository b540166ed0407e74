package osfile

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func Getwd() string {
	wd, err := os.Getwd()
	if err != nil {
		return "."
	}
	return wd
}

func IsDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

func IsFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// WriteAtomic writes a file so that readers see the old or the new one whole.
func WriteAtomic(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

const Perm = 0o644

// WriteBelow writes one file of a package below a real folder, in which nothing
// untrusted has been.
func WriteBelow(dir, name string, data []byte) error {
	to := filepath.Join(dir, filepath.FromSlash(name))
	if strings.Contains(name, "/") {
		if err := Mkdirs(dir, filepath.Dir(to)); err != nil {
			return err
		}
	}
	if err := os.WriteFile(to, data, Perm); err != nil {
		return err
	}
	return Unmask(to, Perm)
}

// Mkdir makes a folder that others can read.
func Mkdir(dir string) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	return Unmask(dir, 0o755)
}

// Mkdirs makes the folders from top, which exists, down to dir.
func Mkdirs(top, dir string) error {
	if IsDir(dir) || dir == top {
		return nil
	}
	if err := Mkdirs(top, filepath.Dir(dir)); err != nil {
		return err
	}
	return Mkdir(dir)
}

// Unmask gives a new file its rights where the umask took some away.
func Unmask(name string, mode fs.FileMode) error {
	info, err := os.Lstat(name)
	if err != nil || info.Mode().Perm()&mode == mode {
		return err
	}
	return os.Chmod(name, mode)
}

// WriteFiles lays out a program's sources in a new folder.
func WriteFiles(dir string, files map[string][]byte) error {
	if err := Mkdir(dir); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := WriteBelow(dir, name, files[name]); err != nil {
			return err
		}
	}
	return nil
}
