// Equal compares two records of judge run, as JSON, after record.Normalize: what was
// judged here and elsewhere must be equal, byte for byte. Usage: equal A.json B.json.
// It exits with 1 if they differ, and prints the first line that does with its problem
// and submission.
//
// A run whose CPU time is within the distortion of its limit in either record may get
// either verdict. The submissions with such runs are listed and not compared.
package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"crucible/judge"
	"crucible/judge/record"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: equal A.json B.json")
		os.Exit(2)
	}
	a, b := read(os.Args[1]), read(os.Args[2])
	equal, left, differ := 0, 0, 0
	if len(a.Problems) != len(b.Problems) {
		fmt.Printf("%d and %d problems\n", len(a.Problems), len(b.Problems))
		differ++
	}
	for i := range min(len(a.Problems), len(b.Problems)) {
		p, q := &a.Problems[i], &b.Problems[i]
		if p.ID != q.ID || len(p.Reports) != len(q.Reports) || p.Limits != q.Limits {
			fmt.Printf("%s with %d submissions under %v, and %s with %d under %v\n", p.ID, len(p.Reports), p.Limits, q.ID,
				len(q.Reports), q.Limits)
			differ++
			continue
		}
		for k := range p.Reports {
			r, s := p.Reports[k], q.Reports[k]
			switch {
			case near(r, p) || near(s, p):
				left++
				fmt.Printf("%s %s: near a limit, not compared\n", p.ID, r.Submission)
			case !same(p, r, s):
				differ++
			default:
				equal++
			}
		}
	}
	fmt.Printf("%d submissions equal, %d not compared, %d different\n", equal, left, differ)
	if differ > 0 {
		os.Exit(1)
	}
}

// read reads a record.
func read(name string) *record.Document {
	f, err := os.Open(name)
	if err == nil {
		defer f.Close()
		var d *record.Document
		if d, err = record.Read(f); err == nil {
			return d
		}
	}
	fmt.Fprintf(os.Stderr, "equal: %s: %v\n", name, err)
	os.Exit(2)
	return nil
}

// near reports whether a run of a report is within the distortion of the time limit.
func near(r *judge.Report, p *record.Problem) bool {
	for i := range r.Runs {
		o, limit := r.Runs[i].Outcome, float64(p.Limits.Time)
		if cpu := float64(o.CPU); o.Exceeded == "" && limit > 0 && cpu > limit/(1+judge.DefaultDistortion) &&
			cpu < limit*(1+judge.DefaultDistortion) {
			return true
		}
	}
	return false
}

// same compares two reports, and prints the first line that differs.
func same(p *record.Problem, r, s *judge.Report) bool {
	a, b := lines(p, r), lines(p, s)
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			fmt.Printf("%s %s: line %d of the record:\n  %.300s\n  %.300s\n", p.ID, r.Submission, i+1, strings.TrimSpace(a[i]),
				strings.TrimSpace(b[i]))
			return false
		}
	}
	return len(a) == len(b)
}

// lines returns the record of a report.
func lines(p *record.Problem, r *judge.Report) []string {
	var text bytes.Buffer
	d := &record.Document{Problems: []record.Problem{{ID: p.ID, Limits: p.Limits, Cases: p.Cases,
		Reports: []*judge.Report{r}}}}
	if err := record.Write(&text, record.Normalize(d)); err != nil {
		fmt.Fprintln(os.Stderr, "equal:", err)
		os.Exit(2)
	}
	return strings.Split(text.String(), "\n")
}
