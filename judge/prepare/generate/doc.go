// Package generate makes the test data that generators/generators.yaml declares,
// compares it with the data of the package, and makes inputs of growing size.
//
// The file has the format of BAPCtools (RagnarGrootKoerkamp/BAPCtools,
// doc/generators.md and doc/generators.yaml). Cases get the same names and seeds as
// in BAPCtools. Where its documentation and its program differ, this package follows
// the program: cases are numbered over the whole file, groups within their folder.
//
// Programs run in the sandbox. Their files are cached under a hash of everything that
// decides the contents, so no file is made twice. Pins are the hashes that generated
// data must have.
package generate
