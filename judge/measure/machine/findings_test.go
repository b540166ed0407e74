package machine

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// files returns the files of a machine from lines of the form "name: content". A
// name with a list of numbers in brackets, as in cpu[0-3], stands for one file
// for each number.
func files(lines string) fstest.MapFS {
	m := fstest.MapFS{}
	for l := range strings.Lines(lines) {
		name, content, ok := strings.Cut(strings.TrimSpace(l), ": ")
		if !ok {
			continue
		}
		name = strings.Replace(name, "cpu/", cpus, 1)
		content = strings.ReplaceAll(content, `\n`, "\n") + "\n"
		before, rest, several := strings.Cut(name, "[")
		if !several {
			m[name] = &fstest.MapFile{Data: []byte(content)}
			continue
		}
		numbers, after, _ := strings.Cut(rest, "]")
		for _, n := range list(numbers) {
			m[fmt.Sprint(before, n, after)] = &fstest.MapFile{Data: []byte(content)}
		}
	}
	return m
}

const (
	performance = "echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor"
	smtOff      = "echo off | sudo tee /sys/devices/system/cpu/smt/control"
	aslr        = "addresses: random for each run (ASLR), and cache misses depend on them\n  judge run --fixed-addresses\n"
)

// TestFindings writes a finding as "About: Text", or "About! Text" if it is
// harmful, and in the next line the command that changes the setting.
func TestFindings(t *testing.T) {
	for _, c := range []struct {
		machine  string
		files    string
		counters error
		want     string
	}{
		{
			"a small virtual machine", `
			cpu/online: 0-1
			cpu/cpu[0-1]/topology/thread_siblings_list: 0
			cpu/cpu1/topology/thread_siblings_list: 1
			cpu/cpu[0-1]/cpu_capacity: 1024
			cpu/smt/control: notsupported
			proc/cpuinfo: processor : 0\nmodel name : AMD EPYC\nflags : fpu hypervisor sse2
			proc/loadavg: 0.04 0.29 0.17 1/86 8504
			proc/pressure/cpu: some avg10=0.00 avg60=0.90 avg300=4.58 total=36786985\nfull avg10=99.00 avg60=0.00
			proc/meminfo: MemTotal: 24683000 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB
			proc/stat: cpu 11427 0 3572 229745 260 0 28 15 0 0\ncpu0 1 2 3
			proc/sys/kernel/randomize_va_space: 2
			sys/devices/system/clocksource/clocksource0/current_clocksource: tsc`,
			syscall.ENOENT,
			`frequency: not visible, as on most virtual machines: the host sets it
smt: none visible, but other virtual machines may use the same cores
load: 0.04 over one minute on 2 processors, some program waited in 0 % of the last 10 s
swap: none
virtual: a virtual machine: other virtual machines on the host are not visible; the host has taken almost none of its time since it started
counters: instructions cannot be counted: the processor has no counters, as on most virtual machines
` + aslr,
		},
		{
			"a laptop with two kinds of cores", `
			cpu/online: 0-5
			cpu/cpu[0-1]/topology/thread_siblings_list: 0-1
			cpu/cpu[2-3]/topology/thread_siblings_list: 2-3
			cpu/cpu4/topology/thread_siblings_list: 4
			cpu/cpu5/topology/thread_siblings_list: 5
			cpu/cpu[0-5]/cpufreq/scaling_driver: intel_pstate
			cpu/cpu[0-5]/cpufreq/scaling_governor: powersave
			cpu/cpu[0-1]/cpufreq/cpuinfo_max_freq: 4800000
			cpu/cpu[2-3]/cpufreq/cpuinfo_max_freq: 4700000
			cpu/cpu[4-5]/cpufreq/cpuinfo_max_freq: 3500000
			cpu/cpu[0-5]/cpufreq/scaling_cur_freq: 400000
			cpu/cpu3/cpufreq/scaling_cur_freq: 3412345
			cpu/intel_pstate/no_turbo: 0
			cpu/smt/control: on
			proc/cpuinfo: processor : 0\nflags : fpu sse2
			proc/loadavg: 1.52 1.20 0.90 3/1500 99
			proc/meminfo: SwapTotal: 8388604 kB\nSwapFree: 7340028 kB
			proc/sys/kernel/randomize_va_space: 2
			sys/devices/system/clocksource/clocksource0/current_clocksource: tsc
			sys/class/dmi/id/sys_vendor: LENOVO
			proc/sys/kernel/perf_event_paranoid: 4`,
			syscall.EACCES,
			`frequency! governor powersave (intel_pstate), now 0.4 to 3.4 GHz: a core that was idle is slow at first
  ` + performance + `
turbo! on: the speed of a core depends on the temperature and on the number of busy cores
  echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo
kinds! processors 4-5 are slower than 0-3: times depend on the processor that runs the program
  taskset -c 0-3 judge run
smt! processors share cores (0+1, 2+3): a program is slower while the other thread of its core is busy
  ` + smtOff + `
load! 1.52 over one minute on 6 processors: other programs make times longer
swap! 1.0 GiB of 8.0 GiB in use: programs that use it have wrong times, and memory limits are not exact
  sudo swapoff -a
counters: instructions cannot be counted: kernel.perf_event_paranoid is 4, which does not allow it for users
  sudo sysctl kernel.perf_event_paranoid=2
` + aslr,
		},
		{
			"a server made ready for measuring", `
			cpu/online: 0-3
			cpu/cpu[0-3]/topology/thread_siblings_list: 0
			cpu/cpu1/topology/thread_siblings_list: 1
			cpu/cpu2/topology/thread_siblings_list: 2
			cpu/cpu3/topology/thread_siblings_list: 3
			cpu/cpu[0-3]/cpufreq/scaling_driver: acpi-cpufreq
			cpu/cpu[0-3]/cpufreq/scaling_governor: performance
			cpu/cpu[0-3]/cpufreq/cpuinfo_max_freq: 2450000
			cpu/cpu[0-3]/cpufreq/scaling_cur_freq: 2449981
			cpu/cpufreq/boost: 0
			cpu/smt/control: off
			proc/loadavg: 0.00 0.01 0.05 1/300 7
			proc/meminfo: SwapTotal: 0 kB\nSwapFree: 0 kB
			proc/sys/kernel/randomize_va_space: 0
			sys/devices/system/clocksource/clocksource0/current_clocksource: tsc`,
			nil,
			`frequency: governor performance (acpi-cpufreq), now 2.4 GHz
turbo: off
smt: off: no processor shares its core
load: 0.00 over one minute on 4 processors
swap: none
counters: instructions in user space can be counted
addresses: the same on every run
`,
		},
		{
			"a board with big and little cores", `
			cpu/online: 0-3
			cpu/cpu0/topology/thread_siblings_list: 0
			cpu/cpu[0-1]/cpu_capacity: 430
			cpu/cpu[2-3]/cpu_capacity: 1024
			cpu/cpu[0-3]/cpufreq/scaling_driver: cpufreq-dt
			cpu/cpu[0-1]/cpufreq/scaling_governor: ondemand
			cpu/cpu[2-3]/cpufreq/scaling_governor: schedutil
			cpu/cpu[0-3]/cpufreq/cpuinfo_max_freq: 1800000
			cpu/smt/control: notimplemented
			proc/meminfo: SwapTotal: 103396 kB\nSwapFree: 103396 kB
			sys/devices/system/clocksource/clocksource0/current_clocksource: arch_sys_counter`,
			syscall.ENOENT,
			`frequency! governor ondemand on 0-1, schedutil on 2-3 (cpufreq-dt): a core that was idle is slow at first
  ` + performance + `
kinds! processors 0-1 are slower than 2-3: times depend on the processor that runs the program
  taskset -c 2-3 judge run
smt: off: no processor shares its core
swap! 100 MiB, not in use: a program that runs out of memory becomes slow instead of failing
  sudo swapoff -a
counters: instructions cannot be counted: the kernel does not support the counters of this processor
`,
		},
		{
			"a virtual machine on a crowded host", `
			cpu/online: 0,2
			cpu/cpu[0]/topology/thread_siblings_list: 0,2
			cpu/cpu[2]/topology/thread_siblings_list: 0,2
			cpu/cpufreq/boost: 1
			cpu/smt/control: notimplemented
			sys/hypervisor/type: xen
			sys/class/dmi/id/sys_vendor: Xen
			sys/class/dmi/id/product_name: HVM domU
			proc/stat: cpu 100 0 100 700 0 0 0 100 50 0
			proc/loadavg: 0.1 0.1 0.1
			proc/pressure/cpu: some avg10=12.50 avg60=0.90
			sys/devices/system/clocksource/clocksource0/current_clocksource: xen
			sys/devices/system/clocksource/clocksource0/available_clocksource: xen tsc hpet acpi_pm`,
			syscall.EPERM,
			`frequency: not visible, as on most virtual machines: the host sets it
turbo! on: the speed of a core depends on the temperature and on the number of busy cores
  echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost
smt! processors share cores (0+2): a program is slower while the other thread of its core is busy
load! 0.10 over one minute on 2 processors, some program waited in 12 % of the last 10 s: other programs make times longer
virtual! a virtual machine (Xen HVM domU): other virtual machines on the host are not visible; the host has taken 10.0 % of its time since it started
counters: instructions cannot be counted: it is not permitted, perhaps because of a container's seccomp filter
clock! xen: reading it is slow, so programs that read it often are slower than on other machines
  echo tsc | sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource
`,
		},
		{
			"an arm virtual machine, whose processor does not say that it is one", `
			cpu/online: 0
			sys/class/dmi/id/sys_vendor: QEMU
			sys/class/dmi/id/product_name: QEMU Virtual Machine`,
			syscall.ENOSYS,
			`frequency: not visible, as on most virtual machines: the host sets it
smt: none visible, but other virtual machines may use the same cores
virtual: a virtual machine (QEMU Virtual Machine): other virtual machines on the host are not visible; the host has taken almost none of its time since it started
counters: instructions cannot be counted: the kernel was built without perf_event_open, or a filter hides it
`,
		},
		{
			"a clock that nothing can replace", `
			sys/devices/system/clocksource/clocksource0/current_clocksource: hpet
			sys/devices/system/clocksource/clocksource0/available_clocksource: hpet acpi_pm`,
			errors.New("the counter does not change"),
			`counters: instructions cannot be counted: perf_event_open: the counter does not change
clock! hpet: reading it is slow, so programs that read it often are slower than on other machines
`,
		},
		{"more cores than a line holds", `
			cpu/online: 0-19
			cpu/cpu[0,10]/topology/thread_siblings_list: 0,10
			cpu/cpu[1,11]/topology/thread_siblings_list: 1,11
			cpu/cpu[2,12]/topology/thread_siblings_list: 2,12
			cpu/cpu[3,13]/topology/thread_siblings_list: 3,13
			cpu/cpu[4,14]/topology/thread_siblings_list: 4,14
			cpu/cpu[5,15]/topology/thread_siblings_list: 5,15
			cpu/cpu[6,16]/topology/thread_siblings_list: 6,16
			cpu/cpu[7,17]/topology/thread_siblings_list: 7,17
			cpu/cpu[8,18]/topology/thread_siblings_list: 8,18
			cpu/cpu[9,19]/topology/thread_siblings_list: 9,19
			cpu/smt/control: on`, errUnknown,
			`frequency: not visible: the kernel does not set it
smt! processors share cores (0+10, 1+11, 2+12, 3+13, 4+14, 5+15, 6+16, 7+17, 2 more): a program is slower while the other thread of its core is busy
  ` + smtOff + `
`},
		{"a system without these files", "", errUnknown, ""},
		{
			"malformed files", `
			cpu/online: 0-,x
			proc/loadavg: high
			proc/pressure/cpu: some avg10=
			proc/meminfo: SwapTotal: many kB
			proc/stat: cpu a b c d e f g h`,
			errUnknown, "",
		},
	} {
		var got strings.Builder
		for _, x := range findings(files(c.files), c.counters) {
			mark := map[bool]string{true: "!", false: ":"}[x.Harm]
			fmt.Fprintf(&got, "%s%s %s\n", x.About, mark, x.Text)
			if x.Change != "" {
				fmt.Fprintf(&got, "  %s\n", x.Change)
			}
		}
		if diff := cmp.Diff(strings.Split(c.want, "\n"), strings.Split(got.String(), "\n")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.machine, diff)
		}
	}
}

func TestName(t *testing.T) {
	for _, c := range []struct{ machine, cpuinfo, want string }{
		{"x86", `processor\t: 0\nmodel\t\t: 1\nmodel name\t: AMD EPYC  9B14\n\nprocessor\t: 1\nmodel name\t: another`, "AMD EPYC 9B14"},
		{"Raspberry Pi", `processor\t: 0\nCPU part\t: 0xd08\n\nHardware\t: BCM2835\nModel\t\t: Raspberry Pi 4 Model B Rev 1.1`, "Raspberry Pi 4 Model B Rev 1.1"},
		{"POWER", `processor\t: 0\ncpu\t\t: POWER9, altivec supported`, "POWER9, altivec supported"},
		{"RISC-V", `processor\t: 0\nisa\t: rv64imafdc\nuarch\t: sifive,u74-mc`, "sifive,u74-mc"},
		{"arm64 server, which has no name", `processor\t: 0\nCPU part\t: 0xd0c`, ""},
		{"nothing", "", ""},
	} {
		m := files("proc/cpuinfo: " + strings.ReplaceAll(c.cpuinfo, `\t`, "\t") + "\nproc/sys/kernel/osrelease: 6.12.48")
		if cpu, kernel := Name(m); cpu != c.want || kernel != "6.12.48" {
			t.Errorf("%s: Name = %q, %q, expected %q", c.machine, cpu, kernel, c.want)
		}
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		fact, stat string
		want       ticks
		ok         bool
	}{
		{"waiting for a disk is idle, and guests are counted once", "cpu 1 20 300 4000 50000 600000 7000000 80000000 9 9", ticks{7600321, 80000000, 87654321}, true},
		{"old kernels tell less", "cpu 1 20 300 4000", ticks{321, 0, 4321}, true},
		{"another line", "cpu0 1 20 300 4000", ticks{}, false},
		{"nothing", "cpu", ticks{}, false},
	} {
		counts, ok := readCounts(files("proc/stat: " + c.stat))
		if got := counts.all; ok != c.ok || ok && got != c.want {
			t.Errorf("%s: %+v, %v, expected %+v, %v", c.fact, counts.all, ok, c.want, c.ok)
		}
	}
}

func TestList(t *testing.T) {
	for given, want := range map[string][]int{
		"":                {},
		"0":               {0},
		"0-3":             {0, 1, 2, 3},
		"0,4":             {0, 4},
		"0-1,8-9,11":      {0, 1, 8, 9, 11},
		"1,x,2":           {1},
		"-1":              {},
		"3-1":             {},
		"0-9999999999999": {},
		"0-99999999":      {},
	} {
		if got := list(given); len(got) != len(want) || ranges(got) != ranges(want) {
			t.Errorf("list(%q) = %v, expected %v", given, got, want)
		}
	}
}

func TestRanges(t *testing.T) {
	for _, s := range []string{"", "0", "0-3", "0,4", "0-1,8-9,11"} {
		if got := ranges(list(s)); got != s {
			t.Errorf("ranges(list(%q)) = %q", s, got)
		}
	}
}

func TestPin(t *testing.T) {
	smt := []Processor{{ID: 0, Siblings: []int{0, 2}}, {ID: 1, Siblings: []int{1, 3}}, {ID: 2, Siblings: []int{0, 2}}, {ID: 3, Siblings: []int{1, 3}}}
	hybrid := []Processor{
		{ID: 0, Siblings: []int{0, 1}, Max: 4800}, {ID: 1, Siblings: []int{0, 1}, Max: 4800},
		{ID: 2, Siblings: []int{2, 3}, Max: 4700}, {ID: 3, Siblings: []int{2, 3}, Max: 4700},
		{ID: 4, Siblings: []int{4}, Max: 3500}, {ID: 5, Siblings: []int{5}, Max: 3500},
	}
	for _, c := range []struct {
		fact    string
		all     []Processor
		allowed []int
		order   string
		apart   int
	}{
		{"processor 0 handles interrupts", []Processor{{ID: 0}, {ID: 1}, {ID: 2}}, []int{0, 1, 2}, "1 2 0", 3},
		{"a core each before two share one", smt, []int{0, 1, 2, 3}, "1 0 2 3", 2},
		{"threads of one core are no two cores", smt, []int{0, 2}, "0 2", 1},
		{"only allowed processors are used", smt, []int{3}, "3", 1},
		{"fast kinds first, slow ones before a shared core", hybrid, []int{0, 1, 2, 3, 4, 5}, "2 0 4 5 1 3", 2},
		{"slow ones alone are as good as each other", hybrid, []int{4, 5}, "4 5", 2},
		{"unknown processors", nil, []int{0, 7}, "7 0", 2},
		{"none", smt, nil, "", 0},
	} {
		order, apart := Pin(c.all, c.allowed)
		if got := strings.Trim(fmt.Sprint(order), "[]"); got != c.order || apart != c.apart {
			t.Errorf("%s: Pin = %s, %d, expected %s, %d", c.fact, got, apart, c.order, c.apart)
		}
	}
}

// TestThisMachine checks that the findings of the machine of the test are well formed.
func TestThisMachine(t *testing.T) {
	for _, x := range Findings() {
		if x.About == "" || x.Text == "" || strings.Contains(x.Text+x.Change, "\n") {
			t.Errorf("%+v: expected one line about something", x)
		}
	}
	if err := counters(); errors.Is(err, syscall.EINVAL) {
		t.Errorf("perf_event_open has invalid arguments: %v", err)
	}
}
