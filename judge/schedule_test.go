package judge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"crucible/judge/problem"
	"crucible/judge/result"
)

// orderOf returns an order of n cases of a pass-fail problem. All of them are run if all
// is set.
func orderOf(n int, all bool) *order {
	p := &problem.Problem{Types: []problem.Type{problem.PassFail}}
	for i := range n {
		p.Cases = append(p.Cases, &problem.Case{Name: fmt.Sprintf("secret/%04d", i)})
	}
	s := &problem.Submission{Problem: p}
	t := &draft{j: &Judge{Settings: Settings{All: all}}, s: s, state: result.New(p, nil, all), report: new(Report)}
	return t.order(p.Cases)
}

func (o *order) ran(i int, v problem.Verdict) { o.add(i, Run{Case: o.cases[i].Name, Verdict: v}) }

// Runs count in case order, however they end, and a case that is given back is taken again.
func TestOrder(t *testing.T) {
	ctx := context.Background()
	o := orderOf(6, false)
	var counted []string
	o.counted = func(r *Run) { counted = append(counted, r.Case) }
	if got := o.take(ctx, 4); !slices.Equal(got, []int{0, 1, 2, 3}) {
		t.Fatalf("took %v", got)
	}
	o.ran(3, problem.Accepted)
	o.ran(1, problem.WrongAnswer)
	o.giveBack([]int{0, 1, 2, 3})
	if got := o.take(ctx, 6); !slices.Equal(got, []int{0, 2, 4, 5}) {
		t.Errorf("took %v after two came back: expected those that have not been run", got)
	}
	if counted != nil {
		t.Errorf("counted %v before the first case is known", counted)
	}
	o.ran(0, problem.Accepted)
	if want := []string{"secret/0000", "secret/0001"}; !slices.Equal(counted, want) {
		t.Errorf("counted %v: expected %v, for the others are not needed", counted, want)
	}
	o.giveBack([]int{2, 4, 5})
	if got := o.take(ctx, 1); got != nil {
		t.Errorf("took %v: expected none after a wrong answer", got)
	}
	if kept := o.kept(ctx); len(kept) != 2 || kept[1].Verdict != problem.WrongAnswer {
		t.Errorf("kept %v", kept)
	}
}

// An interrupted run, and those after it, are not kept.
func TestOrderInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	o := orderOf(3, true)
	o.take(ctx, 3)
	o.ran(0, problem.Accepted)
	cause := errors.New("interrupted")
	cancel(cause)
	o.add(1, Run{Case: o.cases[1].Name, Err: cause})
	o.ran(2, problem.Accepted)
	if kept := o.kept(ctx); len(kept) != 1 {
		t.Errorf("kept %v: expected the run before the interruption", kept)
	}
	if o.take(ctx, 1) != nil {
		t.Error("a case was taken after the interruption")
	}
}

// A work item has the runs before it that are not accepted, and not too many.
func TestBefore(t *testing.T) {
	o := orderOf(2000, true)
	for i := range 1990 {
		v := problem.Accepted
		if i%2 == 1 {
			v = problem.WrongAnswer
		}
		o.ran(i, v)
	}
	if got := o.before(1990); len(got) != mostBefore || got[0].Case != "secret/0001" || got[1].Case != "secret/0003" {
		t.Errorf("%d runs, first %v: expected %d that are not accepted", len(got), got[:2], mostBefore)
	}
	if got := o.before(1); got != nil {
		t.Errorf("found %v before the second case: expected none", got)
	}
}
