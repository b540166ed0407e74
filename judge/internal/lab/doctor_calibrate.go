package lab

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"crucible/judge"
	"crucible/judge/internal/cli"
	"crucible/judge/measure/calibration"
	"crucible/judge/measure/stat"
	"crucible/judge/record"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

// confidence is that of all intervals.
const confidence = 0.95

// A selfTestResult is what judge doctor --self-test found on a machine.
type selfTestResult struct {
	At     time.Time       `json:"made_at"`
	Checks []selfTestCheck `json:"checks"`
}

// A selfTestCheck is the error of one clock, or of the memory measurement, for a program of
// known cost.
type selfTestCheck struct {
	Of     string        `json:"of"`     // what is measured: "CPU time", "wall time", "memory"
	True   float64       `json:"true"`   // the known cost, in seconds or bytes
	Median float64       `json:"median"` // the median difference of the reports to True
	Error  stat.Interval `json:"error"`  // of the median difference
	Runs   int           `json:"runs"`
}

// leastDistortion is the least that a measurement can show: times of one program differ
// by as much.
const leastDistortion = 0.01

// mostDistortion is the most that is believed: on a machine that is busy with something
// else a measurement has no upper bound.
const mostDistortion = 1

// distortionOf returns the largest distortion that the ratios of times do not exclude.
func distortionOf(ratios []stat.Ratio) float64 {
	most := leastDistortion
	for i := range ratios {
		r := &ratios[i]
		if most = max(most, r.Ratio-1); r.Bounded() {
			most = max(most, r.Hi-1)
		}
	}
	return min(most, mostDistortion)
}

// calibrate prints the results of the self-test, and of running jobs programs at once.
func calibrate(ctx context.Context, s *cli.LabelWriter, line *cli.Progress, selfTest, parallel bool, jobs,
	rounds int) (err error) {
	var runner sandbox.Sandbox
	j := judge.Judge{Runner: &runner}
	defer func() { err = errors.Join(err, j.Close(), runner.Close()) }()
	s.Print("sandbox", "%v", runner.Protection().Level)
	if selfTest {
		found, err := calibration.SelfTest(ctx, &runner, func(n, of int) { line.Say("self-test, run %d of %d", n, of) })
		line.Clear()
		if err != nil {
			return s.Failed(ctx, err)
		}
		s.Print("self-test", "error of what the judge measures, for programs of known cost")
		var checks []selfTestCheck
		for _, c := range found {
			one := selfTestCheck{Of: c.Of, True: c.True, Runs: len(c.Errors)}
			one.Median, one.Error = stat.Median(c.Errors, confidence)
			checks = append(checks, one)
			printCheck(s, &one)
		}
		text, err := record.Append(nil, &selfTestResult{At: time.Now().UTC().Truncate(time.Second), Checks: checks}, false)
		if err == nil {
			err = cli.SaveSelfTest(&j, text)
		}
		if err != nil {
			return cli.WithStatus(cli.StatusJudge, err)
		}
		if err := s.Clock(ctx, &runner, true); err != nil {
			return err
		}
	}
	if parallel {
		f := cli.RunFlags{Jobs: jobs}
		if err := f.Settle(); err != nil {
			return err
		}
		slowdowns, err := calibration.Parallel(ctx, &runner, jobs, rounds, f.Cores,
			func(n, of int) { line.Say("running %d at once, round %d of %d", jobs, n, of) })
		line.Clear()
		if err != nil {
			return s.Failed(ctx, err)
		}
		s.Print("parallel", "CPU time of %s at once, divided by that alone; %s", fmt.Sprintf("%d copies", jobs),
			terminal.Count(rounds, "round"))
		var ratios []stat.Ratio
		for _, d := range slowdowns {
			ratio := stat.Paired([][]float64{d.Together}, [][]float64{d.Alone}, confidence)
			alone, _ := stat.Median(d.Alone, confidence)
			s.Print("", "%-13s %s, alone %s", d.Program, ratioText(&ratio),
				terminal.Duration(time.Duration(alone*float64(time.Second))))
			ratios = append(ratios, ratio)
		}
		d := &cli.Distortion{Machine: record.ThisMachine(), Jobs: jobs, Distortion: distortionOf(ratios)}
		if err := d.Save(&j); err != nil {
			return cli.WithStatus(cli.StatusJudge, err)
		}
		s.Print("", "stored: a case within %.3g %% of the time limit runs again alone if others ran beside it",
			100*d.Distortion)
	}
	return nil
}

// printCheck prints the error of one measurement, with its interval if there are enough runs.
func printCheck(s *cli.LabelWriter, c *selfTestCheck) {
	format := func(x float64) string { return signed(x, func(x float64) string { return terminal.Bytes(int64(x)) }) }
	known := terminal.Bytes(int64(c.True))
	if c.Of != "memory" {
		duration := func(x float64) string { return terminal.Duration(time.Duration(x * float64(time.Second))) }
		format = func(x float64) string { return signed(x, duration) }
		known = duration(c.True)
	}
	text := fmt.Sprintf("%s of %s: %s (%+.2f %%)", c.Of, known, format(c.Median), 100*c.Median/c.True)
	if c.Error.Bounded() {
		text += fmt.Sprintf(", %s to %s", format(c.Error.Lo), format(c.Error.Hi))
	}
	s.Print("", "%s; %s", text, terminal.Count(c.Runs, "run"))
}

func signed(x float64, text func(float64) string) string {
	sign := "+"
	if x < 0 {
		sign = "-"
	}
	return sign + text(math.Abs(x))
}

func ratioText(r *stat.Ratio) string {
	if !r.Bounded() {
		return fmt.Sprintf("%.3f", r.Ratio)
	}
	shown, decimals := r.Outwards(3, 1)
	return fmt.Sprintf("%.*f [%.*f, %.*f]", decimals, r.Ratio, decimals, shown.Lo, decimals, shown.Hi)
}
