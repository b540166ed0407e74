package main

import (
	"bytes"
	"crypto/sha512"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// brute returns the least number of rows of a cover, or -1, by trying all sets.
// It shares nothing with search.
func brute(a matrix) int {
	least := -1
	for set := range 1 << len(a.rows) {
		sums := make([]int, a.cols)
		size := 0
		for i, row := range a.rows {
			if set>>i&1 != 0 {
				size++
				for _, c := range row {
					sums[c]++
				}
			}
		}
		if slices.Min(sums) == 1 && slices.Max(sums) == 1 && (least < 0 || size < least) {
			least = size
		}
	}
	return least
}

func TestSearch(t *testing.T) {
	yes := 0
	for _, a := range mustMake(t, "tiny:100") {
		want := brute(a) >= 0
		for _, by := range []rule{fewestFirst, inOrder} {
			if size, _ := search(a, by, 1<<30); (size >= 0) != want {
				t.Fatalf("search of\n%vby rule %v gives %d, has a cover: %v", a, by, size, want)
			}
		}
		if want {
			yes++
		}
	}
	if yes < 10 || yes > 90 {
		t.Errorf("%d of 100 have a cover, want a mixture", yes)
	}
}

func TestSearchGivesUp(t *testing.T) {
	a := mustMake(t, "odd:1:50:21")[0]
	if size, steps := search(a, fewestFirst, 10); size != -1 || steps != 11 {
		t.Errorf("search with a limit of 10 gives %d after %d steps, want -1 after 11", size, steps)
	}
}

// What a kind says of its matrices is so.
func TestKinds(t *testing.T) {
	for _, test := range []struct {
		arg  string
		want bool
	}{
		{"cover:20:30:20:5:100000", true},
		{"cover:1:1000:1000:10:100000", true},
		{"misleading:5:40:24:5:100000", true},
		{"empty:5:30:21:5", false},
		{"odd:5:30:13", false},
		{"copies:3:60:20:5:3", true},
		{"long:3:9:200:70", true},
		{"forced:3:9:200:70", true},
		{"forced:1:1000:1000:100", true},
		{"single:1:50", true},
		{"late:3:40:24:5", false},
		{"hard:3:30:15:50", false},
		{"langford:1:3", true},
		{"langford:1:5", false},
		{"langford:1:6", false},
		{"langford:1:7", true},
		{"latin:2:5:6", true},
		{"queens:1:3", false},
		{"queens:1:4", true},
		{"queens:1:6", true},
		{"dominoes:1:2", false},
		{"dominoes:1:4", false},
		{"dominoes:1:5", false},
	} {
		for _, a := range mustMake(t, test.arg) {
			for _, row := range a.rows {
				sorted := slices.Sorted(slices.Values(row))
				if len(slices.Compact(sorted)) != len(row) || sorted[0] < 0 || sorted[len(row)-1] >= a.cols {
					t.Errorf("%s makes a row of %v, want different columns below %d", test.arg, row, a.cols)
				}
			}
			if size, _ := search(a, fewestFirst, 1<<30); (size >= 0) != test.want {
				t.Errorf("%s makes a matrix of %d by %d whose cover is %d, want one: %v", test.arg, len(a.rows), a.cols, size, test.want)
			}
		}
	}
}

func TestOrder(t *testing.T) {
	a := mustMake(t, "order:1:100:40:5:20000:2000")[0]
	size, few := search(a, fewestFirst, 1<<30)
	_, many := search(a, inOrder, 20000)
	if size < 0 || few > 2000 || many <= 20000 {
		t.Errorf("order: cover of %d after %d steps by fewest rows and %d in order, want at most 2000 and more than 20000", size, few, many)
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
	slow := regexp.MustCompile("order:|sparse|late:1:|hard:10")
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
			want, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "testdata", "hust1017", "secret", name+".in"))
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
		{"1 cover:1:1001:3:1:1", `rows "1001": want 1 to 1000`},
		{"1 cover:1:3:3:101:1", `ones "101": want 1 to 100`},
		{"1 tiny:100 tiny:1", "101 matrices, want at most 100"},
		{"1 cover:1:1:1000:3:5", "none in 10000 attempts"},
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
