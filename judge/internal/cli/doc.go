// Package cli is the command line of the judge: the commands that judge, test and write a
// problem, and what all commands share, such as flags with one meaning, the choice of
// problems and submissions by arguments, the display of progress, and the reports and the
// history that a call writes.
package cli
