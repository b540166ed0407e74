package adequacy

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"crucible/judge/problem"
)

// verdicts reads a verdict for each character: W, T, M, R, . for AC, space for not run.
func verdicts(text string) (all []problem.Verdict) {
	for _, c := range text {
		all = append(all, map[rune]problem.Verdict{'W': problem.WrongAnswer, 'T': problem.TimeLimit, '.': problem.Accepted}[c])
	}
	return all
}

func resultOf(submissions []string, mutants ...Mutant) *Result {
	r := &Result{Cases: []CaseWorth{{Name: "a", CPU: 3 * time.Second}, {Name: "b", CPU: time.Second}, {Name: "c", CPU: time.Second}}}
	for _, s := range submissions {
		r.Submissions = append(r.Submissions, Tried{Name: s, Compiled: true, Verdicts: verdicts(s)})
	}
	if mutants != nil {
		r.Mutation = &Mutation{Mutants: mutants, Possible: len(mutants)}
	}
	return r
}

func TestConclude(t *testing.T) {
	r := resultOf([]string{"W..", "WW.", "..."},
		Mutant{ID: "easy", Fate: Killed, Verdicts: verdicts("WWW"), Line: 10},
		Mutant{ID: "hard", Fate: Killed, Verdicts: verdicts("..W"), Line: 30},
		Mutant{ID: "slow", Fate: Killed, Verdicts: verdicts("TT "), Line: 11, Partial: true},
		Mutant{ID: "left", Fate: Survived, Verdicts: verdicts("..."), Line: 28},
		Mutant{ID: "weak", Fate: OnlyWeak, Verdicts: verdicts("T.."), Weak: []string{"a"}},
		Mutant{ID: "same", Fate: SameCode},
		Mutant{ID: "none", Fate: CompileFailed},
	)
	(&assessing{r: r}).conclude(t.Context())
	type worth struct {
		Rejects, Kills, KillsOnly int
		Alone                     string
		Within, WithinAll         string
		Kept, KeptAll             bool
	}
	var got []worth
	for _, c := range r.Cases {
		alone := ""
		for _, name := range c.Alone {
			alone += name
		}
		got = append(got, worth{c.Rejects, c.Kills, c.KillsOnly, alone, c.Within, c.WithinAll, c.Kept, c.KeptAll})
	}
	want := []worth{
		{Rejects: 2, Kills: 2, Alone: "W..", Kept: true, KeptAll: true},
		{Rejects: 1, Kills: 2, Within: "a", WithinAll: "a"},
		{Kills: 2, KillsOnly: 1, KeptAll: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("cases (-expected +got):\n%s", diff)
	}
	m := r.Mutation
	if s := m.Scores; s.Headline.Killed != 3 || s.Headline.Of != 4 || s.CompileErrors != 1 || s.OnlyWeak != 1 {
		t.Errorf("scores %+v, expected 3 of 4 and one each apart", s)
	}
	// The slow one is not known to be killed by few cases, so it is not in the set.
	if m.Subsuming != 1 || !m.Mutants[1].Hard || m.Mutants[0].Hard || m.Mutants[2].Hard {
		t.Errorf("%d subsuming, expected hard alone", m.Subsuming)
	}
	// The case that kills the mutant two lines away comes first.
	if got := m.Mutants[3].Nearest; len(got) != 3 || got[0] != "c" {
		t.Errorf("nearest cases %q, expected c first", got)
	}
	if o := r.Order; !slices.Equal(o.Cases, []string{"b", "a", "c"}) && !slices.Equal(o.Cases, []string{"a", "b", "c"}) || o.Rejected != 2 || o.Mean > o.MeanNow || o.Mutants {
		t.Errorf("order %+v", o)
	}
}

// Without wrong submissions the mutants decide the order.
func TestOrderOfMutants(t *testing.T) {
	r := resultOf(nil, Mutant{ID: "x", Fate: Killed, Verdicts: verdicts("..W")}, Mutant{ID: "y", Fate: Survived, Verdicts: verdicts("...")})
	(&assessing{r: r}).conclude(context.Background())
	if o := r.Order; !o.Mutants || o.Cases[0] != "c" || o.Rejected != 1 {
		t.Errorf("order %+v, expected c first", o)
	}
	if len(r.Smallest.Cases) != 0 || !slices.Equal(r.Mutation.Smallest.Cases, []string{"c"}) {
		t.Errorf("smallest sets %q and %q", r.Smallest.Cases, r.Mutation.Smallest.Cases)
	}
}

// Mutants with the code of an earlier one do not count.
func TestDropSame(t *testing.T) {
	r := resultOf(nil,
		Mutant{ID: "late", Fate: Survived, Verdicts: verdicts("..."), code: "1"},
		Mutant{ID: "first", Fate: Survived, Verdicts: verdicts("..."), code: "1"},
		Mutant{ID: "unknown", Fate: Survived, Verdicts: verdicts("...")},
		Mutant{ID: "unknown too", Fate: Survived, Verdicts: verdicts("...")},
		Mutant{ID: "other", Fate: Killed, Verdicts: verdicts("W.."), code: "2"},
		Mutant{ID: "not run", Fate: NotRun, code: "2"},
	)
	(&assessing{r: r}).dropSame([]int{1, 5, 4, 3, 2, 0})
	var got []Fate
	for _, m := range r.Mutation.Mutants {
		got = append(got, m.Fate)
	}
	if want := []Fate{SameCode, Survived, Survived, Survived, Killed, NotRun}; !slices.Equal(got, want) || r.Mutation.Mutants[0].Like != "first" {
		t.Errorf("%q, expected %q", got, want)
	}
}
