package main

import "fmt"

var (
	into, degree [1000]int
	after        [1000][]int
)

// order goes on where all edges into a vertex are gone, so it does not reach a cycle.
func order(n int) []int {
	var list []int
	for v := range n {
		if into[v] == 0 {
			list = append(list, v)
		}
	}
	for i := 0; i < len(list); i++ {
		for _, w := range after[list[i]] {
			into[w]--
			if into[w] == 0 {
				list = append(list, w)
			}
		}
	}
	return list
}

func main() {
	var tests int
	fmt.Scan(&tests)
	for range tests {
		var n, m int
		fmt.Scan(&n, &m)
		for v := range n {
			after[v] = nil
		}
		for range m {
			var a, b int
			fmt.Scan(&a, &b)
			after[a] = append(after[a], b)
			into[b]++ // want `into keeps its value`
			degree[a]++
		}
		most := 0
		for v := range n {
			most = max(most, degree[v])
			for range after[v] {
				degree[v]--
			}
		}
		fmt.Println(len(order(n)) == n, most)
	}
}
