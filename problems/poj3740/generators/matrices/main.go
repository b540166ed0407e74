// Command matrices writes inputs of the problem:
//
//	matrices SEED KIND:NUMBER:...
//
// The same arguments give the same bytes everywhere; README says why.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	if err := write(out, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "matrices:", err)
		os.Exit(2)
	}
	if err := out.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, "matrices:", err)
		os.Exit(1)
	}
}

// write writes the input that the arguments ask for.
func write(w io.Writer, args []string) error {
	if len(args) < 2 {
		return fmt.Errorf("%d arguments, want a seed and what to make\n%s", len(args), usage())
	}
	seed, err := strconv.ParseUint(args[0], 10, 64)
	if err != nil {
		return fmt.Errorf("seed %q: want a number from 0", args[0])
	}
	r := source(seed)
	var all []matrix
	for _, arg := range args[1:] {
		more, err := makeAll(&r, arg)
		if err != nil {
			return err
		}
		all = append(all, more...)
	}
	if len(all) > most {
		return fmt.Errorf("%d matrices, want at most %d", len(all), most)
	}
	for _, m := range all {
		if _, err := fmt.Fprint(w, m); err != nil {
			return err
		}
	}
	return nil
}

// makeAll makes what one KIND:NUMBER:... asks for.
func makeAll(r *source, arg string) ([]matrix, error) {
	parts := strings.Split(arg, ":")
	k, err := findKind(parts[0])
	if err != nil {
		return nil, err
	}
	if len(parts) != len(k.args)+2 {
		return nil, fmt.Errorf("%q: %d numbers, want %s", arg, len(parts)-1, k.usage())
	}
	numbers := make([]int, len(parts)-1)
	for i, text := range parts[1:] {
		b := bound{"count", 1, most}
		if i > 0 {
			b = k.args[i-1]
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < b.least || n > b.most {
			return nil, fmt.Errorf("%q: %s %q: want %d to %d", arg, b.name, text, b.least, b.most)
		}
		numbers[i] = n
	}
	all := make([]matrix, numbers[0])
	for i := range all {
		if all[i], err = attempt(r, k, numbers[1:]); err != nil {
			return nil, fmt.Errorf("%q: %w", arg, err)
		}
	}
	return all, nil
}

func usage() string {
	text := "usage: matrices SEED KIND:NUMBER:..."
	for _, k := range kinds {
		text += fmt.Sprintf("\n  %s: %s", k.usage(), k.what)
	}
	return text
}
