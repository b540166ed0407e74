package main

import (
	"fmt"
	"strings"
)

type result struct{ text string }

func (r *result) add(s string) { r.text += s } // want `r.text grows by concatenation`

var answer string

func collect(n int) {
	answer = answer + fmt.Sprint(n) // want `answer grows by concatenation`
}

func put(to *string, s string) {
	*to += s // want `\*to grows by concatenation`
}

func prefix(to *string) { *to = "> " + *to }

func main() {
	var n int
	fmt.Scan(&n)
	var s, front string
	var list []int
	r := &result{}
	for i := 0; i < n; i++ {
		s += "x"                         // want `s grows by concatenation`
		s = s + fmt.Sprint(i) + " "      // want `s grows by concatenation`
		s = fmt.Sprintf("%s%d", s, i)    // want `s grows by concatenation`
		front = "x" + front              // want `front grows by concatenation`
		s = s[1:] + s[:1]                // want `s is cut and concatenated`
		list = append([]int{i}, list...) // want `list grows at its front`
		list = append(list, i)           // at its end
		line := ""
		line += "declared in the loop"
		for range 8 {
			line += "."
		}
		r.add(line)
		collect(i)
	}
	words := make([]string, n)
	for i := range words {
		words[i] += "!" // another word in each iteration
	}
	for line := ""; len(line) < 80; {
		line += "-"
	}
	word := ""
	for _, c := range s {
		if c == ' ' {
			word = ""
		}
		word += string(c) // the loop assigns it anew
	}
	row := ""
	for i := range n {
		line := fmt.Sprint(i)
		prefix(&line)
		put(&row, line)
	}
	fmt.Print(row, s, front, list, answer, strings.Join(words, " "), word)
}
