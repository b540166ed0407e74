// Package testkit has functions and values that tests of several packages share.
// It does not import package problem, so that tests of problem can use it.
package testkit
