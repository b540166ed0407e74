package problem

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"time"

	"crucible/judge/internal/lazy"
	"crucible/judge/internal/osfile"
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
	name, set := ProblemFile, setTimeLimit
	switch {
	case p.limitFrom != "" && p.limitFrom == p.Where(domjudgeFile):
		name, set = domjudgeFile, setINI
	case p.limitFrom != "", p.Version == "legacy" && !namesLimit(s):
		name, set = timeLimitFile, setBare
	}
	at := s.Where(name)
	root, rest, err := s.ToWrite(name)
	if err != nil {
		return nil, err
	}
	var before []byte
	mode := fs.FileMode(0o644)
	switch info, err := root.Lstat(rest); {
	case errors.Is(err, fs.ErrNotExist) && name == timeLimitFile:
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular(): // the target of a link may belong to another package
		return nil, Defectf(at, "is not a regular file of the package, so it is not modified")
	default:
		mode = info.Mode().Perm()
		if before, err = ReadBounded(s, name, MaxYAML); err != nil {
			return nil, err
		}
	}
	after, change, err := set(at, before, strconv.FormatFloat(limit.Seconds(), 'f', -1, 64))
	if err != nil || bytes.Equal(before, after) {
		return nil, err
	}
	change.File = at
	return change, osfile.WriteIn(root, rest, after, mode)
}

// namesLimit reports whether problem.yaml names the time limit.
func namesLimit(s *Source) bool {
	var found Defects
	root, ok := readYAML(s, ProblemFile, &found)
	return ok && root.Get("limits").Get("time_limit") != nil
}

// setBare sets the number in a file that contains only a number, or nothing.
func setBare(_ string, data []byte, number string) ([]byte, *LimitChange, error) {
	at := bareTimeLimit().FindSubmatchIndex(data)
	after, change := setNumber(data, at[2], at[3], number)
	if change.Before == "" {
		after = []byte(number + "\n")
	}
	return after, change, nil
}

var bareTimeLimit = lazy.Regexp(`(?s)\A\s*(.*?)\s*\z`)

// setINI sets the value of timelimit in domjudge-problem.ini.
func setINI(file string, data []byte, number string) ([]byte, *LimitChange, error) {
	fields := parseINI(data)
	slices.Reverse(fields)
	i := slices.IndexFunc(fields, func(f iniField) bool { return f.key == "timelimit" && f.set })
	if i < 0 || fields[i].parts > 1 {
		return nil, nil, Defectf(file, "no line timelimit = with one value is found: write the line yourself: timelimit = %s",
			number)
	}
	after, change := setNumber(data, fields[i].from, fields[i].to, number)
	return after, change, nil
}

// setNumber replaces the bytes data[from:to] with a number, unless they already have its
// value.
func setNumber(data []byte, from, to int, number string) ([]byte, *LimitChange) {
	change := &LimitChange{Before: string(data[from:to]), After: number}
	if v, ok := legacyFloat(change.Before); ok && same(v, number) {
		return data, change
	}
	return slices.Concat(data[:from], []byte(number), data[to:]), change
}

// same reports whether v is the value of a written number.
func same(v float64, number string) bool {
	w, err := strconv.ParseFloat(number, 64)
	return err == nil && v == w
}

// byHand returns the error for a file that cannot be edited safely, with the line that
// the user must write.
func byHand(file, why, number string) error {
	return Defectf(file, "%s, so it is not modified: write limits.time_limit: %s yourself", why, number)
}
