package judge_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"slices"

	"crucible/judge"
	"crucible/judge/problem"
)

// JudgeFile judges one file, which need not be in the package.
func ExampleJudge_JudgeFile() {
	p, err := problem.OpenDir("../problems/nqueens")
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	j := judge.Judge{Cache: os.Getenv("CRUCIBLE_CACHE")} // the zero value is ready, too
	defer j.Close()
	for _, name := range []string{"accepted/masks.go", "wrong_answer/line_of_zero.go"} {
		r, err := j.JudgeFile(context.Background(), p, "../solutions/nqueens/"+name)
		if err != nil {
			log.Fatal(err) // the judge failed, not the submission
		}
		fmt.Println(name, r.Verdict)
	}
	// Output:
	// accepted/masks.go AC
	// wrong_answer/line_of_zero.go WA
}

// RunAll judges submissions of the package and compares the results with what
// their folders and submissions.yaml expect.
func ExampleJudge_RunAll() {
	p, err := problem.OpenDir("../problems/nqueens")
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	j := judge.Judge{Cache: os.Getenv("CRUCIBLE_CACHE"), Jobs: 2}
	defer j.Close()
	chosen := slices.DeleteFunc(slices.Clone(p.Submissions), func(s *problem.Submission) bool {
		return !slices.Contains([]string{"accepted/masks.go", "wrong_answer/line_of_zero.go", "wrong_answer/modulo.go"}, s.Name)
	})
	for _, r := range j.RunAll(context.Background(), chosen, p.Cases) {
		if err := r.JudgeError(); err != nil {
			log.Fatal(err)
		}
		fmt.Println(r.Submission, r.Verdict, "as expected:", *r.AsExpected)
	}
	// Output:
	// accepted/masks.go AC as expected: true
	// wrong_answer/line_of_zero.go WA as expected: true
	// wrong_answer/modulo.go WA as expected: true
}
