package main

import (
	"bufio"
	"os"
	"strconv"
)

func main() {
	sc := bufio.NewScanner(os.Stdin)
	sc.Split(bufio.ScanWords)
	out := bufio.NewWriter(os.Stdout)
	next := func() int {
		sc.Scan()
		v, _ := strconv.Atoi(sc.Text())
		return v
	}
	for q := next(); q > 0; q-- {
		l, r := next(), next()
		out.WriteString(strconv.Itoa((r - l + 1) * (l + r) / 2))
		out.WriteByte('\n')
		out.Flush() // seeded: unbuffered
	}
}
