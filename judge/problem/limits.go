package problem

import (
	"math"
	"time"

	"crucible/judge/internal/yaml"
)

// number returns a reader of a number that is greater than least, or equal to it if
// inclusive is set, and at most maxSeconds.
func number(to *float64, least float64, inclusive bool) reader {
	return func(n *yaml.Node) error {
		v, err := n.AsFloat()
		bound := "above"
		if inclusive {
			bound = "from"
		}
		if err == nil && (v < least || v == least && !inclusive || v > maxSeconds) {
			return n.Errorf("%v: expected a number %s %v to %d", v, bound, least, maxSeconds)
		}
		*to = v
		return err
	}
}

// whole returns a reader of an integer from least to most, which it multiplies by unit.
// If the version is not strict, it rounds up a positive number with a fraction.
func whole[T ~int | ~int64](m *metadata, to *T, least, most int64, unit T) reader {
	return func(n *yaml.Node) error {
		v, err := n.AsInt()
		if f, ferr := n.AsFloat(); err != nil && !m.strict && ferr == nil && f > 0 && f <= float64(most) {
			v, err = int64(math.Ceil(f)), nil
		}
		if err == nil && (v < least || v > most) {
			return n.Errorf("%d: expected an integer from %d to %d", v, least, most)
		}
		*to = T(v) * unit
		return err
	}
}

// limits reads the key limits (2025-09, "Limits").
func (m *metadata) limits(n *yaml.Node) error {
	p := m.p
	bytes := func(to *int64, unit int64) reader { return whole(m, to, 1, MaxLimitMiB, unit) }
	duration := func(to *time.Duration) reader { return whole(m, to, 1, maxSeconds, time.Second) }
	var limit float64
	keys := map[string]reader{
		"time_limit":      number(&limit, 0, false),
		"time_resolution": number(&p.Timing.Resolution, 0, false),
		"time_multipliers": func(n *yaml.Node) error {
			if n.Kind() != yaml.Map && m.f.Legacy {
				// Legacy has no such key, and other tools ignore it.
				m.warn(n.Errorf("time_multipliers: is not read: version %s expects time_multiplier and time_safety_margin",
					p.Version))
				return nil
			}
			m.fields(n, "time_multipliers", map[string]reader{
				"ac_to_time_limit":  number(&p.Timing.ACToLimit, 1, true),
				"time_limit_to_tle": number(&p.Timing.LimitToTLE, 1, true),
			})
			return nil
		},
		"memory":             bytes(&p.Limits.Memory, 1<<20),
		"output":             bytes(&p.Limits.Output, 1<<20),
		"code":               bytes(&p.Code, 1<<10),
		"compilation_time":   duration(&p.Building.Time),
		"compilation_memory": bytes(&p.Building.Memory, 1<<20),
		"validation_time":    duration(&p.Checking.Time),
		"validation_memory":  bytes(&p.Checking.Memory, 1<<20),
		"validation_output":  bytes(&p.Checking.Output, 1<<20),
		"validation_passes": func(n *yaml.Node) error {
			m.passesAt = n
			return whole(m, &p.Passes, 2, maxPasses, 1)(n)
		},
	}
	if !m.f.Strict {
		keys["time_multiplier"] = number(&p.Timing.ACToLimit, 0, false)
		keys["time_safety_margin"] = number(&p.Timing.LimitToTLE, 0, false)
	}
	before := len(m.Errs)
	if !m.fields(n, "limits", keys) || len(m.Errs) > before || limit == 0 {
		return nil
	}
	m.setTimeLimit(limit)
	if times := limit / p.Timing.Resolution; m.f.Strict && math.Abs(times-math.Round(times)) > 1e-9*times {
		return n.Get("time_limit").Errorf("time_limit %v is not a multiple of time_resolution %v", limit, p.Timing.Resolution)
	}
	return nil
}

func (m *metadata) setTimeLimit(seconds float64) {
	m.p.Limits.Time = time.Duration(math.Round(seconds * float64(time.Second)))
	m.p.Limits.Wall = WallLimit(m.p.Limits.Time)
}

// ResolutionOf returns the largest of the usual resolutions of which a time limit is a
// multiple; 1 s is the default of the format.
func ResolutionOf(limit time.Duration) time.Duration {
	for _, step := range []time.Duration{time.Second, time.Second / 2, time.Second / 10, time.Second / 100} {
		if limit%step == 0 {
			return step
		}
	}
	return time.Millisecond
}
