package problem

import (
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
	Path     string            // path at which it was opened, for messages; "" if not known
	Version  string            // problem_format_version: one of [Versions]
	Names    map[string]string // name by language code
	UUID     string            // uuid of problem.yaml; "" if it has none
	Types    []Type            // at least one
	License  string            // license of problem.yaml; "unknown" if it has none
	Credits  Credits           // of problem.yaml
	Limits   Limits            // of a submission on one case; if Limits.Time is 0, the judge infers it
	Timing   TimeRule          // margins between the time limit and the times of submissions
	Code     int64             // maximum size in bytes of all files of a submission together
	Building Guarantee         // resources for compiling
	Checking Guarantee         // resources for validators
	Passes   int               // maximum number of passes on one case; 1 unless the type is multi-pass

	Languages        []string          // codes allowed; nil means all
	Table            language.Table    // of the languages known; see [WithLanguages]
	AllowFileWriting bool              // submissions may write files
	Constants        map[string]string // by name, "name" and "name.variant"

	Data          *Group  // data/: the tree of groups that Cases are in
	Cases         []*Case // sample, then secret, each in the format's order
	InvalidInput  []*Case // an input validator must reject .in
	InvalidAnswer []*Case // an answer validator must reject .ans
	InvalidOutput []*Case // the output validator must reject .out
	ValidOutput   []*Case // the output validator must accept .out

	Submissions      []*Submission // of the package, in order of their names
	InputValidators  []*Program    // each must accept every input
	AnswerValidators []*Program    // each must accept every answer
	OutputValidators []*Program    // all must accept; nil means the default validator
	StaticValidator  *Program      // nil if there is none
	InputVisualizer  *Program      // makes pictures of cases; nil if there is none
	OutputVisualizer *Program      // makes pictures of outputs; nil if there is none
	Grader           *Program      // legacy packages only; nil means the default grader

	Minimize       bool // legacy: the lowest score is the best
	DomjudgeScores bool // legacy: scores are computed as in DOMjudge

	Warnings []error // departures from the format that do not prevent judging
	Losses   []error // those of Warnings that an import caused, so that verdicts can differ
	Doubts   []error // probable mistakes that the format allows

	FS     fs.FS   // files of the package
	Format *Format // version of the package; nil means the first of [Formats]

	reading
}

// A reading is what one step of reading a problem passes to another.
type reading struct {
	madeForDOMjudge string     // position that shows that the package is made for DOMjudge, or ""
	limitFrom       string     // file that sets the time limit; "" if it is problem.yaml or there is no limit
	validation      *yaml.Node // legacy: the key validation, or nil
	custom          bool       // legacy: validation is custom
	scoreWanted     bool       // legacy: validation contains the word score
	validatorFlags  []string   // legacy: arguments of the output validator before those of the case
	grading         Group      // legacy: settings of problem.yaml for the group data/
	gradingAt       *yaml.Node // legacy: the key grading, or nil
}

// Spec returns the version of the format of the problem, never nil.
func (p *Problem) Spec() *Format {
	if p.Format == nil {
		return &Formats[0]
	}
	return p.Format
}

// A Type is a way of judging. A problem can have several types (2025-09,
// "Problem types").
type Type string

const (
	PassFail     Type = "pass-fail"     // a submission is accepted or rejected, without a score
	Scoring      Type = "scoring"       // a submission gets a score
	MultiPass    Type = "multi-pass"    // a submission may run several times on one case
	Interactive  Type = "interactive"   // a submission communicates with the output validator
	SubmitAnswer Type = "submit-answer" // a submission consists of outputs, not of a program
)

// Is reports whether the problem has a type.
func (p *Problem) Is(t Type) bool { return slices.Contains(p.Types, t) }

// Answerless reports whether no output of a program is an answer. In an interactive or
// multi-pass problem the output validator decides while it knows the input, and answer
// files may be empty.
func (p *Problem) Answerless() bool { return p.Is(Interactive) || p.Is(MultiPass) }

// A TimeRule relates the time limit to the times of the package's own
// submissions (2025-09, "Problem timing").
type TimeRule struct {
	Resolution float64 `json:"resolution_s"` // seconds; the time limit is a multiple of it
	ACToLimit  float64 `json:"ac_to_limit"`  // minimum ratio of the time limit to the slowest submission that must pass
	// Minimum ratio of the fastest submission that must exceed the limit to the limit.
	LimitToTLE float64 `json:"limit_to_tle"`
}

// A Guarantee is what a judge provides for compiling or for validating
// (2025-09, "Resource guarantees").
type Guarantee struct {
	Time   time.Duration // CPU time
	Memory int64         // bytes
	Output int64         // bytes; for validation only
}

// A Case is one test case: an input, its answer, and how it is run and checked.
type Case struct {
	Name  string // below data/, without extension: "secret/01"
	Group *Group // group of the case
	// Not nil for a static validation case: the static validator runs, the submission does not.
	Static               *Static
	FullFeedback         bool                // contestants see the full feedback of this case
	Args                 []string            // of the submission
	OutputValidatorArgs  []string            // of the output validator
	InputValidatorArgs   []string            // for every input validator
	InputValidatorArgsBy map[string][]string // by name of the input validator; replaces InputValidatorArgs if not nil
	InputVisualizerArgs  []string            // of the input visualizer
	OutputVisualizerArgs []string            // of the output visualizer
	Hint, Description    string              // texts about the case

	FS    fs.FS    // files of the package
	Files []string // names below .files, copied to the working folder
}

// Sample reports whether the case is shown to contestants.
func (c *Case) Sample() bool { return strings.HasPrefix(c.Name, "sample/") }

// Open opens the file of the case with an extension such as ".in" or ".ans".
func (c *Case) Open(ext string) (fs.File, error) {
	return c.FS.Open(c.Path(ext))
}

// Has reports whether the case has a file with that extension.
func (c *Case) Has(ext string) bool {
	_, err := fs.Stat(c.FS, c.Path(ext))
	return err == nil
}

// Path returns the name in the package of the case's file with that extension.
func (c *Case) Path(ext string) string { return "data/" + c.Name + ext }

// A Program is the source of a program in a package: one file or one folder.
type Program struct {
	Name  string   // file name, or folder name
	Path  string   // in the package: "input_validators/format"
	Files []string // below Path if it is a folder; else its one file name

	IsFolder bool // Path is a folder
	// ".in" for an input validator and ".ans" for an answer validator, both of which may be
	// grammars; else "".
	Checks    string
	FS        fs.FS     // files of the package
	Constants constants // values that replace {{name}} in its files
}

// A Submission is a program that answers the problem.
type Submission struct {
	Program                     // Path is "submissions/accepted/dlx.go"; Name is below submissions/: "accepted/dlx.go"
	Problem  *Problem           // problem that it solves
	Language *language.Language // nil if Unusable is set
	Unusable string             // why the judge does not support its language; else ""
	Entry    string             // entry point named by submissions.yaml; "" means the language's default
	Authors  []string           // from submissions.yaml
	Model    bool               // a model solution, suggested for publication
	Expected []Expectation      // all must be met

	Unreadable error // defect of the package that prevents judging the submission; else nil
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
	return slices.DeleteFunc(slices.Clone(p.Cases), func(c *Case) bool { return !c.Sample() })
}

// Where returns the real path of a file of the package, for messages.
func (p *Problem) Where(name string) string { return Where(p.FS, name) }

// A locator is a file system that knows the real paths of its files.
type locator interface{ Where(name string) string }

// Where returns the real path of a name of fsys, for messages, or the name itself
// if fsys is not a [*Source] or similar.
func Where(fsys fs.FS, name string) string {
	if l, ok := fsys.(locator); ok {
		return l.Where(name)
	}
	return name
}

// Legacy reports whether the package has legacy groups, whose results graders
// combine.
func (p *Problem) Legacy() bool { return p.Format != nil && p.Format.Legacy }
