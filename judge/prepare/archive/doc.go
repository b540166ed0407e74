// Package archive imports and exports packages: zips for other judges, packages
// unpacked into folders, and packages made from pairs of files.
package archive
