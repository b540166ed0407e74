// Command output_validator judges an output of the problem: for each sudoku of
// the input a solution, any one of them, nine words of nine digits.
//
//	run INPUT ANSWER FEEDBACK/ <OUTPUT
//
// It exits with 42 if the output is right and with 43 if not, and then
// FEEDBACK/judgemessage.txt names the first defect by line and column (problem
// package format 2025-09, "Output Validator"). Every other status says that the
// judge's side is broken: files that cannot be read, or an answer of the jury's
// that is no solution itself.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

const (
	right = 42
	wrong = 43
)

func main() {
	status, err := run(os.Args[1:], os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, "output validator:", err)
		os.Exit(1)
	}
	os.Exit(status)
}

// run is main without the process. The error is the judge's side's.
func run(args []string, output io.Reader) (int, error) {
	if len(args) != 3 {
		return 0, fmt.Errorf("%d arguments, want INPUT ANSWER FEEDBACK/", len(args))
	}
	puzzles, err := readInput(args[0])
	if err != nil {
		return 0, err
	}
	answer, err := os.Open(args[1])
	if err != nil {
		return 0, err
	}
	defer answer.Close()
	if err := solve(puzzles, answer); err != nil {
		return 0, fmt.Errorf("the jury's answer %s: %w", args[1], err)
	}
	err = solve(puzzles, output)
	var bad defect
	switch {
	case err == nil:
		return right, nil
	case !errors.As(err, &bad):
		return 0, fmt.Errorf("the output: %w", err)
	}
	return wrong, os.WriteFile(filepath.Join(args[2], "judgemessage.txt"), []byte(bad.Error()+"\n"), 0o644)
}

func readInput(name string) ([]grid, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	puzzles, err := givens(f)
	if err != nil {
		return nil, fmt.Errorf("the input %s: %w", name, err)
	}
	return puzzles, nil
}
