package report

import (
	"os"
	"runtime"

	"crucible/judge/machine"
)

// A Machine is where the judge ran: a time without its machine says little.
type Machine struct {
	OS, Arch string // as Go names them: "linux", "amd64"
	CPU      string // model name of the processor; "" if not known
	Cores    int    // logical processors that this process may use
	Kernel   string // release of the kernel; "" if not known
	Go       string // version of Go that built the judge

	// The caller fills these in.
	Protection     string   // how programs are confined: "process"
	NotEnforced    []string // what is not confined here
	Pinned         bool     // each program that was measured had a core of its own
	FixedAddresses bool     // and the same addresses on every run
}

// ThisMachine describes the machine it runs on. What it cannot learn it leaves
// empty.
func ThisMachine() Machine {
	m := Machine{OS: runtime.GOOS, Arch: runtime.GOARCH, Cores: runtime.NumCPU(), Go: runtime.Version()}
	m.CPU, m.Kernel = machine.Name(os.DirFS("/"))
	return m
}
