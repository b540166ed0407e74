package main

import "os"

func getc() byte {
	var b [1]byte
	n, _ := os.Stdin.Read(b[:]) // seeded: unbuffered
	if n == 0 {
		return 0
	}
	return b[0]
}

func readInt() int {
	c := getc()
	for c == ' ' || c == '\n' {
		c = getc()
	}
	x := 0
	for c >= '0' && c <= '9' {
		x = x*10 + int(c-'0')
		c = getc()
	}
	return x
}

func main() {
	n, s := readInt(), 0
	for ; n > 0; n-- {
		s += readInt()
	}
	var digits []byte
	for ; s > 0; s /= 10 {
		digits = append(digits, byte('0'+s%10))
	}
	for i := len(digits) - 1; i >= 0; i-- {
		os.Stdout.Write(digits[i : i+1]) // seeded: unbuffered
	}
}
