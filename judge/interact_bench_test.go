package judge

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"crucible/judge/problem"
)

// BenchmarkRoundTrips measures how many questions of a validator a submission
// answers per second: through the judge's pipes, with a logged interaction, and
// with the same two programs connected by a shell.
func BenchmarkRoundTrips(b *testing.B) {
	const rounds = 100_000
	p, s := interactiveProblem(b, "limits: {time_limit: 60, output: 64, validation_output: 64}\n", []interactionCase{
		{submission: "rounds=100000", validator: "ask=100000 exit=42"},
	})
	for _, listening := range []bool{false, true} {
		name := map[bool]string{false: "direct", true: "logged"}[listening]
		b.Run(name, func(b *testing.B) {
			j := judgeOnLevel(b, 0, 1)
			j.LogInteraction = listening
			x, r := j.Begin(b.Context(), s)
			if x == nil {
				b.Fatal(r.JudgeError())
			}
			defer x.End()
			for b.Loop() {
				if run := x.Run(b.Context(), p.Cases[0]); run.Verdict != problem.Accepted {
					b.Fatal(run.Verdict, run.Why, run.Err)
				}
			}
			b.ReportMetric(rounds*float64(b.N)/b.Elapsed().Seconds(), "rounds/s")
		})
	}
	b.Run("shell", func(b *testing.B) {
		dir := b.TempDir()
		for name, first := range map[string]string{"submission": "1", "validator": "1"} {
			source := filepath.Join(dir, name+".c")
			if err := os.WriteFile(source, []byte(strings.Replace(obedient, "FIRST", first, 1)), 0o644); err != nil {
				b.Fatal(err)
			}
			if out, err := exec.Command("gcc", "-O2", "-o", filepath.Join(dir, name), source).CombinedOutput(); err != nil {
				b.Fatal(err, string(out))
			}
		}
		begun := time.Now()
		for b.Loop() {
			c := exec.Command("sh", "-c", "mkfifo a && { ./validator ask=100000 <a | ./submission rounds=100000 >a; } && rm a")
			c.Dir = dir
			if out, err := c.CombinedOutput(); err != nil {
				b.Fatal(err, string(out))
			}
		}
		b.ReportMetric(rounds*float64(b.N)/time.Since(begun).Seconds(), "rounds/s")
	})
}
