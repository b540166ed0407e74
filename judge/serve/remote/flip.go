package remote

import (
	"cmp"
	"math"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// decade is the range, as a logarithm, in which the time of a stopped program is: all
// that is known is where it was stopped, and a program that is too slow may be so by any
// factor.
const decade = math.Ln10

// A margin is how far the CPU time of a run is from the limit, and what may change the
// time on another machine of the same class. The zero value is a run at the limit.
type margin struct {
	log        float64 // logarithm of the limit divided by the time; negative above the limit
	stopped    bool    // the time is where the program was stopped
	distortion float64 // by how much others may have lengthened the time: 0.05 is by a twentieth. 0 if it ran alone
	spread     float64 // standard deviation of the logarithm of the ratio of the times of one program on two machines
}

// flips returns the probability that the program, alone on another machine, is on the
// other side of the limit.
//
// The logarithm of the other time is normal, with the spread. Its mean is that of the run
// less the distortion by others, every amount of which up to the largest is equally likely. If
// the program was stopped, its time is above that by a factor of 1 to 10, whose logarithm
// is uniform. For times with heavier tails, the probability is up to a few times as large
// near 1 %; see TestFlips.
func (m margin) flips() float64 {
	const steps = 16
	sum, most := 0.0, math.Log1p(m.distortion)
	for i := range steps {
		z := (m.log + most*(float64(i)+0.5)/steps) / m.spread
		switch {
		case m.stopped:
			sum += m.spread / decade * excess(-z)
		case m.log < 0:
			sum += 1 - above(z)
		default:
			sum += above(z)
		}
	}
	return min(sum/steps, 1)
}

// above returns the probability that a standard normal number is above z.
func above(z float64) float64 { return math.Erfc(z/math.Sqrt2) / 2 }

// excess returns the integral of above from z to infinity.
func excess(z float64) float64 {
	return math.Exp(-z*z/2)/math.Sqrt(2*math.Pi) - z*above(z)
}

// doubts reports whether runs near the limit are made again by another worker.
func doubts(s *judge.Settings) bool { return s.Doubt < 1 && s.Repeat <= 1 && !s.Measures }

func spread(s *judge.Settings) float64 { return cmp.Or(s.Spread, judge.DefaultSpread) }

// flips returns the probability that the verdict of a run changes to or from TLE if
// another machine of the class makes the run alone. It is 0 for a run that a time limit
// did not decide, and could not, and for a stored one that was stopped: it was made again
// when it was new.
func flips(s *judge.Settings, run *judge.Run) float64 {
	o, limit := &run.Outcome, s.TimeLimit
	if run.Err != nil || run.Worker == "" || limit == 0 || o.CPU <= 0 || o.Exceeded == sandbox.Wall ||
		run.StoredAt != nil && run.Verdict == problem.TimeLimit {
		return 0
	}
	m := margin{log: math.Log(float64(limit) / float64(o.CPU)), stopped: o.Exceeded == sandbox.CPU, spread: spread(s)}
	if o.Beside > 0 {
		m.distortion = max(cmp.Or(s.Distortion, judge.DefaultDistortion), 0)
	}
	return m.flips()
}
