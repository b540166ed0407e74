package lab

import (
	"strings"
	"testing"
	"time"

	"crucible/judge/serve/api"
)

// The list has the ratios of each worker, and what differs inside a class. Names and models
// come from other machines: they cannot write to the terminal.
func TestClassesText(t *testing.T) {
	worker := func(name, class, microcode string, times *api.Comparison) api.Worker {
		return api.Worker{Registration: api.Registration{Name: name, CPU: "AMD EPYC", Fingerprint: api.Fingerprint{Microcode: microcode}}, Class: class, Times: times}
	}
	got := classesText([]api.Worker{
		worker("alone", "xeon-1", "", &api.Comparison{At: time.Now(), Own: true, Ratios: []api.Ratio{{Program: "output", Ratio: 1, Lo: 0.98, Hi: 1.02}}}),
		worker("a", "epyc-1", "0x1", &api.Comparison{At: time.Now(), Ratios: []api.Ratio{{Program: "arithmetic", Ratio: 1.12, Lo: 1.09, Hi: 1.15}}}),
		worker("b", "epyc-1", "0x2\x1b[2J", nil),
		worker("new", "", "", nil),
	}, true)
	for _, want := range []string{
		"1.12 [1.09 to 1.15]", "1.00 [0.98 to 1.02]", "its own first times", "not calibrated since the server began",
		`epyc-1: microcode differs: 0x1 (a), 0x2\x1b[2J (b)`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nexpected %q in it", got, want)
		}
	}
	if strings.Contains(got, "\x1b") || strings.Contains(got, "new") || strings.Index(got, "epyc-1") > strings.Index(got, "xeon-1") {
		t.Errorf("%q: expected no escape, no worker without a class, and the largest class first", got)
	}
	if text := classesText([]api.Worker{worker("new", "", "", nil)}, true); text != "" {
		t.Errorf("%q without classes, expected nothing", text)
	}
}

func TestWorkersTableShowsWhoIsCalibrating(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	seen := now.Add(-time.Minute)
	for _, c := range []struct {
		name string
		w    api.Worker
		want string
		lost bool
	}{
		{"registered a moment ago", api.Worker{Since: now.Add(-time.Second)}, "calibrating", false},
		{"registered long ago", api.Worker{Since: now.Add(-time.Hour)}, "never", true},
		{"silent", api.Worker{Since: now.Add(-time.Second), Seen: &seen}, "ago", true},
		{"alive", api.Worker{Since: now.Add(-time.Hour), Seen: &seen, Alive: true}, "ago", false},
	} {
		got := workersTable([]api.Worker{c.w}, now, true)
		if !strings.Contains(got, c.want) || strings.Contains(got, ", lost") != c.lost || strings.Contains(got, "calibrating") != (c.want == "calibrating") {
			t.Errorf("%s: %q, expected %q, lost %v", c.name, got, c.want, c.lost)
		}
	}
}
