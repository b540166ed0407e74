package judge

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
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
	var judged, plain time.Duration
	n := 0
	for b.Loop() {
		start := time.Now()
		if run := session.Run(ctx, sample); run.Verdict != problem.Accepted {
			b.Fatal(run.Verdict, run.Why, run.Err)
		}
		middle := time.Now()
		if err := forkExec(ctx, session.program.Args, input); err != nil {
			b.Fatal(err)
		}
		judged += middle.Sub(start)
		plain += time.Since(middle)
		n++
	}
	b.ReportMetric(float64(n)/judged.Seconds(), "judged-cases/s")
	b.ReportMetric(float64(n)/plain.Seconds(), "forkexec-cases/s")
	b.ReportMetric(float64(judged)/float64(plain), "judged-x")
}

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
