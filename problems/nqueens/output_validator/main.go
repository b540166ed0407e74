// Command output_validator judges an answer of the problem (problem package
// format 2025-09, "Output validator"): exit status 42 accepts, 43 rejects, and
// any other is the jury's mistake.
//
//	output_validator INPUT ANSWER FEEDBACK_DIR/ < OUTPUT
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
	var wrong defect
	switch {
	case err == nil:
		os.Exit(42)
	case errors.As(err, &wrong):
		message := filepath.Join(os.Args[3], "judgemessage.txt")
		if err := os.WriteFile(message, []byte(wrong+"\n"), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(43)
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// run judges; a defect is the submission's, any other error the jury's.
func run(args []string, output io.Reader) error {
	if len(args) != 3 {
		return fmt.Errorf("arguments %q: want input, answer, feedback directory", args)
	}
	in, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer in.Close()
	ans, err := os.Open(args[1])
	if err != nil {
		return err
	}
	defer ans.Close()
	return judge(in, ans, output)
}

// judge compares an output with the jury's answer, board by board, until the
// first defect.
func judge(input, answer, output io.Reader) error {
	boards, err := readBoards(input)
	if err != nil {
		return jury("input", err)
	}
	ans, out := newWords(answer), newWords(output)
	for i, b := range boards {
		want, err := readAnswer(ans, i+1, b)
		if err != nil {
			return jury("answer", err)
		}
		got, err := readAnswer(out, i+1, b)
		if err != nil {
			return err
		}
		if got.completions > 0 && want.completions == 0 {
			return fmt.Errorf("the output has a completion of board %d, the jury has none", i+1)
		}
		if got.completions != want.completions {
			return defect(fmt.Sprintf("line %d, column %d: board %d has %d completions, want %d", got.line, got.col, i+1, got.completions, want.completions))
		}
	}
	if err := ans.end(); err != nil {
		return jury("answer", err)
	}
	return out.end()
}

// jury makes a mistake of the jury from what may be a defect.
func jury(file string, err error) error {
	return fmt.Errorf("the jury's %s: %s", file, err.Error())
}
