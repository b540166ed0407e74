package inputs

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

func TestDocumentKeepsBytes(t *testing.T) {
	for _, text := range []string{"", "\n", "1", "1 2\n3\n", " a  b \n\n\tc\r\n", "\x00\xff", "\n\n1\n\n \n\n", "1\n\n", "\u00a01\u2003"} {
		for _, gaps := range []bool{false, true} {
			d := parse([]byte(text), gaps)
			if got := string(d.bytes()); got != text {
				t.Errorf("%q became %q", text, got)
			}
			if len(d.lines) > 0 {
				d.cut()
			}
			if got := string(d.bytes()); got != text {
				t.Errorf("without its last line, %q became %q", text, got)
			}
		}
	}
}

// A grammar is the form of inputs of a problem. Its function returns why an input does not
// have it.
type grammar struct {
	name   string
	inputs []string
	valid  func(lines [][]string) error
	share  float64 // the smallest share of new valid inputs after learning
}

var grammars = []grammar{
	{"list", []string{"3\n1 2 3\n", "5\n5 4 3 2 1\n"}, validList, 0.4},
	{"edges", []string{"4 3\n1 2\n2 3\n3 4\n", "3 3\n1 2\n2 3\n1 3\n"}, validEdges, 0.3},
	{"tree", []string{"4\n1 2\n2 3\n3 4\n", "6\n1 2\n1 3\n1 4\n2 5\n2 6\n"}, validTree, 0.1},
	{"grid", []string{"2 3\n.#.\n###\n", "3 3\n...\n#.#\n.#.\n"}, validGrid, 0.3},
	{"cases", []string{"2\n3\n1 2 3\n2\n7 9\n", "3\n1\n5\n1\n6\n2\n1 1\n"}, validCases, 0.3},
}

func ints(line []string, n int, low, high int64) error {
	if len(line) != n {
		return fmt.Errorf("%d tokens, expected %d", len(line), n)
	}
	for _, token := range line {
		if v, ok := Integer(token); !ok || v < low || v > high {
			return fmt.Errorf("%q is no integer from %d to %d", token, low, high)
		}
	}
	return nil
}

func number(line []string, column int) int {
	n, _ := strconv.Atoi(line[column])
	return n
}

func validList(lines [][]string) error {
	if len(lines) != 2 {
		return fmt.Errorf("%d lines", len(lines))
	}
	if err := ints(lines[0], 1, 1, 100); err != nil {
		return err
	}
	return ints(lines[1], number(lines[0], 0), -1000, 1000)
}

func validEdges(lines [][]string) error {
	if len(lines) == 0 {
		return fmt.Errorf("empty")
	}
	if err := ints(lines[0], 2, 1, 100); err != nil {
		return err
	}
	n, m := number(lines[0], 0), number(lines[0], 1)
	if len(lines) != m+1 {
		return fmt.Errorf("%d lines", len(lines))
	}
	for _, line := range lines[1:] {
		if err := ints(line, 2, 1, int64(n)); err != nil {
			return err
		}
	}
	return nil
}

func validTree(lines [][]string) error {
	if len(lines) == 0 {
		return fmt.Errorf("empty")
	}
	if err := ints(lines[0], 1, 1, 100); err != nil {
		return err
	}
	n := number(lines[0], 0)
	if len(lines) != n {
		return fmt.Errorf("%d lines", len(lines))
	}
	root := make([]int, n+1)
	for i := range root {
		root[i] = i
	}
	find := func(v int) int {
		for root[v] != v {
			v = root[v]
		}
		return v
	}
	for _, line := range lines[1:] {
		if err := ints(line, 2, 1, int64(n)); err != nil {
			return err
		}
		a, b := find(number(line, 0)), find(number(line, 1))
		if a == b {
			return fmt.Errorf("a cycle")
		}
		root[a] = b
	}
	return nil
}

func validGrid(lines [][]string) error {
	if len(lines) == 0 {
		return fmt.Errorf("empty")
	}
	if err := ints(lines[0], 2, 1, 50); err != nil {
		return err
	}
	if len(lines) != number(lines[0], 0)+1 {
		return fmt.Errorf("%d lines", len(lines))
	}
	for _, line := range lines[1:] {
		if len(line) != 1 || len(line[0]) != number(lines[0], 1) || strings.Trim(line[0], ".#") != "" {
			return fmt.Errorf("row %q", line)
		}
	}
	return nil
}

func validCases(lines [][]string) error {
	if len(lines) == 0 {
		return fmt.Errorf("empty")
	}
	if err := ints(lines[0], 1, 1, 20); err != nil {
		return err
	}
	rest := lines[1:]
	for range number(lines[0], 0) {
		if len(rest) < 2 {
			return fmt.Errorf("too short")
		}
		if err := validList(rest[:2]); err != nil {
			return err
		}
		rest = rest[2:]
	}
	if len(rest) > 0 {
		return fmt.Errorf("too long")
	}
	return nil
}

// tokensIn returns the tokens of the lines of a text.
func tokensIn(text string) (lines [][]string) {
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		lines = append(lines, strings.Split(line, " "))
	}
	return lines
}

// check returns why an input has not the form.
func check(valid func([][]string) error, input []byte) error {
	text, ok := strings.CutSuffix(string(input), "\n")
	if !ok {
		return fmt.Errorf("no last line feed")
	}
	return valid(tokensIn(text))
}

func TestMutatorLearnsTheForm(t *testing.T) {
	for _, g := range grammars {
		t.Run(g.name, func(t *testing.T) {
			m := NewMutator(1, nil)
			for i, text := range g.inputs {
				if err := check(g.valid, []byte(text)); err != nil {
					t.Fatal(err)
				}
				m.Add([]byte(text), i, 0)
			}
			const tries = 4000
			seen, made, valid, sizes := make(map[string]bool), 0, 0, make(map[int]bool)
			for range tries {
				mutant := m.Mutate()
				err := check(g.valid, mutant.Input)
				if seen[string(mutant.Input)] {
					m.Learn(mutant, Repeated)
					continue
				}
				made++
				if err != nil {
					m.Learn(mutant, Invalid)
					continue
				}
				m.Learn(mutant, Valid)
				valid++
				seen[string(mutant.Input)] = true
				m.Add(mutant.Input, mutant.Original, 0)
				sizes[strings.Count(string(mutant.Input), " ")+strings.Count(string(mutant.Input), "\n")] = true
			}
			share := float64(valid) / float64(made)
			t.Logf("%.2f of the new mutants are valid, %d different, %d sizes", share, len(seen), len(sizes))
			if share < g.share || len(seen) < tries/20 || len(sizes) < 6 {
				t.Errorf("%.2f of the new mutants are valid (%d different, %d sizes); expected %.2f", share, len(seen), len(sizes), g.share)
			}
		})
	}
}

func FuzzMutator(f *testing.F) {
	for _, g := range grammars {
		f.Add([]byte(g.inputs[0]), []byte(g.inputs[1]), uint64(1))
	}
	f.Add([]byte("2\n0 0\n\n 1  -1\n0\n"), []byte("99999999999999999999 0.50 -3\n"), uint64(2))
	f.Add([]byte(""), []byte("3\n1 2 3\n"), uint64(3)) // no line, but others have some
	f.Add([]byte("\n\n"), []byte("1\n\n2\n"), uint64(4))
	f.Add([]byte("2  3\n3\n.00\n#A#\n"), []byte("000\nA"), uint64(1))               // a list outside of the section of its count
	f.Add([]byte("4\n1 2\n\n2 2\n"), []byte("6\n1 2\n1 3\n1 4\n\n2 66"), uint64(1)) // sections without lines
	f.Fuzz(func(t *testing.T, a, b []byte, random uint64) {
		m := NewMutator(random, nil)
		m.Add(a, 0, 0)
		m.Add(b, 1, 0)
		for range 30 {
			mutant := m.Mutate()
			m.Learn(mutant, Validity(len(mutant.Input)%3))
			if len(mutant.Input) < 1<<16 {
				m.Add(mutant.Input, mutant.Original, 0)
			}
			if again := parse(mutant.Input, true).bytes(); !bytes.Equal(again, mutant.Input) {
				t.Errorf("%q is read as %q", mutant.Input, again)
			}
		}
	})
}
