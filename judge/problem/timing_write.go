package problem

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A LimitChange describes a change that [Source.WriteTimeLimit] made.
type LimitChange struct {
	File          string // real path of the changed file
	Before, After string // the limits as written in the file; Before is "" if there was none
}

// WriteTimeLimit sets the time limit of the package, from which p was opened. It
// returns nil if the package already has that limit. It changes only the number;
// if it cannot do that safely, the error says what the user must write.
//
// It writes limits.time_limit in problem.yaml, except that a limit in DOMjudge's
// files is changed there, and a legacy package without a limit gets a file
// .timelimit, because tools for legacy packages do not read problem.yaml for it.
func (s *Source) WriteTimeLimit(p *Problem, limit time.Duration) (*LimitChange, error) {
	if s.Zip != nil {
		return nil, &Defect{File: s.Path, Msg: "is a zip, which the judge does not modify: unpack it first"}
	}
	name, set := ProblemFile, setTimeLimit
	switch {
	case p.limitFrom != "" && p.limitFrom == p.Where(domjudgeFile):
		name, set = domjudgeFile, setINI
	case p.limitFrom != "", p.Version == "legacy" && !namesLimit(s):
		name, set = timeLimitFile, setBare
	}
	at := s.Where(name)
	before, mode, err := s.readToWrite(name)
	if errors.Is(err, fs.ErrNotExist) && name == timeLimitFile {
		err, mode = nil, 0o644
	}
	if err != nil {
		return nil, err
	}
	text := strconv.FormatFloat(limit.Seconds(), 'f', -1, 64)
	after, change, err := set(at, before, text)
	if err != nil {
		return nil, err
	}
	if bytes.Equal(before, after) {
		return nil, nil
	}
	change.File = at
	return change, s.replace(name, after, mode)
}

// namesLimit reports whether problem.yaml names the time limit.
func namesLimit(s *Source) bool {
	var found Defects
	root, ok := readYAML(s, ProblemFile, &found)
	return ok && root.Get("limits") != nil && root.Get("limits").Get("time_limit") != nil
}

// readToWrite reads a file that will be replaced, and its permissions. A symbolic
// link is a [Defect], because its target may belong to another package.
func (s *Source) readToWrite(name string) ([]byte, fs.FileMode, error) {
	root, rest, err := s.ToWrite(name)
	if err != nil {
		return nil, 0, err
	}
	info, err := root.Lstat(rest)
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, &Defect{File: s.Where(name), Msg: "is not a regular file of the package, so it is not modified"}
	}
	f, err := root.Open(rest)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxYAML+1))
	if len(data) > MaxYAML {
		err = &Defect{File: s.Where(name), Msg: "is too large"}
	}
	return data, info.Mode().Perm(), err
}

// replace writes a file of the package under a temporary name and renames it, so that
// the file is always complete.
func (s *Source) replace(name string, data []byte, mode fs.FileMode) (err error) {
	root, rest, err := s.ToWrite(name)
	if err != nil {
		return err
	}
	under := filepath.Join(filepath.Dir(rest), ".writing-"+rand.Text())
	f, err := root.OpenFile(under, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			root.Remove(under)
		}
	}()
	_, err = f.Write(data)
	// Chmod, because OpenFile applies the umask to the mode.
	if err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return err
	}
	return root.Rename(under, rest)
}

// setBare replaces the number in a file that contains only a number.
func setBare(_ string, data []byte, number string) ([]byte, *LimitChange, error) {
	before := strings.TrimSpace(string(data))
	change := &LimitChange{Before: before, After: number}
	switch v, ok := legacyFloat(before); {
	case before == "":
		return []byte(number + "\n"), change, nil
	case ok && same(v, number):
		return data, change, nil
	}
	return []byte(strings.Replace(string(data), before, number, 1)), change, nil
}

// same reports whether v is the value of a written number.
func same(v float64, number string) bool {
	w, err := strconv.ParseFloat(number, 64)
	return err == nil && v == w
}

var iniTimeLimit = regexp.MustCompile(`(?m)^[ \t]*timelimit[ \t]*=[ \t]*['"]*([^'"\s]*)`)

// setINI replaces the value of timelimit in domjudge-problem.ini.
func setINI(file string, data []byte, number string) ([]byte, *LimitChange, error) {
	at := iniTimeLimit.FindSubmatchIndex(data)
	if at == nil {
		return nil, nil, &Defect{File: file, Msg: "no line timelimit = is found: add the line yourself: timelimit = " + number}
	}
	before := string(data[at[2]:at[3]])
	change := &LimitChange{Before: before, After: number}
	if v, ok := legacyFloat(before); ok && same(v, number) {
		return data, change, nil
	}
	return []byte(string(data[:at[2]]) + number + string(data[at[3]:])), change, nil
}

// byHand returns the error for a file that cannot be edited safely. It says what the
// user must write.
func byHand(file, why, number string) error {
	return &Defect{File: file, Msg: fmt.Sprintf("%s, so it is not modified: write limits.time_limit: %s yourself", why, number)}
}
