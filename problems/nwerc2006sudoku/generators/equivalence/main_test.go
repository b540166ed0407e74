package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

func output(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := generate(&out, args); err != nil {
		t.Fatalf("generate(%q): %v", args, err)
	}
	return out.String()
}

// pairs reads an input of the problem.
func pairs(t *testing.T, input string) []pair {
	t.Helper()
	first, rest, _ := strings.Cut(input, "\n")
	var all []pair
	for _, lines := range strings.Split(rest, "\n\n") {
		rows := strings.Split(strings.TrimSuffix(lines, "\n"), "\n")
		if len(rows) != 18 {
			t.Fatalf("a pair has %d lines, want 18:\n%s", len(rows), lines)
		}
		for _, row := range rows {
			if len(row) != 9 {
				t.Fatalf("row %q has %d digits, want 9", row, len(row))
			}
		}
		all = append(all, pair{parse(strings.Join(rows[:9], "")), parse(strings.Join(rows[9:], ""))})
	}
	if first != strconv.Itoa(len(all)) || !strings.HasSuffix(rest, "\n") || strings.HasSuffix(rest, "\n\n") {
		t.Fatalf("%s pairs promised, %d there, the end is %q", first, len(all), rest[len(rest)-2:])
	}
	return all
}

func givens(g grid) int { return len(g) - bytes.Count(g[:], []byte{0}) }

// A change of these bytes would change the committed data.
func TestOutputIsPinned(t *testing.T) {
	args := []string{"2006", "yes:2:30", "turn:1:40", "relabel:1:40", "misprint:1:30", "cycle:1:30",
		"split:1:24", "unrelated:2:17", "symmetric:1:8", "hardpositions:1:0", "hardimages:1:0"}
	const want = "b1cff41818050d67099bf7249ad77fe41cdcad441132e92867215eb264914214"
	got := output(t, args...)
	if sum := fmt.Sprintf("%x", sha256.Sum256([]byte(got))); sum != want {
		t.Errorf("generate(%q) has SHA-256 %s, want %s", args, sum, want)
	}
	if again := output(t, args...); again != got {
		t.Errorf("generate(%q) gave other bytes the second time", args)
	}
	args[0] = "2007"
	if other := output(t, args...); other == got {
		t.Errorf("seeds 2006 and 2007 gave the same bytes")
	}
}

func TestRandomFollowsItsPaper(t *testing.T) {
	r := random(1234567)
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423} {
		if got := r.next(); got != want {
			t.Errorf("number %d from seed 1234567 is %d, want %d", i, got, want)
		}
	}
}

func TestKindsKeepTheirPromises(t *testing.T) {
	for _, tt := range []struct {
		arg    string
		givens int // -1: not promised
		answer answer
	}{
		{"yes:2:28", 28, yes},
		{"yes:1:0", 0, yes},
		{"yes:1:81", 81, yes},
		{"turn:1:30", 30, yes},
		{"relabel:1:30", 30, yes},
		{"misprint:1:30", 30, no},
		{"cycle:1:14", 14, no},
		{"cycle:1:81", 81, no},
		{"split:1:24", -1, no},
		{"unrelated:3:14", 14, either},
		{"symmetric:1:6", 6, no},
		{"late:2:6", 6, no},
		{"climb:1:12", -1, no},
		{"hardpositions:2:0", -1, no},
		{"hardimages:2:0", -1, no},
	} {
		t.Run(tt.arg, func(t *testing.T) {
			for _, p := range pairs(t, output(t, "7", tt.arg)) {
				if n := givens(p.done); n != 81 {
					t.Errorf("%s: completed grid has %d digits", p.done, n)
				}
				if n := givens(p.todo); tt.givens >= 0 && n != tt.givens {
					t.Errorf("%s: %d givens, want %d", p.todo, n, tt.givens)
				}
				for _, g := range []grid{p.done, p.todo} {
					for i, d := range g {
						if d > 0 && !g.allows(i, d) {
							t.Errorf("%s: cell %d conflicts", g, i)
						}
					}
				}
				want := tt.answer == yes
				if tt.answer == either {
					want = equivalent(p.done, p.todo)
				}
				if got := exhaustive(p.done, p.todo); got != want {
					t.Errorf("%s\n%s\nequivalent by trying all positions: %t, want %t", p.done, p.todo, got, want)
				}
			}
		})
	}
}

// exhaustive decides a pair by the definition: all 2 * 6^8 positions.
func exhaustive(done, todo grid) bool {
	var orders [][9]int
	for _, big := range triples {
		for n := range 216 {
			inner := [3][3]int{triples[n/36], triples[n/6%6], triples[n%6]}
			var o [9]int
			for i := range o {
				o[i] = 3*big[i/3] + inner[i/3][i%3]
			}
			orders = append(orders, o)
		}
	}
	var cells []int
	for i, d := range todo {
		if d > 0 {
			cells = append(cells, i)
		}
	}
	for _, g := range []grid{done, done.turn()} {
		for _, rows := range orders {
		cols:
			for _, cols := range orders {
				var to, from [10]byte
				for _, i := range cells {
					d, e := todo[i], g[9*rows[i/9]+cols[i%9]]
					if to[d] == 0 && from[e] == 0 {
						to[d], from[e] = e, d
					}
					if to[d] != e {
						continue cols
					}
				}
				return true
			}
		}
	}
	return false
}

func TestCycleLeavesACompletedGrid(t *testing.T) {
	rng := random(3)
	for range 50 {
		before := randomGrid(&rng)
		after, changed := cycle(&rng, before)
		differ := 0
		for i, d := range after {
			if !after.allows(i, d) {
				t.Fatalf("%s: cell %d conflicts", after, i)
			}
			if d != before[i] {
				differ++
			}
		}
		if differ != len(changed) || differ < 4 || differ > 18 {
			t.Errorf("%d cells differ, %d are listed, want the same number from 4 to 18", differ, len(changed))
		}
	}
}

func TestFourTurnsAreNone(t *testing.T) {
	rng := random(4)
	g := randomGrid(&rng)
	if half := g.turn().turn(); half == g || half.turn().turn() != g {
		t.Errorf("%s after two turns is %s, after four %s", g, half, half.turn().turn())
	}
}

func TestGenerateRefuses(t *testing.T) {
	for _, tt := range []struct {
		name, args, want string
	}{
		{"no kinds", "1", "arguments: want a seed, then one or more KIND:PAIRS:GIVENS"},
		{"a seed that is no number", "x yes:1:30", `seed "x": want a number from 0 to 2^64-1`},
		{"an unknown kind", "1 maybe:1:30", `"maybe:1:30": no kind of pairs "maybe"`},
		{"a missing part", "1 yes:30", `"yes:30": want KIND:PAIRS:GIVENS`},
		{"too many pairs of a kind", "1 yes:21:30", `"yes:21:30": pairs "21": want 0 to 20`},
		{"too many pairs together", "1 yes:11:30 turn:10:30", "21 pairs: want 1 to 20"},
		{"no pairs", "1 yes:0:30", "0 pairs: want 1 to 20"},
		{"too few givens to climb from", "1 climb:1:3", `"climb:1:3": givens "3": want 4 to 20`},
		{"more than anyone times", "-any 1 yes:1000001:30", `"yes:1000001:30": pairs "1000001": want 0 to 1000000`},
		{"82 givens", "1 yes:1:82", `"yes:1:82": givens "82": want 0 to 81`},
		{"a No that there is not", "1 split:1:2", `"split:1:2": no such pair in 20000 attempts`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			err := generate(&out, strings.Fields(tt.args))
			if err == nil || err.Error() != tt.want {
				t.Errorf("generate(%s) = %v, want %s", tt.args, err, tt.want)
			}
			if out.Len() > 0 {
				t.Errorf("generate(%s) printed %d bytes", tt.args, out.Len())
			}
		})
	}
}

func TestAnyNumberOfPairs(t *testing.T) {
	if n := len(pairs(t, output(t, strings.Fields("-any 1 yes:15:30 symmetric:15:7")...))); n != 30 {
		t.Errorf("%d pairs, want 30", n)
	}
}
