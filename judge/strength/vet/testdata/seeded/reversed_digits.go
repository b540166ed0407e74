package main

import (
	"bufio"
	"fmt"
	"os"
)

type machine struct {
	tape string
	pos  int
}

func (m *machine) push(c byte) {
	m.tape = string(c) + m.tape // seeded: concat
	m.pos++
}

func main() {
	sc := bufio.NewScanner(os.Stdin)
	sc.Buffer(make([]byte, 1<<20), 1<<20)
	sc.Scan()
	m := machine{}
	for _, c := range []byte(sc.Text()) {
		m.push(c)
	}
	fmt.Println(m.tape)
}
