package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"crucible/judge/measure/stat"
	"crucible/judge/record"
)

// times returns n different times in seconds around a median.
func times(median float64, n int) []float64 {
	var all []float64
	for i := range n {
		all = append(all, median*(1+0.002*(float64(i)-float64(n-1)/2)))
	}
	return all
}

// timed returns a cell that has only CPU times.
func timed(name string, cpu []float64) StoredCell {
	c := StoredCell{Case: name, Values: map[Metric][]float64{ByCPU: cpu}}
	for i := range cpu {
		c.Rounds = append(c.Rounds, i)
	}
	return c
}

func savedAs(name string, cells ...StoredCell) StoredProgram {
	return StoredProgram{Problem: "sum", Name: name, Cells: cells}
}

func savedRun(programs ...StoredProgram) *StoredRun { return &StoredRun{Programs: programs} }

// outcomesOf describes a RunComparison in lines: the outcomes of submissions over all
// cases and on single cases, and what was left out.
func outcomesOf(a *RunComparison) (lines []string) {
	add := func(name, lost string, c *Change) {
		switch {
		case lost != "":
			lines = append(lines, name+": lost: "+lost)
		case c != nil:
			lines = append(lines, fmt.Sprintf("%s: %s, %s%s", name, c.Outcome, c.Claim, map[bool]string{true: " (withheld)"}[c.Withheld]))
		}
	}
	for _, p := range a.Programs {
		add(p.Name, p.Lost, p.Overall)
		for _, c := range p.Cells {
			add(p.Name+" "+c.Case, c.Lost, c.Change)
			if c.Found+c.Wrong != "" {
				lines = append(lines, p.Name+" "+c.Case+": was "+c.Found+" is "+c.Wrong)
			}
		}
	}
	for _, l := range a.Left {
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("left %s %s: %s %s", l.Name, l.Case, l.Why, map[bool]string{true: "(missing)"}[l.Missing])))
	}
	return lines
}

// against compares runs of one clock.
func against(old, new *StoredRun, y Criterion) *RunComparison {
	a, err := RunComparisonOf(old, new, y)
	if err != nil {
		panic(err)
	}
	return a
}

func TestAgainstOf(t *testing.T) {
	a := func(cells ...StoredCell) *StoredRun { return savedRun(savedAs("a", cells...)) }
	wrong := func(why string) StoredCell { return StoredCell{Case: "1", Wrong: why} }
	hashed := func(data string) StoredCell { c := timed("1", times(1, 30)); c.Data = data; return c }
	tests := []struct {
		name     string
		old, new *StoredRun
		want     []string
	}{
		{"a sure slowdown of the threshold is a regression", a(timed("1", times(1, 30))), a(timed("1", times(1.06, 30))),
			[]string{"a 1: regression, slower"}},
		{"one below the threshold is not", a(timed("1", times(1, 30))), a(timed("1", times(1.025, 30))),
			[]string{"a 1: held, slower"}},
		{"a gain holds", a(timed("1", times(1, 30))), a(timed("1", times(0.5, 30))),
			[]string{"a 1: held, faster"}},
		{"too few runs leave it open, however slow they are", a(timed("1", times(1, 3))), a(timed("1", times(9, 3))),
			[]string{"a 1: open, cannot tell"}},
		{"two cases are a whole", a(timed("1", times(1, 30)), timed("2", times(1, 30))), a(timed("1", times(1.2, 30)), timed("2", times(1, 30))),
			[]string{"a: regression, slower", "a 1: regression, slower", "a 2: held, cannot tell"}},
		{"what one case loses another does not win back", a(timed("1", times(1, 30)), timed("2", times(1, 30))), a(timed("1", times(1.2, 30)), timed("2", times(1/1.2, 30))),
			[]string{"a: held, cannot tell", "a 1: regression, slower", "a 2: held, faster"}},
		{"a verdict lost is a regression without any statistics", a(timed("1", times(1, 1))), a(wrong("WA: line 1")),
			[]string{"a 1: lost: WA: line 1"}},
		{"a verdict of AC now is reported", a(wrong("WA")), a(timed("1", times(1, 30))),
			[]string{"a 1: was WA is "}},
		{"what was wrong may stay so", a(wrong("WA")), a(wrong("TLE")),
			[]string{"a 1: was  is TLE"}},
		{"what does not compile any more is lost", a(timed("1", times(1, 30))), savedRun(StoredProgram{Problem: "sum", Name: "a", Wrong: "CE"}),
			[]string{"a: lost: CE"}},
		{"what could not be run is missing, and nobody's fault", a(timed("1", times(1, 30))), savedRun(StoredProgram{Problem: "sum", Name: "a", Unknown: "skipped: no rustc"}),
			[]string{"left a : in NEW skipped: no rustc (missing)"}},
		{"so is what the judge failed at", a(timed("1", times(1, 30))), a(StoredCell{Case: "1", Unknown: "judge error: disk"}),
			[]string{"left a 1: judge error: disk (missing)"}},
		{"a case that is gone is missing", a(timed("1", times(1, 30)), timed("2", times(1, 30))), a(timed("1", times(1, 30))),
			[]string{"a 1: held, cannot tell", "left a 2: in OLD only (missing)"}},
		{"a new case is reported", a(timed("1", times(1, 30))), a(timed("1", times(1, 30)), timed("2", times(1, 30))),
			[]string{"a 1: held, cannot tell", "left a 2: in NEW only"}},
		{"submissions likewise", a(timed("1", times(1, 30))), savedRun(savedAs("b", timed("1", times(1, 30)))),
			[]string{"left b : in NEW only", "left a : in OLD only (missing)"}},
		{"other data is another case", a(hashed("x")), a(hashed("y")),
			[]string{"left a 1: its data has changed (missing)"}},
		{"data of which nothing is known is taken as the same", a(hashed("x")), a(hashed("")),
			[]string{"a 1: held, cannot tell"}},
		{"a problem of another id is another problem", a(timed("1", times(1, 30))), savedRun(StoredProgram{Problem: "difference", Name: "a"}),
			[]string{"left a : in NEW only", "left a : in OLD only (missing)"}},
		{"times of 0 tell of the clock, not of the program", a(timed("1", times(1, 30))), a(timed("1", make([]float64, 30))),
			[]string{"a 1: open, cannot tell"}},
		{"nor do they make it slower", a(timed("1", make([]float64, 30))), a(timed("1", times(1, 30))),
			[]string{"a 1: open, cannot tell"}},
		{"nothing", savedRun(), savedRun(), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, outcomesOf(against(tt.old, tt.new, Criterion{Threshold: 0.05}))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestAgainstCountsWhatMatters(t *testing.T) {
	old := savedRun(savedAs("a", timed("1", times(1, 30)), timed("2", times(1, 30)), timed("gone", times(1, 30))), savedAs("b", timed("1", times(1, 3))))
	new := savedRun(savedAs("a", timed("1", times(2, 30)), StoredCell{Case: "2", Wrong: "WA"}), savedAs("b", timed("1", times(1, 3))))
	a := against(old, new, Criterion{Threshold: 0.05})
	if n := a.Counts(); n != (Counts{2, 1, 1}) {
		t.Errorf("%d regressions, %d open, %d missing, expected 2 (slower, WA), 1 (three runs), 1 (gone)", n.Regressions, n.Open, n.Missing)
	}
}

func TestAgainstByOtherMetrics(t *testing.T) {
	cell := func(memory, instructions float64) StoredCell {
		c := timed("1", times(1, 30))
		c.Values[ByMemory] = slices.Repeat([]float64{memory}, 30)
		if instructions > 0 {
			c.Values[ByInstructions] = slices.Repeat([]float64{instructions}, 30)
		}
		return c
	}
	old, new := savedRun(savedAs("a", cell(1<<20, 1e9))), savedRun(savedAs("a", cell(1<<21, 1.5e9)))
	c := against(old, new, Criterion{}).Programs[0].Cells[0].Change
	if diff := cmp.Diff(map[Metric]float64{ByMemory: 2, ByInstructions: 1.5}, c.Others); diff != "" {
		t.Errorf("the other metrics of CPU time, -want +got:\n%s", diff)
	}
	if got := outcomesOf(against(old, new, Criterion{Metric: ByMemory, Threshold: 0.05})); !slices.Equal(got, []string{"a 1: regression, slower"}) {
		t.Errorf("by memory: %q, expected a regression", got)
	}
	new = savedRun(savedAs("a", cell(1<<20, 0)))
	if got := outcomesOf(against(old, new, Criterion{Metric: ByInstructions})); !slices.Equal(got, []string{"left a 1: no instructions in both (missing)"}) {
		t.Errorf("by instructions that one run did not count: %q", got)
	}
}

func TestAgainstKeepsRoundsTogether(t *testing.T) {
	// In the old run, case 2 has no round 0, so round 0 does not count over all cases.
	one, two := timed("1", []float64{100, 2, 3}), timed("2", []float64{2, 3})
	two.Rounds = []int{1, 2}
	a := against(savedRun(savedAs("a", one, two)), savedRun(savedAs("a", timed("1", times(1, 3)), timed("2", times(1, 3)))), Criterion{})
	if old := a.Programs[0].Overall.Old; old.N != 2 || old.Median != 2.5 {
		t.Errorf("%d rounds with the median %v, expected 2 with 2.5", old.N, old.Median)
	}
}

func TestAgainstOfCasesThatShareNoRound(t *testing.T) {
	side := func() *StoredRun {
		one, two := timed("1", times(1, 30)), timed("2", times(1, 30))
		for i := range two.Rounds {
			two.Rounds[i] += 30
		}
		return savedRun(savedAs("a", one, two))
	}
	if p := against(side(), side(), Criterion{}).Programs[0]; p.Overall != nil || p.Cells[0].Change == nil {
		t.Errorf("overall %v, expected none; case %v, expected one", p.Overall, p.Cells[0].Change)
	}
}

func TestAgainstKnowsMachines(t *testing.T) {
	side := func(cpu, kernel, toolchain string) *StoredRun {
		s := savedRun(savedAs("a", timed("1", times(1, 30))))
		s.Machine = []record.Fact{{Name: "CPU", Value: cpu}, {Name: "kernel", Value: kernel}}
		s.Setting = []record.Fact{{Name: "gcc", Value: toolchain}}
		return s
	}
	tests := []struct {
		name             string
		old, new         *StoredRun
		machine, setting []Difference
		unknown          []string
	}{
		{"one machine", side("EPYC", "6.1", "14"), side("EPYC", "6.1", "14"), nil, nil, nil},
		{"another processor", side("EPYC", "6.1", "14"), side("Xeon", "6.1", "14"), []Difference{{"CPU", "EPYC", "Xeon"}}, nil, nil},
		{"another kernel", side("EPYC", "6.1", "14"), side("EPYC", "6.2", "14"), []Difference{{"kernel", "6.1", "6.2"}}, nil, nil},
		{"another compiler is not another machine", side("EPYC", "6.1", "14"), side("EPYC", "6.1", "15"), nil, []Difference{{"gcc", "14", "15"}}, nil},
		{"a fact that one run does not have is reported", side("EPYC", "", "14"), side("EPYC", "6.1", ""), nil, nil, []string{"kernel"}},
		{"so is one that neither has", side("EPYC", "", "14"), side("EPYC", "", ""), nil, nil, []string{"kernel"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := against(tt.old, tt.new, Criterion{})
			if diff := cmp.Diff([]any{tt.machine, tt.setting, tt.unknown}, []any{a.Machine, a.Setting, a.Unknown}); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestUnchangedSourceMeasuresTheMachine(t *testing.T) {
	side := func(factor float64, source string) *StoredRun {
		p := savedAs("a", timed("1", times(factor, 30)))
		p.Source = source
		return savedRun(p)
	}
	compiled := func(s *StoredRun, flag string) *StoredRun {
		s.Programs[0].Command = []string{"g++", flag, "a.cpp"}
		return s
	}
	for _, tt := range []struct {
		name     string
		old, new *StoredRun
		doubts   int
	}{
		{"slower, same source", side(1, "x"), side(1.1, "x"), 1},
		{"slower, other source", side(1, "x"), side(1.1, "y"), 0},
		{"as fast, same source", side(1, "x"), side(1.0001, "x"), 0},
		{"sources not known", side(1, ""), side(1.1, ""), 0},
		{"slower, other flags of the compiler", compiled(side(1, "x"), "-O2"), compiled(side(1.1, "x"), "-O0"), 0},
		{"slower, same flags", compiled(side(1, "x"), "-O2"), compiled(side(1.1, "x"), "-O2"), 1},
		{"slower, flags of one not known", side(1, "x"), compiled(side(1.1, "x"), "-O2"), 1},
	} {
		if a := against(tt.old, tt.new, Criterion{}); len(a.Doubts) != tt.doubts {
			t.Errorf("%s: doubts %v, expected %d", tt.name, a.Doubts, tt.doubts)
		}
	}
}

// TestAgainstSharesItsError checks that the confidence of each interval is that of
// Bonferroni's inequality or slightly more.
func TestAgainstSharesItsError(t *testing.T) {
	side := func(looks, programs, cases int) *StoredRun {
		s := &StoredRun{Looks: looks}
		for p := range programs {
			prog := savedAs(fmt.Sprint(p))
			for c := range cases {
				prog.Cells = append(prog.Cells, timed(fmt.Sprint(c), times(1, 60)))
			}
			s.Programs = append(s.Programs, prog)
		}
		return s
	}
	tests := []struct {
		name                string
		old, new            *StoredRun
		confidence          float64
		wantWhole, wantCell float64 // probability of a wrong claim over all cases, and on one
	}{
		{name: "one case: all of it", old: side(1, 1, 1), new: side(1, 1, 1), wantCell: 0.05},
		{name: "three submissions on one case", old: side(1, 3, 1), new: side(1, 3, 1), wantCell: 0.05 / 3},
		{name: "one on two cases: half and half", old: side(1, 1, 2), new: side(1, 1, 2), wantWhole: 0.025, wantCell: 0.025 / 2},
		{name: "three on four", old: side(1, 3, 4), new: side(1, 3, 4), wantWhole: 0.025 / 3, wantCell: 0.025 / 12},
		{name: "what is in one run only is no claim", old: side(1, 3, 4), new: side(1, 2, 5), wantWhole: 0.025 / 2, wantCell: 0.025 / 8},
		{name: "each look at one costs, with each at the other", old: side(2, 1, 1), new: side(5, 1, 1), wantCell: 0.005},
		{name: "another confidence", old: side(0, 1, 2), new: side(0, 1, 2), confidence: 0.99, wantWhole: 0.005, wantCell: 0.0025},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := against(tt.old, tt.new, Criterion{Confidence: tt.confidence}).Programs[0]
			for _, c := range []struct {
				what   string
				change *Change
				want   float64
			}{{"a case", p.Cells[0].Change, tt.wantCell}, {"all cases", p.Overall, tt.wantWhole}} {
				switch {
				case c.change == nil && c.want == 0:
				case c.change == nil:
					t.Errorf("%s: no interval", c.what)
				case 1-c.change.Confidence > c.want || 1-c.change.Confidence < c.want/2:
					t.Errorf("%s: the interval may be wrong with %.5f, expected %.5f at most, and no less than half", c.what, 1-c.change.Confidence, c.want)
				}
			}
		})
	}
}

// TestAgainstClaims simulates pairs of runs whose true ratio is known, and counts
// wrong claims. All times of a round may be slow together, as on a busy machine.
func TestAgainstClaims(t *testing.T) {
	const programs, cases, rounds = 3, 4, 20
	trials := 250
	if testing.Short() || raced {
		trials = 60
	}
	noises := []struct {
		name string
		of   func(r *rand.Rand) float64 // draws the logarithm of a factor
	}{
		{"normal", func(r *rand.Rand) float64 { return 0.02 * r.NormFloat64() }},
		{"skewed", func(r *rand.Rand) float64 { return 0.02 * r.ExpFloat64() }},
		{"bimodal", func(r *rand.Rand) float64 { return 0.05*float64(r.IntN(2)) + 0.005*r.NormFloat64() }},
	}
	for _, noise := range noises {
		r := rand.New(rand.NewPCG(7, uint64(len(noise.name))))
		make := func(factor float64) *StoredRun {
			s := &StoredRun{}
			slow := [rounds]float64{}
			for i := range slow {
				slow[i] = noise.of(r)
			}
			for p := range programs {
				prog := savedAs(fmt.Sprint(p))
				for c := range cases {
					var xs []float64
					for i := range rounds {
						xs = append(xs, factor*math.Exp(slow[i]/2+noise.of(r)))
					}
					prog.Cells = append(prog.Cells, timed(fmt.Sprint(c), xs))
				}
				s.Programs = append(s.Programs, prog)
			}
			return s
		}
		wrong, seen, all := 0, 0, 0
		for range trials {
			a := against(make(1), make(1), Criterion{})
			claimed := false
			for _, p := range a.Programs {
				for _, c := range append([]CaseChange{{Change: p.Overall}}, p.Cells...) {
					claimed = claimed || c.Change.Claim != stat.CannotTell
				}
			}
			if claimed {
				wrong++
			}
		}
		for range trials / 10 {
			for _, p := range against(make(1), make(1.1), Criterion{Threshold: 0.05}).Programs {
				if all++; p.Overall.Outcome == Regression {
					seen++
				}
			}
		}
		t.Logf("%-8s some claim of 15 is wrong in %.1f %% of %d comparisons of equals; 10 %% is seen in %.0f %% of %d", noise.name,
			100*float64(wrong)/float64(trials), trials, 100*float64(seen)/float64(all), all)
		// A true share of 5 % exceeds this bound by chance once in 4000 times.
		bound := 0.05 + 3.5*math.Sqrt(0.05*0.95/float64(trials))
		if share := float64(wrong) / float64(trials); share > bound {
			t.Errorf("%s: some claim is wrong in %.3f of the comparisons of equals, expected 0.05 at most", noise.name, share)
		}
		if share := float64(seen) / float64(all); share < 0.9 {
			t.Errorf("%s: 10 %% is seen as a regression in %.2f of the comparisons, expected 0.9 at least", noise.name, share)
		}
	}
}

// TestAgainstAReference checks that a change of the machine's speed that is common
// to all programs of a run neither counts as a regression nor hides one.
func TestAgainstAReference(t *testing.T) {
	// machine makes the rounds of a run slower by slow and by a factor of each round.
	machine := func(slow float64) func(float64) []float64 {
		return func(factor float64) []float64 {
			all := times(factor, 20)
			for i := range all {
				all[i] *= slow * (1 + 0.05*float64((i*7)%20))
			}
			return all
		}
	}
	quiet, busy := machine(1), machine(1.5)
	run := func(of func(float64) []float64, factor float64) *StoredRun {
		return savedRun(
			savedAs("reference", timed("1", of(3)), timed("2", of(3))),
			savedAs("a", timed("1", of(factor)), timed("2", of(2*factor))))
	}
	hasNone := savedRun(savedAs("a", timed("1", quiet(1))))
	gone := run(quiet, 1)
	gone.Programs[0].Cells[1] = StoredCell{Case: "2", Wrong: "WA"}
	tests := []struct {
		name      string
		old, new  *StoredRun
		reference string
		want      []string
	}{
		{"without one a slow day is one", run(quiet, 1), run(busy, 1), "",
			[]string{"reference: regression, slower", "reference 1: regression, slower", "reference 2: regression, slower",
				"a: regression, slower", "a 1: regression, slower", "a 2: regression, slower"}},
		{"with one it is none", run(quiet, 1), run(busy, 1), "reference",
			[]string{"a: held, cannot tell", "a 1: held, cannot tell", "a 2: held, cannot tell"}},
		{"a slowdown is seen on a day as slow", run(quiet, 1), run(quiet, 1.1), "reference",
			[]string{"a: regression, slower", "a 1: regression, slower", "a 2: regression, slower"}},
		{"and on a fast one", run(busy, 1), run(quiet, 1.1), "reference",
			[]string{"a: regression, slower", "a 1: regression, slower", "a 2: regression, slower"}},
		{"a run that lacks it cannot be compared", run(quiet, 1), hasNone, "reference",
			[]string{"left a 1: no cpu in both, for it and for reference (missing)", "left a 2: in OLD only (missing)", "left reference : in OLD only (missing)"}},
		{"one that is wrong now is reported", run(quiet, 1), gone, "reference",
			[]string{"reference 2: lost: WA", "a 1: held, cannot tell", "left a 2: no cpu in both, for it and for reference (missing)"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := outcomesOf(against(tt.old, tt.new, Criterion{Threshold: 0.05, Reference: tt.reference}))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}

	// Rounds that the reference lacks are left out of every quantity of the program.
	old, new := run(quiet, 1), run(quiet, 1)
	old.Programs[0].Cells[0].Rounds[0] = 99
	old.Programs[1].Cells[0].Values[ByMemory] = slices.Repeat([]float64{1}, 20)
	new.Programs[1].Cells[0].Values[ByMemory] = slices.Repeat([]float64{2}, 20)
	a := against(old, new, Criterion{Reference: "reference"})
	if c := a.Programs[0].Cells[0].Change; c.Old.N != 19 || c.Others[ByMemory] != 2 {
		t.Errorf("%d rounds, %v of the memory, expected 19 and 2", c.Old.N, c.Others[ByMemory])
	}
	if old.Programs[1].Cells[0].Values[ByCPU][3] != run(quiet, 1).Programs[1].Cells[0].Values[ByCPU][3] {
		t.Error("the run that was given has other numbers now")
	}
	old.Programs[0].Source, new.Programs[0].Source = "x", "y"
	if a := against(old, new, Criterion{Reference: "reference"}); len(a.Doubts) != 1 || !strings.HasPrefix(a.Doubts[0].Text, "the source of reference has changed") {
		t.Errorf("a reference that has changed has the doubts %v", a.Doubts)
	}
}

// TestUnchangedProgramsGetNoSlowerNorFaster checks that a change of the time of an
// unchanged program counts as one of the machine: it is no regression, and neither
// is a change of another program that is not significantly larger.
func TestUnchangedProgramsGetNoSlowerNorFaster(t *testing.T) {
	side := func(toolchain, source string, same, other float64) *StoredRun {
		control, changed := savedAs("control", timed("1", times(same, 30))), savedAs("a", timed("1", times(other, 30)))
		control.Language, control.Source = "cpp", "x"
		changed.Language, changed.Source = "cpp", source
		s := savedRun(control, changed)
		if toolchain != "" {
			s.Setting = []record.Fact{{Name: ToolchainOf + "cpp", Value: toolchain}}
		}
		return s
	}
	tests := []struct {
		name     string
		old, new *StoredRun
		want     []string
	}{
		{"a slow day is no regression", side("14", "y", 1, 1), side("14", "z", 1.2, 1.2),
			[]string{"control 1: open, slower (withheld)", "a 1: open, slower (withheld)"}},
		{"nor is any of the programs one", side("14", "y", 1, 1), side("14", "y", 1.2, 1.5),
			[]string{"control 1: open, slower (withheld)", "a 1: open, slower (withheld)"}},
		{"a program that is significantly slower than the machine has one", side("14", "y", 1, 1), side("14", "z", 1.2, 1.5),
			[]string{"control 1: open, slower (withheld)", "a 1: regression, slower"}},
		{"one that only seems slower has none", side("14", "y", 1, 1), side("14", "z", 1.2, 1.21),
			[]string{"control 1: open, slower (withheld)", "a 1: open, slower (withheld)"}},
		{"a fast day excuses nothing", side("14", "y", 1, 1), side("14", "z", 0.9, 1.2),
			[]string{"control 1: open, faster (withheld)", "a 1: regression, slower"}},
		{"nor is it a gain", side("14", "y", 1, 1), side("14", "z", 0.7, 0.7),
			[]string{"control 1: open, faster (withheld)", "a 1: held, faster (withheld)"}},
		{"a program that is significantly faster than the machine has one", side("14", "y", 1, 1), side("14", "z", 0.7, 0.5),
			[]string{"control 1: open, faster (withheld)", "a 1: held, faster"}},
		{"on a fast day, a program that is as fast as before may be slower", side("14", "y", 1, 1), side("14", "z", 0.7, 1),
			[]string{"control 1: open, faster (withheld)", "a 1: open, cannot tell"}},
		{"a little faster is as good as before", side("14", "y", 1, 1), side("14", "z", 0.96, 0.96),
			[]string{"control 1: held, faster (withheld)", "a 1: held, faster (withheld)"}},
		{"another compiler may be one", side("14", "y", 1, 1), side("15", "y", 1.2, 1.2),
			[]string{"control 1: regression, slower", "a 1: regression, slower"}},
		{"and one of which nothing is known", side("", "y", 1, 1), side("", "y", 1.2, 1.2),
			[]string{"control 1: regression, slower", "a 1: regression, slower"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, outcomesOf(against(tt.old, tt.new, Criterion{Threshold: 0.05}))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestOneRunIsNotTwo checks that two runs with the same times get a doubt: if the
// new file has replaced the old one, every regression is hidden.
func TestOneRunIsNotTwo(t *testing.T) {
	side := func(second float64) *StoredRun {
		return savedRun(savedAs("a", timed("1", times(1, 30)), timed("2", times(second, 30))))
	}
	for _, tt := range []struct {
		name     string
		old, new *StoredRun
		doubted  bool
	}{
		{"all times are the same", side(1), side(1), true},
		{"but for the last digit of a float", side(1), side(math.Nextafter(1, 2)), true},
		{"one case has others", side(1), side(1.001), false},
		{"no times", savedRun(savedAs("a", StoredCell{Case: "1", Wrong: "WA"})), savedRun(savedAs("a", StoredCell{Case: "1", Wrong: "WA"})), false},
	} {
		a := against(tt.old, tt.new, Criterion{})
		if got := slices.ContainsFunc(a.Doubts, func(d stat.Doubt) bool { return d.Kind == "same" }); got != tt.doubted {
			t.Errorf("%s: doubts %v", tt.name, a.Doubts)
		}
	}
}
