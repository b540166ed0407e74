package judge

import "math"

// A tree is a problem's groups as they are scored: each with its cases and
// groups in the order that they are judged in, which is that of Problem.Cases.
// A group without cases is not in it.
type tree struct {
	p    *Problem
	root *node // data/; nil if the problem has no cases
	at   map[*Group]*node
}

type node struct {
	*Group
	parent *node // nil for data/
	items  []item
	cases  int // that programs are run on, directly in it: not the static one
}

// An item is a case or a group.
type item struct {
	c *Case // nil for a group
	n *node
}

// scored returns the tree of a problem whose result is more than the first case
// that is not accepted, or nil. Those are scoring problems, and legacy ones
// where graders say more than the default one does when left alone.
func (p *Problem) scored() *tree {
	if p.Data == nil || !p.Is("scoring") && !(p.legacy() && p.Data.graded()) {
		return nil
	}
	t := &tree{p: p, at: make(map[*Group]*node)}
	t.add(p.Data, nil)
	for _, c := range p.Cases {
		n := t.at[c.Group]
		if n == nil {
			continue
		}
		if t.root = t.at[p.Data]; c.Static == nil {
			n.cases++
		}
		n.items = append(n.items, item{c: c})
		// The groups above come where their first case comes.
		for first := len(n.items) == 1; first && n.parent != nil; n = n.parent {
			first = len(n.parent.items) == 0
			n.parent.items = append(n.parent.items, item{n: n})
		}
	}
	return t
}

func (t *tree) add(g *Group, parent *node) {
	n := &node{Group: g, parent: parent}
	t.at[g] = n
	for _, sub := range g.Groups {
		t.add(sub, n)
	}
}

// named returns the group of that name, or nil.
func (t *tree) named(name string) *node { return t.at[t.p.Data.At(name)] }

// legacy reports whether groups are taken together by graders.
func (p *Problem) legacy() bool { return p.format != nil && p.format.legacy }

// graded reports whether some group is taken together in another way than by
// its first case that is not accepted.
func (g *Group) graded() bool {
	if g.Custom || len(g.GraderFlags) > 0 || g.OnReject == "continue" {
		return true
	}
	for _, sub := range g.Groups {
		if sub.graded() {
			return true
		}
	}
	return false
}

// of returns the node that a case is in.
func (t *tree) of(c *Case) *node { return t.at[c.Group] }

// sample reports whether the group is that of the samples, which have no scores.
func (n *node) sample() bool { return n.Name == "sample" }

// MaxScore is the most that a submission can score; false if there is no such
// score: it is unbounded, the least is the best, or the problem has no scores.
func (p *Problem) MaxScore() (most float64, ok bool) {
	if p.Data == nil || !p.Is("scoring") || p.Minimize {
		return 0, false
	}
	most = p.Data.Range[1]
	if !p.legacy() {
		secret := p.Data.At("secret")
		if secret == nil {
			return 0, false
		}
		most = secret.MaxScore
	}
	return most, !math.IsInf(most, 0)
}
