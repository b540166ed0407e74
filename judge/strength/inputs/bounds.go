package inputs

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	"crucible/judge"
	"crucible/judge/problem"
)

// A Bound is a quantity of the input, with its values in the data and its bounds.
type Bound struct {
	Name  string `json:"name,omitempty"` // in the statement; "" if none matches
	Place string `json:"place"`          // "line 1, token 2"
	Low   Side   `json:"low"`
	High  Side   `json:"high"`
}

// A Side is one end of the range of a quantity. Numbers are texts, because they may have
// any size. A length or a number of lines is a quantity, too.
type Side struct {
	Seen     string `json:"seen"`               // the outermost value in the data
	Case     string `json:"case"`               // a case with that value
	Declared string `json:"declared,omitempty"` // the bound of the statement, inclusive for integers; "" if none matches
	// The outermost value in an input that the input validators accepted, at least Seen; "" if
	// they were not asked.
	Accepted string `json:"accepted,omitempty"`
	// The next value, which they rejected in every input that was tried; "" if none was found.
	Rejected string `json:"rejected,omitempty"`
	// No case has the bound, and an input with it is valid: the declared one or, if there is
	// none, the one of the input validators.
	Unreached bool `json:"unreached"`
	// The first value outside the declared bound if the input validators accept it; else "". Of
	// decimals, the last digit changes by one.
	Outside string `json:"outside,omitempty"`
}

// A BoundSearch has the settings of a search for the bounds of the input, which asks the
// input validators about changes of the inputs. Judge and Problem are needed.
type BoundSearch struct {
	Judge   *judge.Judge // reports no events
	Problem *problem.Problem
	Cheap   bool                          // try small inputs only
	OnCrash func(input []byte, err error) // receives crashes of input validators
}

// Bounds is the result of a search.
type Bounds struct {
	Bounds    []Bound       // in the order of the input; nil if there are none
	Unmatched []string      // bounds of the statement that no quantity matches: "1 ≤ n ≤ 100"
	Notes     []string      // what was not compared, and why
	Smallest  *problem.Case // with the smallest input that was read; nil if there is none
}

// Run finds the quantities of the inputs of cases, matches them with the statement, and
// searches for their bounds, several at once. When ctx ends, what is not known stays
// unknown. The error is a failure of the judge, or a defect of the package.
func (s BoundSearch) Run(ctx context.Context, cases []*problem.Case) (*Bounds, error) {
	found := &Bounds{}
	note := func(format string, args ...any) { found.Notes = append(found.Notes, fmt.Sprintf(format, args...)) }
	d, err := survey(cases)
	if err != nil {
		return found, err
	}
	if len(d.cases) > 0 {
		found.Smallest = d.cases[0]
	}
	if d.unread > 0 {
		note("bounds: inputs that are too large to be read: %d", d.unread)
	}
	stated := readStatement(s.Problem)
	if stated == nil {
		note("bounds of the statement: it has no text that can be read")
	}
	for _, u := range match(stated, d.quantities) {
		found.Unmatched = append(found.Unmatched, u.String())
	}
	for _, q := range d.quantities {
		q.field.name = q.name
	}
	d.form.locate("")
	if len(s.Problem.InputValidators) == 0 {
		note("bounds of the input validators: there are none")
	}
	found.Bounds, err = (&search{s, d}).bounds(ctx)
	return found, err
}

// A search is a search for bounds in progress.
type search struct {
	BoundSearch
	d *data
}

// A change is a way to give a quantity another value: in a case, at its first occurrence
// with the outermost value or at its last occurrence.
type change struct {
	of      *problem.Case
	seen    string // the value that is changed; "" means any
	filling filling
}

// A side is one end of a quantity that is searched.
type side struct {
	*search
	q       *quantity
	up      bool
	seen    int64 // in units of q
	changes []change
	known   map[int64]bool
	missed  bool // no case has the declared bound
	result  *Side
}

// bounds finds the bounds of all quantities, several at once. When ctx ends, what is not
// known stays unknown.
func (s *search) bounds(ctx context.Context) ([]Bound, error) {
	bounds := make([]Bound, len(s.d.quantities))
	var sides []*side
	for i, q := range s.d.quantities {
		b := &bounds[i]
		b.Name, b.Place = q.name, q.place
		b.Low, b.High = Side{Seen: q.low.text, Case: q.low.of.Name}, Side{Seen: q.high.text, Case: q.high.of.Name}
		if q.declared != nil {
			low, high := q.declared.limits(q)
			if q.kind == decimals {
				q.refine(low, high)
			}
			b.Low.declare(low, q.low.value)
			b.High.declare(high, q.high.value)
		}
		if q.kind == decimals {
			// An exclusive bound has no value to reach.
			b.Low.Unreached = b.Low.Unreached && !q.declared.Above
			b.High.Unreached = b.High.Unreached && !q.declared.Below
		}
		for _, up := range []bool{false, true} {
			one := &side{search: s, q: q, up: up, known: make(map[int64]bool), result: &b.Low}
			if up {
				one.result = &b.High
			}
			var ok bool
			if one.seen, ok = q.units(one.result.Seen); ok {
				sides = append(sides, one)
				one.missed, one.result.Unreached = one.result.Unreached, one.result.Unreached && len(s.Problem.InputValidators) == 0
			}
		}
	}
	if len(s.Problem.InputValidators) == 0 {
		return bounds, nil
	}
	// Declared bounds come first: these are few questions, and the answers matter most.
	for _, declared := range []bool{true, false} {
		these := slices.DeleteFunc(slices.Clone(sides), func(x *side) bool { return (x.result.Declared != "") != declared })
		err := s.Judge.Each(ctx, len(these), func(i int) error {
			if err := these[i].find(ctx, declared); !errors.Is(err, errUntried) {
				return err
			}
			return nil
		})
		if err != nil && ctx.Err() == nil {
			return bounds, err
		}
	}
	return bounds, nil
}

// declare sets the bound of the statement.
func (s *Side) declare(bound, seen *big.Rat) {
	if bound != nil {
		s.Declared, s.Unreached = show(bound), bound.Cmp(seen) != 0
	}
}

// outward returns the value that is n steps further out than v, or false if there is none.
func (x *side) outward(v, n int64) (int64, bool) {
	if !x.up {
		if v < math.MinInt64/4+n {
			return 0, false
		}
		v -= n
		return v, v >= 0 || !x.q.size && x.q.kind != words
	}
	if v > math.MaxInt64/4-n {
		return 0, false
	}
	return v + n, true
}

// find finds what the input validators accept on one side.
func (x *side) find(ctx context.Context, declared bool) error {
	x.changes = x.plan()
	last, err := x.seen, error(nil)
	if declared {
		bound, ok := x.declared()
		if !ok {
			return nil
		}
		last, err = x.ask(ctx, bound, last)
		// Another rule of the input may exclude the bound, so that it is missed only if an
		// input with it is valid, or none can be made.
		x.result.Unreached = x.missed && (errors.Is(err, errUntried) || err == nil && last == bound)
		if err != nil {
			return err
		}
		x.set(last, nil)
		next, ok := x.outward(bound, 1)
		if !ok {
			return nil
		}
		after, err := x.ask(ctx, next, last)
		if err != nil {
			return err
		}
		if after != next {
			x.set(last, next)
			return nil
		}
		x.result.Outside, last = x.q.format(next), next
	}
	if last, next, err := x.furthest(ctx, last); err == nil {
		x.set(last, next)
		x.result.Unreached = x.result.Unreached || !declared && next != nil && x.far(last)
		return nil
	}
	return err
}

// declared returns the outermost value that the statement allows.
func (x *side) declared() (int64, bool) {
	bound, ok := x.q.units(x.result.Declared)
	switch d := x.q.declared; {
	case x.q.kind != decimals || d == nil:
	case x.up && d.Below:
		bound--
	case !x.up && d.Above:
		bound++
	}
	return bound, ok
}

// far reports whether the data ends clearly before a bound that only the input validators
// have. A bound that depends on other values is often nearly reached.
func (x *side) far(bound int64) bool {
	gap := math.Abs(float64(bound) - float64(x.seen))
	return gap > math.Abs(float64(bound))/100 && gap > 0
}

// set stores what was found. A nil next means that no value was rejected.
func (x *side) set(last int64, next any) {
	x.result.Accepted = x.q.format(last)
	if n, ok := next.(int64); ok {
		x.result.Rejected = x.q.format(n)
	}
}

// ask returns value if the input validators accept an input with it, else last.
func (x *side) ask(ctx context.Context, value, last int64) (int64, error) {
	ok, err := x.accepts(ctx, value)
	if ok {
		return value, err
	}
	return last, err
}

// furthest searches outward from an accepted value: by steps that double, then by
// bisection. Next is the rejected value after the last accepted one; nil if none was
// rejected.
func (x *side) furthest(ctx context.Context, from int64) (last int64, next any, err error) {
	last = from
	rejected, found := int64(0), false
	for step := int64(1); ; step *= 2 {
		v, ok := x.outward(from, step)
		if !ok {
			break
		}
		ok, err := x.accepts(ctx, v)
		if errors.Is(err, errUntried) {
			return last, nil, nil
		} else if err != nil {
			return last, nil, err
		}
		if !ok {
			rejected, found = v, true
			break
		}
		last = v
	}
	if !found {
		return last, nil, nil
	}
	for {
		middle := last + (rejected-last)/2
		if middle == last || middle == rejected {
			return last, rejected, nil
		}
		ok, err := x.accepts(ctx, middle)
		if err != nil {
			return last, nil, err
		}
		if ok {
			last = middle
		} else {
			rejected = middle
		}
	}
}

// cheapElements bounds the inputs that a cheap search makes.
const cheapElements = 20000

// possible reports whether inputs with the value are small enough to be made.
func (x *side) possible(v int64) bool {
	most := int64(maxElements)
	if x.Cheap {
		most = cheapElements
	}
	return v <= most || !x.q.size && x.q.kind != words && !x.q.counts
}

// plan returns the changes that are tried, the most promising ones first.
func (x *side) plan() (changes []change) {
	e := x.q.low
	if x.up {
		e = x.q.high
	}
	seeds := []change{{of: e.of, seen: e.text}}
	for _, c := range x.others(e.of) {
		seeds = append(seeds, change{of: c})
	}
	for _, s := range seeds {
		// A large input takes long, and is not needed.
		if s.seen == "" && x.d.sizes[s.of] > maxSample {
			continue
		}
		for _, f := range fillings {
			s.filling = f
			changes = append(changes, s)
			if !x.q.size && !x.q.counts {
				break
			}
		}
	}
	return changes
}

// others returns a few other cases: one per group of a scoring problem, because groups
// have different bounds, and else a small and a middle one.
func (x *side) others(than *problem.Case) (others []*problem.Case) {
	most := 4
	if x.Cheap {
		most = 2
	}
	add := func(c *problem.Case) {
		if c != than && !slices.Contains(others, c) && len(others) < most {
			others = append(others, c)
		}
	}
	cases := x.d.cases
	add(cases[len(cases)/2])
	add(cases[0])
	groups := make(map[*problem.Group]bool)
	for _, c := range cases {
		if c.Group != than.Group && !groups[c.Group] {
			groups[c.Group] = true
			add(c)
		}
	}
	return others
}

// accepts reports whether all input validators accept an input in which the quantity has
// the value.
func (x *side) accepts(ctx context.Context, value int64) (bool, error) {
	if known, ok := x.known[value]; ok {
		return known, nil
	}
	if !x.possible(value) {
		return false, errUntried
	}
	asked := false
	for i, c := range x.changes {
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		text, err := x.made(c, x.q.format(value))
		if err != nil {
			return false, err
		}
		if text == nil {
			continue
		}
		asked = true
		if ok, err := x.Accepts(ctx, c.of, text); err != nil {
			return false, err
		} else if ok {
			// What worked is tried first for the next value.
			x.changes = append([]change{c}, slices.Delete(slices.Clone(x.changes), i, i+1)...)
			x.known[value] = true
			return true, nil
		}
	}
	if !asked {
		return false, errUntried
	}
	x.known[value] = false
	return false, nil
}

// errUntried means that no input with a value could be made.
var errUntried = errors.New("no input with the value can be made")

// made returns the changed input; nil if the change is not possible.
func (x *side) made(c change, value string) ([]byte, error) {
	d, tree, err := x.d.open(c.of)
	if tree == nil || err != nil {
		return nil, err
	}
	var at occurrence
	visit(tree, func(o occurrence) bool {
		if o.of == x.q.field {
			at = o
		}
		return at.of == nil || c.seen != "" && at.value() != c.seen
	})
	if at.of == nil || !at.set(value, tree, c.filling) {
		return nil, nil
	}
	d.lines = flatten(tree, nil)
	return d.bytes(), nil
}

// Accepts reports whether all input validators accept an input with the settings of a
// case. A crash is not a decision.
func (s *BoundSearch) Accepts(ctx context.Context, c *problem.Case, text []byte) (bool, error) {
	rejected, err := s.Judge.Rejections(ctx, s.Problem, s.Problem.InputValidators,
		c.With(map[string][]byte{".in": text}))
	var crash *judge.Crash
	if errors.As(err, &crash) {
		s.OnCrash(text, err)
		return false, nil
	}
	return err == nil && rejected == nil, err
}
