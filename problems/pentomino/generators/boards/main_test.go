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

var testdata = filepath.Join("..", "..", "..", "..", "testdata", "pentomino")

func mustMake(t *testing.T, kind string, args ...string) []board {
	t.Helper()
	all, err := makeBoards(kind, args)
	if err != nil {
		t.Fatalf("makeBoards(%q, %q): %v", kind, args, err)
	}
	return all
}

// Counts of rectangles are four times those of the literature, which leaves
// symmetric tilings out.
func TestTilings(t *testing.T) {
	for _, test := range []struct{ h, w, want int }{
		{1, 5, 1}, {2, 5, 0}, {3, 5, 4 * 7}, {4, 5, 4 * 50}, {3, 20, 4 * 2}, {2, 3, 0},
	} {
		if got, ok := tilings(rectangle(test.h, test.w), 1_000_000); got != test.want || !ok {
			t.Errorf("tilings of %d by %d = %d, %v, want %d", test.h, test.w, got, ok, test.want)
		}
	}
}

func TestShapes(t *testing.T) {
	// F, I, L, N, P, T, U, V, W, X, Y, Z
	for p, want := range []int{8, 2, 8, 8, 8, 4, 4, 4, 4, 1, 8, 4} {
		if len(shapes[p]) != want {
			t.Errorf("piece %d has %d shapes, want %d", p, len(shapes[p]), want)
		}
	}
}

func TestTurn(t *testing.T) {
	for _, b := range mustMake(t, "grown", "5", "5", "7", "1000", "3") {
		want, _ := tilings(b, 100_000)
		for k := range 8 {
			if got, _ := tilings(turn(b, k), 100_000); got != want {
				t.Errorf("turned by %d: %d tilings, want %d:\n%s", k, got, want, b)
			}
		}
	}
}

// Each kind keeps what usage says of it.
func TestKinds(t *testing.T) {
	squares := func(n int) func(board) bool { return func(b board) bool { return free(b) == n } }
	some := func(b board) bool { n, ok := tilings(b, 10_000); return ok && n > 0 }
	for _, test := range []struct {
		kind, args, fact string
		holds            func(board) bool
	}{
		{"rectangle", "6 10", "60 squares", squares(60)},
		{"chessboard", "4 4", "60 squares", squares(60)},
		{"tiled", "5 6 8 1000", "30 squares", squares(30)},
		{"tiled", "5 6 8 1000", "a tiling", some},
		{"strip", "3 12 4 3000", "60 squares", squares(60)},
		{"strip", "3 12 4 3000", "a tiling", some},
		{"scattered", "3 12 20 1000", "60 squares", squares(60)},
		{"scattered", "3 12 20 1000", "a tiling", some},
		{"grown", "5 5 7 1000", "25 squares", squares(25)},
		{"uneven", "10 6 9", "not divisible", func(b board) bool { return free(b)%5 != 0 }},
	} {
		t.Run(test.kind+"/"+test.fact, func(t *testing.T) {
			for _, b := range mustMake(t, test.kind, append(strings.Fields(test.args), "1")...) {
				if !test.holds(b) {
					t.Errorf("want %s:\n%s", test.fact, b)
				}
			}
		})
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
		{"", "usage: boards KIND"},
		{"nonsense 1", `kind "nonsense": want rectangle, chessboard`},
		{"rectangle 3 1", "rectangle: 2 arguments, want height width SEED"},
		{"rectangle 21 1 1", `rectangle: height is "21", want a number from 1 to 20`},
		{"rectangle 8 8 1", "rectangle: no such board"},
		{"uneven 1 2 9 -1", `uneven: seed "-1"`},
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
	commands := regexp.MustCompile(`(?m)^ +(\d\d-\S+): (boards .*)$`).FindAllStringSubmatch(string(rules), -1)
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
