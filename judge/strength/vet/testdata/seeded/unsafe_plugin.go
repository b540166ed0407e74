package main

import (
	"fmt"
	"plugin" // seeded: imports
	"unsafe" // seeded: imports
)

func main() {
	x := 1
	p := (*[8]byte)(unsafe.Pointer(&x))
	if _, err := plugin.Open("x.so"); err == nil {
		fmt.Println("loaded")
	}
	fmt.Println(p[0])
}
