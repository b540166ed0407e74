package main

import (
	"bufio"
	"fmt"
	"os"
)

// shelves distributes books by their first letters.
func shelves(books []string) []string {
	all := make([]string, 26)
	for _, book := range books {
		shelf := int(book[0] - 'a')
		all[shelf] += book + " " // want `all.shelf. grows by concatenation in a loop`
	}
	return all
}

func parity(books []string) (two [2]string) {
	for _, book := range books {
		two[len(book)%2] += book // want `grows by concatenation in a loop`
	}
	return two
}

// endings appends to each book once, and to each of the shelves once.
func endings(books, shelves []string) {
	for i := range books {
		at := i
		books[at] += "."
	}
	letters := make([]string, 26)
	for i := 0; i < len(shelves); i++ {
		letters[i] += shelves[i]
	}
	fmt.Println(letters)
}

// colours appends to elements that may all differ.
func colours(books []string, at []int) {
	for i := range books {
		place := at[i]
		books[place] += "red"
	}
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	var books []string
	var at []int
	for in.Scan() {
		books = append(books, in.Text())
		at = append(at, len(at))
	}
	all := shelves(books)
	endings(books, all)
	colours(books, at)
	fmt.Println(all, parity(books))
}
