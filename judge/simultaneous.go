package judge

import (
	"context"
	"slices"
	"sync"

	"crucible/judge/sandbox"
)

// A simultaneous is a Runner that passes programs on to another one and counts how many
// run at the same time.
type simultaneous struct {
	runner sandbox.Runner

	mu   sync.Mutex
	most []*int // of each program that runs, the largest number of others so far
}

// Run implements [sandbox.Runner]. It sets Beside in the outcome.
func (c *simultaneous) Run(ctx context.Context, cmd sandbox.Cmd) (sandbox.Outcome, error) {
	others := c.enter()
	o, err := c.runner.Run(ctx, cmd)
	o.Beside = c.leave(others)
	return o, err
}

// Protection forwards to the runner.
func (c *simultaneous) Protection() sandbox.Protection { return sandbox.ProtectionOf(c.runner) }

func (c *simultaneous) enter() (others *int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.most)
	for _, most := range c.most {
		*most = max(*most, n)
	}
	c.most = append(c.most, &n)
	return &n
}

func (c *simultaneous) leave(others *int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.Index(c.most, others)
	c.most = slices.Delete(c.most, i, i+1)
	return *others
}
