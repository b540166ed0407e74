package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// UnpackOptions are the settings of [UnpackOptions.Unpack].
type UnpackOptions struct {
	ID    string // of the problem; "" means that of the source
	Whole bool   // write one folder, not the three of a repository
	Force bool   // replace an existing problem
}

// An UnpackResult describes an unpacked package.
type UnpackResult struct {
	ID      string   // of the problem
	Folders []string // that were written
	Files   int      // number of files written
	Bytes   int64    // of all files
	Left    []string // files left out because the format ignores their names, although they probably belong in the package
}

// Unpack writes the files of a package below root, as a repository has them. It
// writes all of them or none. The package may have defects, but it must have a
// problem.yaml, or else DOMjudge's file of settings.
func (u UnpackOptions) Unpack(ctx context.Context, s *problem.Source, root string) (un *UnpackResult, err error) {
	id, err := u.id(s)
	if err != nil {
		return nil, err
	}
	w, err := s.Files(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := s.Stat(problem.ProblemFile); err == nil || !problem.HasPackage(s) {
		f, err := problem.OpenRegular(s, problem.ProblemFile)
		if err == nil {
			err = f.Close()
		}
		if err != nil {
			return nil, err
		}
	}
	places := problem.Places(root, id, u.Whole)
	if !u.Force {
		for _, p := range places {
			if _, err := os.Lstat(p.Dir); err == nil {
				return nil, fmt.Errorf("%s: already exists; --force replaces the problem", p.Dir)
			}
		}
	}
	st := newStage(places, u.Force)
	defer func() { err = errors.Join(err, st.end()) }()
	un = &UnpackResult{ID: id, Files: len(w.Files), Left: w.Meant()}
	for _, f := range w.Files {
		err := w.CopyFile(f, func(from io.Reader) error {
			n, err := st.write(f.Name, from, f.Executable)
			un.Bytes += n
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if err := st.commit(ctx, nil); err != nil {
		return nil, err
	}
	un.Folders = st.folders()
	return un, nil
}

// id returns the id of the problem: the given one, or the name of the archive, or
// that of the folder in the archive.
func (u UnpackOptions) id(s *problem.Source) (string, error) {
	if u.ID != "" {
		if !problem.PackageName.MatchString(u.ID) {
			return "", fmt.Errorf("problem id %s: expected lowercase letters and digits only", terminal.QuoteName(u.ID))
		}
		return u.ID, nil
	}
	id := s.ID
	if s.Zip != nil && !problem.PackageName.MatchString(id) && s.Zip.Prefix != "" {
		id = s.Zip.Prefix
	}
	if !problem.PackageName.MatchString(id) {
		return "", problem.Defectf(s.Path, "problem id %s: expected lowercase letters and digits only; --id gives another",
			terminal.QuoteName(id))
	}
	return id, nil
}
