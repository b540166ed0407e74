package problem

import (
	"slices"
)

// A Format is one version of the problem package format. It contains all
// differences between versions, so that the rest of the judge does not compare
// version names. The families of versions are:
//
//   - 2025-09 and its predecessors 2023-07 and drafts, which are read less
//     strictly because they changed while packages were written;
//   - legacy and its subset legacy-icpc, which most public archives use.
//
// Texts: Kattis/problem-package-format, spec/2025-09.md, spec/2023-07-draft.md,
// spec/legacy.md, spec/legacy-icpc.md.
type Format struct {
	Version string   // value of problem_format_version
	Legacy  bool     // problem.yaml has the legacy keys, and data/ is a tree of groups
	Strict  bool     // an unknown key is an error, not a warning
	needed  []string // required keys of problem.yaml
	types   []Type   // types that a problem of this version may have

	// Folders and files: the current name first, then the names that drafts used.
	Statement       []string // folders of statements
	StatementTypes  []string // file extensions of statements, without the dot
	UnnamedLanguage bool     // problem.tex means problem.en.tex
	inputValidators []string
	outputValidator []string // the folder is one program, or contains one
	severalOutput   bool     // every program in the folder is an output validator
	grader          string   // folder of the program that combines results; "" if the version has none
	GroupFile       []string // names of the file that configures a group
	groupsInherit   bool     // groups inherit settings from their parent
	dataFolders     []string // folders of data/ besides sample and secret
	CaseExtensions  []string // extensions of the files of a case, longer ones first
	submissionsFile bool     // the version has submissions/submissions.yaml
	constants       bool     // {{name}} stands for a constant of problem.yaml
	Include         []string // folders of include/ that apply to all languages
	writing         bool     // default of allow_file_writing

	timing       TimeRule
	expectations map[string]Expectation // by folder of submissions/
}

// Formats is the table of versions. The judge writes the first one.
var Formats = []Format{
	current("2025-09", true),
	current("2023-07", false),
	current("2023-07-draft", false),
	current("draft", false),
	legacyFormat("legacy"),
	legacyFormat("legacy-icpc"),
}

var (
	problemTypes      = []Type{PassFail, Scoring, MultiPass, Interactive, SubmitAnswer}
	oldValidationData = []string{"invalid_inputs", "invalid_answers", "invalid_outputs", "valid_outputs"}
	// invalid_answer and answer validators are extensions of BAPCtools.
	validationData   = []string{"invalid_input", "invalid_answer", "invalid_output", "valid_output"}
	answerValidators = []string{"answer_validators", "answer_validator"}

	caseExtensions = []string{
		".in.statement", ".ans.statement", ".in.download", ".ans.download", ".interaction", ".files", ".yaml",
		".in", ".ans", ".out", ".png", ".jpg", ".jpeg", ".svg",
	}
	oldCaseExtensions = []string{".args", ".hint", ".desc"}
)

// current returns a version of the 2025-09 family. Versions that are not strict
// are drafts.
func current(version string, strict bool) Format {
	f := Format{
		Version: version, Strict: strict,
		needed: []string{"problem_format_version", "name", "uuid"},
		types:  problemTypes,

		Statement:       []string{"statement"},
		StatementTypes:  []string{"md", "tex", "pdf"},
		inputValidators: []string{"input_validators"},
		outputValidator: []string{"output_validator"},
		GroupFile:       []string{"test_group.yaml"},
		dataFolders:     validationData,
		CaseExtensions:  caseExtensions,
		submissionsFile: true,
		constants:       true,
		Include:         []string{"default"},
		timing:          TimeRule{Resolution: 1, ACToLimit: 2, LimitToTLE: 1.5},
		expectations:    DefaultExpectations,
	}
	if !strict {
		f.needed = []string{"problem_format_version"}
		f.Statement = append(f.Statement, "problem_statement")
		f.UnnamedLanguage = true
		f.inputValidators = append(f.inputValidators, "input_format_validators", "input_validator")
		f.outputValidator = append(f.outputValidator, "output_validators")
		f.GroupFile = append(f.GroupFile, "testdata.yaml")
		f.groupsInherit = true
		f.dataFolders = slices.Concat(validationData, oldValidationData)
		f.CaseExtensions = slices.Concat(oldCaseExtensions, caseExtensions)
	}
	return f
}

func legacyFormat(version string) Format {
	return Format{
		Version: version, Legacy: true,
		types: []Type{PassFail, Scoring},

		Statement:       []string{"problem_statement", "statement"},
		StatementTypes:  []string{"tex", "pdf", "md"},
		UnnamedLanguage: true,
		inputValidators: []string{"input_validators", "input_format_validators", "input_validator"},
		outputValidator: []string{"output_validators", "output_validator"},
		severalOutput:   true,
		grader:          "graders",
		GroupFile:       []string{"testdata.yaml"},
		groupsInherit:   true,
		dataFolders:     slices.Concat(validationData, oldValidationData),
		CaseExtensions:  slices.Concat(oldCaseExtensions, caseExtensions),
		writing:         true,
		// Only accepted submissions are lower bounds for the limit.
		timing: TimeRule{Resolution: 1, ACToLimit: 5, LimitToTLE: 2},
		expectations: map[string]Expectation{
			"accepted":           {Permitted: []Verdict{Accepted}},
			"partially_accepted": {Partial: true},
			"wrong_answer": {Permitted: []Verdict{Accepted, WrongAnswer}, Required: []Verdict{WrongAnswer},
				Timing: TimingNone},
			"time_limit_exceeded": {Permitted: []Verdict{Accepted, TimeLimit, WrongAnswer}, Required: []Verdict{TimeLimit}},
			"run_time_error":      {Required: []Verdict{RuntimeError}},
		},
	}
}

// ofLegacyData returns the draft with the cases, groups and grading of legacy, as
// problemtools reads drafts.
func (f *Format) ofLegacyData() *Format {
	old := legacyFormat(f.Version)
	mixed := *f
	mixed.Legacy = true
	mixed.GroupFile, mixed.dataFolders, mixed.CaseExtensions = old.GroupFile, old.dataFolders, old.CaseExtensions
	mixed.expectations = old.expectations
	return &mixed
}

// FormatOf returns the version of that name, or nil.
func FormatOf(version string) *Format {
	i := slices.IndexFunc(Formats, func(f Format) bool { return f.Version == version })
	if i < 0 {
		return nil
	}
	return &Formats[i]
}

// Versions lists the versions of the problem package format that this judge
// reads, the newest first.
func Versions() []string {
	var all []string
	for i := range Formats {
		all = append(all, Formats[i].Version)
	}
	return all
}
