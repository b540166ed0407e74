package generate

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"crucible/judge"
	"crucible/judge/internal/testproblem"
	"crucible/judge/sandbox"
)

// placed is a scripted Runner that remembers where submissions ran.
type placed struct {
	testproblem.Scripted
	mu    sync.Mutex
	busy  map[int]bool
	ran   map[string]int // number of runs, by their cores
	fixed int            // runs with fixed addresses
	wrong []string
}

func (r *placed) Run(ctx context.Context, c sandbox.Cmd) (sandbox.Outcome, error) {
	r.mu.Lock()
	if c.Stdin == nil && (c.Cores != nil || c.FixedAddresses) {
		r.wrong = append(r.wrong, "a compiler is pinned, or has fixed addresses")
	}
	if c.Stdin != nil {
		r.ran[fmt.Sprint(c.Cores)]++
		if c.FixedAddresses {
			r.fixed++
		}
	}
	for _, core := range c.Cores {
		if r.busy[core] {
			r.wrong = append(r.wrong, fmt.Sprintf("two at once on core %d", core))
		}
		r.busy[core] = true
	}
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		for _, core := range c.Cores {
			r.busy[core] = false
		}
	}()
	return r.Scripted.Run(ctx, c)
}

func TestPin(t *testing.T) {
	for _, c := range []struct {
		fact  string
		cores []int
		jobs  int
		want  []string // the cores that are used, each at least once
	}{
		{"no cores, no pinning", nil, 2, []string{"[]"}},
		{"one job has the one core", []int{5}, 1, []string{"[5]"}},
		{"two jobs have a core each", []int{5, 3}, 2, []string{"[3]", "[5]"}},
		{"more jobs than cores take turns", []int{5, 3}, 6, []string{"[3]", "[5]"}},
	} {
		t.Run(c.fact, func(t *testing.T) {
			p, s := testproblem.ScriptedProblem(t, "accepted", slices.Repeat([]string{"AC"}, 40)...)
			r := &placed{Scripted: testproblem.Scripted{Delay: true}, busy: map[int]bool{}, ran: map[string]int{}}
			j := &judge.Judge{Settings: judge.Settings{FixedAddresses: true}, Runner: r, Jobs: c.jobs, Cores: c.cores, Cache: t.TempDir()}
			defer j.Close()
			j.Run(t.Context(), s, p.Cases)
			if r.wrong != nil {
				t.Error(r.wrong)
			}
			total := 0
			for _, cores := range c.want {
				if r.ran[cores] == 0 {
					t.Errorf("nothing ran on %s: %v", cores, r.ran)
				}
				total += r.ran[cores]
			}
			if total != len(p.Cases) || r.fixed != total {
				t.Errorf("%v, %d with fixed addresses; want %d runs on %v, all with fixed addresses", r.ran, r.fixed, len(p.Cases), c.want)
			}
		})
	}
}
