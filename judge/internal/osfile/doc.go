// Package osfile reads, writes and removes the judge's own files, and handles
// folders that untrusted programs wrote to.
package osfile
