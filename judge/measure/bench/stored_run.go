package bench

import (
	"slices"
	"strings"

	"crucible/judge/record"
)

// A StoredRun is a stored run for the comparison with another one. It may come from
// the history, from a JSON report or from benchmark lines, which do not all contain
// the same facts.
type StoredRun struct {
	Name    string        `json:"name"`    // an id or a file name, for messages
	Machine []record.Fact `json:"machine"` // facts that must be equal for a comparison of times
	Setting []record.Fact `json:"-"`       // facts that may explain a difference: versions, limits
	// What counted instructions, with its version; "" if CPU time was the clock.
	Counter  string          `json:"counter,omitzero"`
	Looks    int             `json:"looks"` // the largest Looks of its measurements, see [Measurement]; 0 is 1
	Programs []StoredProgram `json:"-"`     // in the order of the run
	Doubts   []string        `json:"-"`     // about the machine during the measurement
}

// ToolchainOf, followed by the code of a language, is the name of the setting with
// the compiler or interpreter of that language and its version.
const ToolchainOf = "toolchain of "

// A StoredProgram is a submission in a stored run.
type StoredProgram struct {
	Problem, Name string       // the problem's id and the submission's name
	Language      string       // code; "" if not known
	Source        string       // hash of its source; "" if not known
	Command       []string     // of its compiler; nil if nothing was compiled, or if it is not known
	Wrong         string       // why it does not compile; "" if it does
	Unknown       string       // why it was not run: its language is not installed, the judge failed; "" if it was
	Cells         []StoredCell // by case
}

// A StoredCell is a submission on a case in a stored run.
type StoredCell struct {
	Case string  // the name of the case
	Size float64 // n of a generated input of growing size; 0 otherwise
	Data string  // hash of the test data of the case; "" if not known
	// The first verdict other than AC, with the reason, and then there are no values; "" if all
	// are AC.
	Wrong   string
	Unknown string               // why it was not run: the judge failed; "" if it was
	Rounds  []int                // the round of each value; values of the same round were measured together
	Values  map[Metric][]float64 // one for each of Rounds, in the metric's unit; none of a metric that was not measured
}

// Add adds the values of a round.
func (c *StoredCell) Add(round int, values map[Metric]float64) {
	if c.Values == nil {
		c.Values = make(map[Metric][]float64)
	}
	c.Rounds = append(c.Rounds, round)
	for m, v := range values {
		c.Values[m] = append(c.Values[m], v)
	}
}

// A Metric is the quantity by which stored runs are compared.
type Metric string

const (
	ByCPU          Metric = "cpu"          // CPU time in seconds
	ByWall         Metric = "wall"         // wall-clock time in seconds
	ByMemory       Metric = "memory"       // peak memory in bytes
	ByInstructions Metric = "instructions" // instructions in user space
)

// Metrics lists all metrics, the default first.
var Metrics = []Metric{ByCPU, ByWall, ByMemory, ByInstructions}

// Metric returns the metric of the clock.
func (s *StoredRun) Metric() Metric {
	if s.Counter != "" {
		return ByInstructions
	}
	return ByCPU
}

// clock describes the clock.
func (s *StoredRun) clock() string {
	if s.Counter != "" {
		return "instructions, counted by " + s.Counter
	}
	return "CPU time"
}

// values returns the values of a metric; nil if there are none to compare.
func (c *StoredCell) values(m Metric) []float64 {
	if c.Wrong+c.Unknown != "" {
		return nil
	}
	return c.Values[m]
}

// program returns a submission of a problem; nil if the run does not have it.
func (s *StoredRun) program(problem, name string) *StoredProgram {
	return find(s.Programs, func(p *StoredProgram) bool { return p.Problem == problem && p.Name == name })
}

// cell returns the case of a name and a size; nil if the submission does not have it.
func (p *StoredProgram) cell(name string, size float64) *StoredCell {
	return find(p.Cells, func(c *StoredCell) bool { return c.Case == name && c.Size == size })
}

// find returns the first element that is searched for; nil if there is none.
func find[T any](all []T, is func(*T) bool) *T {
	for i := range all {
		if is(&all[i]) {
			return &all[i]
		}
	}
	return nil
}

// A Difference is a fact with different values in two runs.
type Difference struct {
	Name string `json:"name"` // of the fact
	Old  string `json:"old"`  // its values
	New  string `json:"new"`  // its values
}

// differences returns the facts with different values in both runs, and the names
// of those that are unknown in one run or both.
func differences(old, new []record.Fact) (differ []Difference, unknown []string) {
	var names []string
	values := [2]map[string]string{{}, {}}
	for side, facts := range [2][]record.Fact{old, new} {
		for _, f := range facts {
			values[side][f.Name] = strings.TrimSpace(f.Value)
			if !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	for _, name := range names {
		switch a, b := values[0][name], values[1][name]; {
		case a == "" || b == "":
			unknown = append(unknown, name)
		case a != b:
			differ = append(differ, Difference{name, a, b})
		}
	}
	return differ, unknown
}
