// Package testproblem has what tests of several packages share,
// above package problem.
package testproblem
