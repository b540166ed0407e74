// Package problem reads and checks problem packages in the ICPC/Kattis format, in
// every version that is in use, from a folder, the split layout of a repository,
// or a zip. It runs no programs. [OpenDir] finds, reads and checks a package and
// reports every defect with its file and line; it is [Locate] and [Open].
package problem
