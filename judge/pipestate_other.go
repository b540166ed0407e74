//go:build !unix

package judge

import "os"

// stateOf cannot inspect a pipe on this system. It assumes that no process has
// the writing end open.
func stateOf(*os.File) pipeState { return pipeState{hungUp: true} }
