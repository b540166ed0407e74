package bench

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"crucible/judge/prepare/generate"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// A GrowthPlan contains the settings for inputs of growing size. First the sizes grow,
// and each submission runs once on each, until it exceeds a limit. Then sizes are
// added where a time jumped or a limit was exceeded. Then all pairs are run again in
// rounds, in random order, so that a machine that becomes slower does not look like
// a program whose time grows.
type GrowthPlan struct {
	generate.Growth // the command and the range of sizes
	// Makes the case of a size; a *problem.Defect ends the growth.
	Make   func(ctx context.Context, n int64) (*problem.Case, error)
	Rounds int // the number of runs of each submission on each size, at least 1
	// wall-clock time; sizes grow for at most half of it, and are added in between for an
	// eighth; 0 is no limit.
	Budget time.Duration
	OnSize func(n int64)       // called before an input is made, if not nil
	OnCase func()              // called after a case was added, if not nil
	OnRun  func(round, of int) // called before each round, if not nil; the growth is round 0
}

// Run runs the submissions of a series. The error is that of a context that
// ended, or a *[problem.Defect] if the first input cannot be made within the budget
// or all inputs are the same. The measurement of the series contains the trials
// until then.
func (g GrowthPlan) Run(ctx context.Context, s *Series) error {
	m := s.Measurement
	m.Growth, m.Budget, m.Looks = &Growth{Series: g.Name, Command: g.Command, Counts: g.Counts}, g.Budget, 1
	s.watch()
	defer s.look()
	c := &growthRun{GrowthPlan: g, s: s, m: m, began: time.Now(), share: 1, out: make([]bool, len(m.Submissions))}
	err := c.grow(ctx)
	if err == nil {
		err = c.alike(0)
	}
	if err == nil {
		err = c.fill(ctx)
	}
	c.sameNeighbours()
	if err == nil {
		err = c.repeat(ctx)
	}
	if err != nil && !errors.As(err, new(*problem.Defect)) {
		m.Ended = Interrupted
	}
	return err
}

// A growthRun is a GrowthPlan in progress.
type growthRun struct {
	GrowthPlan
	s     *Series
	m     *Measurement
	began time.Time
	spent time.Duration // wall-clock time of the runs that will be repeated
	share float64       // the usable multiple of the time for growing: 1, and more while sizes are added in between
	vary  bool          // two inputs are known to differ
	out   []bool        // by submission: it exceeded a limit or was not accepted

	inputs [][sha256.Size]byte // by case: the hash of its input
}

// grow runs the submissions on inputs of growing size.
func (c *growthRun) grow(ctx context.Context) error {
	for n := c.From; ; n = c.next(n) {
		alive := c.alive()
		switch {
		case len(alive) == 0:
			return nil
		case c.To > 0 && n > c.To:
			c.m.Growth.Ended = fmt.Sprintf("sizes up to %d were requested", c.To)
			return nil
		case n > generate.MaxSize:
			c.m.Growth.Ended = "larger sizes cannot be represented exactly"
			return nil
		case len(c.m.Cases) > 0 && c.late() != "":
			c.m.Growth.Ended = c.late()
			return nil
		}
		ok, err := c.size(ctx, n, alive)
		if err == nil && ok {
			err = c.alike(enough)
		}
		if err != nil || !ok {
			return err
		}
	}
}

func (c *growthRun) elapsed() time.Duration { return time.Since(c.began) }

// most returns the wall-clock time after which no size is added.
func (c *growthRun) most() time.Duration { return time.Duration(float64(c.Budget) / 2 * c.share) }

// late returns why the budget allows no more sizes; "" if it does.
func (c *growthRun) late() string {
	switch {
	case c.Budget == 0:
		return ""
	case c.elapsed() > c.most():
		return fmt.Sprintf("half of the budget of %s was spent", terminal.Exactly(c.Budget))
	case c.spent*time.Duration(c.Rounds) > 2*c.most():
		return fmt.Sprintf("the rest of the budget of %s is for the other rounds", terminal.Exactly(c.Budget))
	}
	return ""
}

// next returns the size after n. The largest requested size is one of the sizes.
func (c *growthRun) next(n int64) int64 {
	next := max(n+1, int64(math.Round(min(float64(n)*c.Factor, 2*generate.MaxSize))))
	if n < c.To {
		next = min(next, c.To)
	}
	return next
}

// alive returns the submissions that have not exceeded a limit or failed.
func (c *growthRun) alive() []int {
	var alive []int
	for i := range c.out {
		if !c.out[i] && c.m.Submissions[i].Skipped == "" {
			alive = append(alive, i)
		}
	}
	return alive
}

// size runs submissions once on a new input, and marks those that fail. ok is false
// if the input could not be made.
func (c *growthRun) size(ctx context.Context, n int64, submissions []int) (ok bool, err error) {
	if c.OnSize != nil {
		c.OnSize(n)
	}
	made, late, err := c.make(ctx, n)
	var defect *problem.Defect
	doing := ""
	if e := new(generate.UnfinishedError); errors.As(err, &e) {
		doing = ": " + e.Doing
	}
	switch {
	case ctx.Err() != nil:
		return false, context.Cause(ctx)
	case late && len(c.m.Cases) > 0:
		c.m.Growth.Ended = fmt.Sprintf("half of the budget of %s was spent before the case of size %d was made%s",
			terminal.Exactly(c.Budget), n, doing)
		return false, nil
	case late:
		return false, &problem.Defect{File: "--budget",
			Msg: fmt.Sprintf("%s were spent before the case of size %d was made%s", terminal.Exactly(c.Budget), n, doing)}
	case errors.As(err, &defect) && len(c.m.Cases) > 0:
		c.m.Growth.Ended = "no larger input: " + defect.Msg
		return false, nil
	case err != nil:
		return false, err
	}
	sum, err := hashOf(made)
	if err != nil {
		return false, err
	}
	c.inputs = append(c.inputs, sum)
	first := len(c.m.Cases) == 0
	place := c.s.Add(made, float64(n))
	var pairs []Pair
	for _, submission := range submissions {
		pairs = append(pairs, Pair{submission, place})
	}
	if c.OnCase != nil {
		c.OnCase()
	}
	if first {
		if err := c.s.Round(ctx, warmUp, pairs); err != nil {
			return false, err
		}
	}
	return true, c.round(ctx, 0, pairs)
}

// make makes the case of a size. late reports that there was not enough time. The
// first case may take all of the budget.
func (c *growthRun) make(ctx context.Context, n int64) (made *problem.Case, late bool, err error) {
	if c.Budget > 0 {
		most := c.Budget
		if len(c.m.Cases) > 0 {
			most = c.most()
		}
		if most <= c.elapsed() {
			return nil, true, nil
		}
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, most-c.elapsed())
		defer cancel()
	}
	made, err = c.Make(ctx, n)
	return made, err != nil && ctx.Err() != nil, err
}

// enough is the factor between two sizes for which the inputs must differ.
const enough = 16

// alike returns an error if all inputs are the same and the last size is at least
// the given multiple of the first.
func (c *growthRun) alike(times float64) error {
	last := len(c.inputs) - 1
	if !c.vary && last > 0 {
		c.vary = c.inputs[last-1] != c.inputs[last]
	}
	if c.vary || last < 1 || c.m.Cases[last].Size < times*c.m.Cases[0].Size {
		return nil
	}
	return c.Fault("%s makes the same input for all sizes from %.0f to %.0f: expected an input that grows with {n}",
		c.Command, c.m.Cases[0].Size, c.m.Cases[last].Size)
}

// sameNeighbours adds a doubt about sizes with the same input.
func (c *growthRun) sameNeighbours() {
	if !c.vary {
		return // alike reports this
	}
	order := c.m.bySize()
	var found []string
	for i := 0; i < len(order); i++ {
		first := i
		for i+1 < len(order) && c.inputs[order[i]] == c.inputs[order[i+1]] {
			i++
		}
		if i > first {
			found = append(found, fmt.Sprintf("%.0f to %.0f", c.m.Cases[order[first]].Size, c.m.Cases[order[i]].Size))
		}
	}
	if found != nil {
		c.m.Doubts = append(c.m.Doubts, "all sizes from "+strings.Join(found, " have the same input, and all from ")+
			" have the same input")
	}
}

// hashOf returns a hash of the input of a case.
func hashOf(c *problem.Case) (sum [sha256.Size]byte, err error) {
	f, err := c.Open(".in")
	if err != nil {
		return sum, err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return [sha256.Size]byte(h.Sum(nil)), err
}

// round runs pairs once, and marks submissions that are not accepted.
func (c *growthRun) round(ctx context.Context, number int, pairs []Pair) error {
	before, began := len(c.m.Trials), time.Now()
	err := c.s.Round(ctx, number, pairs)
	if c.m.Workers != nil { // the way to them takes time, too
		c.spent += time.Since(began)
	}
	for _, t := range c.m.Trials[before:] {
		if t.Verdict == problem.Accepted {
			if c.m.Workers == nil {
				c.spent += t.Outcome.Wall
			}
		} else {
			c.out[t.Submission] = true
		}
	}
	return err
}

const (
	jump   = 10  // the factor between times of consecutive sizes from which on a size is added
	narrow = 1.2 // the factor between sizes below which none is added
	fills  = 12  // the largest number of added sizes
)

// fill adds sizes in between. It may take a quarter of the time for growing.
func (c *growthRun) fill(ctx context.Context) error {
	c.share = 1.25
	ended := c.m.Growth.Ended
	defer func() { c.m.Growth.Ended = ended }()
	for range fills {
		n, submissions := c.gap()
		if n == 0 {
			return nil
		}
		ok := c.late() == ""
		if ok {
			var err error
			if ok, err = c.size(ctx, n, submissions); err != nil {
				return err
			}
		}
		if !ok {
			ended = fmt.Sprintf("%s; no budget was left to add sizes in between, such as %d",
				cmp.Or(ended, "every submission reached a limit"), n)
			return nil
		}
	}
	return nil
}

// gap returns the most informative size to add: the middle of the widest step in
// which a submission exceeded a limit or its time jumped; 0 if there is none. The
// submissions are those with that step.
func (c *growthRun) gap() (n int64, submissions []int) {
	type step struct {
		lo, hi     float64
		submission int
	}
	var steps []step
	t, order := tabulate(c.m), c.m.bySize()
	for i := range c.out {
		var last *Trial
		for _, k := range order {
			ran := t.records[i][k].runs
			if ran == nil {
				continue
			}
			now := ran[0]
			if last != nil {
				from, to := c.m.Cases[last.Case].Size, c.m.Cases[k].Size
				limited := stopped(now.Verdict) && to > from*narrow
				jumped := now.Verdict == problem.Accepted && c.m.Value(now) > jump*c.m.Value(last)
				if to-from >= 2 && (limited || jumped) {
					steps = append(steps, step{from, to, i})
				}
			}
			if last = now; now.Verdict != problem.Accepted {
				break
			}
		}
	}
	if steps == nil {
		return 0, nil
	}
	widest := slices.MaxFunc(steps, func(a, b step) int {
		return cmp.Or(cmp.Compare(a.hi/a.lo, b.hi/b.lo), cmp.Compare(b.lo, a.lo))
	})
	for _, s := range steps {
		if s.lo == widest.lo && s.hi == widest.hi {
			submissions = append(submissions, s.submission)
		}
	}
	mid := math.Round(math.Sqrt(widest.lo * widest.hi))
	return int64(min(max(mid, widest.lo+1), widest.hi-1)), submissions
}

// repeat runs all accepted pairs again, as often as requested and the budget
// allows, or until all counts of instructions repeat exactly. It does not repeat pairs
// that exceeded a limit.
func (c *growthRun) repeat(ctx context.Context) error {
	c.m.Ended = AllRounds
	spent := time.Duration(0) // before the last round
	for round := 1; round < c.Rounds; round++ {
		t := tabulate(c.m)
		if t.repeats() {
			c.m.Ended = Precise
			return nil
		}
		var pairs []Pair
		var cost time.Duration // of the round, estimated from the last run of each pair
		for _, p := range t.pairs() {
			if ran := t.records[p.Submission][p.Case].runs; ran != nil {
				pairs = append(pairs, p)
				cost += ran[len(ran)-1].Outcome.Wall
			}
		}
		if c.m.Workers != nil {
			cost, spent = c.spent-spent, c.spent
		}
		if c.Budget > 0 && c.elapsed()+cost > c.Budget {
			c.m.Ended = OutOfBudget
			return nil
		}
		if c.OnRun != nil {
			c.OnRun(round, c.Rounds)
		}
		if err := c.round(ctx, round, pairs); err != nil {
			return err
		}
	}
	return nil
}
