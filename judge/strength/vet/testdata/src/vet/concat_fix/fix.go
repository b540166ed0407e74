package main

import "fmt"

func main() {
	s := ""
	for i := range 1000 {
		s += fmt.Sprint(i) // want `s grows by concatenation`
		if len(s) > 0 {
			s += "," // want `s grows by concatenation`
		}
	}
	fmt.Println(s, s[0])
	t := "not empty"
	for range 1000 {
		t += "." // want `t grows by concatenation`
	}
}
