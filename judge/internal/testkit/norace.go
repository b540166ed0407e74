//go:build !race

package testkit

const Raced = false
