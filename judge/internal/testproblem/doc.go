// Package testproblem has functions and values that tests of several packages
// share and that need package problem.
package testproblem
