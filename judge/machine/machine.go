// Package machine reports the properties of the machine that affect the times of
// programs, and measures how well times repeat.
//
// It has two independent halves. [Here] reads facts: frequency scaling, threads
// that share a core, load, swap, and other causes of different times for the same
// program. [Facts.Findings] explains them, with a command that removes a harmful
// one. [Measuring] runs two fixed loops repeatedly and reports the spread of their
// times, which the facts do not determine.
//
// Facts that the system does not provide are omitted. Systems other than Linux
// provide few; measuring works on all systems.
package machine

import "os"

// Facts are the properties that the system provides. Those that it does not
// provide have the zero value, or are nil.
type Facts struct {
	Processors []Processor // those online
	Frequency  Frequency   // frequency scaling
	Threads    string      // whether cores run several threads: "on", "off", "forceoff"; "notsupported" and others if this cannot be changed
	Load       *Load       // nil if not known
	Swap       *Swap       // nil if not known
	Virtual    *Virtual    // nil if the machine is not virtual
	Counters   *Counters   // nil if not known
	Clock      Clock       // of the kernel
	Addresses  string      // address space randomization: "0" none, "1" without the heap, "2" full
}

// A Processor is a logical processor. Several may share a core.
type Processor struct {
	ID       int    // the system's number
	Siblings []int  // the processors of its core, including itself
	Governor string // the frequency governor: "performance", "powersave"
	Max      int    // the highest frequency in kHz
	Capacity int    // its speed relative to that of the fastest, which is 1024
}

// Frequency contains the settings of frequency scaling for all processors.
type Frequency struct {
	Driver string // "intel_pstate"; "" if frequencies are not visible
	Turbo  string // "on" or "off"; "" if not known

	TurboOff    string // the command that turns turbo off
	Least, Most int    // the lowest and highest current frequency of all processors, in kHz
}

// Load is the recent load of the machine.
type Load struct {
	Average  float64  // the load average over one minute
	Pressure *float64 // the percentage of the last 10 s in which some program waited for a processor; nil if not known
}

// Swap is memory on a disk.
type Swap struct {
	Size, Used int64 // bytes
}

// Virtual describes a virtual machine.
type Virtual struct {
	By     string  // the vendor; "" if not known
	Stolen float64 // share of the time since the start that the host took, from 0 to 1
}

// Counters are the processor's counters of executed instructions.
type Counters struct {
	Err      error  // why they cannot be used; nil if they can
	Paranoid string // the value of kernel.perf_event_paranoid, which restricts users
}

// Clock is the clock source of the kernel.
type Clock struct {
	Source string   // such as "tsc"
	Others []string // all available sources
}

// Here reads the facts of this machine.
func Here() Facts {
	f := Read(os.DirFS("/"))
	f.Counters = counters()
	if f.Counters != nil {
		f.Counters.Paranoid = line(os.DirFS("/"), "proc/sys/kernel/perf_event_paranoid")
	}
	return f
}

// A Finding is a property of the machine that affects times.
type Finding struct {
	About  string // one word: "frequency"
	Text   string // one line, without a full stop
	Harm   bool   // it makes times less reliable
	Change string // a command that changes it; "" if there is none
}
