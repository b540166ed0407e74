package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/strength/inputs"
)

// ValidatorOptions are the settings of [Validators].
type ValidatorOptions struct {
	Budget time.Duration // wall-clock time; 0 means no limit. What is not done then is in NotProbed
	Seed   uint64        // decides all random choices
	// Cheap asks input validators only about bounds, with small inputs, and runs no
	// submission and no output validator.
	Cheap bool
	// Invalid are cases that are left out because an input validator rejects them. If it
	// is nil, Validators asks the input validators about every case.
	Invalid map[*problem.Case]bool
	// ValidatorTime is the CPU time at which an output validator counts as hanging; 0
	// means 10 s. The package may allow more.
	ValidatorTime time.Duration
	// OnStep receives what is done next: "bounds", "outputs", and how much of it is done.
	// Of is 0 if that is not known. Calls do not overlap. It may be nil.
	OnStep func(step string, done, of int)
}

// Findings is the result of [Validators].
type Findings struct {
	Bounds    []inputs.Bound `json:"bounds"`               // of the input, in its order; nil if there are none
	Unmatched []string       `json:"unmatched,omitempty"`  // bounds of the statement without a quantity: "1 ≤ n ≤ 100"
	Findings  []Finding      `json:"findings"`             // about validators and answers, the certain ones first
	Fed       int            `json:"fed"`                  // how many outputs the output validators got
	Accepted  int            `json:"accepted"`             // how many of these were accepted
	Unique    string         `json:"unique,omitempty"`     // why each answer seems to be the only right one; or ""
	NotProbed []string       `json:"not_probed,omitempty"` // what was not tested, and why
}

// Errors returns how many findings are certain, 0 if f is nil.
func (f *Findings) Errors() (n int) {
	for i := 0; f != nil && i < len(f.Findings) && f.Findings[i].Certain; i++ {
		n++ // the certain ones are first
	}
	return n
}

// A Finding is something wrong with a validator or an answer, or a doubt about it.
type Finding struct {
	What    What   `json:"what"`
	Certain bool   `json:"certain"`          // false for a doubt, as a wrong accept that follows from Unique
	Program string `json:"program"`          // the validator or submission: "output_validator"; "" for an answer
	Case    string `json:"case"`             // the case on which it was found
	Kind    Kind   `json:"kind,omitempty"`   // of the output; "" if it was none
	Reason  string `json:"reason"`           // one line
	Times   int    `json:"times"`            // how many outputs or inputs showed the same
	Output  string `json:"output,omitempty"` // the output or input, clipped and escaped; "" if there is none
}

// A What is the kind of a finding.
type What string

const (
	Crashed       What = "crash"           // a validator ended without a decision
	TimedOut      What = "time-out"        // a validator reached its time limit
	WrongAccept   What = "wrong accept"    // a validator accepted a wrong output or input
	Random        What = "random"          // a validator decided differently on the same files
	Disagreement  What = "disagreement"    // accepted submissions disagree with each other or with the answer
	RejectedFile  What = "rejected answer" // the output validator rejects the answer as an output
	OutsideBounds What = "outside bounds"  // the input validators accept a value outside the statement's bounds
	Unreached     What = "unreached bound" // no case has a bound
)

// defaultValidatorTime is the default of ValidatorOptions.ValidatorTime.
const defaultValidatorTime = 10 * time.Second

// Validators tests the validators and the answers of a package, and whether its cases reach the
// bounds of the input. All programs run in the sandbox of j, several at once. Validators reports
// no events of j. If the budget ends first, the findings until then are complete; if ctx
// ends, the error is its cause. Other errors are failures of the judge; a defect of the
// package is in NotProbed.
func Validators(ctx context.Context, j *judge.Judge, p *problem.Problem, o ValidatorOptions) (*Findings, error) {
	quiet, err := j.Under(j.TimeLimit)
	if err != nil {
		return nil, err
	}
	limited := ctx
	if o.Budget > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeoutCause(ctx, o.Budget, errBudget)
		defer cancel()
	}
	r := &validatorTest{ValidatorOptions: o, j: quiet, p: p, found: make(map[findingKey]*Finding)}
	for _, step := range []struct {
		what string
		do   func(context.Context) error
	}{{"input validators", r.inputs}, {"output validators", r.outputs}} {
		err := step.do(limited)
		var defect *problem.Defect
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return r.end(), context.Cause(ctx)
		case limited.Err() != nil:
		case errors.As(err, &defect):
			r.skip("%s: %s", step.what, oneLine(defect.Error()))
		default:
			return r.end(), err
		}
	}
	if limited.Err() != nil && ctx.Err() == nil {
		r.skip("what the time of %v did not suffice for", o.Budget)
	}
	return r.end(), context.Cause(ctx)
}

var errBudget = errors.New("out of budget")

// A validatorTest is one call of Validators.
type validatorTest struct {
	ValidatorOptions
	j  *judge.Judge // reports no events
	p  *problem.Problem
	mu sync.Mutex

	result Findings
	found  map[findingKey]*Finding
}

// A findingKey joins findings that differ only in the case and the output.
type findingKey struct {
	what    What
	program string
	kind    Kind
	place   string // of a bound
}

// add adds a finding, or counts it if a similar one is known.
func (r *validatorTest) add(f Finding, place string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := findingKey{f.What, f.Program, f.Kind, place}
	if f.What == Crashed || f.What == TimedOut || f.What == Random {
		key.kind = "" // the cause is likely the same
	}
	known := r.found[key]
	if known == nil {
		f.Times = 1
		r.found[key] = &f
		return
	}
	// Tests run at the same time; which example is shown does not depend on the order.
	f.Times = known.Times + 1
	known.Times = f.Times
	if f.Certain && !known.Certain || f.Certain == known.Certain && f.compare(known) < 0 {
		*known = f
	}
}

// compare orders findings of the same kind.
func (f *Finding) compare(g *Finding) int {
	return cmp.Or(cmp.Compare(f.What, g.What), cmp.Compare(f.Program, g.Program), cmp.Compare(f.Case, g.Case),
		cmp.Compare(f.Kind, g.Kind),
		cmp.Compare(f.Reason, g.Reason), cmp.Compare(f.Output, g.Output))
}

func (r *validatorTest) skip(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.result.NotProbed = append(r.result.NotProbed, fmt.Sprintf(format, args...))
}

func (r *validatorTest) step(what string, done, of int) {
	if r.OnStep != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.OnStep(what, done, of)
	}
}

// end returns the findings, the certain ones first.
func (r *validatorTest) end() *Findings {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.result.Findings = []Finding{}
	for _, f := range r.found {
		r.result.Findings = append(r.result.Findings, *f)
	}
	slices.SortFunc(r.result.Findings, func(a, b Finding) int {
		if a.Certain != b.Certain {
			if a.Certain {
				return -1
			}
			return 1
		}
		return a.compare(&b)
	})
	return &r.result
}

// inputs tests the input validators and the bounds.
func (r *validatorTest) inputs(ctx context.Context) error {
	var cases []*problem.Case
	for _, c := range r.p.Cases {
		if c.Static == nil && c.Has(".in") {
			cases = append(cases, c)
		}
	}
	if len(cases) == 0 {
		r.skip("bounds: no case has an input")
		return nil
	}
	first := cases[0]
	if r.Invalid == nil {
		if err := r.validate(ctx, cases); err != nil {
			return err
		}
	}
	cases = slices.DeleteFunc(cases, func(c *problem.Case) bool { return r.Invalid[c] })
	r.step("bounds", 0, 0)
	x := inputs.BoundSearch{Judge: r.j, Problem: r.p, Cheap: r.Cheap, OnCrash: r.inputCrash}
	found, err := x.Run(ctx, cases)
	r.mu.Lock()
	r.result.Bounds, r.result.Unmatched = found.Bounds, found.Unmatched
	r.result.NotProbed = append(r.result.NotProbed, found.Notes...)
	r.mu.Unlock()
	if err != nil {
		return err
	}
	for _, b := range r.result.Bounds {
		r.boundFindings(b)
	}
	if r.Cheap {
		return nil
	}
	// A validator that decides at random may have rejected every case.
	again := first
	if found.Smallest != nil {
		again = found.Smallest
	}
	return r.repeatInputs(ctx, &x, again)
}

// validate finds the cases that the input validators reject.
func (r *validatorTest) validate(ctx context.Context, cases []*problem.Case) error {
	r.Invalid = make(map[*problem.Case]bool)
	done := 0
	return r.j.Each(ctx, len(cases), func(i int) error {
		rejected, err := r.j.Rejections(ctx, r.p, r.p.InputValidators, cases[i])
		var crash *judge.Crash
		if errors.As(err, &crash) {
			r.inputCrash(nil, err)
			rejected, err = []string{"crash"}, nil
		}
		r.mu.Lock()
		r.Invalid[cases[i]] = rejected != nil
		done++
		now := done
		r.mu.Unlock()
		r.step("inputs", now, len(cases))
		return err
	})
}

func (r *validatorTest) inputCrash(input []byte, err error) {
	f := Finding{What: Crashed, Certain: true, Program: "input_validators", Reason: oneLine(err.Error()),
		Output: clean(input)}
	if timedOut(err) {
		f.What = TimedOut
	}
	r.add(f, "")
}

// boundFindings adds what a bound shows.
func (r *validatorTest) boundFindings(b inputs.Bound) {
	name := b.Name
	if name == "" {
		name = b.Place
	} else {
		name += " (" + b.Place + ")"
	}
	for _, side := range []struct {
		inputs.Side
		what, most string
	}{{b.Low, "minimum", "smallest"}, {b.High, "maximum", "largest"}} {
		if side.Outside != "" {
			// A doubt, since the bound is read from the text of the statement.
			bound := "is " + side.Declared
			if inputs.SameNumber(side.Declared, side.Outside) {
				bound = "excludes " + side.Declared
			}
			r.add(Finding{What: OutsideBounds, Program: "input_validators", Case: side.Case,
				Reason: fmt.Sprintf("%s: the statement's %s %s, and an input with %s is accepted", name, side.what, bound,
					side.Outside)}, b.Place+side.what)
		}
		if !side.Unreached {
			continue
		}
		bound := "the statement's " + side.what + " is " + side.Declared
		if side.Declared == "" {
			bound = "the input validators accept " + side.Accepted
		}
		r.add(Finding{What: Unreached, Case: side.Case,
			Reason: fmt.Sprintf("%s: %s, and the %s value of all cases is %s", name, bound, side.most, side.Seen)},
			b.Place+side.what)
	}
}

// repetitions is how often a validator must decide the same on most files. On one valid
// input it is more: a validator that decides at random half of the time is then missed
// once in a million times.
const (
	repetitions     = 5
	mostRepetitions = 20
)

// repeatInputs asks the input validators again about the same inputs, valid and invalid
// ones, which are made from a case.
func (r *validatorTest) repeatInputs(ctx context.Context, x *inputs.BoundSearch, c *problem.Case) error {
	if len(r.p.InputValidators) == 0 {
		return nil
	}
	text, err := inputs.Read(c)
	if err != nil {
		return err
	}
	texts := [][]byte{text, append(slices.Clone(text), nonsense+"\n"...), {}, text[:len(text)/2], []byte("\xff\xfe\n")}
	return r.j.Each(ctx, len(texts), func(i int) error {
		first := false
		times := repetitions
		if i == 0 {
			times = mostRepetitions
		}
		for n := range times {
			ok, err := x.Accepts(ctx, c, texts[i])
			if err != nil {
				return err
			}
			if n > 0 && ok != first {
				r.add(Finding{What: Random, Certain: true, Program: "input_validators", Case: c.Name,
					Reason: "accepts an input and rejects it when asked again", Output: clean(texts[i])}, "")
				return nil
			}
			first = ok
		}
		if first && (i == 1 || i == 4) {
			r.add(Finding{What: WrongAccept, Certain: true, Program: "input_validators", Case: c.Name,
				Reason: map[int]string{1: "accepts text after the end of the input", 4: "accepts bytes that are not UTF-8"}[i],
				Output: clean(texts[i])}, fmt.Sprint(i))
		}
		return nil
	})
}
