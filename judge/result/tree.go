package result

import "crucible/judge/problem"

// A tree contains the groups of a problem, for scoring. Each group has its cases and
// groups as items in judging order, the order of Problem.Cases. Groups without cases
// are no items.
type tree struct {
	p    *problem.Problem
	root *node // data/; nil if the problem has no cases
	at   map[*problem.Group]*node
}

type node struct {
	*problem.Group
	parent *node // nil for data/
	items  []item
	cases  int // number of cases directly in it, without the static one
}

// An item is a case or a group.
type item struct {
	c *problem.Case // nil for a group
	n *node
}

// treeOf returns the tree of a problem whose result depends on more than the
// first case that is not accepted, or nil. These are scoring problems, and legacy
// problems whose graders differ from the default one without flags.
func treeOf(p *problem.Problem) *tree {
	if p.Data == nil || !p.Is(problem.Scoring) && !(p.Legacy() && p.Data.Graded()) {
		return nil
	}
	t := &tree{p: p, at: make(map[*problem.Group]*node)}
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
		// A group takes its place in the groups above with its first case.
		for first := len(n.items) == 1; first && n.parent != nil; n = n.parent {
			first = len(n.parent.items) == 0
			n.parent.items = append(n.parent.items, item{n: n})
		}
	}
	return t
}

func (t *tree) add(g *problem.Group, parent *node) {
	n := &node{Group: g, parent: parent}
	t.at[g] = n
	for _, sub := range g.Groups {
		t.add(sub, n)
	}
}

// named returns the group of that name, or nil.
func (t *tree) named(name string) *node { return t.at[t.p.Data.At(name)] }

// of returns the node that a case is in.
func (t *tree) of(c *problem.Case) *node { return t.at[c.Group] }

// sample reports whether the group is that of the samples, which have no scores.
func (n *node) sample() bool { return n.Name == "sample" }
