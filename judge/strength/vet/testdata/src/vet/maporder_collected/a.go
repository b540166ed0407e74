package main

import (
	"fmt"
	"maps"
	"slices"
)

type bag map[string]int

func (b bag) names() []string {
	return slices.Collect(maps.Keys(b)) // want `the order of a map's keys is random: it decides the output`
}

// counts are sorted by main.
func (b bag) counts() []int {
	return slices.Collect(maps.Values(b))
}

// all is only counted.
func (b bag) all() []string { return slices.Collect(maps.Keys(b)) }

// endless returns its own result, which must not stop the analysis.
func (b bag) endless(n int) []string {
	if n == 0 {
		return slices.Collect(maps.Keys(b)) // want `the order of a map's keys is random: it decides the output`
	}
	return b.endless(n - 1)
}

func main() {
	b := bag{}
	var word string
	for range 100 {
		fmt.Scan(&word)
		b[word]++
	}
	for _, name := range b.names() {
		fmt.Println(name)
	}
	counts := b.counts()
	slices.Sort(counts)
	fmt.Println(counts, len(b.all()), b.endless(2))
	fmt.Println(slices.Collect(maps.Values(b))) // want `the order of a map's keys is random: it decides the output`

	number := make(map[string]int)
	for name := range b {
		number[name] = len(number) + 1 // want `it decides the numbers in number, which are written`
	}
	next, place := 0, make(map[string]int)
	for name := range b {
		place[name] = next + 100 // want `it decides the numbers in place, which are written`
		next++
	}
	double := make(map[string]int)
	for name, count := range b {
		double[name] = count + 1
	}
	fmt.Scan(&word)
	fmt.Println(number[word], place[word], double[word])
}
