//go:build race

package check

// The race detector makes byte loops many times slower.
const raced = true
