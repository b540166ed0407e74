package report

import (
	"crucible/judge/problem"
	"crucible/judge/report/sheet"
	"crucible/judge/terminal"
	"crucible/judge/units"
)

// Title names a problem and what bounds its submissions: "poj3074  1 s, 64 MiB, 14 cases".
func Title(id string, l problem.Limits, cases int) string {
	title := terminal.Clean(id) + "  "
	if bounds := sheet.LimitsText(l); bounds != "" {
		title += bounds + ", "
	}
	return title + units.Count(cases, "case")
}
