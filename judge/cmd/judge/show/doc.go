// Package show has the commands of the judge that show a problem to its readers: its
// statement and pictures of its test cases.
package show
