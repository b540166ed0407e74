package export

import (
	"fmt"
	"path"
	"strings"

	"crucible/judge/prepare/archive"
	"crucible/judge/problem"
)

// polygonTypes are the types of sources that Polygon has, by the codes of languages.
var polygonTypes = map[string]string{
	"c": "c.gcc", "cpp": cppType, "csharp": "csharp.mono", "d": "d", "go": "go", "java": "java11", "kotlin": "kotlin",
	"pascal": "pas.fpc", "php": "php.5", "python2": "python.2", "python3": "python.3", "ruby": "ruby", "rust": "rust",
}

// polygonTags are the tags of solutions, by folders of submissions/.
var polygonTags = map[string]string{
	"accepted": "accepted", "rejected": "rejected", "wrong_answer": "wrong-answer",
	"time_limit_exceeded":             "time-limit-exceeded",
	"time_limit_exceeded_or_accepted": "time-limit-exceeded-or-accepted",
	"brute_force":                     "time-limit-exceeded-or-memory-limit-exceeded",
	"run_time_error":                  "rejected",
}

// solutions adds the submissions. The one that makes answers, or else the first accepted
// one, is the main solution.
func (p *polygon) solutions() error {
	main := p.mainSolution()
	for _, s := range p.p.Submissions {
		folder, _ := below(s.Name)
		name := path.Base(s.Name)
		kind, tag := "", polygonTags[folder]
		if s.Language != nil {
			kind = polygonTypes[s.Language.Code]
		}
		switch {
		case s.IsFolder || len(s.Files) != 1:
			p.lose(s.Path, "the submission has several files: the format has single files")
			continue
		case kind == "":
			p.lose(s.Path, "the submission: Polygon does not have its language")
			continue
		case tag == "":
			p.lose(s.Path, "the submission: the format has no tag for the expectation of %s", folder)
			continue
		case folder == "run_time_error":
			p.lose(s.Path, "the verdict RTE is expected: the tag is rejected, which allows others")
		}
		if _, twice := p.files["solutions/"+name]; twice {
			name = folder + "_" + name
			p.lose(s.Path, "the name, which another solution has: it is %s", name)
		}
		if s == main {
			tag = "main"
		}
		files, err := s.Read()
		if err != nil {
			return err
		}
		p.files["solutions/"+name] = archive.File{Data: files[s.Files[0]]}
		p.files["solutions/"+name+".desc"] = archive.File{Data: fmt.Appendf(nil, "File name: %s\nTag: %s\n", name,
			strings.ToUpper(strings.ReplaceAll(tag, "-", "_")))}
		p.xml.Assets.Solutions = append(p.xml.Assets.Solutions, polygonSolution{tag,
			polygonSource{"solutions/" + name, kind}})
	}
	if main == nil {
		p.lose("submissions", "no accepted submission that Polygon can run is the main solution")
	}
	if !problem.Absent(p.p.FS, "submissions/submissions.yaml") {
		p.lose("submissions/submissions.yaml", "the rules of submissions: the format has tags of solutions only")
	}
	return nil
}

// mainSolution returns the accepted submission that makes answers, or else the first one;
// nil if Polygon can run none.
func (p *polygon) mainSolution() *problem.Submission {
	var first *problem.Submission
	for _, s := range p.p.Submissions {
		if folder, _ := below(s.Name); folder != "accepted" || s.IsFolder || s.Language == nil ||
			polygonTypes[s.Language.Code] == "" {
			continue
		}
		if s.Path == p.solution {
			return s
		}
		if first == nil {
			first = s
		}
	}
	return first
}
