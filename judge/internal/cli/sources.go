package cli

import (
	"errors"
	"fmt"
	"os"

	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// Sources returns the packages that arguments name: packages around the
// working folder by id or glob, and any package by path; without arguments, the package
// that contains the working folder. The caller must call closeAll, unless there is an
// error.
func Sources(args []string) (named []*problem.Source, closeAll func(), err error) {
	var all sources
	root, _, findErr := problem.Find(".")
	if findErr == nil {
		if all, err = problem.Sources(root); err != nil {
			return nil, nil, err
		}
	}
	if len(args) == 0 {
		for _, s := range all {
			if _, ok := s.Within("."); ok {
				return []*problem.Source{s}, all.close, nil
			}
		}
		all.close()
		return nil, nil, errors.New("the working folder is in no package: expected at least one PROBLEM")
	}
	for _, arg := range args {
		found := false
		for _, s := range all {
			if name, ok := s.Within(arg); problem.GlobCovers(arg, s.ID) || ok && name == "." {
				named, found = append(named, s), true
			}
		}
		if found {
			continue
		}
		if _, err := os.Stat(arg); err != nil {
			all.close()
			if findErr != nil {
				return nil, nil, noPackage([]string{arg}, findErr)
			}
			ids := terminal.Texts(all, func(s *problem.Source) string { return s.ID })
			return nil, nil, fmt.Errorf("%q matches no problem%s", arg, terminal.DidYouMean(arg, ids))
		}
		s, err := problem.Locate(arg)
		if err != nil {
			all.close()
			return nil, nil, err
		}
		all, named = append(all, s), append(named, s)
	}
	return inOrder(all, named), all.close, nil
}

// Locate opens a folder or a zip, which need not be a package.
func Locate(name string) (*problem.Source, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return problem.Folder(name)
	}
	return problem.Locate(name)
}

// Existing returns the problem with this id around the working folder; nil if
// there is none. The caller must call closeAll.
func Existing(id string) (have *problem.Source, closeAll func()) {
	var all sources
	if root, _, err := problem.Find("."); err == nil {
		all, _ = problem.Sources(root) // an error means that the repository has no problems
	}
	for _, s := range all {
		// A zip with this name may be the file to import.
		if s.ID == id && problem.HasPackage(s) {
			have = s
		}
	}
	return have, all.close
}

// Inside returns the package folder with problem.yaml that is or contains the working
// folder; "" if there is none.
func Inside() string { return packageAbove(".") }

// Repository returns the repository around the working folder, or otherwise
// the working folder itself.
func Repository() string {
	if root, _, err := problem.Find("."); err == nil && problem.IsRepository(root) {
		return root
	}
	return "."
}
