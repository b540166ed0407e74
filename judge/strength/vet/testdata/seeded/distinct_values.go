package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

func uniq(a []string) []string {
	set := map[string]struct{}{}
	for _, x := range a {
		set[x] = struct{}{}
	}
	var r []string
	for x := range set {
		r = append(r, x) // seeded: maporder
	}
	return r
}

func main() {
	in := bufio.NewReader(os.Stdin)
	line, _ := in.ReadString('\n')
	names := uniq(strings.Fields(line))
	fmt.Println(len(names))
	fmt.Println(strings.Join(names, " "))
}
