// Package verify tests what a problem package promises: its format, its
// validators, its data, its expectations and its time limit.
package verify
