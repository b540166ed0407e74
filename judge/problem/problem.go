package problem

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"crucible/judge/internal/yaml"
	"crucible/judge/language"
)

// A Problem is one package of the ICPC/Kattis problem package format.
type Problem struct {
	ID       string            // base name of its folder or zip: lowercase letters and digits
	Path     string            // where it was opened, for people; "" if not known
	Version  string            // problem_format_version: one of [Versions]
	Names    map[string]string // name by language code
	UUID     string
	Types    []string // pass-fail, scoring, multi-pass, interactive, submit-answer
	License  string
	Limits   Limits // of a submission on one case; Limits.Time 0 means it is to be inferred
	Timing   TimeRule
	Code     int64 // bytes, all files of a submission together
	Building Guarantee
	Checking Guarantee
	Passes   int // at most so many runs on one case; 1 unless the type is multi-pass

	Languages        []string // codes allowed; nil means all
	AllowFileWriting bool
	Constants        map[string]string // by name, "name" and "name.variant"

	Data          *Group  // data/: the tree of groups that Cases are in
	Cases         []*Case // sample, then secret, each in the format's order
	InvalidInput  []*Case // an input validator must reject .in
	InvalidAnswer []*Case // an answer validator must reject .ans
	InvalidOutput []*Case // the output validator must reject .out
	ValidOutput   []*Case // the output validator must accept .out

	Submissions      []*Submission
	InputValidators  []*Program
	AnswerValidators []*Program
	OutputValidators []*Program // all must accept; nil means the default validator
	StaticValidator  *Program   // nil if there is none
	Grader           *Program   // of legacy packages; nil means the default grader

	Minimize bool // legacy: the lowest score is the best

	Warnings []error // departures from the format that do not keep it from being judged
	Doubts   []error // what the format allows and is likely a mistake

	FS     fs.FS
	Format *Format

	// What readers hand on to each other.
	madeForDOMjudge string     // what says so, or ""
	DomjudgeScores  bool       // scores follow DOMjudge's arithmetic
	limitFrom       string     // the file that the time limit is from, if it is not problem.yaml
	validation      *yaml.Node // legacy: the key validation, or nil
	custom          bool       // legacy: validation is custom
	scoreWanted     bool       // legacy: and has the word score
	validatorFlags  []string   // legacy: before those of the case
	grading         legacyGrading
	gradingAt       *yaml.Node
}

// A legacyGrading is what problem.yaml said of scores before testdata.yaml did.
type legacyGrading struct {
	accept, reject *float64
	limits         *[2]float64
	onReject       string
}

// Spec returns the version of the format that the problem is of.
func (p *Problem) Spec() *Format {
	if p.Format == nil {
		return &Formats[0]
	}
	return p.Format
}

// Is reports whether the problem is of a type: "interactive", "scoring".
func (p *Problem) Is(kind string) bool { return slices.Contains(p.Types, kind) }

// A TimeRule relates the time limit to the times of the package's own
// submissions (2025-09, "Problem timing").
type TimeRule struct {
	Resolution float64 // seconds; the limit is a multiple of it
	ACToLimit  float64 // the limit is at least this many times the slowest that must pass
	LimitToTLE float64 // the fastest that must not pass takes at least this many limits
}

// A Guarantee is what a judge provides for compiling or for validating
// (2025-09, "Resource guarantees").
type Guarantee struct {
	Time   time.Duration // CPU
	Memory int64         // bytes
	Output int64         // bytes; for validation only
}

// A Case is one test case: an input, its answer, and how it is run and checked.
type Case struct {
	Name                 string  // below data/, without extension: "secret/01"
	Group                *Group  // that it is in; nil for those of invalid_input and the like
	Static               *Static // not nil: nothing is run, the static validator looks at the submission
	FullFeedback         bool
	Args                 []string
	OutputValidatorArgs  []string
	InputValidatorArgs   []string            // for every input validator
	InputValidatorArgsBy map[string][]string // by input validator; overrides the former when not nil
	Hint, Description    string

	FS    fs.FS
	Files []string // names below .files, copied to the working folder
}

// Sample reports whether the case is shown to contestants.
func (c *Case) Sample() bool { return strings.HasPrefix(c.Name, "sample/") }

// Open opens the case's file with that extension: ".in", ".ans", ".out".
func (c *Case) Open(ext string) (fs.File, error) {
	return c.FS.Open(c.Path(ext))
}

// Has reports whether the case has a file with that extension.
func (c *Case) Has(ext string) bool {
	_, err := fs.Stat(c.FS, c.Path(ext))
	return err == nil
}

func (c *Case) Path(ext string) string { return "data/" + c.Name + ext }

// A Program is source that travels with a package: one file or one folder.
type Program struct {
	Name  string   // file name, or folder name
	Path  string   // in the package: "input_validators/format"
	Files []string // below Path if it is a folder; else its one file name

	IsFolder  bool
	Checks    string // ".in" of an input validator, ".ans" of an answer validator: those may be grammars
	FS        fs.FS
	Constants constants // to be put into its files
}

// A Submission is a program that answers the problem.
type Submission struct {
	Program  // Path is "submissions/accepted/dlx.go"; Name is below submissions/: "accepted/dlx.go"
	Problem  *Problem
	Language *language.Language // nil when Unusable says why there is none
	Unusable string             // why its language is not known, for people; "" otherwise
	Entry    string             // entry point named by submissions.yaml; "" means the language's default
	Authors  []string
	Model    bool // suggested for publication
	Expected []Expectation

	Unreadable error // why it cannot be judged, by the package's own fault; nil otherwise
}

// SubmissionNamed returns the submission of that name, or nil.
func (p *Problem) SubmissionNamed(name string) *Submission {
	i := slices.IndexFunc(p.Submissions, func(s *Submission) bool { return s.Name == name })
	if i < 0 {
		return nil
	}
	return p.Submissions[i]
}

// Samples returns the cases shown to contestants.
func (p *Problem) Samples() []*Case {
	var samples []*Case
	for _, c := range p.Cases {
		if c.Sample() {
			samples = append(samples, c)
		}
	}
	return samples
}

// Where names a file of the package as the user would find it.
func (p *Problem) Where(name string) string { return Where(p.FS, name) }

// A locator is a file system that knows where its files really lie.
type locator interface{ Where(name string) string }

func Where(fsys fs.FS, name string) string {
	if l, ok := fsys.(locator); ok {
		return l.Where(name)
	}
	return name
}

// A Defect is one departure of a package from the format, and where it is.
type Defect struct {
	File         string
	Line, Column int // 1-based; 0 when the whole file is meant
	Msg          string

	Harmless bool // neither judging nor any promise of the package depends on it
}

func (d *Defect) Error() string {
	switch {
	case d.Line == 0:
		return d.File + ": " + d.Msg
	case d.Column == 0:
		return fmt.Sprintf("%s:%d: %s", d.File, d.Line, d.Msg)
	}
	return fmt.Sprintf("%s:%d:%d: %s", d.File, d.Line, d.Column, d.Msg)
}

// Legacy reports whether groups are taken together by graders.
func (p *Problem) Legacy() bool { return p.Format != nil && p.Format.Legacy }
