package main

import (
	"bytes"
	"crypto/sha512"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var testdata = filepath.Join("..", "..", "..", "..", "testdata", "nqueens")

func mustMake(t *testing.T, kind string, args ...string) []board {
	t.Helper()
	all, err := makeBoards(kind, args)
	if err != nil {
		t.Fatalf("makeBoards(%q, %q): %v", kind, args, err)
	}
	return all
}

// The numbers of placements are in the On-Line Encyclopedia of Integer
// Sequences, A000170.
func TestCompletions(t *testing.T) {
	for i, want := range []int{1, 0, 0, 2, 10, 4, 40, 92, 352, 724} {
		if got, ok := completions(empty(i + 1)); got != want || !ok {
			t.Errorf("completions of the empty board of %d = %d, %v, want %d", i+1, got, ok, want)
		}
	}
	if _, ok := completions(empty(13)); ok {
		t.Error("the empty board of 13 has more completions than the statement allows")
	}
}

// Row by row every completion is met too.
func TestTurn(t *testing.T) {
	for _, b := range mustMake(t, "blocked", "8", "10", "40", "3") {
		want, _ := completions(b)
		for k := range 4 {
			if got, ok := completions(turn(b, k)); got != want || !ok {
				t.Errorf("turned %d times: %d completions, %v, want %d:\n%s", k, got, ok, want, b)
			}
		}
		if turn(b, 4) != b {
			t.Errorf("turned four times it is another board:\n%s", b)
		}
	}
}

// Each kind keeps what usage says of it.
func TestKinds(t *testing.T) {
	has := func(least int) func(board) bool {
		return func(b board) bool { n, _ := completions(b); return n >= least }
	}
	for _, test := range []struct {
		kind, args, fact string
		holds            func(board) bool
	}{
		{"empty", "3 6", "empty", func(b board) bool { return b == empty(b.n) }},
		{"given", "5 12 3", "3 queens", func(b board) bool { return b.queens() == 3 }},
		{"given", "5 12 3", "a completion", has(1)},
		{"given", "2 24 24", "all queens", func(b board) bool { return b.queens() == 24 }},
		{"blocked", "5 14 60", "a completion", has(1)},
		{"none", "10 14", "none", func(b board) bool { n, _ := completions(b); return n == 0 }},
		{"mixed", "20 16", "a size up to 16", func(b board) bool { return b.n <= 16 }},
	} {
		t.Run(test.kind+"/"+test.fact, func(t *testing.T) {
			for _, b := range mustMake(t, test.kind, append(strings.Fields(test.args), "1")...) {
				if n, ok := completions(b); !ok || n > mostCompletions {
					t.Errorf("%d completions, %v, more than the statement allows:\n%s", n, ok, b)
				}
				if !test.holds(b) {
					t.Errorf("want %s:\n%s", test.fact, b)
				}
			}
		})
	}
}

// Each board of kind late is long from the edge that it is made for.
func TestLatePunishes(t *testing.T) {
	for i, b := range mustMake(t, "late", "4", "20", "9") {
		if k, ok := completions(b); k == 0 || !ok {
			t.Errorf("board %d has %d completions, %v, want some", i, k, ok)
		}
		if n := rowByRow(turn(b, 4-i%4), tooManySteps); n < tooManySteps {
			t.Errorf("board %d takes %d steps, want %d", i, n, tooManySteps)
		}
	}
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
		{"", "usage: queens KIND"},
		{"nonsense 1", `kind "nonsense": want empty, given`},
		{"given 1 8 1", "given: 3 arguments, want count size queens SEED"},
		{"given 1 25 3 1", `given: size is "25", want a number from 4 to 24`},
		{"given 0 8 3 1", `given: count is "0", want a number from 1 to 20`},
		{"late 1 20 -1", `late: seed "-1"`},
	} {
		err := write(new(bytes.Buffer), strings.Fields(test.args))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("write(%q): %v, want %q", test.args, err, test.want)
		}
	}
}

// The committed inputs are what the commands of generators.yaml make, to the
// byte.
func TestCommittedData(t *testing.T) {
	rules, err := os.ReadFile("../generators.yaml")
	if err != nil {
		t.Fatal(err)
	}
	commands := regexp.MustCompile(`(?m)^ +(\d\d-\S+): (queens .*)$`).FindAllStringSubmatch(string(rules), -1)
	if len(commands) == 0 {
		t.Fatal("no command in generators.yaml")
	}
	for _, c := range commands {
		name, command := c[1], c[2]
		t.Run(name, func(t *testing.T) {
			sum := sha512.Sum512([]byte(command))
			seed := new(big.Int).Mod(new(big.Int).SetBytes(sum[:]), big.NewInt(1<<31))
			args := strings.Fields(strings.ReplaceAll(command, "{seed}", fmt.Sprint(seed)))
			var got bytes.Buffer
			if err := write(&got, args[1:]); err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(filepath.Join(testdata, "secret", name+".in"))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), want) {
				t.Errorf("%q makes something else than %s.in", command, name)
			}
		})
	}
}
