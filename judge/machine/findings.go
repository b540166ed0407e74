package machine

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// Findings explains how the facts affect times. Unknown facts are omitted.
func (f *Facts) Findings() []Finding {
	var all []Finding
	for _, find := range []func() []Finding{
		f.frequency, f.turbo, f.kinds, f.threads, f.load, f.swap, f.virtual, f.counters, f.clock, f.addresses,
	} {
		all = append(all, find()...)
	}
	return all
}

func one(about, change string, harm bool, format string, args ...any) []Finding {
	return []Finding{{About: about, Text: fmt.Sprintf(format, args...), Harm: harm, Change: change}}
}

// frequency reports the frequency governor. All but two follow the load, so that a
// program that starts after a pause starts slowly.
func (f *Facts) frequency() []Finding {
	if f.Frequency.Driver == "" {
		switch {
		case len(f.Processors) == 0:
			return nil
		case f.Virtual != nil:
			return one("frequency", "", false, "not visible, as on most virtual machines: the host sets it")
		}
		return one("frequency", "", false, "not visible: the kernel does not set it")
	}
	governors := map[string][]int{}
	for _, p := range f.Processors {
		governors[p.Governor] = append(governors[p.Governor], p.ID)
	}
	var names []string
	follows := false // the load
	for name, ids := range governors {
		if name == "" {
			continue
		}
		follows = follows || name != "performance" && name != "userspace"
		if len(governors) > 1 {
			name += " on " + ranges(ids)
		}
		names = append(names, name)
	}
	slices.Sort(names)
	now := ""
	if f.Frequency.Most > 0 {
		now = ", now " + gigahertz(f.Frequency.Least, f.Frequency.Most)
	}
	text := fmt.Sprintf("governor %s (%s)%s", cmp.Or(strings.Join(names, ", "), "unknown"), f.Frequency.Driver, now)
	if follows {
		return one("frequency", "echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor", true,
			"%s: a core that was idle is slow at first", text)
	}
	return one("frequency", "", false, "%s", text)
}

// gigahertz writes a range of frequencies, given in kHz.
func gigahertz(least, most int) string {
	a, b := fmt.Sprintf("%.1f", float64(least)/1e6), fmt.Sprintf("%.1f", float64(most)/1e6)
	if a == b {
		return a + " GHz"
	}
	return a + " to " + b + " GHz"
}

// turbo reports whether cores use frequencies that depend on temperature and on the
// load of other cores.
func (f *Facts) turbo() []Finding {
	switch f.Frequency.Turbo {
	case "on":
		return one("turbo", f.Frequency.TurboOff, true,
			"on: the speed of a core depends on the temperature and on the number of busy cores")
	case "off":
		return one("turbo", "", false, "off")
	}
	return nil
}

// kinds reports processors of different speeds.
func (f *Facts) kinds() []Finding {
	fast, slow := byKind(f.Processors)
	if len(slow) == 0 {
		return nil
	}
	return one("kinds", "taskset -c "+ranges(ids(fast))+" judge run", true,
		"processors %s are slower than %s: times depend on the processor that runs the program", ranges(ids(slow)), ranges(ids(fast)))
}

// threads reports processors that share a core. Each slows the other by up to a
// half, and CPU times include that.
func (f *Facts) threads() []Finding {
	var shared []string
	for _, p := range f.Processors {
		if len(p.Siblings) > 1 && p.Siblings[0] == p.ID {
			shared = append(shared, strings.ReplaceAll(strings.Trim(fmt.Sprint(p.Siblings), "[]"), " ", "+"))
		}
	}
	switch {
	case len(shared) > 0:
		change := ""
		if f.Threads == "on" {
			change = "echo off | sudo tee /sys/devices/system/cpu/smt/control"
		}
		const most = 8
		if n := len(shared); n > most {
			shared = append(shared[:most], fmt.Sprintf("%d more", n-most))
		}
		return one("smt", change, true, "processors share cores (%s): a program is slower while the other thread of its core is busy", strings.Join(shared, ", "))
	case len(f.Processors) == 0 && f.Threads == "":
		return nil
	case f.Virtual != nil:
		return one("smt", "", false, "none visible, but other virtual machines may use the same cores")
	}
	return one("smt", "", false, "off: no processor shares its core")
}

// busyLoad is the load from which on a machine is busy. A system without other
// programs stays far below half a processor.
const busyLoad = 0.5

func (f *Facts) load() []Finding {
	if f.Load == nil {
		return nil
	}
	text := fmt.Sprintf("%.2f over one minute", f.Load.Average)
	if n := len(f.Processors); n > 0 {
		text += fmt.Sprintf(" on %d processor", n)
		if n > 1 {
			text += "s"
		}
	}
	harm := f.Load.Average >= busyLoad
	if p := f.Load.Pressure; p != nil {
		text += fmt.Sprintf(", some program waited in %.0f %% of the last 10 s", *p)
		harm = harm || *p >= 5
	}
	if harm {
		text += ": other programs make times longer"
	}
	return one("load", "", harm, "%s", text)
}

func (f *Facts) swap() []Finding {
	switch {
	case f.Swap == nil:
		return nil
	case f.Swap.Size == 0:
		return one("swap", "", false, "none")
	case f.Swap.Used > 0:
		return one("swap", "sudo swapoff -a", true,
			"%s of %s in use: programs that use it have wrong times, and memory limits are not exact", size(f.Swap.Used), size(f.Swap.Size))
	}
	return one("swap", "sudo swapoff -a", true, "%s, not in use: a program that runs out of memory becomes slow instead of failing", size(f.Swap.Size))
}

// size writes an amount of swap.
func size(n int64) string {
	if n < 1<<30 {
		return fmt.Sprintf("%d MiB", max(n>>20, 1))
	}
	return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
}

// stolenMuch is the share of time from which on the time that the host takes makes
// times less reliable. A quiet host takes less for itself.
const stolenMuch = 0.001

func (f *Facts) virtual() []Finding {
	if f.Virtual == nil {
		return nil
	}
	by := ""
	if f.Virtual.By != "" {
		by = " (" + f.Virtual.By + ")"
	}
	text := "a virtual machine" + by + ": other virtual machines on the host are not visible"
	if f.Virtual.Stolen >= stolenMuch {
		return one("virtual", "", true, "%s; the host has taken %.1f %% of its time since it started", text, 100*f.Virtual.Stolen)
	}
	return one("virtual", "", false, "%s; the host has taken almost none of its time since it started", text)
}

func (f *Facts) counters() []Finding {
	c := f.Counters
	if c == nil {
		return nil
	}
	about := func(change, why string) []Finding {
		return one("counters", change, false, "instructions cannot be counted: %s", why)
	}
	switch {
	case c.Err == nil:
		return one("counters", "", false, "instructions in user space can be counted")
	case errors.Is(c.Err, syscall.EACCES) || errors.Is(c.Err, syscall.EPERM):
		// At 2, users may count for their own programs. Above 2, a value of some
		// distributions, they may not count at all.
		if n, err := strconv.Atoi(c.Paranoid); err == nil && n > 2 {
			return about("sudo sysctl kernel.perf_event_paranoid=2", "kernel.perf_event_paranoid is "+c.Paranoid+", which does not allow it for users")
		}
		return about("", "it is not permitted, perhaps because of a container's seccomp filter")
	case errors.Is(c.Err, syscall.ENOENT) || errors.Is(c.Err, syscall.ENODEV) || errors.Is(c.Err, syscall.EOPNOTSUPP):
		if f.Virtual != nil {
			return about("", "the processor has no counters, as on most virtual machines")
		}
		return about("", "the kernel does not support the counters of this processor")
	case errors.Is(c.Err, syscall.ENOSYS):
		return about("", "the kernel was built without perf_event_open, or a filter hides it")
	}
	return about("", "perf_event_open: "+c.Err.Error())
}

// fastClocks can be read without a system call.
var fastClocks = []string{"tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter", "timebase", "riscv_clocksource"}

func (f *Facts) clock() []Finding {
	source := f.Clock.Source
	if source == "" || slices.Contains(fastClocks, source) {
		return nil
	}
	change := ""
	for _, fast := range fastClocks {
		if slices.Contains(f.Clock.Others, fast) {
			change = "echo " + fast + " | sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource"
			break
		}
	}
	return one("clock", change, true, "%s: reading it is slow, so programs that read it often are slower than on other machines", source)
}

func (f *Facts) addresses() []Finding {
	switch f.Addresses {
	case "":
		return nil
	case "0":
		return one("addresses", "", false, "the same on every run")
	}
	return one("addresses", "judge run --fixed-addresses", false, "random for each run (ASLR), and cache misses depend on them")
}

// ranges writes numbers in the kernel's format: "0-3,8".
func ranges(ids []int) string {
	var parts []string
	for i := 0; i < len(ids); {
		j := i
		for j+1 < len(ids) && ids[j+1] == ids[j]+1 {
			j++
		}
		part := fmt.Sprint(ids[i])
		if j > i {
			part += fmt.Sprintf("-%d", ids[j])
		}
		parts = append(parts, part)
		i = j + 1
	}
	return strings.Join(parts, ",")
}
