// Command sudoku writes inputs of the problem, as format.go says.
//
//	sudoku [-any] [-mild] KIND COUNT [NUMBERS...] SEED
//	sudoku [-any] cited NAMES...
//
// With -any there may be more puzzles than the statement allows, for timing.
// With -mild, puzzles that would take a search row by row more than a million
// tries are turned into isomorphs that do not, so that such a search is slow only
// in the cases that are meant for it.
// The same arguments give the same bytes everywhere; README says why.
package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	if err := write(out, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "sudoku:", err)
		os.Exit(2)
	}
	if err := out.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, "sudoku:", err)
		os.Exit(1)
	}
}

// write writes the input that the arguments ask for.
func write(w io.Writer, args []string) error {
	most, mild := mostPuzzles, false
	for ; len(args) > 0 && args[0] != "" && args[0][0] == '-'; args = args[1:] {
		switch args[0] {
		case "-any":
			most = math.MaxInt
		case "-mild":
			mild = true
		default:
			return fmt.Errorf("option %q: want -any or -mild", args[0])
		}
	}
	if len(args) == 0 {
		return fmt.Errorf("no arguments\n%s", usage())
	}
	puzzles, err := puzzlesOf(args[0], args[1:], most)
	if err != nil {
		return err
	}
	if mild {
		for i, g := range puzzles {
			r := source(i)
			puzzles[i] = milder(g, &r)
		}
	}
	return format(w, puzzles)
}

// puzzlesOf makes the puzzles of a kind, and refuses to make more than most.
func puzzlesOf(name string, args []string, most int) ([]grid, error) {
	if name == "cited" {
		return citedAll(args, most)
	}
	k, err := findKind(name)
	if err != nil {
		return nil, err
	}
	if len(args) != len(k.args)+2 {
		return nil, fmt.Errorf("%s: %d arguments, want COUNT %sSEED", name, len(args), spaced(k.args))
	}
	numbers := make([]int, len(args)-1)
	for i := range numbers {
		n, err := strconv.Atoi(args[i])
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%s: argument %d is %q, want a number from 1", name, i+1, args[i])
		}
		numbers[i] = n
	}
	seed, err := strconv.ParseUint(args[len(args)-1], 10, 64)
	if err != nil {
		return nil, fmt.Errorf("%s: seed %q: want a number from 0", name, args[len(args)-1])
	}
	if numbers[0] > most {
		return nil, tooMany(name, numbers[0], most)
	}
	r := source(seed)
	if k.many != nil {
		return k.many(&r, numbers[0], numbers[1:])
	}
	puzzles := make([]grid, numbers[0])
	for i := range puzzles {
		puzzles[i] = k.one(&r, i, numbers[1:])
	}
	return puzzles, nil
}

func tooMany(name string, n, most int) error {
	return fmt.Errorf("%s: %d puzzles, want at most %d, or -any before the kind", name, n, most)
}

func citedAll(names []string, most int) ([]grid, error) {
	if len(names) > most {
		return nil, tooMany("cited", len(names), most)
	}
	var all []grid
	for _, name := range names {
		g, ok := cited(name)
		if !ok {
			return nil, fmt.Errorf("cited %q: no such puzzle", name)
		}
		all = append(all, g)
	}
	return all, nil
}

func usage() string {
	text := "usage: sudoku [-any] [-mild] KIND COUNT [NUMBERS...] SEED\n"
	for _, k := range kinds {
		text += fmt.Sprintf("  %s COUNT %sSEED: %s\n", k.name, spaced(k.args), k.what)
	}
	text += "  cited NAMES...: these puzzles of other people:"
	for _, k := range known {
		text += " " + k.name
	}
	return text
}

func spaced(words []string) (s string) {
	for _, w := range words {
		s += w + " "
	}
	return s
}
