// Package html writes a document of package report as one HTML file with plots,
// which needs no network.
package html
