// Judgevet runs the analyzers of judge vet under go vet:
//
//	go vet -vettool=$(go tool -n judgevet) ./...
//
// It is a command of its own because the protocol of go vet makes the first build of
// the judge 4 s of CPU time longer.
package main

import (
	"golang.org/x/tools/go/analysis/unitchecker"

	"crucible/judge/strength/vet"
)

func main() { unitchecker.Main(vet.Analyzers...) }
