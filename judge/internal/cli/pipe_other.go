//go:build !unix

package cli

func ignorePipe() {}
