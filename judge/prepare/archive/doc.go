// Package archive writes packages: zips of packages, packages unpacked into folders, and
// packages made of pairs of inputs and answers or of other files. It also reads the problems
// that Competitive Companion sends.
package archive
