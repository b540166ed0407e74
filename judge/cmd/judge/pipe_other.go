//go:build !unix

package main

func ignorePipe() {}
