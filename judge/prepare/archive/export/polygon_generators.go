package export

import (
	"maps"
	"path"
	"slices"
	"strings"

	lib "go.yaml.in/yaml/v3"

	"crucible/judge/problem"
)

// generators adds the generators, and reads the commands of tests.
func (p *polygon) generators() error {
	const folder = "generators"
	data, err := problem.ReadBounded(p.p.FS, folder+"/generators.yaml", problem.MaxYAML)
	if err != nil {
		if slices.ContainsFunc(p.list, func(f problem.ListedFile) bool { return strings.HasPrefix(f.Name, folder+"/") }) {
			p.lose(folder, "the generators: no generators.yaml has their commands")
		}
		return nil
	}
	var plan struct {
		Solution   string              `yaml:"solution"`
		Generators map[string][]string `yaml:"generators"`
		Data       map[string]any      `yaml:"data"`
	}
	if err := lib.Unmarshal(data, &plan); err != nil {
		// Some versions of the format have other types of values.
		p.lose(folder+"/generators.yaml", "the generators and their commands: %v", err)
		return nil
	}
	p.solution = strings.TrimPrefix(plan.Solution, "/")
	usable := make(map[string]bool)
	for _, id := range slices.Sorted(maps.Keys(plan.Generators)) {
		t := &testlibProgram{files: make(map[string][]byte)}
		for i, name := range plan.Generators[id] {
			text, err := problem.ReadBounded(p.p.FS, path.Join(folder, name), maxText)
			if err != nil {
				return err
			}
			if t.files[path.Base(name)] = text; i == 0 {
				t.main = path.Base(name)
			}
		}
		if ext := path.Ext(t.main); slices.Contains(cppSources, ext) && strings.TrimSuffix(t.main, ext) == id {
			_, usable[id] = p.program(t)
		}
	}
	if missing := p.planned("", plan.Data, usable); missing > 0 {
		p.lose(folder+"/generators.yaml",
			"the commands of cases that are files in the package, %d of them: Polygon runs C++ programs without placeholders",
			missing)
	}
	return nil
}

// planned collects the commands below a folder of generators.yaml, and returns how many
// Polygon cannot run.
func (p *polygon) planned(folder string, data map[string]any, usable map[string]bool) (missing int) {
	for name, value := range data {
		switch v := value.(type) {
		case string:
			words := strings.Fields(v)
			if len(words) == 0 || !usable[words[0]] || strings.ContainsAny(v, "{}\"'\\|<>\n") {
				missing++
			} else {
				p.commands[path.Join(folder, name)] = v
			}
		case map[string]any:
			if sub, ok := v["data"].(map[string]any); ok {
				missing += p.planned(path.Join(folder, name), sub, usable)
			} else if v["generate"] != nil {
				missing++
			}
		}
	}
	return missing
}
