// Package language is the table of programming languages: how each is
// recognised, compiled and run.
package language
