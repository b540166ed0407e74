package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

func readLine() string {
	reader := bufio.NewReader(os.Stdin) // seeded: unbuffered
	line, _ := reader.ReadString('\n')
	return strings.TrimSpace(line)
}

func main() {
	var words []string
	for {
		line := readLine()
		if line == "" {
			break
		}
		words = append(words, line)
	}
	fmt.Println(len(words))
}
