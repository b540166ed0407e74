package record

import (
	"os"
	"runtime"
	"strconv"
	"time"

	"crucible/judge"
	"crucible/judge/measure/machine"
	"crucible/judge/problem"
)

// Schema is the version of the documents that this package writes.
const Schema = 1

// A Document is the result of one command: of judging, of measuring, or of a
// comparison of stored runs.
type Document struct {
	Machine  Machine       `json:"machine"`    // where programs ran; zero for a comparison
	Elapsed  time.Duration `json:"elapsed_ns"` // wall-clock time of the command; 0 if not known
	Problems []Problem     `json:"problems"`   // in order of their ids; none for a comparison
	Against  any           `json:"against"`    // a comparison of stored runs, which encodes itself; nil otherwise
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

	// Sections are results of other kinds, such as those of a measurement.
	Sections Sections `json:",embed"`
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
	Counter string `json:"counter,omitzero"`
	// The errors of the judge's own measurements, a value that encodes itself; nil if they
	// are not known.
	SelfTest any `json:"self_test,omitzero"`
}

// A Fact is a named property of a machine or a run. The value "" means that it is not known.
type Fact struct {
	Name  string `json:"name"`  // for people
	Value string `json:"value"` // for people
}

// Facts returns the facts of a machine that affect times, always the same names in
// the same order; an unknown value is "".
func (m Machine) Facts() []Fact {
	cores := ""
	if m.Cores > 0 {
		cores = strconv.Itoa(m.Cores)
	}
	known := func(b bool) string {
		if m.Protection == "" {
			return "" // nothing ran, or the document does not have it
		}
		return strconv.FormatBool(b)
	}
	return []Fact{
		{Name: "system", Value: m.OS}, {Name: "architecture", Value: m.Arch}, {Name: "CPU", Value: m.CPU},
		{Name: "cores", Value: cores},
		{Name: "kernel", Value: m.Kernel}, {Name: "protection", Value: m.Protection},
		{Name: "pinned", Value: known(m.Pinned)}, {Name: "fixed addresses", Value: known(m.FixedAddresses)},
	}
}

// ThisMachine describes the machine on which the judge runs. Facts that are not
// available are "".
func ThisMachine() Machine {
	m := Machine{OS: runtime.GOOS, Arch: runtime.GOARCH, Cores: runtime.NumCPU(), Go: runtime.Version()}
	m.CPU, m.Kernel = machine.Name(os.DirFS("/"))
	return m
}
