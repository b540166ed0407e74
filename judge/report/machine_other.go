//go:build !linux

package report

func hardware() (cpu, kernel string) { return "", "" }
