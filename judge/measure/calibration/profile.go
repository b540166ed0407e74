package calibration

import (
	"context"
	"runtime"
	"slices"

	"crucible/judge/sandbox"
)

// A Profile has the CPU times of programs of known work on one machine.
type Profile struct {
	Programs     string               // names the programs; the times of others cannot be compared
	Times        map[string][]float64 // CPU times in seconds by the program, in the order of the rounds
	Instructions map[string]int64     // median by the program; none where the machine does not count them
}

// profiled are the programs of [Measure]. The amounts are for 10 to 25 ms. A change of
// them, or of what they do, needs another profileVersion.
var profiled = []struct {
	name   string
	kind   kind
	amount int64
}{
	{"arithmetic", compute, 7e6},
	{"branches", sorting, 120e3},
	{"random memory", random, 80e3},
	{"streaming memory", stream, 4},
	{"process start", start, 5},
	{"output", output, 4096},
}

const profileVersion = "1"

// rounds is the number of runs of each program of [Measure].
const rounds = 11

// Measure runs programs of known work in the sandbox, one at a time and in turns, which
// takes about 1 s of CPU time: integer arithmetic, branches, random and streaming
// access to memory, start of processes, and output.
func Measure(ctx context.Context, r sandbox.Runner) (*Profile, error) {
	m, err := newMeasurer(r)
	if err != nil {
		return nil, err
	}
	p := &Profile{Programs: profileVersion + " " + runtime.Version() + " " + runtime.GOARCH,
		Times: make(map[string][]float64)}
	counts := make(map[string][]int64)
	for round := range rounds + 1 {
		for _, w := range profiled {
			o, err := m.run(ctx, w.kind, w.amount, nil)
			if err != nil {
				return nil, err
			}
			if round == 0 {
				continue // the executable is not in the caches yet
			}
			p.Times[w.name] = append(p.Times[w.name], o.CPU.Seconds())
			if o.Instructions > 0 {
				counts[w.name] = append(counts[w.name], o.Instructions)
			}
		}
	}
	for name, all := range counts {
		if p.Instructions == nil {
			p.Instructions = make(map[string]int64)
		}
		slices.Sort(all)
		p.Instructions[name] = all[len(all)/2]
	}
	return p, nil
}
