package judge

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"crucible/judge/check"
	"crucible/judge/internal/osfile"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// Files in the feedback folder of a validator (2025-09, "Reporting additional
// feedback"). A submission may cause a validator to write anything, and a
// validator may be faulty. So every file is read up to a bound, and an invalid
// file is a failure of the validator, not of the submission.

const (
	keptMessage = 4 << 10 // bytes of a message that a report keeps
	maxMessage  = 1 << 20 // bytes of a message that expectations search
	maxScore    = 4 << 10 // bytes of a file with one number
)

// judgeMessage is the feedback file with the message for the jury.
const judgeMessage = "judgemessage.txt"

// message reads a feedback file up to a bound. It returns "" for anything but a
// regular file.
func message(dir, name string) string {
	data, _, _ := osfile.ReadBack(dir, name, maxMessage)
	return string(data)
}

// reason returns ": " and the reason why the validator failed, as [Judge.Reason] does. What
// an earlier pass left in judgemessage.txt is not the reason.
func (x *validator) reason(e *validation, stderr *Stderr) string {
	said := strings.TrimPrefix(message(x.feedback, judgeMessage), x.before)
	return e.j.reason(x.at, e.c.Name, said, stderr)
}

// readScores stores the score files of a validator in the run; the groups compute
// the score of the case from them. In 2025-09 there may be a score or a
// multiplier, not both; neither is negative, and a multiplier is at most 1. For
// samples both are ignored. Legacy packages allow any score.
func (x *validator) readScores(e *validation, run *Run) error {
	legacy := e.p.Spec().Legacy
	if !e.p.Is(problem.Scoring) || e.c.Sample() && !legacy {
		return nil
	}
	score, err := x.number("score.txt")
	if err != nil {
		return err
	}
	if legacy {
		if score != nil {
			run.Score = score
		}
		return nil
	}
	multiplier, err := x.number("score_multiplier.txt")
	switch {
	case err != nil:
		return err
	case score != nil && multiplier != nil:
		return x.errorf("leaves both score.txt and score_multiplier.txt; expected one of them, or none")
	case score != nil && *score < 0:
		return x.errorf("score.txt: %v, expected 0 or more", *score)
	case multiplier != nil && (*multiplier < 0 || *multiplier > 1):
		return x.errorf("score_multiplier.txt: %v, expected a number from 0 to 1", *multiplier)
	}
	if score != nil {
		run.Score = score
	}
	run.Multiplier = multiplier
	return nil
}

// number reads a feedback file with one number. It returns nil if there is no
// file.
func (x *validator) number(name string) (*float64, error) {
	info, err := os.Lstat(filepath.Join(x.feedback, name))
	if err != nil {
		return nil, nil
	}
	data, ok, err := osfile.ReadBack(x.feedback, name, maxScore+1)
	switch {
	case err != nil:
		return nil, x.errorf("%s: %w", name, err)
	case !ok:
		return nil, x.errorf("leaves %s, which is no regular file but %s", name, kindOf(info.Mode()))
	}
	text := strings.Trim(string(data), " \t\r\n")
	n, ok := check.ParseFloat(text)
	if !ok || len(data) > maxScore {
		return nil, x.errorf("%s: %s, expected a number such as 0.25", name, check.Clip(text))
	}
	return &n, nil
}

func kindOf(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeSymlink != 0:
		return "a link"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	}
	return "something else"
}

// errorf returns a failure of the validator.
func (x *validator) errorf(format string, args ...any) error {
	return fmt.Errorf("%s %s: %w", x.kind, x.at, fmt.Errorf(format, args...))
}

// maxFeedbackFiles is the maximum number of files and folders in a feedback
// folder.
const maxFeedbackFiles = 100_000

// overfull returns an error if the feedback folder has more than most bytes,
// which a validator may not write (2025-09, "Resource guarantees"). The sandbox
// bounds single files. It bounds their sum only if it counts written bytes.
func (x *validator) overfull(most int64) error {
	size := int64(0)
	return x.each(func(_ *os.Root, _ string, info fs.FileInfo) error {
		if info.Mode().IsRegular() {
			size += info.Size()
		}
		if size > most {
			return x.errorf("left more than %s in its feedback folder", terminal.Bytes(most))
		}
		return nil
	})
}

// share makes the files writable for the validator of the next pass, which may
// run as another user in a box. The parent folder denies access to all other
// users.
func (x *validator) share() error {
	return x.each(func(root *os.Root, name string, info fs.FileInfo) error {
		switch mode := info.Mode(); {
		case mode.IsDir():
			return root.Chmod(name, mode.Perm()|0o777)
		case mode.IsRegular():
			return root.Chmod(name, mode.Perm()|0o666)
		}
		return nil
	})
}

// each calls do for each file and folder in the feedback folder, and returns the
// first error. Unreadable folders in it count as empty. Too many files or levels
// of folders are an error.
func (x *validator) each(do func(*os.Root, string, fs.FileInfo) error) error {
	root, err := os.OpenRoot(x.feedback)
	if err != nil {
		return err
	}
	defer root.Close()
	files := 0
	return fs.WalkDir(root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			if e != nil && e.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if files++; files > maxFeedbackFiles || strings.Count(name, "/") > osfile.MaxDepth {
			return x.errorf("left more than %d files in its feedback folder, or files more than %d folders deep",
				maxFeedbackFiles, osfile.MaxDepth)
		}
		info, err := e.Info()
		if err != nil || name == "." {
			return nil
		}
		return do(root, name, info)
	})
}
