// Command judgelab has all commands of judge, which starts it for those that take long to
// build. See judge help.
package main

import (
	"crucible/judge/internal/cli"
	"crucible/judge/internal/lab"
	"crucible/judge/measure/calibration"
)

func main() {
	calibration.Main()
	cli.Main(lab.Lab)
}
