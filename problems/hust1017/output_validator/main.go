// Command output_validator judges an output of the problem: for each matrix of
// the input NO, or the number of rows of an exact cover and these rows.
//
//	run INPUT ANSWER FEEDBACK_DIR < OUTPUT
//
// It exits 42 if the output is right and 43 if it is wrong, with the reason in
// judgemessage.txt (problem package format 2025-09, "Output validator"). Any
// other status is the judge's own fault: a file that cannot be read, or an answer
// that the output has shown to be wrong.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

func main() {
	err := run(os.Args[1:], os.Stdin)
	var bad *wrong
	switch {
	case err == nil:
		os.Exit(42)
	case errors.As(err, &bad):
		os.Exit(43)
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// run opens the files that the arguments name, and leaves the reason of a wrong
// output where the judge will look for it.
func run(args []string, output io.Reader) error {
	if len(args) < 3 {
		return fmt.Errorf("%d arguments, want INPUT ANSWER FEEDBACK_DIR", len(args))
	}
	input, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer input.Close()
	answer, err := os.Open(args[1])
	if err != nil {
		return err
	}
	defer answer.Close()

	err = judge(input, answer, output)
	var bad *wrong
	if errors.As(err, &bad) {
		message := filepath.Join(args[2], "judgemessage.txt")
		if err := os.WriteFile(message, []byte(bad.Error()+"\n"), 0o644); err != nil {
			return err
		}
	}
	return err
}

// judge returns nil for a right output and a *wrong for one that is not. Any
// other error is not the output's fault.
func judge(input, answer, output io.Reader) error {
	in, jury, out := newWords(input), newWords(answer), newWords(output)
	for number := 1; !in.ended(); number++ {
		a, err := readMatrix(in)
		if err != nil {
			return fmt.Errorf("input: %w", notWrong(err))
		}
		juryHas, err := readCover(jury, a, number)
		if err != nil {
			return fmt.Errorf("answer: %w", notWrong(err))
		}
		at := out.place()
		has, err := readCover(out, a, number)
		switch {
		case err != nil:
			return err
		case has && !juryHas:
			return fmt.Errorf("matrix %d: the answer is NO, but the output has an exact cover in line %d", number, at.line)
		case juryHas && !has:
			return &wrong{at, fmt.Sprintf("NO for matrix %d, want an exact cover, which exists", number)}
		}
	}
	if !jury.ended() {
		return fmt.Errorf("answer: %w", notWrong(&wrong{jury.place(), jury.show() + " after the last matrix, want nothing more"}))
	}
	if !out.ended() {
		return &wrong{out.place(), out.show() + " after the last matrix, want nothing more"}
	}
	return errors.Join(in.err, jury.err, out.err)
}

// notWrong keeps the text of an error and not what it says of the output.
func notWrong(err error) error { return errors.New(err.Error()) }
