package client

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"regexp"
)

// address is in the line that judged serve prints when it answers.
var address = regexp.MustCompile(`CRUCIBLE_SERVER=(\S+) CRUCIBLE_TOKEN=(\S+)`)

// Start starts serve, which is a command judged serve without a standard output, and
// returns a client when the server answers. The caller ends the command and waits for it,
// also after an error.
func Start(serve *exec.Cmd) (*Client, error) {
	out, err := serve.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := serve.Start(); err != nil {
		return nil, err
	}
	for in := bufio.NewScanner(out); in.Scan(); {
		if found := address.FindStringSubmatch(in.Text()); found != nil {
			go io.Copy(io.Discard, out)
			return New(found[1], found[2])
		}
	}
	return nil, fmt.Errorf("%s ended before it printed its address", serve)
}
