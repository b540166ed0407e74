package result

import (
	"fmt"
	"slices"

	"crucible/judge/problem"
)

// A progress decides which cases can still change the result. It uses only the
// results in case order, so the choice does not depend on how many programs run
// at once. A group is closed when its result cannot change. A result that is not
// accepted closes a group that is pass-fail or takes the minimum; in legacy
// packages, it closes a group with on_reject: break. A group whose require_pass is
// not met is not run at all. A decision is never reversed.
type progress struct {
	*tree
	state map[*node]*nodeState
}

// A nodeState is the known state of a group while its cases run.
type nodeState struct {
	left     int    // cases and groups in it whose results are missing
	first    part   // the first part that is not accepted
	rejected bool   // first is set
	accepted bool   // some result is accepted
	zero     bool   // some result has the score 0
	nonzero  bool   // some result has a score above 0
	doubtful bool   // some result is not known: the judge failed, or the package's own grader decides
	closed   bool   // the result of the group cannot change
	barred   string // why the group is not run; "" if it is run or this is not known yet
}

// progress returns the state before any case has run.
func (t *tree) progress() *progress {
	c := &progress{tree: t, state: make(map[*node]*nodeState, len(t.at))}
	for _, n := range t.at {
		c.state[n] = &nodeState{left: len(n.items)}
	}
	return c
}

// needs reports whether the case can still change the result.
func (c *progress) needs(k *problem.Case) bool {
	for n := c.of(k); n != nil; n = n.parent {
		if c.state[n].closed || c.unmet(n) != "" {
			return false
		}
	}
	return true
}

// bar returns why a case is not run, regardless of the expectations: a
// requirement of its group is not met. It returns "" if there is no such reason.
func (c *progress) bar(k *problem.Case) string {
	for n := c.of(k); n != nil; n = n.parent {
		if why := c.unmet(n); why != "" {
			return why
		}
	}
	return ""
}

// unmet returns why a group is not run; "" if no reason is known.
func (c *progress) unmet(n *node) string {
	if s := c.state[n]; s.barred != "" || len(n.RequirePass) == 0 {
		return s.barred
	}
	for _, name := range n.RequirePass {
		other, ok := c.state[c.named(name)]
		switch {
		case !ok:
		case other.barred != "":
			return "requires " + name + ", which is not run"
		case other.rejected:
			return fmt.Sprintf("requires %s, which is %s", name, other.first.verdict)
		}
	}
	return ""
}

// add counts the run of the next case, even if needs is false for it.
func (c *progress) add(k *problem.Case, run *Run) {
	n := c.of(k)
	if n == nil || !c.reach(k) {
		return
	}
	one := part{verdict: run.Verdict, failed: run.Failed}
	if !run.Failed && !c.p.Legacy() {
		if score, err := n.earned(k, run); err != nil {
			one.failed = true
		} else if score != nil {
			one.score = *score
		}
	}
	c.take(n, one)
}

// earned returns the score of a case by the rules of its group; nil if it has
// none.
func (c *progress) earned(k *problem.Case, run *Run) (*float64, error) {
	n := c.of(k)
	switch {
	case n == nil:
		return nil, nil
	case !c.p.Legacy():
		return n.earned(k, run)
	case !c.p.Is(problem.Scoring) || c.p.DomjudgeScores && run.Score == nil:
		return nil, nil
	}
	score := given(n.Group, run)
	return &score, nil
}

// reach decides for each group that contains the case whether the group is run.
// This is known once all earlier cases are counted. It reports whether the result
// of the case counts.
func (c *progress) reach(k *problem.Case) bool {
	counts := true
	var path []*node
	for n := c.of(k); n != nil; n = n.parent {
		path = append(path, n)
	}
	for _, n := range slices.Backward(path) {
		s := c.state[n]
		if why := c.unmet(n); why != "" && !s.closed {
			s.barred = why
			c.close(n, part{blocked: true})
		}
		counts = counts && !s.closed
	}
	return counts
}

// take adds a result to a group.
func (c *progress) take(n *node, one part) {
	s := c.state[n]
	if s.closed {
		return
	}
	s.left--
	s.accepted = s.accepted || one.accepted()
	s.zero = s.zero || one.score == 0
	s.nonzero = s.nonzero || one.score > 0
	s.doubtful = s.doubtful || one.failed || one.verdict == problem.Undecided && !one.blocked
	if one.rejected() && !one.failed && !s.rejected {
		s.rejected, s.first = true, one
	}
	if c.settles(n, one) || s.left == 0 {
		c.close(n, c.partOf(n))
	}
}

// settles reports whether the result that was just added decides the group.
func (c *progress) settles(n *node, one part) bool {
	switch {
	case !one.rejected() || one.failed:
		return false
	case c.p.Legacy():
		return n.OnReject != "continue"
	case n.parent == nil:
		return false
	case n.sample(), n.Aggregation == problem.AllOrNothing:
		return true
	}
	return n.Aggregation == problem.Min && one.score == 0
}

// close closes a group whose result is known, and passes the result to the group
// above.
func (c *progress) close(n *node, one part) {
	c.state[n].closed = true
	if n.parent == nil {
		return
	}
	if above := c.state[n.parent]; n.Uncounted || n.sample() && c.ignoresSample() {
		if above.left--; above.left == 0 && !above.closed {
			c.close(n.parent, c.partOf(n.parent))
		}
		return
	}
	c.take(n.parent, one)
}

func (c *progress) ignoresSample() bool {
	how, _ := problem.GradingOf(c.root.GraderFlags)
	return c.p.Legacy() && !c.root.Custom && how.IgnoreSample
}

// partOf returns the contribution of a complete group to the group above. The
// score is 0 or 1: only whether it is above 0 matters.
func (c *progress) partOf(n *node) part {
	s := c.state[n]
	one := part{verdict: problem.Accepted, failed: s.doubtful}
	if s.rejected {
		one.verdict, one.blocked = s.first.verdict, s.first.blocked
	}
	if c.p.Legacy() {
		switch how, _ := problem.GradingOf(n.GraderFlags); {
		case n.Custom:
			one.failed = true // only the grader knows the result
		case how.Verdict == "always_accept", how.AnyAccepted && s.accepted:
			one.verdict = problem.Accepted
		}
		return one
	}
	scored := s.nonzero
	switch n.Aggregation {
	case problem.AllOrNothing:
		scored = !s.rejected
	case problem.Min:
		scored = !s.zero
	}
	if scored {
		one.score = 1
	}
	return one
}
