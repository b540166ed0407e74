package main

import "fmt"

var (
	count [26]int
	seen  []string
	pairs int
)

func clearAll() {
	for i := range count {
		count[i] = 0
	}
	seen = seen[:0]
}

func add(word string) {
	for i := range word {
		count[word[i]-'a']++
	}
	seen = append(seen, word)
	for _, c := range count {
		if c > 1 {
			pairs++ // want `pairs keeps its value from one test case to the next`
		}
	}
}

func main() {
	var q int
	fmt.Scan(&q)
	for i := 0; i < q; i++ {
		clearAll()
		var word string
		fmt.Scan(&word)
		add(word)
		if pairs > 0 {
			fmt.Println(len(seen), "pairs")
		}
	}
}
