// Package strength has the commands of the judge that measure how strong test data is.
package strength
