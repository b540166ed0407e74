// Command equivalence prints an input of the problem: pairs of a completed and
// an incomplete grid. It is told which kinds of pairs to make and how many:
//
//	equivalence [-any] SEED KIND:PAIRS:GIVENS...
//
// and shuffles them. With -any there may be more pairs than the statement
// allows, to time programs on. The same arguments give the same bytes on every machine.
// The kinds are listed in kinds.go.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// maxPairs is the statement's bound on the number of pairs.
const maxPairs = 20

// maxAny keeps a slip of the finger from filling the disk: 160 MB.
const maxAny = 1_000_000

func main() {
	out := bufio.NewWriter(os.Stdout)
	err := generate(out, os.Args[1:])
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "equivalence:", err)
		os.Exit(1)
	}
}

// generate writes the input that args ask for.
func generate(w io.Writer, args []string) error {
	most := maxPairs
	if len(args) > 0 && args[0] == "-any" {
		most, args = maxAny, args[1:]
	}
	if len(args) < 2 {
		return errors.New("arguments: want a seed, then one or more KIND:PAIRS:GIVENS")
	}
	seed, err := strconv.ParseUint(args[0], 10, 64)
	if err != nil {
		return fmt.Errorf("seed %q: want a number from 0 to 2^64-1", args[0])
	}
	rng := random(seed)
	var pairs []pair
	for _, arg := range args[1:] {
		more, err := makePairs(&rng, arg, most)
		if err != nil {
			return err
		}
		pairs = append(pairs, more...)
	}
	if len(pairs) == 0 || len(pairs) > most {
		return fmt.Errorf("%d pairs: want 1 to %d", len(pairs), most)
	}
	for i, j := range rng.perm(len(pairs)) {
		if i < j {
			pairs[i], pairs[j] = pairs[j], pairs[i]
		}
	}
	if _, err := fmt.Fprintln(w, len(pairs)); err != nil {
		return err
	}
	between := ""
	for _, p := range pairs {
		if _, err := fmt.Fprint(w, between, p.done.rows(), p.todo.rows()); err != nil {
			return err
		}
		between = "\n"
	}
	return nil
}

// makePairs makes the pairs of one KIND:PAIRS:GIVENS, at most so many.
func makePairs(rng *random, arg string, most int) ([]pair, error) {
	part := strings.Split(arg, ":")
	if len(part) != 3 {
		return nil, fmt.Errorf("%q: want KIND:PAIRS:GIVENS", arg)
	}
	k := kind{}
	for _, candidate := range kinds {
		if candidate.name == part[0] {
			k = candidate
		}
	}
	if k.make == nil {
		return nil, fmt.Errorf("%q: no kind of pairs %q", arg, part[0])
	}
	count, err := strconv.Atoi(part[1])
	if err != nil || count < 0 || count > most {
		return nil, fmt.Errorf("%q: pairs %q: want 0 to %d", arg, part[1], most)
	}
	givens, err := strconv.Atoi(part[2])
	if err != nil || givens < k.least || givens > k.most {
		return nil, fmt.Errorf("%q: givens %q: want %d to %d", arg, part[2], k.least, k.most)
	}
	pairs := make([]pair, count)
	for i := range pairs {
		if pairs[i], err = attempt(rng, k, i, givens); err != nil {
			return nil, fmt.Errorf("%q: %w", arg, err)
		}
	}
	return pairs, nil
}
