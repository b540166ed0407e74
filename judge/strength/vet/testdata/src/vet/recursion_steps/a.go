package main

import "fmt"

var (
	best  []int
	pairs [][]int
	price [101]int
)

// cheapest is the price of i metres in pieces of up to 100.
func cheapest(i int) int {
	if i == 0 {
		return 0
	}
	if best[i] > 0 {
		return best[i]
	}
	least := 1 << 60
	for k := 1; k <= 100 && k <= i; k++ {
		least = min(least, cheapest(i-k)+price[k]) // want `cheapest calls itself once for each step of the input`
	}
	best[i] = least
	return least
}

// ways does not keep its results, so i is small.
func ways(i int) int {
	if i == 0 {
		return 1
	}
	sum := 0
	for k := 1; k <= i; k++ {
		sum += ways(i - k)
	}
	return sum
}

// climb takes steps of some lengths.
func climb(i int) int {
	if i <= 0 {
		return 0
	}
	if best[i] > 0 {
		return best[i]
	}
	least := 1 << 60
	for _, k := range []int{1, 3, 4} {
		least = min(least, climb(i-k)+price[k]) // want `climb calls itself once for each step`
	}
	best[i] = least
	return least
}

// split cuts where k says, also at 0.
func split(from, to int) int {
	if from >= to {
		return 0
	}
	if pairs[from][to] > 0 {
		return pairs[from][to]
	}
	least := 1 << 60
	for k := from; k < to; k++ {
		least = min(least, split(from, k)+split(k+1, to)+price[k%100])
	}
	pairs[from][to] = least
	return least
}

func main() {
	var n int
	fmt.Scan(&n)
	best = make([]int, n+1)
	for range n + 1 {
		pairs = append(pairs, make([]int, n+1))
	}
	fmt.Println(cheapest(n), climb(n), ways(n), split(0, n))
}
