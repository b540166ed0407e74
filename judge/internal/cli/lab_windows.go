package cli

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
)

// replaceProcess executes a program and exits with its status. The program gets Ctrl-C itself.
func replaceProcess(name string, args []string) error {
	signal.Ignore(os.Interrupt)
	c := exec.Command(name, args[1:]...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := c.Run()
	var exit *exec.ExitError
	if err == nil || errors.As(err, &exit) {
		os.Exit(c.ProcessState.ExitCode())
	}
	return err
}

// modFile is not known on this system.
func modFile() string { return "" }
