// Package testkit has what tests of several packages share, below package
// problem.
package testkit
