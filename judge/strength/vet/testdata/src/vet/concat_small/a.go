package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// A title has up to 50 words.
func main() {
	line, _ := bufio.NewReader(os.Stdin).ReadString('\n')
	initials := ""
	for _, word := range strings.Fields(line) {
		initials += word[:1]
	}
	fmt.Println(initials)
}
