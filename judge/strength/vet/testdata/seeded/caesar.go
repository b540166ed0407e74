package main

import (
	"bufio"
	"fmt"
	"os"
)

func encrypt(s string, k int) string {
	res := ""
	for _, c := range s {
		if c >= 'a' && c <= 'z' {
			res += string('a' + (c-'a'+rune(k))%26) // seeded: concat
		} else {
			res += string(c) // seeded: concat
		}
	}
	return res
}

func main() {
	in := bufio.NewReader(os.Stdin)
	var s string
	var k int
	fmt.Fscan(in, &s, &k)
	fmt.Println(encrypt(s, k))
}
