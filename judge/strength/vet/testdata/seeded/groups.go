package main

import (
	"bufio"
	"fmt"
	"os"
	"sort"
	"strings"
)

func main() {
	sc := bufio.NewScanner(os.Stdin)
	byKey := map[string][]string{}
	for sc.Scan() {
		b := []byte(sc.Text())
		sort.Slice(b, func(i, j int) bool { return b[i] < b[j] })
		byKey[string(b)] = append(byKey[string(b)], sc.Text())
	}
	var sb strings.Builder
	for _, words := range byKey {
		sort.Strings(words)
		sb.WriteString(strings.Join(words, ",")) // seeded: maporder
		sb.WriteString("\n")
	}
	fmt.Print(sb.String())
}
