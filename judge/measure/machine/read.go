package machine

import (
	"cmp"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

const (
	cpus           = "sys/devices/system/cpu/"
	vendorFile     = "sys/class/dmi/id/sys_vendor"
	productFile    = "sys/class/dmi/id/product_name"
	hypervisorFile = "sys/hypervisor/type"
)

// folderOf returns the folder of a processor.
func folderOf(id int) string { return cpus + "cpu" + strconv.Itoa(id) + "/" }

// Name returns the model of the processor and the release of the kernel; either may
// be "" if it is not known.
func Name(fsys fs.FS) (cpu, kernel string) {
	cpu, _ = readModel(fsys)
	return cpu, line(fsys, "proc/sys/kernel/osrelease")
}

// An Identity has the properties of the machine that decide the times of programs and
// are constant while it runs, except for the governor. Unknown ones are "".
type Identity struct {
	CPU, Kernel, Microcode string
	Governor               string // of the frequency; several are separated by commas
	SMT                    string // "on": processors share cores; "off": none do
}

// Identify returns the identity of the machine with these files.
func Identify(fsys fs.FS) (i Identity) {
	i.CPU, i.Kernel = Name(fsys)
	for l := range strings.Lines(text(fsys, "proc/cpuinfo")) {
		if key, value, _ := strings.Cut(l, ":"); strings.TrimSpace(key) == "microcode" {
			i.Microcode = strings.TrimSpace(value)
			break
		}
	}
	var governors []string
	for _, p := range Processors(fsys) {
		if g := line(fsys, folderOf(p.ID)+"cpufreq/scaling_governor"); g != "" && !slices.Contains(governors, g) {
			governors = append(governors, g)
		}
		if len(p.Siblings) > 1 {
			i.SMT = "on"
		} else if len(p.Siblings) == 1 {
			i.SMT = cmp.Or(i.SMT, "off")
		}
	}
	slices.Sort(governors)
	i.Governor = strings.Join(governors, ",")
	return i
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
		dir := folderOf(id)
		all = append(all, Processor{
			ID:       id,
			Siblings: siblings(fsys, id),
			Max:      number(fsys, dir+"cpufreq/cpuinfo_max_freq"),
			Capacity: number(fsys, dir+"cpu_capacity"),
		})
	}
	return all
}

// siblings returns the processors of the core of one, including itself.
func siblings(fsys fs.FS, id int) []int {
	return list(line(fsys, folderOf(id)+"topology/thread_siblings_list"))
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

// isVirtual reports whether the machine is virtual.
func isVirtual(fsys fs.FS) bool {
	_, hypervisor := readModel(fsys)
	// Architectures other than x86 have no flag, but only virtual machines have these
	// names.
	return hypervisor || line(fsys, hypervisorFile) != "" || line(fsys, vendorFile) == "QEMU" ||
		line(fsys, productFile) == "KVM Virtual Machine"
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
