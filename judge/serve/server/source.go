package server

import (
	"errors"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"testing/fstest"

	"crucible/judge/language"
	"crucible/judge/problem"
	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/terminal"
)

// Limits of the sources of a program.
const (
	maxSources = 100
	maxSource  = 1 << 20 // bytes of all together
)

// sourcesOf returns the sources of a request: given as texts, or by digests of blobs, of
// which read returns the bytes. The error is a [*blob.Problem].
func sourcesOf(texts, digests map[string]string, read func(blob.Digest) ([]byte, error)) (map[string]string, error) {
	bad := func(format string, args ...any) error {
		return blob.NewProblem(http.StatusUnprocessableEntity, format, args...)
	}
	if len(texts) > 0 && len(digests) > 0 {
		return nil, bad("found sources and files: expected one of them")
	}
	if n := max(len(texts), len(digests)); n == 0 || n > maxSources {
		return nil, bad("found %d sources: expected 1 to %d", n, maxSources)
	}
	left := int64(maxSource)
	all := make(map[string]string, max(len(texts), len(digests)))
	for name, given := range digests {
		d, err := blob.Parse(given)
		if err != nil {
			return nil, bad("files: %v", err)
		}
		if left -= d.Size; left < 0 {
			return nil, bad("the sources have more than %d bytes", maxSource)
		}
		data, err := read(d)
		if errors.As(err, new(*blob.Problem)) {
			return nil, err
		} else if err != nil {
			return nil, bad("files: %s: blob %s is not on the server: send it with PUT /v1/blobs/%s", terminal.QuoteName(name),
				d, d)
		}
		all[name] = string(data)
	}
	for name, data := range texts {
		if left -= int64(len(data)); left < 0 {
			return nil, bad("the sources have more than %d bytes", maxSource)
		}
		all[name] = data
	}
	for name := range all {
		if len(name) > 200 || path.Clean(name) != name || name == "." || strings.HasPrefix(name, "/") ||
			strings.HasPrefix(name, "../") || strings.ContainsAny(name, "\\\x00:\n") || strings.Count(name, "/") > 8 {
			return nil, bad("source %.200s: expected the name of a file, or a path below the folder of the program",
				terminal.QuoteName(name))
		}
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			if _, is := all[dir]; is {
				return nil, bad("source %.200s: found also the file %.200s: expected one of both", terminal.QuoteName(name),
					terminal.QuoteName(dir))
			}
		}
	}
	return all, nil
}

// submissionOf returns the program as a submission that is expected to be accepted. Code
// is the language; "" means that the names of the files identify it. The error is a
// [*blob.Problem].
func submissionOf(p *problem.Problem, code string, sources map[string]string) (*problem.Submission, error) {
	bad := func(format string, args ...any) error {
		return blob.NewProblem(http.StatusUnprocessableEntity, format, args...)
	}
	fsys, name := make(fstest.MapFS), "submission"
	for file, data := range sources {
		fsys["submission/"+file] = &fstest.MapFile{Data: []byte(data), Mode: 0o644}
		if len(sources) == 1 && !strings.Contains(file, "/") {
			name = "submission/" + file
		}
	}
	s, err := problem.NewSubmission(p, fsys, name)
	if err != nil {
		return nil, bad("%v", err)
	}
	if code != "" && !p.Is(problem.SubmitAnswer) {
		l := language.Builtin.ByCode(code)
		if l == nil {
			codes := language.Builtin.Codes()
			return nil, bad("language %.40q: expected one of %s", code, strings.Join(codes, ", "))
		}
		if p.Languages != nil && !slices.Contains(p.Languages, code) {
			return nil, bad("problem %s does not allow %s: expected one of %s", p.ID, l.Name, strings.Join(p.Languages, ", "))
		}
		if s.Language != l {
			s.Language, s.Unusable, s.Unreadable, s.Entry = l, "", nil, ""
			if s.IsFolder {
				s.Entry = s.LikelyEntry(l)
			}
		}
	}
	switch {
	case s.Unusable != "":
		return nil, bad("%s; name a language", s.Unusable)
	case s.Unreadable != nil:
		return nil, bad("%v", s.Unreadable)
	}
	// Unless files come from the package, too.
	if _, err := fs.Stat(p.FS, "include"); err != nil && s.Language != nil && len(sources) > 1 {
		files := make(map[string][]byte, len(sources))
		for file, data := range sources {
			files[file] = []byte(data)
		}
		if _, _, err := s.Language.Arrange(files, s.Entry); err != nil {
			return nil, bad("%v", err)
		}
	}
	return s, nil
}

// ownOf returns a submission of the package. It is a copy, because judgements of the same
// submission are distinguished by their pointers. The error is a [*blob.Problem].
func ownOf(p *problem.Problem, name string) (*problem.Submission, error) {
	s := p.SubmissionNamed(name)
	if s == nil {
		hint := terminal.DidYouMean(name, terminal.Texts(p.Submissions, func(s *problem.Submission) string { return s.Name }))
		if len(p.Submissions) == 0 {
			hint = "; those of packages that clients send are not kept: expected sources"
		}
		return nil, blob.NewProblem(http.StatusUnprocessableEntity, "submission %.200s: problem %s has none of that name%s",
			terminal.QuoteName(name), p.ID, hint)
	}
	return new(*s), nil
}

// casesOf returns the cases that a request names.
func casesOf(p *problem.Problem, r *api.Request) ([]*problem.Case, error) {
	if r.Case != "" {
		if i := slices.IndexFunc(p.Cases, func(c *problem.Case) bool { return c.Name == r.Case }); i >= 0 && r.Cases == "" {
			return p.Cases[i : i+1], nil
		}
		return nil, blob.NewProblem(http.StatusUnprocessableEntity,
			"case %.200s: expected the name of a case of problem %s, and no cases", terminal.QuoteName(r.Case), p.ID)
	}
	which := r.Cases
	switch which {
	case "", api.AllCases:
		return p.Cases, nil
	case api.SampleCases:
		if samples := p.Samples(); len(samples) > 0 {
			return samples, nil
		}
		return nil, blob.NewProblem(http.StatusUnprocessableEntity, "problem %s has no samples", p.ID)
	}
	return nil, blob.NewProblem(http.StatusUnprocessableEntity, "cases %.40q: expected %s or %s", which, api.AllCases,
		api.SampleCases)
}

// languageOf returns the code of the language of a submission; "" if it needs none.
func languageOf(s *problem.Submission) string {
	if s.Language == nil {
		return ""
	}
	return s.Language.Code
}
