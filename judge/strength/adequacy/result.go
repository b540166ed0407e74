package adequacy

import (
	"time"

	"crucible/judge/prepare/verify"
	"crucible/judge/problem"
	"crucible/judge/strength/mutate"
)

// A Result is how strong the test data of a problem is. Cases are in the order of the
// problem, and lists of verdicts have an entry for each case: "" if the program was not
// run on it.
type Result struct {
	Seed        uint64      `json:"seed"`
	Cases       []CaseWorth `json:"cases"`
	Submissions []Tried     `json:"submissions"` // those that ran and are not expected to be accepted
	Smallest    Sufficient  `json:"smallest"`    // for the submissions
	// For the submissions, or for the mutants if no submission is rejected.
	Order    Soonest   `json:"order"`
	Mutation *Mutation `json:"mutation,omitempty"` // nil if no mutants were requested
	Improved *Improved `json:"improved,omitempty"` // what was added; nil if that was not requested
	// Probe is what tests of the validators and answers found; nil if that was not requested.
	Probe *verify.Findings `json:"probe,omitempty"`
	Notes []string         `json:"notes"` // doubts about the package, and why programs were left out
	// Why mutants are missing: "interrupted", "the budget is spent"; "" if none are.
	Cut string `json:"cut_short,omitempty"`
}

// A CaseWorth is what a case contributes.
type CaseWorth struct {
	Name    string        `json:"name"`
	CPU     time.Duration `json:"cpu_ns"`  // median of the accepted submissions; 0 if it is not known
	Rejects int           `json:"rejects"` // submissions
	Alone   []string      `json:"alone"`   // submissions that no other case rejects
	// Another case that rejects all these submissions; "" if there is none, or if it rejects
	// none.
	Within    string `json:"within,omitempty"`
	Kills     int    `json:"kills"`       // mutants
	KillsOnly int    `json:"kills_alone"` // mutants that no other case kills
	// Another case that rejects all these submissions and mutants; "" as above.
	WithinAll string `json:"within_all,omitempty"`
	Kept      bool   `json:"in_smallest"`     // in the smallest set for the submissions
	KeptAll   bool   `json:"in_smallest_all"` // in the smallest set for submissions and mutants
	Added     bool   `json:"added,omitempty"` // by the improvement
}

// A Tried is a wrong submission.
type Tried struct {
	Name       string            `json:"name"`
	Language   string            `json:"language"`
	Unexpected bool              `json:"unexpected"` // its expectations are not met, such as a verdict that is required
	Compiled   bool              `json:"compiled"`
	RejectedBy int               `json:"rejected_by"` // cases; 0: it survives
	Verdicts   []problem.Verdict `json:"verdicts"`
}

// A Sufficient is a set of cases that rejects all that all cases reject.
type Sufficient struct {
	Cases   []string      `json:"cases"`
	AtLeast int           `json:"at_least"` // no such set has fewer cases
	Proved  bool          `json:"proved"`   // no smaller set exists
	CPU     time.Duration `json:"cpu_ns"`   // of an accepted submission on these cases
	CPUAll  time.Duration `json:"cpu_all_ns"`
}

// A Soonest is an order of all cases that rejects wrong programs after little time.
type Soonest struct {
	Cases    []string      `json:"cases"`
	Rejected int           `json:"rejected"`     // programs
	Mean     time.Duration `json:"mean_cpu_ns"`  // CPU time until a wrong program is rejected
	MeanNow  time.Duration `json:"mean_now_ns"`  // the same in the order of the package
	Mutants  bool          `json:"from_mutants"` // the programs are mutants
}

// A Mutation is what the mutants of the accepted submissions show.
type Mutation struct {
	Sources    []string   `json:"sources"`  // submissions with mutants
	Possible   int        `json:"possible"` // mutants of these
	Mutants    []Mutant   `json:"mutants"`  // the sample, in the order of the sources
	Scores     Scores     `json:"scores"`
	Subsuming  int        `json:"subsuming"`  // killed mutants such that data that kills them kills all
	Duplicates int        `json:"duplicates"` // killed mutants that the same cases kill as an earlier one
	Smallest   Sufficient `json:"smallest"`   // for submissions and mutants
}

// A Mutant is one mutant and what became of it.
type Mutant struct {
	ID       string          `json:"id"` // see [mutate.Mutant]
	Of       string          `json:"of"` // the submission
	Language string          `json:"language"`
	Operator string          `json:"operator"`
	File     string          `json:"file"`
	Line     int             `json:"line"`
	Column   int             `json:"column"`
	Diff     string          `json:"diff"`
	Fate     Fate            `json:"fate"`
	By       string          `json:"by,omitempty"`      // the first case that killed it
	Verdict  problem.Verdict `json:"verdict,omitempty"` // on that case
	// The reason of that verdict, or of CompileFailed and JudgeFailed.
	Why        string            `json:"why,omitempty"`
	Like       string            `json:"like,omitempty"`    // with SameCode: the submission, or the ID of the mutant
	Verdicts   []problem.Verdict `json:"verdicts"`          // nil if it did not run
	Weak       []string          `json:"weak,omitempty"`    // cases whose TLE is below twice the limit
	Partial    bool              `json:"partial,omitempty"` // it was not run on all cases after it was killed
	Hard       bool              `json:"subsuming,omitempty"`
	Equivalent bool              `json:"likely_equivalent,omitempty"` // a search found no input on which it differs
	Weight     float64           `json:"weight"`                      // mutants of its operator for which it stands
	// Of a survivor: cases that kill mutants near it, nearest first.
	Nearest []string `json:"nearest,omitempty"`

	mutant *mutate.Mutant
	source *problem.Submission
	code   string // hash of its compiled code; "" if that is not known
}

// A Fate is what became of a mutant.
type Fate string

// The fates. Only Killed and Survived count in the score.
const (
	Killed        Fate = "killed"
	Survived      Fate = "survived"
	OnlyWeak      Fate = "slow" // some cases have TLE below twice the limit, and none kills it
	CompileFailed Fate = "compile error"
	SameCode      Fate = "same code" // as the original or as an earlier mutant
	JudgeFailed   Fate = "judge error"
	NotRun        Fate = "not run"
)

// Fates are all fates, in the order of reports.
var Fates = []Fate{Killed, Survived, OnlyWeak, CompileFailed, SameCode, JudgeFailed, NotRun}

// Count returns the number of mutants with a fate.
func (m *Mutation) Count(f Fate) (n int) {
	for i := range m.Mutants {
		if m.Mutants[i].Fate == f {
			n++
		}
	}
	return n
}

// An Improved is what a search for inputs that kill survivors has added.
type Improved struct {
	Before Scores        `json:"before"`
	After  Scores        `json:"after"`
	Took   time.Duration `json:"took_ns"` // the search, wall-clock time
	Inputs int           `json:"inputs"`  // that were tried
	Added  []Added       `json:"added"`
}

// An Added is a case that was added to the package.
type Added struct {
	Case  string   `json:"case"`
	Kills []string `json:"kills"` // names of mutants that survived before
	Bytes int      `json:"bytes"` // of the input
}
