// Package machine tells what of the machine bears on the times of programs,
// and measures how well times repeat on it.
//
// It has two halves that know nothing of each other. [Here] reads facts:
// frequency scaling, threads that share a core, load, swap, and what else makes
// one run of a program slower than the next; [Facts.Findings] says what they
// mean, and the one command that would change what harms. [Measure] runs two
// fixed loops again and again and states how far apart their times are, which
// no list of facts can.
//
// What a system does not tell is left out: systems other than Linux tell
// little, and the measuring works on all.
package machine

import (
	"os"
	"time"
)

// Facts are what the system tells. What it does not tell is the zero value,
// and where zero is a value, a pointer that is nil.
type Facts struct {
	Processors []Processor
	Frequency  Frequency
	Threads    string // whether cores may run several threads: "on", "off", "forceoff"; "notsupported" and others where nobody can choose
	Load       *Load
	Swap       *Swap
	Virtual    *Virtual
	Counters   *Counters
	Clock      Clock
	Addresses  string // how they are drawn anew for each run: "0" not at all, "1", "2" all of them
}

// A Processor is what the system runs one thread on at a time. Several may
// share a core.
type Processor struct {
	ID       int
	Siblings []int  // all that share its core, itself too
	Governor string // who chooses its frequency: "performance", "powersave"
	Max      int    // kHz
	Capacity int    // how much it gets done, against 1024 of the fastest
}

// Frequency is what all processors have in common.
type Frequency struct {
	Driver string // "intel_pstate"; "" where frequencies cannot be seen
	Turbo  string // "on" or "off"
	Switch string // the file that turns it on and off
	On     string // what that file holds when it is on

	Least, Most int // kHz, of all processors now
}

// Load is how much the machine has had to do.
type Load struct {
	Average  float64  // programs that ran or wanted to, over a minute
	Pressure *float64 // percent of the last 10 s in which some program waited for a processor
}

// Swap is memory on a disk, in bytes.
type Swap struct{ Size, Used int64 }

// Virtual is what a machine that is not the real one tells of that.
type Virtual struct {
	By     string  // who made it; "" if it does not tell
	Stolen float64 // share of the time since it started that the host took away
}

// Counters are the processor's own, of instructions executed.
type Counters struct {
	Err      error  // why there are none; nil if they work
	Paranoid string // kernel.perf_event_paranoid: what users may count
}

// Clock is what the kernel reads the time from.
type Clock struct {
	Source string   // "tsc"
	Others []string // that it could use instead
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

// A Finding is something about the machine that bears on times.
type Finding struct {
	About  string // one word: "frequency"
	Text   string // one line, without a stop
	Harm   bool   // times are worth less for it
	Change string // the one command that would change it; "" if there is none
}

// A Timing is how long a fixed piece of work took once.
type Timing struct{ CPU, Wall time.Duration }
