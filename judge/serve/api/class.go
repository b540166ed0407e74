package api

import (
	"fmt"
	"slices"
	"time"
)

// AnyClass stands for all machine classes.
const AnyClass = "any"

// A Calibration has the CPU times of programs of known work on a worker.
type Calibration struct {
	// Names the programs; the times of others cannot be compared.
	Programs string               `json:"programs"`
	Times    map[string][]float64 `json:"times_s"` // seconds by the program, in the order of the runs
	// Median by the program; none where the machine does not count them.
	Instructions map[string]int64 `json:"instructions,omitempty"`
}

// Check returns an error if the calibration has too much, or what are no times.
func (c *Calibration) Check() error {
	const programs, least, most = 50, 2, 200
	if len(c.Times) == 0 || len(c.Times) > programs || len(c.Instructions) > programs {
		return fmt.Errorf("a calibration of %d programs: expected 1 to %d", len(c.Times), programs)
	}
	if err := printable(c.Programs); err != nil {
		return err
	}
	for name, times := range c.Times {
		if err := printable(name); err != nil {
			return err
		}
		if len(times) < least || len(times) > most {
			return fmt.Errorf("a calibration with %d times of %s: expected %d to %d", len(times), name, least, most)
		}
		for _, t := range times {
			if !(t > 0 && t < 3600) {
				return fmt.Errorf("a calibration with a time of %v s of %s: expected more than 0", t, name)
			}
		}
	}
	return nil
}

// A Placement is the answer to a calibration.
type Placement struct {
	Class string  `json:"class,omitempty"` // "" until the worker has been calibrated again
	Out   []Out   `json:"out,omitempty"`   // why the worker gets no work items; none if it gets some
	Next  float64 `json:"next_s"`          // seconds until the next calibration
}

// A Ratio compares the times of one program on a worker with those of its class without it.
type Ratio struct {
	Program string  `json:"program"`
	Ratio   float64 `json:"ratio"` // above 1: the worker is slower
	Lo      float64 `json:"lo"`    // of the interval of 99 %
	Hi      float64 `json:"hi"`
}

// A Comparison compares a worker with its class.
type Comparison struct {
	At time.Time `json:"at"` // of the calibration
	// The worker is alone in its class: it is compared with its own times when it joined.
	Own    bool    `json:"own,omitempty"`
	Ratios []Ratio `json:"ratios"` // by program
}

// A Class is a machine class: workers whose times are comparable.
type Class struct {
	Name      string   `json:"name"`
	Slots     int      `json:"slots"`     // work items that its workers execute at the same time
	Workers   []string `json:"workers"`   // names of those that get work items
	Languages []string `json:"languages"` // codes of those that its workers can run
}

// Choose returns the class with the most slots among those that can run the most of the
// languages, and those that it cannot run. It is nil if there are no classes.
func Choose(all []Class, languages []string) (best *Class, lacks []string) {
	for i := range all {
		c := &all[i]
		missing := slices.DeleteFunc(slices.Clone(languages), func(l string) bool { return slices.Contains(c.Languages, l) })
		if best == nil || len(missing) < len(lacks) || len(missing) == len(lacks) && c.Slots > best.Slots {
			best, lacks = c, missing
		}
	}
	return best, lacks
}
