//go:build race

package testkit

// Raced reports whether the race detector is on. It makes loops over bytes many
// times slower.
const Raced = true
