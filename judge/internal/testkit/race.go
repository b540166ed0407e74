//go:build race

package testkit

// The race detector makes byte loops many times slower.
const Raced = true
