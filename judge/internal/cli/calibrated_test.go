package cli

import (
	"bytes"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"crucible/judge"
	"crucible/judge/record"
)

func TestMachineHasTheSelfTest(t *testing.T) {
	t.Setenv("CRUCIBLE_CACHE", t.TempDir())
	var j judge.Judge
	defer j.Close()
	if m := MachineOf(&j); m.SelfTest != nil {
		t.Errorf("SelfTest = %+v before any self-test, expected nil", m.SelfTest)
	}
	result := jsontext.Value(`{"made_at":"2026-01-31T12:00:00Z","checks":[{"of":"CPU time","true":0.1,"runs":9}]}`)
	if err := SaveSelfTest(&j, result); err != nil {
		t.Fatal(err)
	}
	m := MachineOf(&j)
	text, _ := m.SelfTest.(jsontext.Value)
	if string(text) != string(result) {
		t.Fatalf("SelfTest = %s, expected the stored one, %s", text, result)
	}
	var b bytes.Buffer
	if err := record.Write(&b, &record.Document{Machine: m}); err != nil {
		t.Fatal(err)
	}
	d, err := record.Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := d.Machine.SelfTest.(jsontext.Value)
	if err := again.Compact(); err != nil {
		t.Fatal(err)
	}
	d.Machine.SelfTest = again
	if diff := cmp.Diff(m, d.Machine, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("the machine in a document (-written +read):\n%s", diff)
	}
	m.Protection = "another level"
	if found := selfTestOf(&j, &m); found != nil {
		t.Errorf("selfTestOf at another sandbox level = %+v, expected nil", found)
	}
}

func TestDistortionIsKept(t *testing.T) {
	t.Setenv("CRUCIBLE_CACHE", t.TempDir())
	j := judge.Judge{Jobs: 2}
	defer j.Close()
	if got := measuredDistortion(&j); got != 0 {
		t.Errorf("measuredDistortion = %g before any measurement, expected 0", got)
	}
	for _, test := range []struct {
		fact string
		Distortion
		expected float64
	}{
		{"for as many programs", Distortion{record.ThisMachine(), 2, 0.03}, 0.03},
		{"for fewer programs the default is the minimum", Distortion{record.ThisMachine(), 1, 0.03}, judge.DefaultDistortion},
		{"of another machine", Distortion{record.Machine{CPU: "other"}, 2, 0.03}, 0},
	} {
		if err := test.Save(&j); err != nil {
			t.Fatal(err)
		}
		if got := measuredDistortion(&j); got != test.expected {
			t.Errorf("%s: measuredDistortion = %g, expected %g", test.fact, got, test.expected)
		}
	}
}
