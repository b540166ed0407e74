package cli

import (
	"context"
	"errors"

	"crucible/judge"
	"crucible/judge/prepare/generate"
	"crucible/judge/problem"
	"crucible/judge/record"
)

// drawingsOf runs the visualizers of the cases of a choice.
func drawingsOf(ctx context.Context, j *judge.Judge, c *Choice) (all []record.Drawing, err error) {
	visualizer, err := generate.Visualizers(c.Problem)
	if err != nil {
		return nil, err
	}
	var cases []*problem.Case
	var by []*judge.Visualizer
	for _, one := range c.Cases {
		if v := visualizer(one); v != nil {
			cases, by, all = append(cases, one), append(by, v), append(all, record.Drawing{Case: one.Name})
		}
	}
	return all, j.Each(ctx, len(cases), func(i int) (err error) {
		all[i].Images, err = j.Visualize(ctx, c.Problem, by[i], cases[i])
		var defect *problem.Defect
		if errors.As(err, &defect) {
			all[i].Failed = defect.Error()
			return nil
		}
		return err
	})
}
