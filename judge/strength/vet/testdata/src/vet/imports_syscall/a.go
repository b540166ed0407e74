package main

import "syscall"

func main() {
	var text [4096]byte
	n, err := syscall.Read(syscall.Stdin, text[:])
	for err == syscall.EINTR {
		n, err = syscall.Read(0, text[:])
	}
	syscall.Write(syscall.Stdout, text[:n])
	syscall.Exit(0)
}
