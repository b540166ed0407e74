package main

import (
	"fmt"
	"strings"
)

func main() {
	var n int
	fmt.Scan(&n)
	for ; n > 0; n-- {
		var s string
		fmt.Scan(&s) // want `fmt.Scan in a loop`
		fmt.Sprint(strings.ToUpper(s))
	}
}
