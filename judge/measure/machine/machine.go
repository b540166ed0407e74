// Package machine reports the properties of the machine that affect the times of
// programs, and measures how well times repeat.
//
// It has two independent parts. [Findings] explains the properties that the system
// provides: frequency scaling, threads that share a core, load, swap, and other
// causes of different times for the same program. A harmful one has a command that
// removes it. [Measuring] runs two fixed loops repeatedly and reports the spread of
// their times, which the properties do not determine.
//
// Properties that the system does not provide are omitted. Systems other than Linux
// provide few; measuring works on all systems.
package machine

// A Processor is a logical processor. Several may share a core.
type Processor struct {
	ID       int   // the system's number
	Siblings []int // the processors of its core, including itself
	Max      int   // the highest frequency in kHz
	Capacity int   // its speed relative to that of the fastest, which is 1024
}

// A Finding is a property of the machine that affects times.
type Finding struct {
	About  string // one word: "frequency"
	Text   string // one line, without a full stop
	Harm   bool   // it makes times less reliable
	Change string // a command that changes it; "" if there is none
}
