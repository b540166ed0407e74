package judge

import (
	"archive/zip"
	"bytes"
	"context"
	"crucible/judge/build"
	"crucible/judge/problem"
	"crucible/judge/units"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Submissions to problems of type submit-answer are answers, not programs
// (2025-09, "Type"). The format does not say what they look like; here one is
//
//	a folder, or a zip, with a file for each case that is answered: NAME.ans or
//	NAME.out, where NAME is the case's name, the same without its first folder, or
//	its last part alone, whichever is there and longest. What is short and could be
//	of a secret case is not of a sample
//	a single file with such a name
//	a single file of any name, if there is one secret case: its answer
//
// A case without an answer is a wrong answer. The code limit does not hold, since
// nothing is code; each answer is held to the output limit.

// answerExtensions are what an answer's file may end in, those of a case's own
// files that say what the output is.
var answerExtensions = []string{".ans", ".out"}

// readAnswer judges the answer to the case. Nothing is run but the validator.
func (a *attempt) readAnswer(ctx context.Context) error {
	files, names, err := answers(a.s)
	var broken *brokenAnswers
	switch {
	case errors.As(err, &broken):
		a.run.Verdict, a.run.Why = problem.WrongAnswer, broken.why
		return nil
	case err != nil:
		return err
	}
	name := answerTo(a.c, a.s.Problem.Cases, names, onlyAnswer(a.s, names))
	if name == "" {
		a.run.Verdict = problem.WrongAnswer
		a.run.Why = fmt.Sprintf("no answer: expected a file %s.ans in the submission", path.Base(a.c.Name))
		return nil
	}
	info, err := fs.Stat(files, name)
	if err != nil {
		return problem.Unreadable(files, name, err)
	}
	a.run.Outcome.Output = info.Size()
	if most := a.limits.Output; most > 0 && info.Size() > most {
		a.run.Verdict, a.run.Why = problem.OutputLimit, fmt.Sprintf("%s has %s, limit %s", path.Base(name), units.Bytes(info.Size()), units.Bytes(most))
		return nil
	}
	open := func() (io.ReadCloser, error) { return problem.OpenRegular(files, name) }
	if a.j.KeepOutput {
		if a.run.Output, err = startOf(open); err != nil {
			return err
		}
	}
	return a.exam.examine(ctx, open, &a.run)
}

// startOf returns the part of an answer that a Run keeps.
func startOf(open func() (io.ReadCloser, error)) ([]byte, error) {
	f, err := open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, keptOutput))
}

// answers lists the files of a submission, by their names in a file system.
func answers(s *problem.Submission) (fs.FS, []string, error) {
	switch {
	case s.IsFolder:
		files, err := fs.Sub(s.FS, s.Path)
		return files, s.Files, err
	case strings.EqualFold(path.Ext(s.Path), ".zip"):
		return zippedAnswers(s)
	}
	files, err := fs.Sub(s.FS, path.Dir(s.Path))
	return files, []string{path.Base(s.Path)}, err
}

// A brokenAnswers is an error of the submission: it has no answers.
type brokenAnswers struct{ why string }

func (b *brokenAnswers) Error() string { return b.why }

// zippedAnswers lists the files of a zip, which is read into memory up to a bound.
func zippedAnswers(s *problem.Submission) (fs.FS, []string, error) {
	data, err := problem.ReadBounded(s.FS, s.Path, problem.MaxProgramBytes)
	if err != nil {
		return nil, nil, err
	}
	broken := func(why string) error { return &brokenAnswers{path.Base(s.Path) + " " + why} }
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, nil, broken("is no zip: " + err.Error())
	}
	var names []string
	for _, f := range z.File {
		switch {
		case f.FileInfo().IsDir() || !fs.ValidPath(f.Name):
		case len(names) == problem.MaxProgramFiles:
			return nil, nil, broken(fmt.Sprintf("has more than %d files", problem.MaxProgramFiles))
		default:
			names = append(names, f.Name)
		}
	}
	return z, names, nil
}

// onlyAnswer returns the only file of a submission if it may have any name, or "".
func onlyAnswer(s *problem.Submission, names []string) string {
	secret := 0
	for _, c := range s.Problem.Cases {
		if !c.Sample() && c.Static == nil {
			secret++
		}
	}
	if len(names) != 1 || secret != 1 {
		return ""
	}
	return names[0]
}

// answerTo returns the file that answers a case, or "". Only, if not "", answers any
// secret case.
func answerTo(c *problem.Case, cases []*problem.Case, names []string, only string) string {
	for rest, ok := c.Name, true; ok; _, rest, ok = strings.Cut(rest, "/") {
		if c.Sample() && rest != c.Name && slices.ContainsFunc(cases, func(c *problem.Case) bool { return !c.Sample() && strings.HasSuffix(c.Name, "/"+rest) }) {
			continue
		}
		for _, ext := range answerExtensions {
			if slices.Contains(names, rest+ext) {
				return rest + ext
			}
		}
	}
	if c.Sample() {
		return ""
	}
	return only
}

// collect returns the files of a submission of answers as a program, so that a
// validator can see them.
func collect(s *problem.Submission) (*build.Program, error) {
	files, err := s.Read()
	return &build.Program{Sources: files}, err
}
