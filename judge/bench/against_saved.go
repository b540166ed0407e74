package bench

import (
	"slices"
	"strings"
)

// A Saved is a stored run, as far as it can be held against another one. It
// may come from the history, from a JSON report or from benchmark lines, which
// do not all tell the same.
type Saved struct {
	Name     string // what people call it by: an id, a file
	Machine  []Fact // what must be the same for times to be compared
	Setting  []Fact // what may explain a difference: versions, limits
	Looks    int    // the most that any of its measurements took, see [Measurement]; 0 is 1
	Programs []SavedProgram
	Doubts   []string // about the machine while it was measured
}

// A Fact is something about a run beside its times. A value of "" is not known.
type Fact struct{ Name, Value string }

// ToolchainOf and the code of a language are the name of the setting that says
// what compiled or ran its programs, and in which version.
const ToolchainOf = "toolchain of "

// A SavedProgram is a submission in a stored run.
type SavedProgram struct {
	Problem, Name string
	Language      string // code; "" if not known
	Source        string // hash of its source; "" if not known
	Wrong         string // it does not compile, and what was said of it; "" if it does
	Unknown       string // why nothing was learned: its language is not there, the judge failed; "" otherwise
	Cells         []SavedCell
}

// A SavedCell is a submission on a case in a stored run. The numbers are by run
// of the program, as many of each kind as there are Rounds, or none where that
// kind was not measured.
type SavedCell struct {
	Case    string
	Size    float64 // n, of generated inputs that grow; 0 otherwise
	Data    string  // hash of what the case is made of; "" if not known
	Wrong   string  // the first verdict that is not AC, and why: it has no times then; "" if all was well
	Unknown string  // why nothing was learned: the judge failed; "" otherwise
	Rounds  []int   // what was measured together: values of one round, over a program's cells

	CPU, Wall    []float64 // seconds
	Memory       []float64 // bytes, at the peak
	Instructions []float64
}

// A Metric is what stored runs are compared by.
type Metric string

const (
	ByCPU          Metric = "cpu"
	ByWall         Metric = "wall"
	ByMemory       Metric = "memory"
	ByInstructions Metric = "instructions"
)

// Metrics lists them, the default first.
var Metrics = []Metric{ByCPU, ByWall, ByMemory, ByInstructions}

// values are the cell's numbers of that kind; nil if there are none to compare.
func (c *SavedCell) values(m Metric) []float64 {
	if c.Wrong+c.Unknown != "" {
		return nil
	}
	return *c.list(m)
}

// list is where the cell has its numbers of that kind.
func (c *SavedCell) list(m Metric) *[]float64 {
	return map[Metric]*[]float64{ByCPU: &c.CPU, ByWall: &c.Wall, ByMemory: &c.Memory, ByInstructions: &c.Instructions}[m]
}

// program finds a submission of a problem; nil if the run has none of that name.
func (s *Saved) program(problem, name string) *SavedProgram {
	i := slices.IndexFunc(s.Programs, func(p SavedProgram) bool { return p.Problem == problem && p.Name == name })
	if i < 0 {
		return nil
	}
	return &s.Programs[i]
}

func (p *SavedProgram) cell(name string, size float64) *SavedCell {
	i := slices.IndexFunc(p.Cells, func(c SavedCell) bool { return c.Case == name && c.Size == size })
	if i < 0 {
		return nil
	}
	return &p.Cells[i]
}

// A Difference is a fact that two runs do not share.
type Difference struct{ Name, Old, New string }

// differences are the facts that both runs know and that are not the same, and
// the names of those that one of them, or neither, does.
func differences(old, new []Fact) (differ []Difference, unknown []string) {
	var names []string
	values := [2]map[string]string{{}, {}}
	for side, facts := range [2][]Fact{old, new} {
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
