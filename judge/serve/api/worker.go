package api

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// A Description is the version and the size of a server.
type Description struct {
	Judge string `json:"judge"`      // the version of its judge
	Slots int    `json:"slots"`      // how many work items are executed at the same time
	Idle  int    `json:"idle_slots"` // how many of the slots have no work item

	Calibrates bool    `json:"calibrates,omitempty"` // workers are in machine classes as soon as they have been calibrated
	Classes    []Class `json:"classes,omitempty"`    // those with workers that get work items, the largest first
}

// A Registration is what a worker says when it begins.
type Registration struct {
	Name      string   `json:"name"`      // names it in reports
	Judge     string   `json:"judge"`     // the version of its judge
	Slots     int      `json:"slots"`     // how many items it executes at the same time
	Level     string   `json:"level"`     // the sandbox level, as [sandbox.Level] prints it
	CPU       string   `json:"cpu"`       // model of its processor; "" if not known
	Cores     int      `json:"cores"`     // its logical processors
	Kernel    string   `json:"kernel"`    // release of its kernel; "" if not known
	Languages []string `json:"languages"` // codes of those that it can run

	Fingerprint
}

// A Fingerprint is what else decides the times of programs on a machine. Properties that
// its system does not show are "".
type Fingerprint struct {
	Arch      string `json:"arch,omitempty"`      // as Go names it: "amd64"
	Microcode string `json:"microcode,omitempty"` // revision of the processor's microcode
	Governor  string `json:"governor,omitempty"`  // of the frequency; several are separated by commas
	SMT       string `json:"smt,omitempty"`       // "on": processors share cores; "off": none do
	// The version of Go that built the judge and its calibration programs.
	Go        string              `json:"go,omitempty"`
	Compilers map[string]Compiler `json:"compilers,omitempty"` // by language code
}

// A Compiler is the compiler of a language, or its interpreter.
type Compiler struct {
	Version string `json:"version"`         // the first line of what it prints
	Flags   string `json:"flags,omitempty"` // with which it compiles
}

// Bounds of a [Registration].
const (
	mostTexts = 500      // entries of Languages, and of Compilers
	mostText  = 300      // bytes of each text
	mostBytes = 32 << 10 // of all texts
)

// Check returns an error if the registration has too much, or text that cannot be shown.
func (r *Registration) Check() error {
	if len(r.Languages) > mostTexts || len(r.Compilers) > mostTexts {
		return fmt.Errorf("%d languages and %d compilers: expected at most %d", len(r.Languages), len(r.Compilers), mostTexts)
	}
	all := slices.Concat(r.Languages, []string{r.Name, r.Level, r.CPU, r.Kernel, r.Arch, r.Microcode, r.Governor, r.SMT,
		r.Go})
	for code, c := range r.Compilers {
		all = append(all, code, c.Version, c.Flags)
	}
	bytes := 0
	for _, s := range all {
		if err := printable(s); err != nil {
			return err
		}
		bytes += len(s)
	}
	if bytes > mostBytes {
		return fmt.Errorf("texts of %d bytes: expected at most %d", bytes, mostBytes)
	}
	return nil
}

// printable returns an error for a text that is long or cannot be shown.
func printable(s string) error {
	if len(s) > mostText {
		return fmt.Errorf("a text of %d bytes, %.20q: expected at most %d", len(s), s, mostText)
	}
	if strings.ContainsFunc(s, func(c rune) bool { return !unicode.IsPrint(c) || c == utf8.RuneError }) {
		return fmt.Errorf("%.60q: expected printable text", s)
	}
	return nil
}

// An Admission is the answer to a Registration.
type Admission struct {
	Token string `json:"token"` // of the worker: for work items, and for the files that these name
	// Send a [Calibration] before the first work item, and then as its answers ask for.
	Calibrate bool `json:"calibrate,omitempty"`
}

// A Cause is a kind of reason for which a worker is taken out.
type Cause string

const (
	Removed Cause = "removed" // by an administrator
	Differs Cause = "differs" // its results differ from those of others
)

// A Removal asks for a worker to be taken out.
type Removal struct {
	Because string `json:"because,omitempty"` // up to 200 bytes
}

// An Out is a reason why a worker gets no work items.
type Out struct {
	Cause   Cause     `json:"cause"`
	Because string    `json:"because"` // with figures
	Since   time.Time `json:"since"`
}

// A Worker is a worker as the server knows it. The counts begin when the server
// does.
type Worker struct {
	Registration
	Since time.Time `json:"since"` // when it registered last
	// Its last sign of life since the server began; nil if there was none.
	Seen      *time.Time  `json:"seen,omitempty"`
	Alive     bool        `json:"alive"`                 // there was a sign of life within 30 s
	Busy      int         `json:"busy"`                  // work items under way
	Done      int64       `json:"done"`                  // work items that it completed
	Lost      int64       `json:"lost,omitempty"`        // work items that it began and another worker got
	Class     string      `json:"class,omitempty"`       // its machine class; "" until it has been calibrated
	Times     *Comparison `json:"calibration,omitempty"` // the last calibration; nil if there was none
	Out       []Out       `json:"out,omitempty"`         // why it gets no work items; none if it does
	Differ    int64       `json:"differ,omitempty"`      // work items of which another worker's result differs
	Unaudited int64       `json:"unaudited,omitempty"`   // work items that it completed since an audit last agreed with it
	// Why it gave an item back, or how its result differs; from the worker, so hostile.
	Err string `json:"last_error,omitempty"`
}
