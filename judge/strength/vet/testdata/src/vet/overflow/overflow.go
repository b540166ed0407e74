package main

import (
	"fmt"
	"math"
)

type grid struct {
	width int32
	cells []bool
}

func (g *grid) get(x, y int32) bool {
	return g.cells[y*g.width+x] // want `the product of this index may overflow int32`
}

func hash(s string) int {
	h := 7
	for _, c := range s {
		h = h*31 + int(c)
	}
	return h
}

func main() {
	var n, m int
	var a, b int32
	var u, v uint
	fmt.Scan(&n, &m, &a, &b, &u, &v)
	list := make([]int, n*m)
	_ = list[a*b]                      // want `may overflow int32`
	_ = list[int(a*b)]                 // want `may overflow int32`
	_ = list[int(a)*int(b)]            // in int
	_ = list[int32(n*m)]               // want `the conversion to int32 may cut this index`
	_ = list[uint8(n)*16+uint8(m)]     // want `the product of this index may overflow uint8` `the sum of this index may overflow uint8`
	_ = list[(a+b)/2]                  // want `the sum may overflow int32 before it is halved`
	_ = list[a+(b-a)/2]                // cannot overflow
	_ = list[u-v]                      // want `the difference of unsigned uint wraps around`
	_ = list[u-1]                      // the input is at least 1
	_ = make([]int, a*b)               // want `may overflow int32`
	_ = list[uint32(a)*2654435769>>20] // a hash
	for i := u - 1; i >= 0; i-- {      // want `unsigned i is always 0 or more`
		_ = list[i]
	}
	for r := uint8(0); r < 9; r++ {
		for c := uint8(0); c < 9; c++ {
			_ = list[r*9+c] // fits
		}
	}
	h := 0
	for i := range n {
		h = h*131 + i
	}
	_ = list[h%1000] // want `h may overflow and be negative`
	value := 0
	for i := range n {
		value = value*10 + i // a number of the input
	}
	_ = list[value%1000]
	positive := hash("x") % 1000
	if positive < 0 {
		positive += 1000
	}
	_ = list[positive]
	for i := a; i*i < b; i++ { // no index
		for j := i * i; j < b; j += i { // want `may overflow int32`
			list[j]++
		}
	}
	_, _ = int64(a*b), int(a)*int(b) // want `may overflow int32 before it is converted`
	cells := make(map[int32]bool)
	cells[a*b+1] = true // want `may overflow int32`
	var dist, guarded, small [9][9]int
	for i := range 9 {
		for j := range 9 {
			dist[i][j], guarded[i][j], small[i][j] = math.MaxInt, math.MaxInt, 1e18
		}
	}
	for k := range 9 {
		dist[1][2] = min(dist[1][2], dist[1][k]+dist[k][2]) // want `the sum overflows int if both elements of dist`
		small[1][2] = min(small[1][2], small[1][k]+small[k][2])
		if guarded[1][k] < math.MaxInt && guarded[k][2] != math.MaxInt {
			guarded[1][2] = min(guarded[1][2], guarded[1][k]+guarded[k][2])
		}
	}
	_, _ = int64(int32(1)<<a), int64(1)<<a // want `may overflow int32 before it is converted`
	const mod = 1_000_000_007
	var fact, inv [9]int
	for i := 1; i < 9; i++ {
		fact[i], inv[i] = fact[i-1]*i%mod, (inv[i-1]+2)%mod
	}
	_ = fact[a] * inv[b] * inv[a-b] % mod // want `the product of 3 numbers below 1000000007 overflows int`
	_ = fact[a] * inv[b] % mod * inv[a-b] % mod
	_ = fact[a] * 3 * inv[b] % mod
	g := &grid{width: 3, cells: make([]bool, 9)}
	_ = g.get(a, b)
}
