package judge

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"crucible/judge/build"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// Submissions to problems of type submit-answer are answers, not programs
// (2025-09, "Type"). The format does not define their form. This judge accepts
//
//	a folder, or a zip, with a file for each case that is answered: NAME.ans or
//	NAME.out. NAME is the case's name, or the name without some of its first
//	folders; the longest name that exists counts. A shortened name that also fits
//	a secret case does not answer a sample
//	a single file with such a name
//	a single file of any name, if there is one secret case: its answer
//
// A case without an answer is a wrong answer. The code limit does not apply,
// because answers are not code; the output limit applies to each answer.

// answerExtensions are the extensions of answer files, as of a case's own answers
// and outputs.
var answerExtensions = []string{".ans", ".out"}

// readAnswer judges the answer to the case. It runs no program but the validator.
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
		a.run.Verdict, a.run.Why = problem.OutputLimit, fmt.Sprintf("%s has %s, limit %s", path.Base(name),
			terminal.Bytes(info.Size()), terminal.Bytes(most))
		return nil
	}
	open := func() (io.ReadCloser, error) { return problem.OpenRegular(files, name) }
	if a.j.KeepOutput {
		if a.run.Output, err = startOf(open); err != nil {
			return err
		}
	}
	return a.output.validate(ctx, open, &a.run)
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

// answers returns the files of a submission: a file system and the names in it.
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

// A brokenAnswers is a failure of the submission: its zip cannot be used.
type brokenAnswers struct{ why string }

func (b *brokenAnswers) Error() string { return b.why }

// zippedAnswers returns the files of a zip, which is read into memory up to a
// bound.
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
	problem.SlashNames(z)
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

// answerTo returns the file that answers a case, or "". Only, if not "", answers
// a secret case that no other file answers.
func answerTo(c *problem.Case, cases []*problem.Case, names []string, only string) string {
	for rest, ok := c.Name, true; ok; _, rest, ok = strings.Cut(rest, "/") {
		if c.Sample() && rest != c.Name && slices.ContainsFunc(cases,
			func(c *problem.Case) bool { return !c.Sample() && strings.HasSuffix(c.Name, "/"+rest) }) {
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
