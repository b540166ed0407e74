package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"golang.org/x/tools/txtar"

	"crucible/judge"
	"crucible/judge/internal/testkit"
	"crucible/judge/measure/stat"
	"crucible/judge/prepare/generate"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// steps is a package of programs that count their steps. The input has a kind of
// growth and the size n, and a program writes the number of its steps to standard
// error. The sizes are small because log n changes most there: over two decades,
// by a factor of 4.5 from 4 to 512, and by less than 2 from 256 to 32768.
const steps = `
-- problem.yaml --
problem_format_version: 2025-09
name: Steps
uuid: 7e57d004-2b97-4e7a-b45f-5387367791cd
type: pass-fail
limits: {time_limit: 20}
-- generators/size.sh --
echo "$1 $2" >testcase.in
echo done >testcase.ans
-- data/secret/a.in --
n 1
-- data/secret/a.ans --
done
-- submissions/accepted/a.cpp --
#include <cstdio>
#include <cstring>
int main() {
	char kind[16]; long n, steps = 0;
	if (scanf("%15s %ld", kind, &n) != 2) return 1;
	if (!strcmp(kind, "log")) for (long m = n; m > 1; m /= 2) steps++;
	if (!strcmp(kind, "n")) for (long i = 0; i < n; i++) steps++;
	if (!strcmp(kind, "nlogn")) for (long i = 0; i < n; i++) for (long m = n; m > 1; m /= 2) steps++;
	if (!strcmp(kind, "square")) for (long i = 0; i < n; i++) for (long j = 0; j < n; j++) steps++;
	if (!strcmp(kind, "two")) for (long i = 0; i < 1L << n; i++) steps++;
	fprintf(stderr, "%ld steps\n", steps);
	puts("done");
}
-- submissions/accepted/b.go --
//go:build ignore

package main

import (
	"fmt"
	"os"
)

func main() {
	var kind string
	var n, steps int
	fmt.Scan(&kind, &n)
	switch kind {
	case "log":
		for m := n; m > 1; m /= 2 {
			steps++
		}
	case "n":
		for range n {
			steps++
		}
	case "nlogn":
		for range n {
			for m := n; m > 1; m /= 2 {
				steps++
			}
		}
	case "square":
		for range n {
			for range n {
				steps++
			}
		}
	case "two":
		for range 1 << n {
			steps++
		}
	}
	fmt.Fprintln(os.Stderr, steps, "steps")
	fmt.Println("done")
}
-- submissions/accepted/c.py --
import sys

kind, n = input().split()
n = int(n)
steps = 0
if kind == "log":
    m = n
    while m > 1:
        steps += 1
        m //= 2
elif kind == "n":
    for _ in range(n):
        steps += 1
elif kind == "nlogn":
    for _ in range(n):
        m = n
        while m > 1:
            steps += 1
            m //= 2
elif kind == "square":
    for _ in range(n * n):
        steps += 1
elif kind == "two":
    for _ in range(1 << n):
        steps += 1
print(steps, "steps", file=sys.stderr)
print("done")
`

// A counted is a sandbox that computes the time of a program from the steps that
// the program counted, so that the load of the machine does not affect it. As in a
// real measurement there are a start-up time and noise of a few percent, which is
// the same in each call of the test.
type counted struct {
	sandbox.Sandbox
	largest time.Duration // time for the number of steps most
	most    float64       // number of steps at the largest size
	noise   *rand.Rand
}

func (r *counted) Run(ctx context.Context, c sandbox.Cmd) (sandbox.Outcome, error) {
	var stderr bytes.Buffer
	if c.Stderr == nil {
		c.Stderr = &stderr
	} else {
		c.Stderr = io.MultiWriter(c.Stderr, &stderr)
	}
	o, err := r.Sandbox.Run(ctx, c)
	var steps float64
	if n, _ := fmt.Sscanf(stderr.String(), "%g steps", &steps); n == 0 {
		return o, err // compilers and generators count no steps
	}
	const start = time.Millisecond
	o.CPU = start + time.Duration(steps/r.most*float64(r.largest)*(1+0.02*r.noise.NormFloat64()))
	o.User, o.Sys, o.Waited, o.Wall = o.CPU, 0, 0, o.CPU+start
	return o, err
}

// stepsProblem opens the package steps.
func stepsProblem(t *testing.T) *problem.Problem {
	t.Helper()
	fsys := fstest.MapFS{}
	for _, f := range txtar.Parse([]byte(steps)).Files {
		fsys[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
	}
	p, err := problem.Open(fsys)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// climbed measures the programs on inputs that grow.
func climbed(t *testing.T, j *judge.Judge, p *problem.Problem, growth generate.Growth) *Scaling {
	t.Helper()
	ctx := context.Background()
	s, err := Begin(ctx, Here(j), ForScale, p.Submissions, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	// At 95 %, one of fifteen intervals would often miss.
	s.Measurement.Confidence = 0.995
	g, err := generate.Grow(ctx, j, p, growth, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if err := (GrowthPlan{Growth: growth, Make: g.Case, Rounds: 3}).Run(ctx, s); err != nil {
		t.Fatal(err)
	}
	return ScalingOf(s.Measurement)
}

// TestProgramsOfKnownComplexity checks the model of programs of known complexity,
// and that the interval of the exponent contains theirs. The programs and the
// sandbox are real, but the times are computed from counted steps.
func TestProgramsOfKnownComplexity(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil && os.Getenv("CRUCIBLE_REQUIRE_LANGUAGES") == "" {
		t.Skip("the generator is a Bash script: ", err)
	}
	p := stepsProblem(t)
	r := &counted{largest: 100 * time.Millisecond, noise: rand.New(rand.NewPCG(1, 1))}
	defer r.Close()
	j := &judge.Judge{Settings: judge.Settings{All: true}, Jobs: 1, Runner: r}
	defer j.Close()
	p.Submissions = slices.DeleteFunc(p.Submissions, func(s *problem.Submission) bool {
		_, err := j.Toolchain(context.Background(), s.Language.Code)
		if err != nil && os.Getenv("CRUCIBLE_REQUIRE_LANGUAGES") != "" {
			t.Errorf("%s: %v", s.Name, err)
		} else if err != nil {
			t.Logf("without %s: %v", s.Name, err)
		}
		return err != nil
	})
	if len(p.Submissions) == 0 {
		t.Skip("none of the languages is here")
	}
	for _, tt := range []struct {
		kind  string
		most  float64 // number of steps at the largest size
		model stat.Model
		k     float64 // exponent or base; 0 means none
		generate.Growth
	}{
		{"log", 14, stat.Logarithmic, 0, generate.Growth{From: 4, To: 1 << 14, Factor: 4}},
		{"n", 512, stat.Linear, 1, generate.Growth{From: 4, To: 512, Factor: 2}},
		{"nlogn", 512 * 9, stat.Linearithmic, 0, generate.Growth{From: 4, To: 512, Factor: 2}},
		{"square", 512 * 512, stat.Power, 2, generate.Growth{From: 32, To: 512, Factor: 1.5}},
		{"two", 1 << 16, stat.Exponential, 2, generate.Growth{From: 5, To: 16, Factor: 1.01}},
	} {
		if tt.kind != "nlogn" && !testkit.Matrix() {
			continue
		}
		tt.Growth.Command = "size.sh " + tt.kind + " {n}"
		r.most = tt.most
		s := climbed(t, j, p, tt.Growth)
		for i := range s.Curves {
			fit := &s.Curves[i].Time
			if fit.Model != tt.model || tt.k != 0 && !fit.Of.Holds(tt.k) {
				t.Errorf("%s %s: %s %v: %s; %v; expected %s %v", tt.kind, p.Submissions[i].Name, fit.Model, fit.Of, fit.Why, fit.Doubts, tt.model, tt.k)
			}
		}
	}
}

// grownInBubble measures a program a.sh on growing inputs in a synctest bubble, and
// calls do with the result of g.Run. By default, sizes double from 1 to 64.
func grownInBubble(t *testing.T, takes func(kase string) time.Duration, g GrowthPlan, of func(ctx context.Context, n int64, cases []*problem.Case) (*problem.Case, error), do func(*testing.T, *Measurement, error)) {
	t.Helper()
	r := &script{takes: func(_, kase string, _ int) time.Duration { return takes(kase) }}
	inBubble(t, r, 1, 64, 1, func(t *testing.T, s *Series) {
		cases := make([]*problem.Case, 65)
		for _, c := range s.cases {
			n, err := strconv.Atoi(strings.TrimPrefix(c.Name, "secret/"))
			if err != nil {
				t.Fatal(err)
			}
			cases[n] = c
		}
		s.cases, s.Measurement.Cases = nil, nil
		if g.From, g.Factor = max(g.From, 1), 2; g.To == 0 {
			g.To = 64
		}
		g.Command, g.Rounds = "gen {n}", 2
		g.Make = func(ctx context.Context, n int64) (*problem.Case, error) { return of(ctx, n, cases) }
		do(t, s.Measurement, g.Run(t.Context(), s))
	})
}

func ofItsSize(_ context.Context, n int64, cases []*problem.Case) (*problem.Case, error) {
	return cases[n], nil
}

func tenth(string) time.Duration { return time.Second / 10 }

func TestInputsThatDoNotGrow(t *testing.T) {
	for _, tt := range []struct {
		name         string
		to           int64
		of           func(n int64) int64 // returns the size whose input is made for n
		fault, doubt string
		cases        int
	}{
		{"each is another", 64, func(n int64) int64 { return n }, "", "", 7},
		{"all are the same", 64, func(int64) int64 { return 3 }, "--gen: gen {n} makes the same input for all sizes from 1 to 16: expected an input that grows with {n}", "", 5},
		{"all of a few", 4, func(int64) int64 { return 3 }, "--gen: gen {n} makes the same input for all sizes from 1 to 4: expected an input that grows with {n}", "", 3},
		{"one alone", 1, func(int64) int64 { return 3 }, "", "", 1},
		{"the first", 64, func(n int64) int64 { return max(n, 8) }, "", "all sizes from 1 to 8 have the same input", 7},
		{"from some on", 64, func(n int64) int64 { return min(n, 16) }, "", "all sizes from 16 to 64 have the same input", 7},
		{"both", 64, func(n int64) int64 { return min(max(n, 2), 32) }, "", "all sizes from 1 to 2 have the same input, and all from 32 to 64 have the same input", 7},
	} {
		of := func(_ context.Context, n int64, cases []*problem.Case) (*problem.Case, error) {
			return cases[tt.of(n)], nil
		}
		grownInBubble(t, tenth, GrowthPlan{Growth: generate.Growth{To: tt.to}}, of, func(t *testing.T, m *Measurement, err error) {
			fault, doubt := "", strings.Join(m.Doubts, "; ")
			if err != nil {
				fault = err.Error()
			}
			if fault != tt.fault || doubt != tt.doubt || len(m.Cases) != tt.cases {
				t.Errorf("%s: %q, doubt %q, %d cases; expected %q, %q, %d", tt.name, fault, doubt, len(m.Cases), tt.fault, tt.doubt, tt.cases)
			}
		})
	}
}

// TestCasesThatAreMadeTooLate checks that a message about a case that took too
// long to make names the step that was running.
func TestCasesThatAreMadeTooLate(t *testing.T) {
	hangs := func(at int64) func(ctx context.Context, n int64, cases []*problem.Case) (*problem.Case, error) {
		return func(ctx context.Context, n int64, cases []*problem.Case) (*problem.Case, error) {
			if n >= at {
				<-ctx.Done()
				return nil, &generate.UnfinishedError{Doing: "gen was still making the input"}
			}
			return cases[n], nil
		}
	}
	g := GrowthPlan{Budget: 10 * time.Second}
	grownInBubble(t, tenth, g, hangs(1), func(t *testing.T, m *Measurement, err error) {
		if want := "--budget: 10 s were spent before the case of size 1 was made: gen was still making the input"; err == nil || err.Error() != want || len(m.Trials) > 0 {
			t.Errorf("the first hangs: %v, expected %s", err, want)
		}
	})
	grownInBubble(t, tenth, g, hangs(8), func(t *testing.T, m *Measurement, err error) {
		if want := "half of the budget of 10 s was spent before the case of size 8 was made: gen was still making the input"; err != nil || m.Growth.Ended != want || len(m.Cases) != 3 || m.Ended != AllRounds {
			t.Errorf("the fourth hangs: %v, %q, %d cases, %s; expected %s", err, m.Growth.Ended, len(m.Cases), m.Ended, want)
		}
	})
	grownInBubble(t, tenth, GrowthPlan{Budget: 1}, func(ctx context.Context, n int64, cases []*problem.Case) (*problem.Case, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}, func(t *testing.T, m *Measurement, err error) {
		if want := "--budget: 0.000001 ms were spent before the case of size 1 was made"; err == nil || err.Error() != want {
			t.Errorf("a budget of nothing: %v, expected %s", err, want)
		}
	})
}

// TestBudgetForSizesInBetween checks that sizes are added in between even after
// growth has spent its share of the budget, and that a message says if they are not.
func TestBudgetForSizesInBetween(t *testing.T) {
	takes := func(kase string) time.Duration {
		n, _ := strconv.Atoi(kase)
		if n > 50 {
			return 200 * time.Second // above the time limit of 100 s
		}
		return time.Duration(n) * time.Second / 10
	}
	for _, tt := range []struct {
		budget time.Duration
		sizes  string
		ended  string
	}{
		{0, "[1 2 4 8 16 32 64 45 54]", ""},
		{400 * time.Second, "[1 2 4 8 16 32 64 45 54]", ""},
		{336 * time.Second, "[1 2 4 8 16 32 64 45]", "every submission reached a limit; no budget was left to add sizes in between, such as 54"},
		{300 * time.Second, "[1 2 4 8 16 32 64]", "every submission reached a limit; no budget was left to add sizes in between, such as 45"},
	} {
		grownInBubble(t, takes, GrowthPlan{Budget: tt.budget}, ofItsSize, func(t *testing.T, m *Measurement, err error) {
			var sizes []float64
			for _, c := range m.Cases {
				sizes = append(sizes, c.Size)
			}
			if got := fmt.Sprint(sizes); err != nil || got != tt.sizes || m.Growth.Ended != tt.ended {
				t.Errorf("%v: %v, %s, %q; expected %s, %q", tt.budget, err, got, m.Growth.Ended, tt.sizes, tt.ended)
			}
		})
	}
}
