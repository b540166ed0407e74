// Package command has what the commands of the judge share: standard output and errors
// with their exit status, checked arguments, flags with one meaning, and the reports and
// the history that a call writes.
package command
