package problem_test

import (
	"fmt"
	"log"

	"crucible/judge/problem"
)

// A problem of this repository is in three folders, problems/ID, solutions/ID and
// testdata/ID. OpenDir reads all three.
func ExampleOpenDir() {
	p, err := problem.OpenDir("../../problems/poj3074")
	if err != nil {
		log.Fatal(err) // lists every defect of the package with file and line
	}
	defer p.Close()
	fmt.Println(p.Names["en"], p.Version, p.Types)
	fmt.Println(p.Samples()[0].Name)
	fmt.Println(p.SubmissionNamed("accepted/bands.c").Language.Name)
	// Output:
	// Sudoku 2025-09 [pass-fail]
	// sample/1
	// C
}
