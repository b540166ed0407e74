// Package osfile reads, writes and removes files of the judge itself, and
// takes over folders that untrusted programs wrote to.
package osfile
