// Command judge judges programs against problems in the ICPC/Kattis problem
// package format. See judge help.
package main

import "crucible/judge/internal/cli"

func main() { cli.Main(nil) }
