package main

import (
	"fmt"
	"net/http" // seeded: imports
	"os/exec"  // seeded: imports
)

func main() {
	if r, err := http.Get("http://localhost/"); err == nil {
		r.Body.Close()
	}
	b, _ := exec.Command("uname").Output()
	fmt.Print(string(b))
}
