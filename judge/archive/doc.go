// Package archive writes and reads packages as a whole: zips for other judges,
// packages taken apart into folders, and packages made from pairs of files.
package archive
