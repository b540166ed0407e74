package machine

import (
	"testing"
)

func TestIdentify(t *testing.T) {
	m := files(`
		cpu/online: 0-3
		cpu/cpu[0-1]/topology/thread_siblings_list: 0-1
		cpu/cpu[2-3]/topology/thread_siblings_list: 2-3
		cpu/cpu[0-2]/cpufreq/scaling_governor: powersave
		cpu/cpu3/cpufreq/scaling_governor: performance
		proc/cpuinfo: processor : 0\nmodel name : Intel(R)   Xeon(R)\nmicrocode : 0x2b\n\nprocessor : 1\nmicrocode : 0x2c
		proc/sys/kernel/osrelease: 6.1.0`)
	want := Identity{CPU: "Intel(R) Xeon(R)", Kernel: "6.1.0", Microcode: "0x2b", Governor: "performance,powersave", SMT: "on"}
	if got := Identify(m); got != want {
		t.Errorf("Identify: %+v, expected %+v", got, want)
	}
	if got := Identify(files("")); got != (Identity{}) {
		t.Errorf("Identify of a system without these files: %+v, expected nothing", got)
	}
	one := files("cpu/online: 0\ncpu/cpu0/topology/thread_siblings_list: 0")
	if got := Identify(one); got.SMT != "off" {
		t.Errorf("SMT %q of a processor with a core of its own, expected off", got.SMT)
	}
}
