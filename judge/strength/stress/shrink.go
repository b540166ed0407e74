package stress

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
)

// shrink makes the input of a counterexample smaller, until no single change is accepted
// by the input validators and keeps the verdict, or its time is spent.
func (r *running) shrink(ctx context.Context, c *Counterexample) error {
	ctx, cancel := context.WithTimeout(ctx, r.Shrink)
	defer cancel()
	h := &shrinking{running: r, c: c, session: r.sessions[c.Submission], way: c.way(), d: parse(c.Input),
		tried: make(map[[16]byte]bool)}
	h.answer = c.Answer
	h.arguments(ctx)
	h.fixpoint(ctx)
	if len(c.Steps) > 0 {
		c.Shrunk, c.ShrunkTo = h.d.bytes(), h.answer
	}
	return h.err
}

// A shrinking is the shrinking of one input.
type shrinking struct {
	*running
	c       *Counterexample
	session *judge.Session
	way     string // in which the target fails
	d       *document
	answer  []byte
	tried   map[[16]byte]bool
	err     error // a failure of the judge
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
		for _, smaller := range towardsZero(big.NewInt(n)) {
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
		input, err := h.inputs.Make(ctx, strings.Join(words, " "), seed)
		if err != nil || len(input) > len(h.d.bytes()) {
			continue // the generator may reject the arguments
		}
		if h.accept(ctx, parse(input), "%s", howMade(words, seed)) {
			return seed, true
		}
	}
	return 0, false
}

// seedsTried is the number of seeds with which a generator runs on smaller arguments.
const seedsTried = 4

// fixpoint tries all changes until none succeeds.
func (h *shrinking) fixpoint(ctx context.Context) {
	for changed := true; changed && h.err == nil; {
		changed = false
		for _, pass := range []func(context.Context) bool{h.sectionsPass, h.countsPass, h.linesPass, h.tokensPass,
			h.numbersPass, h.wordsPass, h.digitsPass} {
			for pass(ctx) {
				changed = true
			}
			if ctx.Err() != nil || h.err != nil {
				return
			}
		}
	}
}

// accept tries a smaller document, and keeps it if the verdict is the same.
func (h *shrinking) accept(ctx context.Context, d *document, format string, args ...any) bool {
	input := d.bytes()
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
	h.d, h.answer, h.c.Why = d, answer, why
	h.c.Steps = append(h.c.Steps, fmt.Sprintf(format, args...))
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
	answer, run := h.running.answer(ctx, h.c.Case, input)
	if run.Err != nil || run.Verdict != problem.Accepted {
		return nil, "", false, run.Err
	}
	one := with(h.c.Case, input, answer)
	tried := h.session.Try(ctx, one)
	if tried.Err != nil || tried.Verdict != h.c.Verdict || h.All && wayOf(tried.Verdict, tried.Why) != h.way {
		return nil, "", false, tried.Err
	}
	checked, err := h.checkAnswer(ctx, one)
	return answer, tried.Why, err == nil && checked.Verdict == problem.Accepted, err
}

// parts calls drop for ranges of n elements: halves first, then smaller ones, and last
// single ones. It returns whether drop succeeded.
func parts(n int, drop func(from, to int) bool) bool {
	for size := n; size > 0; size /= 2 {
		for from := n - size; from >= 0; from -= size {
			if (from > 0 || size < n) && drop(from, from+size) {
				return true
			}
			if from > 0 && from < size {
				if drop(0, from) {
					return true
				}
			}
		}
	}
	return false
}

// without returns the indexes below n outside of a range.
func without(n, from, to int) []int {
	var rest []int
	for i := range n {
		if i < from || i >= to {
			rest = append(rest, i)
		}
	}
	return rest
}

func (h *shrinking) sectionsPass(ctx context.Context) bool {
	for _, s := range h.d.sections() {
		n := len(s.starts) - 1
		if parts(n, func(from, to int) bool {
			d := h.d.clone()
			d.choose(s, without(n, from, to))
			return h.accept(ctx, d, "without sections %d to %d of %d", from+1, to, n)
		}) {
			return true
		}
	}
	return false
}

// countsPass removes elements of counts, with each way to renumber the others.
func (h *shrinking) countsPass(ctx context.Context) bool {
	for line := range min(h.d.end(), 200) {
		for _, g := range groupsOf(h.d.counts(line, h.d.end()), line) {
			n := g.counts[0].elements
			if parts(n, func(from, to int) bool {
				order := without(n, from, to)
				for _, how := range renumberings {
					d := h.d.clone()
					g.keep(d, order)
					w := &work{Mutator: h.mutator, d: d, end: d.end()}
					w.renumber(how, line+1, order, n)
					if h.accept(ctx, d, "line %d: without elements %d to %d of %d", line+1, from+1, to, n) {
						return true
					}
				}
				return false
			}) {
				return true
			}
		}
	}
	return false
}

func (h *shrinking) linesPass(ctx context.Context) bool {
	n := h.d.end()
	return parts(n, func(from, to int) bool {
		d := h.d.clone()
		d.lines = slices.Delete(d.lines, from, to)
		return h.accept(ctx, d, "without lines %d to %d", from+1, to)
	})
}

func (h *shrinking) tokensPass(ctx context.Context) bool {
	for line := range min(h.d.end(), 1000) {
		n := len(h.d.lines[line])
		if n > 1 && parts(n, func(from, to int) bool {
			d := h.d.clone()
			d.lines[line] = slices.Delete(d.lines[line], from, to)
			return h.accept(ctx, d, "line %d: without tokens %d to %d", line+1, from+1, to)
		}) {
			return true
		}
	}
	return false
}

// numbersPass moves numbers towards zero.
func (h *shrinking) numbersPass(ctx context.Context) (changed bool) {
	until := time.Now().Add(h.Shrink / 3)
	for line := 0; line < h.d.end(); line++ {
		for column := 0; column < len(h.d.lines[line]); column++ {
			token := h.d.lines[line][column]
			if !isNumber(token) || token == "0" || time.Now().After(until) {
				continue
			}
			places := decimals(token)
			n := scaled(token, places)
			for _, smaller := range towardsZero(n) {
				d := h.d.clone()
				d.lines[line][column] = decimal(smaller, places)
				if h.accept(ctx, d, "line %d, token %d: %s instead of %s", line+1, column+1, decimal(smaller, places), token) {
					changed = true
					break
				}
			}
		}
	}
	return changed
}

// digitsPass makes characters of long tokens 0 or, in a token with dots, a dot: these
// often stand for nothing.
func (h *shrinking) digitsPass(ctx context.Context) (changed bool) {
	until := time.Now().Add(h.Shrink / 3)
	for line := 0; line < h.d.end(); line++ {
		for column, token := range h.d.lines[line] {
			blank := byte('0')
			if strings.Contains(token, ".") {
				blank = '.'
			}
			for i := range len(token) {
				if len(token) < 4 || token[i] == blank || !allDigits(token[i:i+1]) || time.Now().After(until) {
					continue
				}
				d := h.d.clone()
				now := d.lines[line][column]
				d.lines[line][column] = now[:i] + string(blank) + now[i+1:]
				changed = h.accept(ctx, d, "line %d, token %d: %c at %d", line+1, column+1, blank, i+1) || changed
			}
		}
	}
	return changed
}

// towardsZero returns numbers that are simpler than n, the simplest first.
func towardsZero(n *big.Int) (simpler []*big.Int) {
	add := func(k *big.Int) {
		if k.CmpAbs(n) < 0 && !slices.ContainsFunc(simpler, func(one *big.Int) bool { return one.Cmp(k) == 0 }) {
			simpler = append(simpler, k)
		}
	}
	for _, small := range []int64{0, 1, 2, -1} {
		add(big.NewInt(small))
	}
	add(new(big.Int).Quo(n, big.NewInt(10)))
	add(new(big.Int).Quo(n, big.NewInt(2)))
	add(new(big.Int).Sub(n, big.NewInt(int64(n.Sign()))))
	return simpler
}

// wordsPass shortens tokens that are not numbers.
func (h *shrinking) wordsPass(ctx context.Context) bool {
	for line := range min(h.d.end(), 1000) {
		for column, token := range h.d.lines[line] {
			if len(token) < 2 || isNumber(token) && len(token) < 20 {
				continue
			}
			if parts(len(token), func(from, to int) bool {
				d := h.d.clone()
				d.lines[line][column] = token[:from] + token[to:]
				return h.accept(ctx, d, "line %d, token %d: without characters %d to %d", line+1, column+1, from+1, to)
			}) {
				return true
			}
		}
	}
	return false
}
