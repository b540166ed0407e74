// Package problem reads problem packages in the ICPC/Kattis format, in
// every version of it that is in use, from a folder, the split layout of a
// repository, or a zip. It runs nothing. [Locate] finds a package and [Open] reads
// and checks it; every defect is named by file and line.
package problem
