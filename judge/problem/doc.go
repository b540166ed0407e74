// Package problem reads and checks problem packages in the ICPC/Kattis format, in
// every version that is in use, from a folder, the split layout of a repository,
// or a zip. It runs no programs. [Locate] finds a package, and [Open] reads and
// checks it and reports every defect with its file and line.
package problem
