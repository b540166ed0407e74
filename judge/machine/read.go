package machine

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

const cpus = "sys/devices/system/cpu/"

// Read reads the facts from the files proc and sys of a file system whose root is
// /, or a copy in tests. It does not set Counters.
func Read(fsys fs.FS) Facts {
	_, hypervisor := readModel(fsys)
	return Facts{
		Processors: Processors(fsys),
		Frequency:  readFrequency(fsys),
		Threads:    line(fsys, cpus+"smt/control"),
		Load:       readLoad(fsys),
		Swap:       readSwap(fsys),
		Virtual:    readVirtual(fsys, hypervisor),
		Clock: Clock{
			Source: line(fsys, "sys/devices/system/clocksource/clocksource0/current_clocksource"),
			Others: strings.Fields(line(fsys, "sys/devices/system/clocksource/clocksource0/available_clocksource")),
		},
		Addresses: line(fsys, "proc/sys/kernel/randomize_va_space"),
	}
}

// Name returns the model of the processor and the release of the kernel; either may
// be "" if it is not known.
func Name(fsys fs.FS) (cpu, kernel string) {
	cpu, _ = readModel(fsys)
	return cpu, line(fsys, "proc/sys/kernel/osrelease")
}

// text returns the first 64 KiB of a file; "" if it cannot be read. Some files have
// megabytes on machines with hundreds of processors, but only the start is needed.
func text(fsys fs.FS, name string) string {
	f, err := fsys.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	data, _ := io.ReadAll(io.LimitReader(f, 64<<10))
	return string(data)
}

// line returns the first line of a file, without spaces around it.
func line(fsys fs.FS, name string) string {
	first, _, _ := strings.Cut(text(fsys, name), "\n")
	return strings.TrimSpace(first)
}

// number returns the number in a file; 0 if there is none.
func number(fsys fs.FS, name string) int {
	n, _ := strconv.Atoi(line(fsys, name))
	return n
}

// readModel reads /proc/cpuinfo, whose keys depend on the architecture. Only x86
// reports a hypervisor there.
func readModel(fsys fs.FS) (model string, hypervisor bool) {
	values := map[string]string{}
	for line := range strings.Lines(text(fsys, "proc/cpuinfo")) {
		key, value, _ := strings.Cut(line, ":")
		key = strings.TrimSpace(key)
		values[key] = cmp.Or(values[key], strings.Join(strings.Fields(value), " "))
	}
	model = cmp.Or(values["model name"], values["Model"], values["uarch"], values["cpu"], values["Hardware"])
	return model, slices.Contains(strings.Fields(values["flags"]), "hypervisor")
}

// Processors returns the processors that are online, sorted by number.
func Processors(fsys fs.FS) []Processor {
	var all []Processor
	for _, id := range list(line(fsys, cpus+"online")) {
		dir := cpus + "cpu" + strconv.Itoa(id) + "/"
		all = append(all, Processor{
			ID:       id,
			Siblings: siblings(fsys, id),
			Governor: line(fsys, dir+"cpufreq/scaling_governor"),
			Max:      number(fsys, dir+"cpufreq/cpuinfo_max_freq"),
			Capacity: number(fsys, dir+"cpu_capacity"),
		})
	}
	return all
}

// siblings returns the processors of the core of one, including itself.
func siblings(fsys fs.FS, id int) []int {
	return list(line(fsys, cpus+"cpu"+strconv.Itoa(id)+"/topology/thread_siblings_list"))
}

// list parses numbers in the kernel's format: "0-3,8". It stops at the first
// syntax error.
func list(s string) []int {
	const most = 1 << 16 // more processors than any machine has
	var all []int
	for part := range strings.SplitSeq(s, ",") {
		first, last, isRange := strings.Cut(part, "-")
		from, err := strconv.Atoi(first)
		to := from
		if err == nil && isRange {
			to, err = strconv.Atoi(last)
		}
		if err != nil || from < 0 || to >= most {
			return all
		}
		for n := from; n <= to && len(all) < most; n++ {
			all = append(all, n)
		}
	}
	return all
}

func readFrequency(fsys fs.FS) Frequency {
	var f Frequency
	for _, id := range list(line(fsys, cpus+"online")) {
		dir := cpus + "cpu" + strconv.Itoa(id) + "/cpufreq/"
		f.Driver = cmp.Or(f.Driver, line(fsys, dir+"scaling_driver"))
		if now := number(fsys, dir+"scaling_cur_freq"); now > 0 {
			f.Least, f.Most = min(cmp.Or(f.Least, now), now), max(f.Most, now)
		}
	}
	for _, s := range []struct{ file, on, off string }{
		{cpus + "intel_pstate/no_turbo", "0", "1"},
		{cpus + "cpufreq/boost", "1", "0"},
	} {
		switch line(fsys, s.file) {
		case s.on:
			f.Turbo = "on"
		case s.off:
			f.Turbo = "off"
		default:
			continue
		}
		f.TurboOff = "echo " + s.off + " | sudo tee /" + s.file
		break
	}
	return f
}

func readLoad(fsys fs.FS) *Load {
	var l Load
	if _, err := fmt.Sscan(line(fsys, "proc/loadavg"), &l.Average); err != nil {
		return nil
	}
	var percent float64
	if _, err := fmt.Sscanf(line(fsys, "proc/pressure/cpu"), "some avg10=%g", &percent); err == nil {
		l.Pressure = &percent
	}
	return &l
}

func readSwap(fsys fs.FS) *Swap {
	var size, free int64 = -1, -1
	for line := range strings.Lines(text(fsys, "proc/meminfo")) {
		fmt.Sscanf(line, "SwapTotal: %d kB", &size)
		fmt.Sscanf(line, "SwapFree: %d kB", &free)
	}
	if size < 0 || free < 0 {
		return nil
	}
	return &Swap{Size: size << 10, Used: (size - free) << 10}
}

func readVirtual(fsys fs.FS, hypervisor bool) *Virtual {
	vendor, product := line(fsys, "sys/class/dmi/id/sys_vendor"), line(fsys, "sys/class/dmi/id/product_name")
	kind := line(fsys, "sys/hypervisor/type")
	// Architectures other than x86 have no flag, but only virtual machines have these
	// names.
	if vendor == "QEMU" || product == "KVM Virtual Machine" || kind != "" {
		hypervisor = true
	}
	if !hypervisor {
		return nil
	}
	v := &Virtual{By: kind}
	if vendor != "" {
		v.By = strings.TrimSpace(vendor + " " + strings.TrimSpace(strings.TrimPrefix(product, vendor)))
	}
	if c, ok := readCounts(fsys); ok && c.all.all > 0 {
		v.Stolen = float64(c.all.stolen) / float64(c.all.all)
	}
	return v
}

// ticks are CPU times in hundredths of seconds since the system was started.
type ticks struct{ busy, stolen, all int64 }

func (t ticks) minus(u ticks) ticks {
	return ticks{t.busy - u.busy, t.stolen - u.stolen, t.all - u.all}
}

func (t *ticks) add(u ticks) { *t = ticks{t.busy + u.busy, t.stolen + u.stolen, t.all + u.all} }

// stolenShare returns the share of the time that the host took. It ignores a few
// ticks, which may be a single event.
func (t ticks) stolenShare() float64 {
	const once = 4
	if t.all <= 0 || t.stolen <= once {
		return 0
	}
	return float64(t.stolen) / float64(t.all)
}

// counts contains the ticks of all processors together and of each.
type counts struct {
	all ticks
	of  map[int]ticks
}

// readCounts reads /proc/stat.
func readCounts(fsys fs.FS) (c counts, ok bool) {
	c.of = make(map[int]ticks)
	for line := range strings.Lines(text(fsys, "proc/stat")) {
		name, isCPU := strings.CutPrefix(line, "cpu")
		if !isCPU || !strings.HasSuffix(name, "\n") {
			break // the lines of processors come first; the last line may be incomplete
		}
		name, _, _ = strings.Cut(name, " ")
		t, read := ticksOf(line)
		if id, err := strconv.Atoi(name); err == nil && read {
			c.of[id] = t
		} else if name == "" {
			c.all, ok = t, read
		}
	}
	return c, ok
}

// ticksOf reads a line of /proc/stat: "cpu user nice system idle iowait irq
// softirq steal guest guest_nice", or "cpu0 user ...". The first two include the
// last two.
func ticksOf(line string) (t ticks, ok bool) {
	fields := strings.Fields(line)
	if len(fields) < 5 {
		return t, false
	}
	for i, field := range fields[1:min(len(fields), 9)] {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return t, false
		}
		t.all += n
		switch i {
		case 3, 4: // idle, iowait
		case 7:
			t.stolen = n
		default:
			t.busy += n
		}
	}
	return t, true
}
