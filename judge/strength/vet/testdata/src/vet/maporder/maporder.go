package main

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
)

func keys(m map[string]int) []string {
	var all []string
	for k := range m {
		all = append(all, k) // want `the order of all, which is written`
	}
	return all
}

func sortedKeys(m map[string]int) (all []string) {
	for k := range m {
		all = append(all, k)
	}
	sort.Strings(all)
	return all
}

func first(m map[string]int) string {
	for k := range m {
		return k // want `which element is taken`
	}
	return ""
}

func only(m map[string]int) string {
	if len(m) == 1 {
		for k := range m {
			return k
		}
	}
	return ""
}

func main() {
	m := map[string]int{}
	for k, v := range m {
		fmt.Println(k, v) // want `the order of the output`
	}
	for range m {
		fmt.Println("the same each time")
	}
	s := ""
	var b strings.Builder
	for k := range m {
		s += k // want `the order of the string s`
	}
	for k := range m {
		b.WriteString(k) // want `the order of the output`
	}
	best, name, most := 0, "", 0
	for k, v := range m {
		best = max(best, v)
		if v > most {
			most = v
			name = k // want `which of equal values name comes from`
		}
	}
	decided := ""
	for k, v := range m {
		if v > most || v == most && k < decided {
			most, decided = v, k
		}
	}
	var values []int
	sum := 0
	for _, v := range m {
		sum += v
		values = append(values, v)
	}
	slices.Sort(values)
	var unsorted, numbers []int
	for _, v := range m {
		unsorted = append(unsorted, v) // want `the order of unsorted`
		numbers = append(numbers, v)
	}
	gap := unsorted[1] - unsorted[0]
	for _, v := range numbers {
		sum += v
	}
	var byValue, byBoth []string
	for k := range m {
		byValue = append(byValue, k) // want `the order of elements of byValue with equal m`
		byBoth = append(byBoth, k)
	}
	sort.Slice(byValue, func(i, j int) bool { return m[byValue[i]] > m[byValue[j]] })
	sort.Slice(byBoth, func(i, j int) bool {
		if m[byBoth[i]] != m[byBoth[j]] {
			return m[byBoth[i]] > m[byBoth[j]]
		}
		return byBoth[i] < byBoth[j]
	})
	for i := range byValue {
		fmt.Println(byValue[i], byBoth[i])
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		fmt.Println(k)
	}
	collected, counted := slices.Collect(maps.Keys(m)), slices.Collect(maps.Keys(m)) // want `the order of a map's keys is random`
	for _, k := range collected {
		value := m[k]
		fmt.Println(value)
	}
	total := 0
	for _, k := range counted {
		total += m[k]
	}
	for k := range maps.Keys(m) {
		fmt.Println(k) // want `the order of the output`
	}
	fmt.Println(keys(m), sortedKeys(m), first(m), only(m), s, b.String(), best, name, decided, values, gap, sum, m, total)
}
