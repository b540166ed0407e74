// Package sheet makes what sections and comparisons of stored runs add to a report, see
// [report.Part]. Every format writes the same tables. It also reads stored runs.
package sheet

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/measure/bench"
	"crucible/judge/record"
	"crucible/judge/terminal"
)

// judgeError replaces the verdict of a run on which the judge failed.
const judgeError = "JE"

// Endings describes why a measurement ended. It has no entry for a measurement
// that ran all of its rounds.
var Endings = map[bench.Ending]string{
	bench.Precise:     "required precision reached",
	bench.OutOfBudget: "out of budget",
	bench.NoRivals:    "nothing is left to compare",
	bench.Interrupted: "interrupted",
}

// Facts returns facts from names and values in turn, without those whose value is "".
func Facts(pairs ...string) (facts []record.Fact) {
	for pair := range slices.Chunk(pairs, 2) {
		if pair[1] != "" {
			facts = append(facts, record.Fact{Name: pair[0], Value: pair[1]})
		}
	}
	return facts
}

// Conditions returns the conditions of a measurement that affect its numbers.
func Conditions(m *bench.Measurement) []record.Fact {
	rounds := 0
	for i := range m.Trials {
		rounds = max(rounds, m.Trials[i].Round+1)
	}
	confidence, precision, budget, cores := "", "", "", make([]string, len(m.Cores))
	if m.Confidence > 0 {
		confidence = confidenceText(m.Confidence)
	}
	if m.Precision > 0 {
		precision = "±" + terminal.Percent(m.Precision)
	}
	if m.Budget > 0 {
		budget = terminal.Exactly(m.Budget)
	}
	for i, core := range m.Cores {
		cores[i] = strconv.Itoa(core)
	}
	return Facts("workers", m.WorkersText(), "clock", string(m.Clock), "rounds", strconv.Itoa(rounds),
		"runs", strconv.Itoa(len(m.Trials)/max(len(m.Workers), 1)),
		"confidence", confidence, "required precision", precision, "time budget", budget,
		"pinned to processor", cmp.Or(strings.Join(cores, ", "), "none"), "seed", strconv.FormatUint(m.Seed, 10), "ended",
		Endings[m.Ended])
}
