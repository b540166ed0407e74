package main

import (
	"bytes"
	"crypto/sha512"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// brute says whether the sum of some rows is all ones, by trying them all. It
// shares nothing with search.
func brute(a matrix) bool {
	for set := range 1 << a.rows() {
		sums := make([]int, a.cols())
		for i, row := range a {
			if set>>i&1 != 0 {
				for c, bit := range row {
					sums[c] += int(bit)
				}
			}
		}
		good := true
		for _, s := range sums {
			good = good && s == 1
		}
		if good {
			return true
		}
	}
	return false
}

func TestSearch(t *testing.T) {
	yes := 0
	for _, a := range mustMake(t, "tiny:200") {
		size, _ := search(a)
		want := brute(a)
		if (size >= 0) != want {
			t.Fatalf("search of\n%vgives %d, some rows cover it: %v", a, size, want)
		}
		if want {
			yes++
		}
	}
	if yes < 20 || yes > 180 {
		t.Errorf("%d of 200 have a cover, want a mixture", yes)
	}
}

// What a kind says of its matrices is so.
func TestKinds(t *testing.T) {
	for _, test := range []struct {
		arg  string
		want bool
	}{
		{"cover:50:9:20", true},
		{"cover:5:1:1", true},
		{"misleading:10:9:20", true},
		{"moved:50:9:20", false},
		{"last:20:9:20", false},
		{"apart:5:9:20", false},
		{"hard:3:9:10:100", false},
		{"hard:3:9:30:100", false},
	} {
		for _, a := range mustMake(t, test.arg) {
			if got := brute(a); got != test.want {
				t.Errorf("%s makes\n%v, can be covered: %v", test.arg, a, got)
			}
		}
	}
}

func TestHardIsHard(t *testing.T) {
	for _, a := range mustMake(t, "hard:3:16:12:3000") {
		if _, steps := search(a); steps < 80 {
			t.Errorf("hard:3:16:12:3000 makes a matrix of %d steps, want 80", steps)
		}
	}
}

func TestSums(t *testing.T) {
	// moved keeps what who only counts ones looks at.
	for _, a := range mustMake(t, "moved:20:8:20") {
		seen := make([]bool, a.cols())
		sums := map[int]bool{0: true}
		for _, row := range a {
			ones := 0
			for c, bit := range row {
				seen[c] = seen[c] || bit == 1
				ones += int(bit)
			}
			for s := a.cols(); s >= ones; s-- {
				sums[s] = sums[s] || sums[s-ones]
			}
		}
		for c := range seen {
			if !seen[c] {
				t.Errorf("column %d of\n%vis empty", c+1, a)
			}
		}
		if !sums[a.cols()] {
			t.Errorf("no rows of\n%vhave %d ones together", a, a.cols())
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
	commands := regexp.MustCompile(`(?m)^ +(\d\d-\S+): (matrices .*)$`).FindAllStringSubmatch(string(rules), -1)
	if len(commands) == 0 {
		t.Fatal("no command in generators.yaml")
	}
	slow := regexp.MustCompile("hard:.:16:300")
	for _, c := range commands {
		name, command := c[1], c[2]
		t.Run(name, func(t *testing.T) {
			if slow.MatchString(command) {
				t.Skip("slow to make")
			}
			sum := sha512.Sum512([]byte(command))
			seed := new(big.Int).Mod(new(big.Int).SetBytes(sum[:]), big.NewInt(1<<31))
			args := strings.Fields(strings.ReplaceAll(command, "{seed}", seed.String()))
			var got bytes.Buffer
			if err := write(&got, args[1:]); err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "testdata", "poj3740", "secret", name+".in"))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), want) {
				t.Errorf("%q makes something else than %s.in", command, name)
			}
		})
	}
}

func TestBadArguments(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"", "0 arguments, want a seed and what to make"},
		{"1", "1 arguments, want a seed"},
		{"x tiny:1", `seed "x": want a number from 0`},
		{"-1 tiny:1", `seed "-1"`},
		{"1 huge:1", `kind "huge": want`},
		{"1 tiny", `"tiny": 0 numbers, want tiny:count`},
		{"1 tiny:1:2", `"tiny:1:2": 2 numbers, want tiny:count`},
		{"1 tiny:0", `"tiny:0": count "0": want 1 to`},
		{"1 tiny:x", `count "x"`},
		{"1 cover:1:17:3", `rows "17": want 1 to 16`},
		{"1 cover:1:3:301", `columns "301": want 1 to 300`},
		{"1 tiny:200 tiny:1", "201 matrices, want at most 200"},
		{"1 misleading:1:1:1", "none in 10000 attempts"},
	} {
		err := write(new(bytes.Buffer), strings.Fields(test.args))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("write(%q): %v, want %q", test.args, err, test.want)
		}
	}
}

func mustMake(t *testing.T, arg string) []matrix {
	t.Helper()
	r := source(7)
	all, err := makeAll(&r, arg)
	if err != nil {
		t.Fatalf("makeAll(%q): %v", arg, err)
	}
	return all
}
