package judge

import (
	"math"
	"strings"
)

// A Group is a folder of cases whose results are taken together (2025-09,
// "Test data groups"; legacy, "Test Data Groups"). The groups of a problem are
// a tree: data/ holds sample and secret, secret may hold groups, and in legacy
// packages those may hold more.
type Group struct {
	Name   string // below data/: "secret/1-small"; "" is data/ itself
	Cases  []*Case
	Groups []*Group

	// Scoring problems of 2025-09.
	MaxScore    float64     // +Inf is unbounded
	Aggregation Aggregation // of the scores of its cases, or its groups
	RequirePass []string    // groups, or sample, that must be accepted before this one is run

	// Static is the group's static validation case, which is first of Cases, or nil.
	Static *Case

	// Legacy packages.
	OnReject    string     // "break": what follows a case that is not accepted is not run; "continue"
	Custom      bool       // the package's grader takes results together, not the default one
	GraderFlags []string   // for either grader
	AcceptScore float64    // of a case that is accepted, where the validator says nothing
	RejectScore float64    // of one that is not
	Range       [2]float64 // of possible scores

	where string // the file that configures it, or its folder
}

// An Aggregation says how the score of a group comes from those in it
// (2025-09, "Scoring test data groups").
type Aggregation string

const (
	AllOrNothing Aggregation = "pass-fail"
	Sum          Aggregation = "sum"
	Min          Aggregation = "min"
)

// Bounded reports whether the group has a highest score.
func (g *Group) Bounded() bool { return !math.IsInf(g.MaxScore, 1) }

// At returns the group of that name in the tree, or nil.
func (g *Group) At(name string) *Group {
	if g == nil || g.Name == name {
		return g
	}
	for _, sub := range g.Groups {
		if sub.Name == name || strings.HasPrefix(name, sub.Name+"/") {
			return sub.At(name)
		}
	}
	return nil
}

// A Static says how the static validator looks at a submission for one group
// (2025-09, "Static validation test cases").
type Static struct {
	MaxScore float64 // 0 if it passes or fails only
	PassFail bool
	Args     []string
}
