package lab

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"crucible/judge/serve/api"
	"crucible/judge/terminal"
)

// classesText shows how the workers of each class compare with the others in it, and in
// what their machines differ.
func classesText(all []api.Worker, plain bool) string {
	members := make(map[string][]*api.Worker)
	var names []string
	for i := range all {
		w := &all[i]
		if w.Class == "" {
			continue
		}
		if members[w.Class] == nil {
			names = append(names, w.Class)
		}
		members[w.Class] = append(members[w.Class], w)
	}
	if len(names) == 0 {
		return ""
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(members[b]), len(members[a])), cmp.Compare(a, b))
	})
	t := terminal.Table{Most: 60, Plain: plain}
	t.Add("class", "worker", "program", "times [99 %]", "compared with")
	var differences strings.Builder
	for _, name := range names {
		for _, w := range members[name] {
			addRatios(&t, name, w)
		}
		for _, p := range properties {
			if text := differing(members[name], p.of); text != "" {
				fmt.Fprintf(&differences, "%s: %s differs: %s\n", terminal.Clean(name), p.name, text)
			}
		}
	}
	return "\n" + t.String() + differences.String()
}

// addRatios adds the ratios of a worker to a table.
func addRatios(t *terminal.Table, class string, w *api.Worker) {
	if w.Times == nil {
		t.Add(class, w.Name, "", "not calibrated since the server began", "")
		return
	}
	with := "its class"
	if w.Times.Own {
		with = "its own first times"
	}
	for _, r := range w.Times.Ratios {
		t.Add(class, w.Name, r.Program, fmt.Sprintf("%.2f [%.2f to %.2f]", r.Ratio, r.Lo, r.Hi), with)
	}
}

// properties are those of a fingerprint that may differ inside a class.
var properties = []struct {
	name string
	of   func(*api.Worker) string
}{
	{"processor", func(w *api.Worker) string { return w.CPU }},
	{"microcode", func(w *api.Worker) string { return w.Microcode }},
	{"governor", func(w *api.Worker) string { return w.Governor }},
	{"SMT", func(w *api.Worker) string { return w.SMT }},
	{"kernel", func(w *api.Worker) string { return w.Kernel }},
}

// differing returns the values of a property with the workers that have them, or "" if all
// have the same.
func differing(members []*api.Worker, of func(*api.Worker) string) string {
	with := make(map[string][]string)
	var values []string
	for _, w := range members {
		v := terminal.Clean(cmp.Or(of(w), "unknown"))
		if with[v] == nil {
			values = append(values, v)
		}
		with[v] = append(with[v], terminal.Clean(w.Name))
	}
	if len(values) < 2 {
		return ""
	}
	for i, v := range values {
		values[i] = fmt.Sprintf("%s (%s)", v, strings.Join(with[v], " "))
	}
	return strings.Join(values, ", ")
}
