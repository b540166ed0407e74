//go:build amd64 || arm64

package sandbox_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"time"

	"crucible/judge/sandbox"
)

// This example runs one program under limits and prints what happened.
func ExampleSandbox_Run() {
	var s sandbox.Sandbox
	defer s.Close()
	var out bytes.Buffer
	limits := sandbox.Limits{CPU: time.Second, Wall: 5 * time.Second, Memory: 64 << 20, Output: 1 << 20}
	o, err := s.Run(context.Background(), sandbox.Cmd{Args: []string{"echo", "hello"}, Stdout: &out, Limits: limits})
	if err != nil {
		log.Fatal(err) // the sandbox failed, not the program
	}
	fmt.Printf("%s%d bytes, exit status %d, exceeded %q\n", &out, o.Output, o.Exit, o.Exceeded)

	limits.Wall = 100 * time.Millisecond
	o, err = s.Run(context.Background(), sandbox.Cmd{Args: []string{"sleep", "60"}, Limits: limits})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("killed: %t, exceeded %q\n", o.Signal != 0, o.Exceeded)
	// Output:
	// hello
	// 6 bytes, exit status 0, exceeded ""
	// killed: true, exceeded "wall"
}
