//go:build unix

package cli

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// replaceProcess executes a program in this process.
func replaceProcess(name string, args []string) error {
	return &os.PathError{Op: "exec", Path: name, Err: syscall.Exec(name, args, os.Environ())}
}

// modFile returns the value of -modfile of the go command that has started this process; ""
// if it has none, or if that is not known.
func modFile() string {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(os.Getppid()) + "/cmdline")
	if err != nil {
		return ""
	}
	args := strings.Split(string(text), "\x00")
	for i, arg := range args {
		flag := strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-")
		switch {
		case !strings.HasPrefix(arg, "-"):
		case flag == "modfile" && i+1 < len(args):
			return args[i+1]
		case strings.HasPrefix(flag, "modfile="):
			return strings.TrimPrefix(flag, "modfile=")
		}
	}
	return ""
}
