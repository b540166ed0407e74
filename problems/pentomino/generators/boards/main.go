// Command boards writes inputs of the problem: the number of boards, then each
// with its height, its width and its rows.
//
//	boards KIND NUMBERS... SEED
//
// The same arguments give the same bytes everywhere; README says why.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	if err := write(out, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "boards:", err)
		os.Exit(2)
	}
	if err := out.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, "boards:", err)
		os.Exit(1)
	}
}

// write writes the input that the arguments ask for.
func write(w io.Writer, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("no arguments\n%s", usage())
	}
	boards, err := makeBoards(args[0], args[1:])
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(w, len(boards)); err != nil {
		return err
	}
	for _, b := range boards {
		if _, err := fmt.Fprintf(w, "%d %d\n%s", b.h, b.w, b); err != nil {
			return err
		}
	}
	return nil
}

// makeBoards makes the boards of a kind.
func makeBoards(name string, args []string) ([]board, error) {
	k, err := findKind(name)
	if err != nil {
		return nil, err
	}
	if len(args) != len(k.args)+1 {
		return nil, fmt.Errorf("%s: %d arguments, want %sSEED", name, len(args), spaced(k.args))
	}
	numbers := make([]int, len(k.args))
	for i := range numbers {
		n, err := strconv.Atoi(args[i])
		if err != nil || n < k.args[i].least || n > k.args[i].most {
			return nil, fmt.Errorf("%s: %s is %q, want a number from %d to %d",
				name, k.args[i].name, args[i], k.args[i].least, k.args[i].most)
		}
		numbers[i] = n
	}
	seed, err := strconv.ParseUint(args[len(args)-1], 10, 64)
	if err != nil {
		return nil, fmt.Errorf("%s: seed %q: want a number from 0", name, args[len(args)-1])
	}
	r := source(seed)
	var boards []board
	for i := range k.count(numbers) {
		b, ok := k.one(&r, i, numbers)
		if !ok {
			return nil, fmt.Errorf("%s: no such board among %d, want other numbers", name, tries)
		}
		boards = append(boards, b)
	}
	return boards, nil
}

func usage() string {
	text := "usage: boards KIND NUMBERS... SEED\n"
	for _, k := range kinds {
		text += fmt.Sprintf("  %s %sSEED: %s\n", k.name, spaced(k.args), k.what)
	}
	return text
}

func spaced(args []arg) (s string) {
	for _, a := range args {
		s += a.name + " "
	}
	return s
}
