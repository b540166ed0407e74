package report

import (
	"strings"

	"crucible/judge/record"
)

// place formats the facts of a machine, what counted instructions, and more.
func place(m record.Machine, more ...record.Fact) string {
	return Place(append(append(m.Facts(), record.Fact{Name: CountedBy, Value: m.Counter}), more...))
}

// CountedBy is the name of the fact that names what counted instructions.
const CountedBy = "instructions counted by"

// Place formats the known facts of a machine: "system linux, Some CPU, cores 2".
func Place(facts []record.Fact) string {
	var parts []string
	for _, f := range facts {
		switch {
		case f.Value == "" || f.Value == "false":
		case f.Value == "true":
			parts = append(parts, f.Name)
		case f.Name == "CPU":
			parts = append(parts, f.Value)
		default:
			parts = append(parts, f.Name+" "+f.Value)
		}
	}
	return strings.Join(parts, ", ")
}
