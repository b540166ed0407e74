package osfile

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Getwd returns the working folder, or "." if it is unknown.
func Getwd() string {
	wd, err := os.Getwd()
	if err != nil {
		return "."
	}
	return wd
}

// IsDir reports whether name is a folder. It follows symbolic links.
func IsDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// NamesFolder reports whether name is that of a folder: it is one, or it ends with a
// slash.
func NamesFolder(name string) bool {
	return IsDir(name) || strings.HasSuffix(filepath.ToSlash(name), "/")
}

// Output returns the name of the file for a flag --output: name if the flag is not given,
// name in the folder that it names, or the file that it names.
func Output(flag, name string) string {
	if flag == "" {
		return name
	}
	if NamesFolder(flag) {
		return filepath.Join(flag, name)
	}
	return flag
}

// IsFile reports whether name is a regular file. It follows symbolic links.
func IsFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// WriteAtomic writes a file and creates its parent folders. Readers see either the
// complete old or the complete new contents.
func WriteAtomic(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	d, err := NewDraft(nil, name)
	if err != nil {
		return err
	}
	_, err = d.Write(data)
	return d.Commit(err)
}

// Perm is the permission of the files that the judge writes for programs.
const Perm = 0o644

// WriteBelow writes a file below dir and creates its parent folders. No untrusted
// program may have written to dir.
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

// Mkdir creates a folder that all users can read, whatever the umask.
func Mkdir(dir string) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	return Unmask(dir, 0o755)
}

// Mkdirs creates dir and its parent folders below top, which must exist.
func Mkdirs(top, dir string) error {
	if IsDir(dir) || dir == top {
		return nil
	}
	if err := Mkdirs(top, filepath.Dir(dir)); err != nil {
		return err
	}
	return Mkdir(dir)
}

// Unmask restores the permissions that the umask removed from a new file.
func Unmask(name string, mode fs.FileMode) error {
	info, err := os.Lstat(name)
	if err != nil || info.Mode().Perm()&mode == mode {
		return err
	}
	return os.Chmod(name, mode)
}

// WriteFiles creates the folder dir and writes files, given by slash-separated
// name, into it.
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
