package judge

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"crucible/judge/internal/testkit"
	"crucible/judge/problem"
)

// BenchmarkCases judges a C program that copies a number. In turns with that, it
// starts the same binary on the same inputs by fork and exec alone, as a loop in
// a shell would. judged-x is the ratio of the two times.
func BenchmarkCases(b *testing.B) {
	if _, err := exec.LookPath("gcc"); err != nil {
		b.Skip("no C compiler:", err)
	}
	ctx := b.Context()
	p, err := problem.Open(testkit.Pack(`-- submissions/accepted/copy.c --
#include <stdio.h>
int main(void) { int a, b; if (scanf("%d %d", &a, &b) == 2) printf("%d\n", a + b); return 0; }
`))
	if err != nil {
		b.Fatal(err)
	}
	j := &Judge{Jobs: 1, Cache: b.TempDir()}
	defer j.Close()
	session, r := j.Begin(ctx, p.SubmissionNamed("accepted/copy.c"))
	if session == nil {
		b.Fatal(r.Skipped, r.Err, r.Compile.Message)
	}
	sample := p.Cases[0]
	input := filepath.Join(b.TempDir(), "in")
	if err := os.WriteFile(input, []byte("1 2\n"), 0o644); err != nil {
		b.Fatal(err)
	}
	var judged, plain []time.Duration
	for b.Loop() {
		start := time.Now()
		if run := session.Run(ctx, sample); run.Verdict != problem.Accepted {
			b.Fatal(run.Verdict, run.Why, run.Err)
		}
		middle := time.Now()
		if err := forkExec(ctx, session.program.Args, input); err != nil {
			b.Fatal(err)
		}
		judged, plain = append(judged, middle.Sub(start)), append(plain, time.Since(middle))
	}
	b.ReportMetric(1/mean(judged).Seconds(), "judged-cases/s")
	b.ReportMetric(1/mean(plain).Seconds(), "forkexec-cases/s")
	b.ReportMetric(float64(mean(judged))/float64(mean(plain)), "judged-x")
	b.ReportMetric(float64(median(judged))/float64(median(plain)), "judged-p50-x")
}

func mean(d []time.Duration) time.Duration {
	var sum time.Duration
	for _, x := range d {
		sum += x
	}
	return sum / time.Duration(len(d))
}

func median(d []time.Duration) time.Duration { return slices.Sorted(slices.Values(d))[len(d)/2] }

func forkExec(ctx context.Context, args []string, input string) error {
	f, err := os.Open(input)
	if err != nil {
		return err
	}
	defer f.Close()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	var out bytes.Buffer
	cmd.Stdin, cmd.Stdout = f, &out
	return cmd.Run()
}
