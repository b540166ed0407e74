package language

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// FileName is the name of the files that change the table of languages.
const FileName = "languages.yaml"

// ReadFiles returns the table of languages with the changes that the user's languages.yaml
// makes, in crucible/ of the user's configuration folder, and then that of the repository
// around a folder. Files that do not exist change nothing. See [Table.Customize] for their
// content.
func ReadFiles(dir string) (t Table, err error) {
	if config, err := os.UserConfigDir(); err == nil {
		if t, err = t.readFile(filepath.Join(config, "crucible", FileName), true); err != nil {
			return t, err
		}
	}
	if dir = repositoryAround(dir); dir != "" {
		return t.readFile(filepath.Join(dir, FileName), false)
	}
	return t, nil
}

// repositoryAround returns the innermost folder around dir that is a repository of
// problems, a package or a Git repository, or "".
func repositoryAround(dir string) string {
	for {
		for _, mark := range []string{"problems", "problem.yaml", ".git"} {
			if _, err := os.Lstat(filepath.Join(dir, mark)); err == nil {
				return dir
			}
		}
		above := filepath.Dir(dir)
		if above == dir {
			return ""
		}
		dir = above
	}
}

// readFile applies a languages.yaml, if it exists.
func (t Table) readFile(name string, paths bool) (Table, error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return t, nil
	}
	if err != nil {
		return t, err
	}
	return t.Customize(name, data, paths)
}
