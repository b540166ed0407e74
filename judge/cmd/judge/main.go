// Command judge judges programs against problems in the ICPC/Kattis problem
// package format. See judge help.
package main

import (
	"crucible/judge/internal/cli"
	"crucible/judge/internal/lab"
)

func main() { cli.Main(groups, lab.Lab) }
