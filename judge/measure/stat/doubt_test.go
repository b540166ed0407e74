package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestCleanSamplesAreSeldomDoubted checks the false-alarm rate for samples of
// distributions of several shapes. Each detector should doubt at most one sample in
// a thousand. The test allows twice that, because the distribution of the drift
// detector is approximate.
func TestCleanSamplesAreSeldomDoubted(t *testing.T) {
	t.Parallel()
	clean := []struct {
		name string
		f    noise
	}{
		{"normal", normal},
		{"log-normal", wide},
		{"floor and exponential", skewed},
		{"exponential", func(r *rand.Rand, _, _ int) float64 { return math.Log(r.ExpFloat64()) }},
		{"uniform", func(r *rand.Rand, _, _ int) float64 { return math.Log(1 + r.Float64()) }},
		{"power of time", func(r *rand.Rand, _, _ int) float64 { return 0.5 * r.ExpFloat64() }},
		{"in steps", func(r *rand.Rand, _, _ int) float64 { return math.Log(math.Round(150 + 1.5*r.NormFloat64())) }},
	}
	table := fmt.Sprintf("%-21s %4s %8s %8s %8s\n", "sample", "n", "drift", "modes", "outliers")
	total, sum := rounds(500), map[string]int{}
	for i, c := range clean {
		for _, n := range []int{10, 20, 50, 100} {
			r := rand.New(rand.NewPCG(uint64(i), uint64(n)))
			times := func() []float64 { return times(r, c.f, n, 1) }
			count := map[string]int{}
			for range total {
				for _, d := range Summarize(times(), 0.95).Doubts {
					count[d.Kind]++
					sum[d.Kind]++
				}
			}
			table += fmt.Sprintf("%-21s %4d %8.4f %8.4f %8.4f\n", c.name, n, part(count["drift"], total), part(count["modes"], total), part(count["outliers"], total))
			for kind, k := range count {
				if often(k, total, 2*falseAlarmRate) || kind == "few" {
					t.Errorf("%s: %d of %d samples of %d have the doubt %q", c.name, k, total, n, kind)
				}
			}
		}
	}
	all := total * 4 * len(clean)
	table += fmt.Sprintf("%-21s %4s %8.4f %8.4f %8.4f\n", "all", "", part(sum["drift"], all), part(sum["modes"], all), part(sum["outliers"], all))
	t.Log("\n" + table)
}

// TestDoubtsAreFound checks that each detector finds the defects for which it
// exists.
func TestDoubtsAreFound(t *testing.T) {
	t.Parallel()
	table := fmt.Sprintf("%-44s %-9s %4s %6s %6s\n", "sample", "doubt", "n", "found", "want")
	for _, c := range []struct {
		name, kind string
		n          int
		f          noise
		want       float64 // least share of samples with the doubt; 0 means none, 1 all
	}{
		{"half of runs 1.45 times as slow", "modes", 10, func(r *rand.Rand, i, _ int) float64 { return float64(i%2)*math.Log(1.45) + 0.01*r.NormFloat64() }, 0.9},
		{"3 of 10 runs 1.45 times as slow", "modes", 20, bimodal, 0.8},
		{"3 of 10 runs 1.45 times as slow", "modes", 40, bimodal, 0.95},
		{"3 of 10 runs 1.1 times as slow", "modes", 40, func(r *rand.Rand, i, _ int) float64 { return float64((i*7)%10/7)*math.Log(1.1) + 0.01*r.NormFloat64() }, 0.7},
		{"slower by a fifth from first to last", "drift", 20, drifting, 0.9},
		{"slower by a fifth from first to last", "drift", 40, drifting, 0.95},
		{"a tenth slower from the middle on", "drift", 20, func(r *rand.Rand, i, n int) float64 { return normal(r, i, n) + float64(2*i/n)*math.Log(1.1) }, 0.7},
		{"slow for eight runs, fast for eight", "drift", 40, func(r *rand.Rand, i, n int) float64 { return normal(r, i, n) + float64(i/8%2)*math.Log(1.1) }, 0.5},
		{"one run of 20 takes 1.5 times as long", "outliers", 20, func(r *rand.Rand, i, n int) float64 { return 0.01*r.NormFloat64() + float64((i+7)%20/19)*math.Log(1.5) }, 0.95},
		{"three runs of 40 take 1.5 times as long", "outliers", 40, func(r *rand.Rand, i, n int) float64 { return 0.01*r.NormFloat64() + float64((i+3)%13/12)*math.Log(1.5) }, 0.95},
		{"one run of 20 takes 0.7 times as long", "outliers", 20, func(r *rand.Rand, i, n int) float64 { return 0.01*r.NormFloat64() + float64((i+7)%20/19)*math.Log(0.7) }, 0.95},
		{"a clock of 10 ms, times of 60", "coarse", 20, func(r *rand.Rand, i, n int) float64 { return math.Log(math.Round(6+0.6*r.NormFloat64()) / 100) }, 0.95},
		{"times less than the clock can tell", "coarse", 20, func(r *rand.Rand, i, n int) float64 { return math.Log(max(0, math.Round(r.NormFloat64()))) }, 0.95},
		{"as many runs as an interval needs", "few", 6, normal, 0},
		{"one fewer", "few", 5, normal, 1},
	} {
		r := rand.New(rand.NewPCG(9, 9))
		total, found := rounds(400), 0
		for range total {
			if has(Summarize(times(r, c.f, c.n, 1), 0.95).Doubts, c.kind) {
				found++
			}
		}
		table += fmt.Sprintf("%-44s %-9s %4d %6.2f %6.2f\n", c.name, c.kind, c.n, part(found, total), c.want)
		if often(total-found, total, 1-c.want) && c.want < 1 || c.want == 1 && found < total || c.want == 0 && found > 0 {
			t.Errorf("%s: %q is said of %d of %d samples of %d", c.name, c.kind, found, total, c.n)
		}
	}
	t.Log("\n" + table)
}

// TestCommonDriftIsNoDoubtOfTheRatio checks that a drift that is common to both
// programs is a doubt about each sample, but not about their ratio.
func TestCommonDriftIsNoDoubtOfTheRatio(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(10, 10))
	total, ratio, own := rounds(1000), 0, 0
	for range total {
		a, b := times(r, drifting, 40, 1), times(r, drifting, 40, 1.1)
		if has(pairedOnOne(a, b, 0.95).Doubts, "drift") {
			ratio++
		}
		if has(Summarize(a, 0.95).Doubts, "drift") {
			own++
		}
	}
	if often(ratio, total, 2*falseAlarmRate) || often(total-own, total, 0.05) {
		t.Errorf("of %d measurements that drift, %d ratios and %d samples are doubted", total, ratio, own)
	}
}

// TestPercent checks that percent omits needless digits, and rounds no confidence
// below 1 to 100 %.
func TestPercent(t *testing.T) {
	for _, c := range []struct {
		confidence float64
		want       string
	}{
		{0.95, "95"}, {0.975, "97.5"}, {Level(0.95, 3, 1), "98.3"}, {0.9996875, "99.969"}, {0.99999875, "99.99988"}, {0.5, "50"}, {0, "0"},
	} {
		if got := percent(c.confidence); got != c.want {
			t.Errorf("percent(%v) = %q, expected %q", c.confidence, got, c.want)
		}
	}
	if got := Summarize([]float64{1, 2}, 1).Doubts; len(got) != 1 || got[0].Text != "2 runs: no number of runs gives a confidence of 100 %" {
		t.Errorf("two runs at a confidence of 1 have the doubts %v", got)
	}
}

// TestWhatDoubtsSay checks that the text of a doubt has the size of the effect.
func TestWhatDoubtsSay(t *testing.T) {
	steady := func(n int, f func(i int) float64) []float64 {
		xs := make([]float64, n)
		for i := range xs {
			// These are the quantiles of a uniform distribution, shuffled.
			xs[i] = f(i) * (1 + 0.01*float64(i*37%n)/float64(n))
		}
		return xs
	}
	for _, c := range []struct {
		name string
		xs   []float64
		want string
	}{
		{"none", steady(40, func(int) float64 { return 1 }), ""},
		{"one", []float64{1}, "few: 1 run: an interval of 95 % needs 6"},
		{"few", []float64{1, 1.01}, "few: 2 runs: an interval of 95 % needs 6"},
		{"modes", steady(41, func(i int) float64 { return 1 + 0.5*float64(i%4/3) }), "modes: runs form two groups: the median of the upper 24 % is 1.5 times that of the others"},
		{"drift", steady(40, func(i int) float64 { return 1 + 0.1*float64(i)/40 }), "drift: runs drift: the median of the second half is 1.05 times that of the first"},
		{"outliers", steady(41, func(i int) float64 { return 1 + 2*float64(i%20/19) }), "outliers: 2 of 41 runs are outliers, up to 2.99 times the median"},
		{"steps", []float64{5, 6, 5, 7, 6, 6, 5, 6}, "coarse: runs come in steps of 17 %: the measurement is too coarse"},
		{"smaller steps", []float64{50, 51, 50, 52, 51, 51, 50, 51}, "coarse: runs come in steps of 2 %: the measurement is too coarse"},
		{"steps too small to see", []float64{200, 201, 200, 202, 201, 201, 200, 201}, ""},
		{"two are no group", steady(14, func(i int) float64 { return 1 + 0.5*float64(i%7/6) }), ""},
		{"four are", steady(28, func(i int) float64 { return 1 + 0.5*float64(i%7/6) }), "modes: runs form two groups: the median of the upper 14 % is 1.5 times that of the others"},
		{"nor is one in twenty", steady(100, func(i int) float64 { return 1 + 0.5*float64(i%20/19) }), "outliers: 5 of 100 runs are outliers, up to 1.5 times the median"},
		{"zeros", []float64{0, 1, 0, 1, 0, 1, 1, 1}, "coarse: 3 of 8 runs are 0 or infinite: the measurement is too coarse"},
		{"all the same is no doubt: some things are counted", []float64{5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5}, ""},
		{"nothing slight is doubted", []float64{1000000, 1000001, 1000002, 1000003, 1000004, 1000005, 1000006, 1000007, 1000008, 1000009, 1000010, 1000011, 1000912}, ""},
	} {
		var got []string
		for _, d := range Summarize(c.xs, 0.95).Doubts {
			got = append(got, d.Kind+": "+d.Text)
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%s: %q, expected %q", c.name, s, c.want)
		}
	}
}
