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

// brute returns the least number of rectangles of a cover, or -1, by trying all
// sets on a picture of the map. It shares nothing with search.
func brute(m chart) int {
	least := -1
sets:
	for set := 1; set < 1<<len(m.rects); set++ {
		var picture [4][4]int
		size := 0
		for i, q := range m.rects {
			if set>>i&1 == 0 {
				continue
			}
			size++
			for x := q.x1; x < q.x2; x++ {
				for y := q.y1; y < q.y2; y++ {
					picture[x][y]++
				}
			}
		}
		for x := range m.n {
			for y := range m.m {
				if picture[x][y] != 1 {
					continue sets
				}
			}
		}
		if least < 0 || size < least {
			least = size
		}
	}
	return least
}

func TestSearch(t *testing.T) {
	none, some := 0, 0
	for _, m := range mustMake(t, "tiny:50") {
		if len(m.rects) > 11 {
			continue // 2^11 pictures are enough
		}
		want := brute(m)
		for _, s := range []search{{}, {inOrder: true}, {bound: true}, {inOrder: true, bound: true}} {
			s.limit = 1 << 30
			if least, _ := s.run(m); least != want {
				t.Fatalf("%+v of\n%vgives %d, want %d", s, m, least, want)
			}
		}
		if want < 0 {
			none++
		} else {
			some++
		}
	}
	if none < 5 || some < 5 {
		t.Errorf("%d maps with and %d without a cover, want a mixture", some, none)
	}
}

// parts says whether rectangles make up a map without anything over.
func parts(m chart) bool {
	s := search{limit: 1 << 30}
	least, _ := s.run(m)
	area := 0
	for _, q := range m.rects {
		area += q.area()
	}
	return least == len(m.rects) && area == m.n*m.m
}

func TestParts(t *testing.T) {
	r := source(3)
	whole := rect{0, 0, 20, 13}
	for range 50 {
		for _, all := range [][]rect{cut(&r, whole, 12), pinwheel(&r, whole, 4)} {
			if m := (chart{20, 13, all}); !parts(m) {
				t.Errorf("these do not make up a map: %v", m)
			}
		}
	}
	if got := cut(&r, rect{0, 0, 2, 3}, 10); len(got) != 6 {
		t.Errorf("cut of 2 by 3 into 10 gives %v, want 6 cells", got)
	}
	if got := pinwheel(&r, rect{0, 0, 3, 3}, 3); len(got) != 5 {
		t.Errorf("pinwheel of 3 by 3 is %v, want 5 rectangles", got)
	}
}

// What a kind says of its maps is so.
func TestKinds(t *testing.T) {
	for _, test := range []struct {
		arg  string
		want bool
	}{
		{"whole:1:30:30", true},
		{"cuts:3:12:10:20:100", true},
		{"pinwheels:3:12:10:3:100", true},
		{"several:3:12:10:8:4", true},
		{"missing:3:12:10:20:100", false},
		{"corner:1:4:5", false},
		{"board:1:4:5", true},
		{"equal:1:12:10:4:12", true},
		{"strips:1:8:12:4:1000:10", true},
		{"hard:1:8:8:60:5:20000", true},
		{"full:1", true},
	} {
		for _, m := range mustMake(t, test.arg) {
			if least, _ := (search{bound: true, limit: 1 << 20}).run(m); (least > 0) != test.want {
				t.Errorf("%s makes a map whose least is %d, want a cover: %v", test.arg, least, test.want)
			}
			for _, q := range m.rects {
				if q.x1 < 0 || q.x1 >= q.x2 || q.x2 > m.n || q.y1 < 0 || q.y1 >= q.y2 || q.y2 > m.m {
					t.Errorf("%s makes %v on a map of %d by %d", test.arg, q, m.n, m.m)
				}
			}
		}
	}
}

func TestStripsNeedABound(t *testing.T) {
	m := mustMake(t, "strips:1:20:20:10:2000:20000")[0]
	_, with := search{bound: true, limit: 1 << 30}.run(m)
	_, without := search{limit: 20000}.run(m)
	if with > 2000 || without <= 20000 {
		t.Errorf("strips: %d steps with a bound and %d without, want at most 2000 and more than 20000", with, without)
	}
}

// The committed inputs are what the commands of generators.yaml make, to the
// byte. What takes longer than a moment is left to judge verify.
func TestCommittedData(t *testing.T) {
	rules, err := os.ReadFile("../generators.yaml")
	if err != nil {
		t.Fatal(err)
	}
	commands := regexp.MustCompile(`(?m)^ +(\d\d-\S+): (maps .*)$`).FindAllStringSubmatch(string(rules), -1)
	if len(commands) == 0 {
		t.Fatal("no command in generators.yaml")
	}
	slow := regexp.MustCompile("strips:|hard:")
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
			want, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "testdata", "zoj3209", "secret", name+".in"))
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
		{"1 whole:1:31:1", `n "31": want 1 to 30`},
		{"1 cuts:1:3:3:2:501", `rectangles "501": want 1 to 500`},
		{"1 tiny:50 tiny:1", "51 maps, want at most 50"},
		{"1 strips:1:30:3:1:5:5", "none in 10000 attempts"},
	} {
		err := write(new(bytes.Buffer), strings.Fields(test.args))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("write(%q): %v, want %q", test.args, err, test.want)
		}
	}
}

func mustMake(t *testing.T, arg string) []chart {
	t.Helper()
	r := source(7)
	all, err := makeAll(&r, arg)
	if err != nil {
		t.Fatalf("makeAll(%q): %v", arg, err)
	}
	return all
}
