// Package verify tests that a problem package keeps its promises: its format, its
// validators, its data, its expectations and its time limit.
package verify
