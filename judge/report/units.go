package report

import (
	"crucible/judge/problem"
	"crucible/judge/report/sheet"
	"crucible/judge/terminal"
)

// Title returns the id of a problem, its limits and its number of cases:
//
//	poj3074  1 s, 64 MiB, 14 cases
func Title(id string, l problem.Limits, cases int) string {
	return terminal.Clean(id) + "  " + sheet.Bounds(l, cases)
}
