package record

import (
	"fmt"
	"os"
	"runtime"
	"time"

	"crucible/judge"
	"crucible/judge/measure/bench"
	"crucible/judge/measure/calibration"
	"crucible/judge/measure/machine"
	"crucible/judge/problem"
	"crucible/judge/strength/adequacy"
	"crucible/judge/strength/stress"
)

// Schema is the version of the documents that this package writes.
const Schema = 1

// A Document is the result of one command: of judging, of measuring, or of a
// comparison of stored runs.
type Document struct {
	Machine  Machine              `json:"machine"`    // where programs ran; zero for a comparison
	Elapsed  time.Duration        `json:"elapsed_ns"` // wall-clock time of the command; 0 if not known
	Problems []Problem            `json:"problems"`   // in order of their ids; none for a comparison
	Against  *bench.RunComparison `json:"against"`    // a comparison of stored runs; nil otherwise
}

// A Problem is the part of a [Document] about one problem.
type Problem struct {
	ID     string         `json:"id"`     // the problem's id
	Path   string         `json:"path"`   // path of its package
	Err    error          `json:"error"`  // why the package could not be opened or judged; nil if it was
	Limits problem.Limits `json:"limits"` // limits of the runs; a field of 0 is no limit
	// Names of the chosen cases, in order; a submission may stop before the last.
	Cases   []string        `json:"cases"`
	Reports []*judge.Report `json:"submissions"` // reports of the judged submissions; nil if they were measured

	// Drawn has the pictures of cases, and Run.Images those of outputs. They are not stored.
	Drawn []Drawing `json:"-"`

	// Validators are the output validators of the package, if submissions were judged.
	Validators []Validator `json:"validators,omitempty"`

	// Measurement contains the facts of a measurement; nil if submissions were judged.
	// Its results are in one of the other fields, depending on its kind; see Conclude.
	Measurement *bench.Measurement `json:"measurement"`
	Comparison  *bench.Comparison  `json:"comparison"` // results of kind [bench.ForBench]; nil otherwise
	Scaling     *bench.Scaling     `json:"scaling"`    // results of kind [bench.ForScale]; nil otherwise
	Band        *bench.Band        `json:"band"`       // results of kind [bench.ForLimits]; nil otherwise

	// Adequacy is how strong the test data is; nil if that was not measured.
	Adequacy *adequacy.Result `json:"adequacy,omitempty"`

	// Stress is what a search for inputs on which programs fail found; nil if there was none.
	Stress *stress.Summary `json:"stress,omitempty"`
}

// A Drawing has the pictures that a visualizer made of a case.
type Drawing struct {
	Case   string
	Images []judge.Image
	Failed string // why there are none; "" if there are
}

// A Validator is an output validator in a [Problem].
type Validator struct {
	Name string `json:"name"` // its path in the package: "output_validator"
	// Command that compiled it, see [build.Compile]; nil if nothing was compiled.
	Command []string `json:"command,omitempty"`
}

// Conclude sets the measurement of a problem and computes its results. It returns an
// error for a measurement of unknown kind.
func (p *Problem) Conclude(m *bench.Measurement) error {
	p.Measurement = m
	switch m.Kind {
	case bench.ForBench:
		p.Comparison = bench.CompareOf(m)
	case bench.ForScale:
		p.Scaling = bench.ScalingOf(m)
	case bench.ForLimits:
		p.Band = bench.BandOf(m)
	default:
		return fmt.Errorf("measurement of kind %q: expected %s, %s or %s", m.Kind, bench.ForBench, bench.ForScale,
			bench.ForLimits)
	}
	return nil
}

// A Machine describes the machine on which programs ran. Times of two machines are
// comparable only if all fields are equal.
type Machine struct {
	OS     string `json:"os"`     // as Go names it: "linux"
	Arch   string `json:"arch"`   // as Go names it: "amd64"
	CPU    string `json:"cpu"`    // model name of the processor; "" if not known
	Cores  int    `json:"cores"`  // logical processors that the judge may use
	Kernel string `json:"kernel"` // release of the kernel; "" if not known
	Go     string `json:"go"`     // version of Go that built the judge

	// The caller of ThisMachine sets the other fields.
	Protection string `json:"protection"` // sandbox level: "process"; "" if nothing ran
	// The resources and accesses that this level does not limit, count or prevent, a phrase
	// each.
	NotEnforced    []string `json:"not_enforced"`
	Pinned         bool     `json:"pinned"`          // each measured program had a core of its own
	FixedAddresses bool     `json:"fixed_addresses"` // programs had the same memory addresses in every run
	// What counted instructions, with its version, if the clock was the count of instructions;
	// "" if it was CPU time.
	Counter  string    `json:"counter,omitzero"`
	SelfTest *SelfTest `json:"self_test,omitzero"` // the errors of the judge's own measurements; nil if they are not known
}

// A SelfTest is what judge doctor --self-test found on a machine.
type SelfTest struct {
	At     time.Time           `json:"made_at"`
	Checks []calibration.Check `json:"checks"`
}

// ThisMachine describes the machine on which the judge runs. Facts that are not
// available are "".
func ThisMachine() Machine {
	m := Machine{OS: runtime.GOOS, Arch: runtime.GOARCH, Cores: runtime.NumCPU(), Go: runtime.Version()}
	m.CPU, m.Kernel = machine.Name(os.DirFS("/"))
	return m
}
