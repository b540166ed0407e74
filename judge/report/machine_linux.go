package report

import (
	"io"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

func hardware() (cpu, kernel string) {
	var u unix.Utsname
	if unix.Uname(&u) == nil {
		kernel = unix.ByteSliceToString(u.Release[:])
	}
	if f, err := os.Open("/proc/cpuinfo"); err == nil {
		defer f.Close()
		// The model is among the first lines; a machine with hundreds of
		// processors repeats them to megabytes.
		head, _ := io.ReadAll(io.LimitReader(f, 64<<10))
		cpu = cpuModel(string(head))
	}
	return cpu, kernel
}

// cpuModel finds the processor's name in the text of /proc/cpuinfo, whose keys
// differ from one architecture to the next.
func cpuModel(cpuinfo string) string {
	values := map[string]string{}
	for line := range strings.Lines(cpuinfo) {
		key, value, _ := strings.Cut(line, ":")
		key = strings.TrimSpace(key)
		if _, seen := values[key]; !seen {
			values[key] = strings.Join(strings.Fields(value), " ")
		}
	}
	for _, key := range []string{"model name", "Model", "uarch", "cpu", "Hardware"} {
		if values[key] != "" {
			return values[key]
		}
	}
	return ""
}
