package stress

import (
	"context"
	"math/big"
	"slices"
	"strings"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/strength/inputs"
)

// shrink makes the input of a counterexample smaller, until no single change is accepted
// by the input validators and keeps the verdict, or its time is spent.
func (r *search) shrink(ctx context.Context, c *Counterexample) error {
	ctx, cancel := context.WithTimeout(ctx, r.Shrink)
	defer cancel()
	h := &shrinking{search: r, c: c, session: r.sessions[c.Submission], failure: c.failure(), input: c.Input,
		answer: c.Answer, tried: make(map[[16]byte]bool)}
	h.arguments(ctx)
	r.mutator.Shrink(h.input, inputs.Shrinker{
		Accept: func(input []byte, step string) bool { return h.accept(ctx, input, step) },
		Done:   func() bool { return h.err != nil || ctx.Err() != nil },
		Budget: r.Shrink,
	})
	if len(c.Steps) > 0 {
		c.Shrunk, c.ShrunkTo = h.input, h.answer
	}
	return h.err
}

// A shrinking is the shrinking of one input.
type shrinking struct {
	*search
	c             *Counterexample
	session       *judge.Session
	failure       string // the way in which the target fails
	input, answer []byte // the smallest so far
	tried         map[[16]byte]bool
	err           error // a failure of the judge
}

// arguments makes the numbers in the arguments of a generator smaller, with the seed that
// found the input or another one, as long as the inputs get smaller.
func (h *shrinking) arguments(ctx context.Context) {
	words, seed := h.c.command, h.c.seed
	for i := 1; i < len(words); i++ {
		n, ok := argument(words[i])
		if !ok {
			continue
		}
		for _, smaller := range inputs.TowardsZero(big.NewInt(n)) {
			fewer := slices.Clone(words)
			fewer[i] = withArgument(words[i], smaller.Int64())
			if next, ok := h.regenerate(ctx, fewer, seed); ok {
				words, seed = fewer, next
				i = 0 // another argument may be smaller now
				break
			}
		}
		if ctx.Err() != nil || h.err != nil {
			return
		}
	}
}

// regenerate makes inputs with a command, and accepts the first that is smaller.
func (h *shrinking) regenerate(ctx context.Context, words []string, seed uint32) (uint32, bool) {
	for try := range uint32(seedsTried) {
		seed := (seed + try) & (1<<31 - 1)
		input, err := h.generator.Make(ctx, strings.Join(words, " "), seed)
		if err != nil || len(input) > len(h.input) {
			continue // the generator may reject the arguments
		}
		if h.accept(ctx, input, howMade(words, seed)) {
			return seed, true
		}
	}
	return 0, false
}

// seedsTried is the number of seeds with which a generator runs on smaller arguments.
const seedsTried = 4

// accept tries a smaller input, and keeps it if the verdict is the same.
func (h *shrinking) accept(ctx context.Context, input []byte, step string) bool {
	key := hash(input)
	if h.err != nil || ctx.Err() != nil || h.tried[key] {
		return false
	}
	h.tried[key] = true
	answer, why, same, err := h.same(ctx, input)
	if err != nil || !same {
		if err != nil && ctx.Err() == nil {
			h.err = h.fault(err)
		}
		return false
	}
	h.input, h.answer, h.c.Why = input, answer, why
	h.c.Steps = append(h.c.Steps, step)
	return true
}

// same reports whether an input is valid, and the target has the same verdict on it.
func (h *shrinking) same(ctx context.Context, input []byte) (answer []byte, why string, same bool, err error) {
	release, err := h.j.Acquire(ctx, 1)
	if err != nil {
		return nil, "", false, err
	}
	defer release()
	if ok, err := h.isValid(ctx, h.c.Case, input); err != nil || !ok {
		return nil, "", false, err
	}
	answer, run := h.search.answer(ctx, h.c.Case, input)
	if run.Err != nil || run.Verdict != problem.Accepted {
		return nil, "", false, run.Err
	}
	one := with(h.c.Case, input, answer)
	tried := h.session.Try(ctx, one)
	if tried.Err != nil || tried.Verdict != h.c.Verdict || h.All && failureOf(tried.Verdict, tried.Why) != h.failure {
		return nil, "", false, tried.Err
	}
	checked, err := h.checkAnswer(ctx, one)
	return answer, tried.Why, err == nil && checked.Verdict == problem.Accepted, err
}
