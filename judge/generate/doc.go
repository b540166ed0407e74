// Package generate makes the test data that generators/generators.yaml
// describes, compares it with the data of the package, and makes inputs that
// grow.
//
// The file is that of BAPCtools (RagnarGrootKoerkamp/BAPCtools, doc/generators.md
// and doc/generators.yaml). Cases get the names and seeds that BAPCtools gives
// them. Where its documentation and its program differ, the program is followed:
// numbers count cases over the whole file, groups within their folder.
//
// Files are made in the sandbox and kept under a hash of all that decides them,
// so nothing is made twice. Pins are the hashes that generated data must have.
package generate
