package main

import (
	"bytes"
	"crypto/sha512"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// testdata is that of the problem in whose folder the test runs: these files
// serve several.
func testdata(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "..", "..", "testdata", filepath.Base(dir))
}

func mustMake(t *testing.T, kind string, args ...string) []grid {
	t.Helper()
	all, err := puzzlesOf(kind, args, math.MaxInt)
	if err != nil {
		t.Fatalf("puzzlesOf(%q, %q): %v", kind, args, err)
	}
	return all
}

// bruteCount counts the solutions of a grid, up to 2, by the search in fixed
// order: it shares nothing with the solver but the rules.
func bruteCount(g grid) int {
	n := 0
	var fill func(c int)
	fill = func(c int) {
		for c < 81 && g[c] != 0 {
			c++
		}
		if c == 81 {
			n++
			return
		}
		for d := byte(1); d <= 9 && n < 2; d++ {
			ok := true
			for k := range 9 {
				if g[c/9*9+k] == d || g[k*9+c%9] == d || g[c/27*27+c%9/3*3+k/3*9+k%3] == d {
					ok = false
				}
			}
			if ok {
				g[c] = d
				fill(c + 1)
				g[c] = 0
			}
		}
	}
	fill(0)
	return n
}

// An easy puzzle is cheap enough to be counted by both.
func TestCountsAgree(t *testing.T) {
	for _, g := range mustMake(t, "easy", "5", "36", "5") {
		for c := range 81 {
			less := without(g, c)
			got, _ := solutions(less, 2)
			if want := bruteCount(less); got != want {
				t.Fatalf("solutions(%v) = %d, by brute force %d", less, got, want)
			}
		}
	}
}

func TestKnownPuzzles(t *testing.T) {
	givens := map[string]int{"royle1": 17, "bruteforce": 17}
	for _, k := range known {
		g, ok := cited(k.name)
		if !ok {
			t.Errorf("cited(%q): not a puzzle", k.name)
			continue
		}
		if !unique(g) {
			t.Errorf("%s has not exactly one solution", k.name)
		}
		if want := givens[k.name]; want != 0 && g.givens() != want {
			t.Errorf("%s has %d givens, want %d", k.name, g.givens(), want)
		}
	}
}

// Each kind keeps what usage says of it.
func TestKinds(t *testing.T) {
	isMinimal := func(g grid) bool {
		for c, d := range g {
			if d != 0 && unique(without(g, c)) {
				return false
			}
		}
		return true
	}
	between := func(low, high int) func(grid) bool {
		return func(g grid) bool { return low <= g.givens() && g.givens() <= high }
	}
	for _, test := range []struct {
		kind, args, fact string
		holds            func(grid) bool
	}{
		{"complete", "5", "no blank", between(81, 81)},
		{"dense", "50 3", "1 to 3 blanks", between(78, 80)},
		{"easy", "20 30", "no guess", bySingles},
		{"easy", "20 36", "as many givens as asked for", between(36, 36)},
		{"minimal", "10", "every given is needed", isMinimal},
		{"sparse", "2 23", "few givens", between(17, 23)},
		{"sparse", "2 23", "every given is needed", isMinimal},
		{"seventeen", "20", "17 givens", between(17, 17)},
		{"low", "20 17 3", "17 givens", between(17, 17)},
		{"low", "10 18 10", "18 givens", between(18, 18)},
		{"low", "10 18 10", "every given is needed", isMinimal},
		{"low", "4 20 4", "20 givens", between(20, 20)},
		{"low", "4 20 4", "every given is needed", isMinimal},
		{"hard", "5 30 5", "30 guesses", func(g grid) bool { return guesses(g, 30) >= 30 }},
		{"hard", "5 30 5", "every given is needed", isMinimal},
		{"order", "4", "17 givens", between(17, 17)},
		{"late", "2 1", "few tries row by row", func(g grid) bool { return tries(g, rowByRow(g), mildTries) < mildTries }},
		{"late", "2 1", "many tries by rows with the fewest blanks", func(g grid) bool {
			return tries(g, fewestFirst(g), mildTries) == mildTries
		}},
		{"mixed", "20", "a grid", between(17, 81)},
	} {
		t.Run(test.kind+"/"+test.fact, func(t *testing.T) {
			for _, g := range mustMake(t, test.kind, append(strings.Fields(test.args), "1")...) {
				if !unique(g) {
					t.Errorf("%v has not exactly one solution", g)
				}
				if !test.holds(g) {
					t.Errorf("%v: want %s", g, test.fact)
				}
			}
		})
	}
}

// Puzzles that are said to be different are not images of each other.
func TestDifferent(t *testing.T) {
	for _, command := range []string{"low 12 18 12", "low 3 20 3", "hard 5 20 5"} {
		args := strings.Fields(command)
		seen := map[uint64]grid{}
		for _, g := range mustMake(t, args[0], append(args[1:], "3")...) {
			f := fingerprint(g)
			if other, ok := seen[f]; ok {
				t.Errorf("%s: %v and %v seem isomorphic", command, g, other)
			}
			seen[f] = g
		}
	}
	// Isomorphs of three come round after three.
	all := mustMake(t, "low", "12", "18", "3", "3")
	for i, g := range all {
		if fingerprint(g) != fingerprint(all[i%3]) {
			t.Errorf("puzzle %d is no isomorph of puzzle %d", i, i%3)
		}
	}
}

// The puzzles that a search found are as good as it said, and none is a cited
// one in disguise.
func TestFoundSeventeens(t *testing.T) {
	seen := map[uint64]bool{}
	for _, k := range known {
		g, _ := cited(k.name)
		seen[fingerprint(g)] = true
	}
	for _, s := range foundSeventeens {
		g, err := parse(s)
		if err != nil {
			t.Error(err)
			continue
		}
		if g.givens() != 17 || !unique(g) {
			t.Errorf("%v: %d givens, one solution: %v", g, g.givens(), unique(g))
		}
		if f := fingerprint(g); seen[f] {
			t.Errorf("%v seems to be an isomorph of one before it, or of a cited one", g)
		} else {
			seen[f] = true
		}
	}
}

// A fingerprint knows an isomorph, and notices that a given is another.
func TestFingerprint(t *testing.T) {
	r := source(1)
	for range 50 {
		g := minimal(&r)
		if h := isomorph(g, &r); fingerprint(h) != fingerprint(g) {
			t.Errorf("fingerprint(%v) is not that of its isomorph %v", g, h)
		}
		h := g
		for c, d := range h {
			if d != 0 {
				h[c] = d%9 + 1
				break
			}
		}
		if fingerprint(h) == fingerprint(g) {
			t.Errorf("fingerprint(%v) is that of %v", h, g)
		}
	}
}

// What -mild makes is quick row by row, whatever it was before.
func TestMild(t *testing.T) {
	var out bytes.Buffer
	if err := write(&out, strings.Fields("-mild cited bruteforce")); err != nil {
		t.Fatal(err)
	}
	was, _ := cited("bruteforce")
	r := source(0)
	g := milder(was, &r)
	if tries(was, rowByRow(was), mildTries) < mildTries || tries(g, rowByRow(g), mildTries) >= mildTries {
		t.Errorf("milder(%v) = %v: want more than %d tries before, fewer after", was, g, mildTries)
	}
	if fingerprint(g) != fingerprint(was) {
		t.Errorf("milder(%v) = %v, which is no isomorph", was, g)
	}
	if bytes.Contains(out.Bytes(), []byte(was.String())) {
		t.Error("-mild left the puzzle as it was")
	}
}

// A search that begins in the corner and counts in the direction that a puzzle
// of kind order is made for runs long.
func TestOrderPunishes(t *testing.T) {
	for i, g := range mustMake(t, "order", "16", "9") {
		if i >= 8 {
			g = renumber(g, [9]byte{9, 8, 7, 6, 5, 4, 3, 2, 1})
		}
		g = turnBack(g, i%8)
		if n := tries(g, rowByRow(g), tooManyTries); n < tooManyTries {
			t.Errorf("puzzle %d is found after %d tries, want %d", i, n, tooManyTries)
		}
	}
}

// turnBack undoes turn: the same reflections in the opposite order.
func turnBack(g grid, k int) grid {
	if k&4 != 0 {
		g = transpose(g)
	}
	if k&2 != 0 {
		g = flip(g)
	}
	if k&1 != 0 {
		g = mirror(g)
	}
	return g
}

// The random numbers are those of splitmix64: the first three of seed 1234567
// are in the test vectors of several implementations.
func TestSplitmix64(t *testing.T) {
	s := source(1234567)
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423} {
		if got := s.next(); got != want {
			t.Errorf("number %d = %d, want %d", i, got, want)
		}
	}
}

func TestBadArguments(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"", "usage: sudoku [-any] [-mild] KIND"},
		{"nonsense 1 1", `kind "nonsense": want cited, complete`},
		{"minimal 1", "minimal: 1 arguments, want COUNT SEED"},
		{"easy 1 2", "easy: 2 arguments, want COUNT givens SEED"},
		{"minimal 0 1", `minimal: argument 1 is "0"`},
		{"minimal 1 -1", `minimal: seed "-1"`},
		{"minimal 1000000 1", "minimal: 1000000 puzzles, want at most"},
		{"-any", "no arguments"},
		{"-all minimal 1 1", `option "-all": want -any or -mild`},
		{"low 1 16 1 1", "low: 16 givens, want at least 17"},
		{"low 1 17 1000 1", ""}, // one puzzle needs no thousand different ones
		{"low 1000 17 1000 1", "different puzzles with 17 givens, want at most"},
		{"cited royle2", `cited "royle2": no such puzzle`},
	} {
		err := write(new(bytes.Buffer), strings.Fields(test.args))
		if test.want == "" && err == nil {
			continue
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("write(%q): %v, want %q", test.args, err, test.want)
		}
	}
}

// The committed inputs are what the commands of generators.yaml make, to the
// byte. What takes longer than a moment is left to judge verify.
func TestCommittedData(t *testing.T) {
	rules, err := os.ReadFile("../generators.yaml")
	if err != nil {
		t.Fatal(err)
	}
	commands := regexp.MustCompile(`(?m)^ +(\d\d-\S+): (sudoku .*)$`).FindAllStringSubmatch(string(rules), -1)
	if len(commands) == 0 {
		t.Fatal("no command in generators.yaml")
	}
	for _, c := range commands {
		name, command := c[1], c[2]
		t.Run(name, func(t *testing.T) {
			if slow := regexp.MustCompile("order|late|mixed|low|hard|seventeen|easy [0-9]{4}"); slow.MatchString(command) {
				t.Skip("slow to make")
			}
			sum := sha512.Sum512([]byte(command))
			seed := new(big.Int).Mod(new(big.Int).SetBytes(sum[:]), big.NewInt(1<<31))
			args := strings.Fields(strings.ReplaceAll(command, "{seed}", fmt.Sprint(seed)))
			var got bytes.Buffer
			if err := write(&got, args[1:]); err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(filepath.Join(testdata(t), "secret", name+".in"))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), want) {
				t.Errorf("%q makes something else than %s.in", command, name)
			}
		})
	}
}
