package shape

import (
	"cmp"
	"fmt"
	"go/ast"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A Graph maps each reference between two files of a package to the names used,
// in order.
type Graph map[Reference][]string

// A Reference is a pair of base names of files: From uses names that To declares.
type Reference struct{ From, To string }

// references returns the uses of package-level names, methods and fields across
// files. Each name is listed once, in order.
func references(p *packages.Package) Graph {
	g := make(Graph)
	base := func(n ast.Node) string { return filepath.Base(p.Fset.Position(n.Pos()).Filename) }
	for _, file := range p.Syntax {
		from := base(file)
		ast.Inspect(file, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			o := p.TypesInfo.Uses[id]
			if o == nil || o.Pkg() != p.Types || !o.Pos().IsValid() {
				return true
			}
			if r := (Reference{from, filepath.Base(p.Fset.Position(o.Pos()).Filename)}); r.From != r.To &&
				!slices.Contains(g[r], o.Name()) {
				g[r] = append(g[r], o.Name())
			}
			return true
		})
	}
	for _, names := range g {
		slices.Sort(names)
	}
	return g
}

// Largest returns the largest group of files in which each file reaches all the
// others, sorted by name. It is empty if the graph is.
func (g Graph) Largest() []string {
	var largest []string
	for _, group := range g.groups() {
		if len(group) > len(largest) {
			largest = group
		}
	}
	slices.Sort(largest)
	return largest
}

// groups returns the strongly connected components, by Tarjan's algorithm.
func (g Graph) groups() [][]string {
	next := make(map[string][]string)
	for _, r := range g.sorted() {
		next[r.From] = append(next[r.From], r.To)
		next[r.To] = append(next[r.To], nil...)
	}
	var found [][]string
	var stack []string
	index, low, onStack := make(map[string]int), make(map[string]int), make(map[string]bool)
	var visit func(f string)
	visit = func(f string) {
		index[f] = len(index) + 1
		low[f] = index[f]
		stack = append(stack, f)
		onStack[f] = true
		for _, to := range next[f] {
			if index[to] == 0 {
				visit(to)
				low[f] = min(low[f], low[to])
			} else if onStack[to] {
				low[f] = min(low[f], index[to])
			}
		}
		if low[f] != index[f] {
			return
		}
		start := slices.Index(stack, f)
		group := slices.Clone(stack[start:])
		stack = stack[:start]
		for _, member := range group {
			onStack[member] = false
		}
		found = append(found, group)
	}
	for _, f := range slices.Sorted(maps.Keys(next)) {
		if index[f] == 0 {
			visit(f)
		}
	}
	return found
}

// Splits returns references whose removal leaves no group of more than largest
// files, which must be at least 1. It searches by a heuristic for few references
// with few names in total, so a smaller set may exist.
func (g Graph) Splits(largest int) []Reference {
	rest := maps.Clone(g)
	var cut []Reference
	for {
		group := rest.Largest()
		if len(group) <= largest {
			break
		}
		inside := make(Graph)
		for r, names := range rest {
			if slices.Contains(group, r.From) && slices.Contains(group, r.To) {
				inside[r] = names
			}
		}
		for _, r := range inside.backward(inside.order(group)) {
			delete(rest, r)
			cut = append(cut, r)
		}
	}
	// The references with the most names are put back first. A reference stays cut
	// only if a group would be too large with it.
	slices.SortStableFunc(cut, func(a, b Reference) int { return cmp.Compare(len(g[b]), len(g[a])) })
	return slices.DeleteFunc(cut, func(r Reference) bool {
		rest[r] = g[r]
		if len(rest.Largest()) <= largest {
			return true
		}
		delete(rest, r)
		return false
	})
}

// order returns the files in an order in which few references lead backwards,
// counted by names. It moves each file to its best place until no move reduces
// the count.
func (g Graph) order(files []string) []string {
	// In the initial order the files that use more names than they declare for
	// others come first.
	excess := make(map[string]int)
	for r, names := range g {
		excess[r.From] += len(names)
		excess[r.To] -= len(names)
	}
	order := slices.Clone(files)
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(excess[b], excess[a]) })
	for moved := true; moved; {
		moved = false
		for _, f := range files {
			at := slices.Index(order, f)
			best, gain := at, 0
			for _, step := range []int{-1, 1} {
				total := 0
				for i := at + step; i >= 0 && i < len(order); i += step {
					// The references between f and order[i] change direction.
					total += step * (len(g[Reference{order[i], f}]) - len(g[Reference{f, order[i]}]))
					if total > gain {
						best, gain = i, total
					}
				}
			}
			if best != at {
				order = slices.Insert(slices.Delete(order, at, at+1), best, f)
				moved = true
			}
		}
	}
	return order
}

// backward returns the references from a later file of the order to an earlier
// one.
func (g Graph) backward(order []string) []Reference {
	place := make(map[string]int)
	for i, f := range order {
		place[f] = i
	}
	return slices.DeleteFunc(g.sorted(), func(r Reference) bool { return place[r.From] < place[r.To] })
}

func (g Graph) sorted() []Reference {
	return slices.SortedFunc(maps.Keys(g), func(a, b Reference) int {
		return cmp.Or(strings.Compare(a.From, b.From), strings.Compare(a.To, b.To))
	})
}

// Explain returns a line for each reference with the names used.
func (g Graph) Explain(references []Reference) string {
	var b strings.Builder
	for _, r := range references {
		fmt.Fprintf(&b, "\t%s uses %s of %s\n", r.From, strings.Join(g[r], ", "), r.To)
	}
	return b.String()
}
