package generate

import (
	"crucible/judge"
	"crucible/judge/problem"
)

// Visualizers returns a function that returns the visualizer of a case: that of the key
// visualizer in generators.yaml, else input_visualizer/ of the package; nil if there is
// none. The error is a defect of generators.yaml; input_visualizer/ is then used.
func Visualizers(p *problem.Problem) (func(*problem.Case) *judge.Visualizer, error) {
	plan, err := ReadPlan(p.FS)
	if plan == nil {
		plan = new(Plan)
	}
	programs := make(map[string]*problem.Program)
	return func(c *problem.Case) *judge.Visualizer {
		var own casePlan
		if i, ok := plan.index[c.Name]; ok {
			own = plan.cases[i]
		}
		switch {
		case own.noVisualizer:
			return nil
		case own.visualizer == nil || p.InputVisualizer != nil && own.visualizer[0] == "/"+p.InputVisualizer.Path:
			if p.InputVisualizer == nil {
				return nil
			}
			return &judge.Visualizer{Program: p.InputVisualizer, Args: c.InputVisualizerArgs}
		}
		name := own.visualizer[0][1:]
		if _, ok := programs[name]; !ok {
			programs[name] = p.Program(name, &problem.Defects{})
		}
		program := programs[name]
		if program == nil {
			program = &problem.Program{Name: name, Path: name, FS: p.FS} // running it reports why it cannot be read
		}
		return &judge.Visualizer{Program: program, Args: own.visualizer[1:], InPlace: true}
	}, err
}
