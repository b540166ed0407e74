package main

import (
	"bufio"
	"os"
)

type output struct{ *bufio.Writer }

func main() {
	out := output{bufio.NewWriter(os.Stdout)}
	defer func() { out.Flush() }()
	if _, err := out.WriteString("1\n"); err != nil {
		os.Exit(1) // a failure
	}
	os.Exit(0) // want `os.Exit ends the program without the deferred Flush`
}
