package machine

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
)

// Findings explains the properties of this machine that affect times. Unknown ones are
// omitted.
func Findings() []Finding { return findings(os.DirFS("/"), counters()) }

// errUnknown means that it is not known whether instructions can be counted.
var errUnknown = errors.New("this system has no interface to count instructions")

// findings reads the files proc and sys of a file system whose root is /, or a copy in
// tests. counting is the reason why instructions cannot be counted; nil if they can.
func findings(fsys fs.FS, counting error) (all []Finding) {
	m := properties{fsys, Processors(fsys), isVirtual(fsys), counting}
	for _, find := range []func() []Finding{
		m.frequency, m.turbo, m.kinds, m.threads, m.load, m.swap, m.virtual, m.counters, m.clock, m.addresses,
	} {
		all = append(all, find()...)
	}
	return all
}

// properties contains the data from which findings are made.
type properties struct {
	fs.FS
	processors []Processor
	isVirtual  bool // the machine is virtual
	counting   error
}

func one(about, change string, harm bool, format string, args ...any) []Finding {
	return []Finding{{About: about, Text: fmt.Sprintf(format, args...), Harm: harm, Change: change}}
}

// frequency reports the frequency governor. All governors but two follow the load, so
// a program that starts after a pause starts slowly.
func (m *properties) frequency() []Finding {
	driver, least, most := "", 0, 0
	governors := map[string][]int{}
	for _, p := range m.processors {
		dir := folderOf(p.ID) + "cpufreq/"
		driver = cmp.Or(driver, line(m, dir+"scaling_driver"))
		if governor := line(m, dir+"scaling_governor"); governor != "" {
			governors[governor] = append(governors[governor], p.ID)
		}
		if now := number(m, dir+"scaling_cur_freq"); now > 0 {
			least, most = min(cmp.Or(least, now), now), max(most, now)
		}
	}
	switch {
	case len(m.processors) == 0:
		return nil
	case driver == "" && m.isVirtual:
		return one("frequency", "", false, "not visible, as on most virtual machines: the host sets it")
	case driver == "":
		return one("frequency", "", false, "not visible: the kernel does not set it")
	}
	var names []string
	follows := false // the load
	for name, ids := range governors {
		follows = follows || name != "performance" && name != "userspace"
		if len(ids) < len(m.processors) {
			name += " on " + ranges(ids)
		}
		names = append(names, name)
	}
	slices.Sort(names)
	now := ""
	if most > 0 {
		now = ", now " + gigahertz(least, most)
	}
	text := fmt.Sprintf("governor %s (%s)%s", cmp.Or(strings.Join(names, ", "), "unknown"), driver, now)
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
func (m *properties) turbo() []Finding {
	for _, s := range []struct{ file, on, off string }{
		{cpus + "intel_pstate/no_turbo", "0", "1"},
		{cpus + "cpufreq/boost", "1", "0"},
	} {
		switch line(m, s.file) {
		case s.on:
			return one("turbo", "echo "+s.off+" | sudo tee /"+s.file, true,
				"on: the speed of a core depends on the temperature and on the number of busy cores")
		case s.off:
			return one("turbo", "", false, "off")
		}
	}
	return nil
}

// kinds reports processors of different speeds.
func (m *properties) kinds() []Finding {
	fast, slow := byKind(m.processors)
	if len(slow) == 0 {
		return nil
	}
	return one("kinds", "taskset -c "+ranges(ids(fast))+" judge run", true,
		"processors %s are slower than %s: times depend on the processor that runs the program", ranges(ids(slow)),
		ranges(ids(fast)))
}

// threads reports processors that share a core. Each slows the other by up to a
// half, and CPU times include that.
func (m *properties) threads() []Finding {
	threads := line(m, cpus+"smt/control")
	var shared []string
	for _, p := range m.processors {
		if len(p.Siblings) > 1 && p.Siblings[0] == p.ID {
			shared = append(shared, strings.ReplaceAll(strings.Trim(fmt.Sprint(p.Siblings), "[]"), " ", "+"))
		}
	}
	switch {
	case len(shared) > 0:
		change := ""
		if threads == "on" {
			change = "echo off | sudo tee /sys/devices/system/cpu/smt/control"
		}
		const most = 8
		if n := len(shared); n > most {
			shared = append(shared[:most], fmt.Sprintf("%d more", n-most))
		}
		return one("smt", change, true,
			"processors share cores (%s): a program is slower while the other thread of its core is busy",
			strings.Join(shared, ", "))
	case len(m.processors) == 0 && threads == "":
		return nil
	case m.isVirtual:
		return one("smt", "", false, "none visible, but other virtual machines may use the same cores")
	}
	return one("smt", "", false, "off: no processor shares its core")
}

// busyLoad is the load from which on a machine is busy. A system without other
// programs stays far below half a processor.
const busyLoad = 0.5

func (m *properties) load() []Finding {
	var average, waiting float64
	if _, err := fmt.Sscan(line(m, "proc/loadavg"), &average); err != nil {
		return nil
	}
	text := fmt.Sprintf("%.2f over one minute", average)
	if n := len(m.processors); n > 0 {
		text += fmt.Sprintf(" on %d processor", n)
		if n > 1 {
			text += "s"
		}
	}
	if _, err := fmt.Sscanf(line(m, "proc/pressure/cpu"), "some avg10=%g", &waiting); err == nil {
		text += fmt.Sprintf(", some program waited in %.0f %% of the last 10 s", waiting)
	}
	harm := average >= busyLoad || waiting >= 5
	if harm {
		text += ": other programs make times longer"
	}
	return one("load", "", harm, "%s", text)
}

func (m *properties) swap() []Finding {
	var all, free int64 = -1, -1
	for line := range strings.Lines(text(m, "proc/meminfo")) {
		fmt.Sscanf(line, "SwapTotal: %d kB", &all)
		fmt.Sscanf(line, "SwapFree: %d kB", &free)
	}
	switch {
	case all < 0 || free < 0:
		return nil
	case all == 0:
		return one("swap", "", false, "none")
	case all > free:
		return one("swap", "sudo swapoff -a", true,
			"%s of %s in use: programs that use it have wrong times, and memory limits are not exact", size(all-free), size(all))
	}
	return one("swap", "sudo swapoff -a", true,
		"%s, not in use: a program that runs out of memory becomes slow instead of failing", size(all))
}

// size writes an amount of swap, given in KiB.
func size(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d MiB", max(n>>10, 1))
	}
	return fmt.Sprintf("%.1f GiB", float64(n)/(1<<20))
}

// stolenMuch is the share of time from which on the time that the host takes makes
// times less reliable. A quiet host takes less for itself.
const stolenMuch = 0.001

func (m *properties) virtual() []Finding {
	if !m.isVirtual {
		return nil
	}
	by, product := line(m, vendorFile), line(m, productFile)
	if by != "" {
		by = strings.TrimSpace(by + " " + strings.TrimSpace(strings.TrimPrefix(product, by)))
	}
	if by = cmp.Or(by, line(m, hypervisorFile)); by != "" {
		by = " (" + by + ")"
	}
	text, stolen := "a virtual machine"+by+": other virtual machines on the host are not visible", 0.
	if c, ok := readCounts(m); ok && c.all.all > 0 {
		stolen = float64(c.all.stolen) / float64(c.all.all)
	}
	if stolen >= stolenMuch {
		return one("virtual", "", true, "%s; the host has taken %.1f %% of its time since it started", text, 100*stolen)
	}
	return one("virtual", "", false, "%s; the host has taken almost none of its time since it started", text)
}

func (m *properties) counters() []Finding {
	about := func(change, why string) []Finding {
		return one("counters", change, false, "instructions cannot be counted: %s", why)
	}
	switch err := m.counting; {
	case err == errUnknown:
		return nil
	case err == nil:
		return one("counters", "", false, "instructions in user space can be counted")
	case errors.Is(err, syscall.EACCES) || errors.Is(err, syscall.EPERM):
		// At 2, users may count for their own programs. Above 2, a value of some
		// distributions, they may not count at all.
		if n := number(m, "proc/sys/kernel/perf_event_paranoid"); n > 2 {
			return about("sudo sysctl kernel.perf_event_paranoid=2",
				fmt.Sprintf("kernel.perf_event_paranoid is %d, which does not allow it for users", n))
		}
		return about("", "it is not permitted, perhaps because of a container's seccomp filter")
	case errors.Is(err, syscall.ENOENT) || errors.Is(err, syscall.ENODEV) || errors.Is(err, syscall.EOPNOTSUPP):
		if m.isVirtual {
			return about("", "the processor has no counters, as on most virtual machines")
		}
		return about("", "the kernel does not support the counters of this processor")
	case errors.Is(err, syscall.ENOSYS):
		return about("", "the kernel was built without perf_event_open, or a filter hides it")
	default:
		return about("", "perf_event_open: "+err.Error())
	}
}

// fastClocks can be read without a system call.
var fastClocks = []string{"tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter", "timebase",
	"riscv_clocksource"}

func (m *properties) clock() []Finding {
	const dir = "sys/devices/system/clocksource/clocksource0/"
	source, others := line(m, dir+"current_clocksource"), strings.Fields(line(m, dir+"available_clocksource"))
	if source == "" || slices.Contains(fastClocks, source) {
		return nil
	}
	change := ""
	if i := slices.IndexFunc(fastClocks, func(fast string) bool { return slices.Contains(others, fast) }); i >= 0 {
		change = "echo " + fastClocks[i] + " | sudo tee /" + dir + "current_clocksource"
	}
	return one("clock", change, true,
		"%s: reading it is slow, so programs that read it often are slower than on other machines", source)
}

func (m *properties) addresses() []Finding {
	switch line(m, "proc/sys/kernel/randomize_va_space") {
	case "":
		return nil
	case "0":
		return one("addresses", "", false, "the same on every run")
	}
	return one("addresses", "judge run --fixed-addresses", false,
		"random for each run (ASLR), and cache misses depend on them")
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
