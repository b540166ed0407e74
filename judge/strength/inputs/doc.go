// Package inputs learns the structure of the inputs of a problem from examples: their
// lines, tokens, lists and blocks, and the numbers that count these. It finds the bounds
// of their quantities, in the data, the statement and the input validators.
package inputs
