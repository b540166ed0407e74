package html

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"crucible/judge/measure/bench"
	"crucible/judge/problem"
	"crucible/judge/record"
)

// instructions returns a document of a comparison and a scaling by instructions. The
// programs of the comparison execute 1.2 and 2.4 billion in each run; the slowest of the
// scaling exceeds the time limit, so that its last run has no count.
func instructions() *record.Document {
	d := comparison([]string{"accepted/dlx.go", "accepted/dlx.cpp"}, 1, 4, 1, 0.52)
	m := record.Of[*bench.Measurement](&d.Problems[0])
	m.Clock = bench.ByInstructions
	for i := range m.Trials {
		m.Trials[i].Outcome.Instructions = 1.2e9 * int64(1+m.Trials[i].Submission)
	}
	d.Problems[0].Sections["comparison"] = bench.CompareOf(m)

	grown := scaling().Problems[0]
	m = record.Of[*bench.Measurement](&grown)
	m.Clock = bench.ByInstructions
	const slowest = 2
	stopped := trial(slowest, 0, 0, 0, 1, 4)
	for _, t := range m.Trials {
		if t.Submission == slowest {
			stopped.Case = max(stopped.Case, t.Case+1)
		}
	}
	stopped.Verdict, stopped.Why = problem.TimeLimit, "stopped at 1 s CPU, limit 1 s"
	m.Trials = append(m.Trials, stopped)
	grown.Sections["scaling"] = bench.ScalingOf(m)
	d.Problems = append(d.Problems, grown)
	return d
}

// A pageAxis is what a browser shows of the axis of the clock, and of the first mark.
type pageAxis struct {
	Titles []string // of all axes
	Labels []string // of the axis of the clock, those with a text
	Told   string   // the values of the first mark
	Limits int      // dashed lines of limits
}

// clocks checks that pictures of runs and of growth show the quantity of the clock, with
// its title, its units and its values.
func (b *browser) clocks(t *testing.T) {
	cpu := comparison([]string{"accepted/dlx.go", "accepted/dlx.cpp"}, 1, 4, 1, 0.52)
	cpu.Problems = append(cpu.Problems, scaling().Problems[0])
	for _, tt := range []struct {
		name, clock string // of the document, and of the axes
		d           *record.Document
		units       []string // of the labels
		runs        []string // one of them is shown of the first run
		growth      string   // the title of the section
		first       string   // what is shown of its first mark
		limits      int      // of it: the time limit bounds CPU time, but not instructions
	}{
		{"cpu", "CPU time", cpu, []string{" ms", " s"}, []string{" ms"}, "Time by size", "CPU time 1.2", 1},
		{"instructions", "instructions", instructions(), []string{" k", " M", " G"}, []string{"instructions 1.2 G", "instructions 2.4 G"}, "Instructions by size", "instructions 3.", 0},
	} {
		p := b.open(t, "clock-"+tt.name, tt.d, 1280)
		p.eval(drawAll, nil)
		for _, title := range []string{"Every run", tt.growth} {
			var got pageAxis
			p.eval(fmt.Sprintf(`(() => {
				const picture = [...document.querySelectorAll('main section section')].find(s => s.querySelector('h3').textContent === %q).querySelector('.picture');
				const axes = [...picture.querySelectorAll('.role-axis')].map(a => [a.querySelector('.role-axis-title text')?.textContent, [...a.querySelectorAll('.role-axis-label text')].map(e => e.textContent).filter(Boolean)]);
				picture.focus();
				picture.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' }));
				return {
					Titles: axes.map(([title]) => title).filter(Boolean),
					Labels: axes.find(([title]) => title === %q)?.[1] ?? [],
					Told: document.getElementById('tip').innerText,
					Limits: picture.querySelectorAll('line[stroke-dasharray="5,3"]').length,
				};
			})()`, title, tt.clock), &got)
			if !slices.Contains(got.Titles, tt.clock) || len(got.Labels) == 0 {
				t.Errorf("%s, %s: axes %q with labels %q, expected one of %s", tt.name, title, got.Titles, got.Labels, tt.clock)
			}
			for _, label := range got.Labels {
				if !slices.ContainsFunc(tt.units, func(unit string) bool { return strings.HasSuffix(label, unit) }) {
					t.Errorf("%s, %s: the axis has the label %q, expected one of the units %q", tt.name, title, label, tt.units)
				}
			}
			want, limits := tt.runs, 0
			if title == tt.growth {
				want, limits = []string{tt.first}, tt.limits
			}
			if !strings.Contains(got.Told, tt.clock) || !slices.ContainsFunc(want, func(part string) bool { return strings.Contains(got.Told, part) }) {
				t.Errorf("%s, %s: the first mark shows %q, expected %s with one of %q", tt.name, title, got.Told, tt.clock, want)
			}
			if got.Limits != limits {
				t.Errorf("%s, %s: %d lines of limits, expected %d", tt.name, title, got.Limits, limits)
			}
		}
		var ratios int
		p.eval(`[...document.querySelectorAll('.role-axis-title text')].filter(e => e.textContent === '× the reference’s `+tt.clock+`').length`, &ratios)
		if ratios != 1 {
			t.Errorf("%s: %d axes of ratios of %s, expected 1", tt.name, ratios, tt.clock)
		}
		if got := p.complaints(); got != nil {
			t.Errorf("the browser complains:\n%s", strings.Join(got, "\n"))
		}
		p.picture("clock " + tt.name)
	}
}
