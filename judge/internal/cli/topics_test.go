package cli

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// The workflow in the topic about clocks must be YAML with steps that run commands.
func TestWorkflow(t *testing.T) {
	_, rest, ok := strings.Cut(clocksTopic, "\n  name: instructions\n")
	workflow, _, _ := strings.Cut("  name: instructions\n"+rest, "\n\n")
	var w struct {
		Name string
		On   string
		Jobs map[string]struct {
			RunsOn string `yaml:"runs-on"`
			Steps  []struct {
				Uses, Run string
				With      map[string]any
			}
		}
	}
	if err := yaml.Unmarshal([]byte(workflow), &w); !ok || err != nil {
		t.Fatalf("%v in\n%s", err, workflow)
	}
	job := w.Jobs["compare"]
	runs := 0
	for _, step := range job.Steps {
		if (step.Uses == "") == (step.Run == "") {
			t.Errorf("%+v: expected either uses or run", step)
		}
		if strings.HasPrefix(step.Run, "judge ") {
			runs++
		}
	}
	if w.On != "pull_request" || job.RunsOn == "" || runs != 3 {
		t.Errorf("%+v: expected 3 commands of the judge", w)
	}
}
