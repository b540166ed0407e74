package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
)

func main() {
	rd := bufio.NewReader(os.Stdin)
	var n int
	fmt.Fscan(rd, &n)
	var ans string
	emit := func(x int) {
		if len(ans) > 0 {
			ans += " " // seeded: concat
		}
		ans += strconv.Itoa(x) // seeded: concat
	}
	for i := 2; n > 1; i++ {
		for n%i == 0 {
			emit(i)
			n /= i
		}
	}
	fmt.Println(ans)
}
