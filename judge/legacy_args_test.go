package judge

import (
	"strings"
	"testing"

	"crucible/judge/internal/testkit"
	"crucible/judge/problem"
)

// TestTolerancesOfGroupsAndProblems checks that in legacy packages the flags of a
// group follow those of the problem, and the last tolerance counts. In 2025-09 a
// tolerance is given once.
func TestTolerancesOfGroupsAndProblems(t *testing.T) {
	const flags = "-- data/secret/testdata.yaml --\noutput_validator_flags: float_tolerance 1e-4\n"
	p, err := problem.Open(testkit.Pack("-- problem.yaml --\nname: Sum\nvalidator_flags: float_tolerance 1e-6\n" + flags))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range p.Cases {
		want := "float_tolerance 1e-6"
		if !c.Sample() {
			want = "float_absolute_tolerance 1e-4 float_relative_tolerance 1e-4"
		}
		if got := strings.Join(c.OutputValidatorArgs, " "); got != want {
			t.Errorf("%s: %s, want %s", c.Name, got, want)
		}
	}
	if _, err := problem.Open(testkit.Pack("-- data/secret/test_group.yaml --\noutput_validator_args: [float_tolerance, '1', float_tolerance, '2']\n")); err == nil || !strings.Contains(err.Error(), "data/secret/test_group.yaml:1:") {
		t.Errorf("in 2025-09: %v", err)
	}
}
