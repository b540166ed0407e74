package problem

import (
	"math"
	"time"

	"crucible/judge/internal/yaml"
)

// seconds returns a function that reads a number of seconds, or a factor. The number
// must be greater than least, or equal to it if inclusive is set, and at most
// maxSeconds.
func seconds(to *float64, least float64, inclusive bool) func(*yaml.Node) error {
	return func(n *yaml.Node) error {
		v, err := n.AsFloat()
		if err != nil {
			return err
		}
		if !(v > least || v == least && inclusive) || v > maxSeconds {
			bound := "above"
			if inclusive {
				bound = "from"
			}
			return n.Errorf("%v: expected a number %s %v to %d", v, bound, least, maxSeconds)
		}
		*to = v
		return nil
	}
}

// whole returns a function that reads an integer from least to most. If the version
// is not strict, it rounds up a positive number with a fraction.
func (m *metadata) whole(least, most int64, set func(int64)) func(*yaml.Node) error {
	return func(n *yaml.Node) error {
		v, err := n.AsInt()
		if f, ferr := n.AsFloat(); err != nil && !m.strict && ferr == nil && f > 0 && f <= float64(most) {
			v, err = int64(math.Ceil(f)), nil
		}
		if err != nil {
			return err
		}
		if v < least || v > most {
			return n.Errorf("%d: expected an integer from %d to %d", v, least, most)
		}
		set(v)
		return nil
	}
}

// readLimits reads the key limits (2025-09, "Limits").
func readLimits(m *metadata, n *yaml.Node) error {
	p := m.p
	bytes := func(to *int64, unit int64) func(*yaml.Node) error {
		return m.whole(1, MaxLimitMiB, func(v int64) { *to = v * unit })
	}
	duration := func(to *time.Duration) func(*yaml.Node) error {
		return m.whole(1, maxSeconds, func(v int64) { *to = time.Duration(v) * time.Second })
	}
	var limit float64
	keys := map[string]func(*yaml.Node) error{
		"time_limit":      seconds(&limit, 0, false),
		"time_resolution": seconds(&p.Timing.Resolution, 0, false),
		"time_multipliers": func(n *yaml.Node) error {
			if n.Kind() != yaml.Map && m.f.Legacy {
				// Legacy has no such key, and other tools ignore it.
				m.warn(n.Errorf("time_multipliers: is not read: version %s expects time_multiplier and time_safety_margin", m.p.Version))
				return nil
			}
			m.fields(n, "time_multipliers", map[string]func(*yaml.Node) error{
				"ac_to_time_limit":  seconds(&p.Timing.ACToLimit, 1, true),
				"time_limit_to_tle": seconds(&p.Timing.LimitToTLE, 1, true),
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
			return m.whole(2, maxPasses, func(v int64) { p.Passes = int(v) })(n)
		},
	}
	if !m.f.Strict {
		keys["time_multiplier"] = seconds(&p.Timing.ACToLimit, 0, false)
		keys["time_safety_margin"] = seconds(&p.Timing.LimitToTLE, 0, false)
	}
	before := len(m.Errs)
	if !m.fields(n, "limits", keys) || len(m.Errs) > before {
		return nil
	}
	if limit > 0 {
		at := n.Get("time_limit")
		m.setTimeLimit(limit)
		if times := limit / p.Timing.Resolution; m.f.Strict && math.Abs(times-math.Round(times)) > 1e-9*times {
			return at.Errorf("time_limit %v is not a multiple of time_resolution %v", limit, p.Timing.Resolution)
		}
	}
	return nil
}

func (m *metadata) setTimeLimit(seconds float64) {
	m.p.Limits.Time = time.Duration(math.Round(seconds * float64(time.Second)))
	m.p.Limits.Wall = WallLimit(m.p.Limits.Time)
}
