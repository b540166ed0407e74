//go:build !amd64

package main

// best returns the fastest kernel that this machine can run.
func best() kernel { return portable }
