package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// kernels are all that this machine can run, by name.
func kernels() map[string]kernel {
	all := map[string]kernel{"portable": portable}
	if hasFast() {
		all["best"] = best()
	}
	return all
}

func hasFast() bool {
	b := best()
	return fmt.Sprintf("%p", b.pass) != fmt.Sprintf("%p", portable.pass)
}

// A grid is 81 characters, as in the input.
type grid [cells]byte

// randomGrid is a full grid: one of a fixed pattern with rows, columns and
// digits in another order, and turned over or not.
func randomGrid(r *rand.Rand) (g grid) {
	order := func() (lines [9]int) {
		big := r.Perm(3)
		for i := range 3 {
			for j, k := range r.Perm(3) {
				lines[3*i+j] = 3*big[i] + k
			}
		}
		return lines
	}
	rows, columns, digits, turned := order(), order(), r.Perm(9), r.IntN(2) == 0
	for i, row := range rows {
		for j, column := range columns {
			c := 9*i + j
			if turned {
				c = 9*j + i
			}
			g[c] = byte('1' + digits[(3*row+row/3+column)%9])
		}
	}
	return g
}

// without blanks n cells.
func (g grid) without(n int, r *rand.Rand) grid {
	for _, c := range r.Perm(cells)[:n] {
		g[c] = '.'
	}
	return g
}

// fault says why out does not solve in, or nothing.
func fault(in, out []byte) string {
	var seen [27][9]bool
	for c := range in {
		if in[c] != '.' && in[c] != out[c] {
			return fmt.Sprintf("cell %d: given %c, got %c", c, in[c], out[c])
		}
		d := out[c] - '1'
		if d > 8 {
			return fmt.Sprintf("cell %d: %q", c, out[c])
		}
		row, column := c/9, c%9
		for _, u := range []int{row, 9 + column, 18 + row/3*3 + column/3} {
			if seen[u][d] {
				return fmt.Sprintf("cell %d: %c again", c, out[c])
			}
			seen[u][d] = true
		}
	}
	return ""
}

// check solves puzzles and reports those that are wrong.
func check(t *testing.T, k kernel, puzzles []byte) {
	t.Helper()
	buf := make([]byte, len(puzzles)+16)
	copy(buf, puzzles)
	k.solve(buf[:len(puzzles)])
	for i := 0; i < len(puzzles); i += line {
		if why := fault(puzzles[i:i+cells], buf[i:i+cells]); why != "" {
			t.Fatalf("puzzle %d, %s: solved as %s: %s", i/line, puzzles[i:i+cells], buf[i:i+cells], why)
		}
		if buf[i+cells] != '\n' {
			t.Fatalf("puzzle %d: its newline is %q", i/line, buf[i+cells])
		}
	}
	if !bytes.Equal(buf[len(puzzles):], make([]byte, 16)) {
		t.Fatalf("wrote behind the last puzzle: %q", buf[len(puzzles):])
	}
}

// Any number of solutions but none: what is printed must be one of them.
func TestRandomPuzzles(t *testing.T) {
	for name, k := range kernels() {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for blanks := 0; blanks <= 58; blanks++ {
				var puzzles []byte
				for range 40 {
					g := randomGrid(r).without(blanks, r)
					puzzles = append(append(puzzles, g[:]...), '\n')
				}
				check(t, k, puzzles)
			}
		})
	}
}

// Few puzzles leave lanes without one.
func TestFewPuzzles(t *testing.T) {
	for name, k := range kernels() {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 4))
			for n := range 2*lanes + 2 {
				var puzzles []byte
				for range n {
					g := randomGrid(r).without(40+r.IntN(19), r)
					puzzles = append(append(puzzles, g[:]...), '\n')
				}
				check(t, k, puzzles)
			}
		})
	}
}

// The data of the problem, where it has been made.
func TestData(t *testing.T) {
	files, err := filepath.Glob("../../../../testdata/poj3074/*/*.in")
	if err != nil || len(files) == 0 {
		t.Skip("no test data here")
	}
	for _, file := range files {
		if filepath.Base(filepath.Dir(file)) == "invalid_input" {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for name, k := range kernels() {
			t.Run(filepath.Base(file)+"/"+name, func(t *testing.T) {
				check(t, k, bytes.TrimSuffix(data, []byte("end\n")))
			})
		}
	}
}

// An impossible puzzle must end, and leave its neighbours alone.
func TestImpossible(t *testing.T) {
	bad := bytes.Repeat([]byte{'.'}, cells)
	copy(bad, "12345678.........9")
	r := rand.New(rand.NewPCG(5, 6))
	good := randomGrid(r).without(50, r)
	for name, k := range kernels() {
		t.Run(name, func(t *testing.T) {
			buf := bytes.Join([][]byte{good[:], bad, good[:], make([]byte, 16)}, []byte("\n"))
			k.solve(buf[:3*line])
			for _, i := range []int{0, 2} {
				if why := fault(good[:], buf[i*line:i*line+cells]); why != "" {
					t.Errorf("puzzle %d: %s", i, why)
				}
			}
		})
	}
}

// What the portable kernel does, others do bit by bit.
func TestKernelsAgree(t *testing.T) {
	if !hasFast() {
		t.Skip("this machine runs the portable kernel only")
	}
	fast := best()
	r := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		var a, b grids
		for l := range lanes {
			g := randomGrid(r).without(r.IntN(64), r)
			if r.IntN(4) == 0 {
				g[r.IntN(cells)] = byte('1' + r.IntN(9)) // may be wrong
			}
			in := append(g[:], make([]byte, 16)...)
			portable.read(&a, l, (*[cells]byte)(in))
			fast.read(&b, l, (*[cells]byte)(in))
		}
		if a != b {
			t.Fatal("they read the same puzzles differently")
		}
		solved := ^uint16(0) // lanes never found wrong, and then full
		for pass := range 20 {
			af, as, au := portable.pass(&a)
			bf, bs, bu := fast.pass(&b)
			if af != bf || as != bs || au != bu {
				t.Fatalf("pass %d: %016b %016b %016b, want %016b %016b %016b", pass, bf, bs, bu, af, as, au)
			}
			if a.can != b.can || a.done != b.done || a.pair != b.pair {
				t.Fatalf("pass %d: the grids differ", pass)
			}
			solved &= af
			if as == 1<<lanes-1 {
				solved &= au
				break
			}
		}
		for l := range lanes {
			var af, bf frame
			portable.save(&a, l, &af)
			fast.save(&b, l, &bf)
			if af != bf {
				t.Fatalf("lane %d is saved differently", l)
			}
			var ao, bo [cells]byte
			portable.write(&a, l, &ao)
			fast.write(&b, l, &bo)
			if solved>>l&1 != 0 && ao != bo {
				t.Fatalf("lane %d is written as %s, want %s", l, bo, ao)
			}
			other := r.IntN(lanes)
			portable.restore(&a, other, &af)
			fast.restore(&b, other, &bf)
			solved = solved&^(1<<other) | solved>>l&1<<other
			if a.can != b.can || a.done != b.done {
				t.Fatalf("lane %d is restored differently", other)
			}
		}
	}
}
