package main

import "fmt"

var (
	text string
	at   int
)

func sum() int {
	v := product() // want `sum calls itself once for each nested part`
	for at < len(text) && text[at] == '+' {
		at++
		v += product()
	}
	return v
}

func product() int {
	v := factor()
	for at < len(text) && text[at] == '*' {
		at++
		v *= factor()
	}
	return v
}

func factor() int {
	if text[at] == '(' {
		at++
		v := sum()
		at++
		return v
	}
	at++
	return int(text[at-1] - '0')
}

func main() {
	fmt.Scan(&text)
	fmt.Println(sum())
}
