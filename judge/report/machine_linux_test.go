package report

import "testing"

func TestCPUModel(t *testing.T) {
	tests := []struct{ machine, cpuinfo, want string }{
		{"x86", "processor\t: 0\nmodel\t\t: 1\nmodel name\t: AMD EPYC  9B14\n\nprocessor\t: 1\nmodel name\t: another\n", "AMD EPYC 9B14"},
		{"Raspberry Pi", "processor\t: 0\nCPU part\t: 0xd08\n\nHardware\t: BCM2835\nModel\t\t: Raspberry Pi 4 Model B Rev 1.1\n", "Raspberry Pi 4 Model B Rev 1.1"},
		{"POWER", "processor\t: 0\ncpu\t\t: POWER9, altivec supported\n", "POWER9, altivec supported"},
		{"RISC-V", "processor\t: 0\nisa\t: rv64imafdc\nuarch\t: sifive,u74-mc\n", "sifive,u74-mc"},
		{"arm64 server, which has no name", "processor\t: 0\nCPU part\t: 0xd0c\n", ""},
		{"nothing", "", ""},
	}
	for _, tt := range tests {
		if got := cpuModel(tt.cpuinfo); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.machine, got, tt.want)
		}
	}
}
