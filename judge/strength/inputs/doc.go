// Package inputs learns the structure of the inputs of a problem from examples: their
// lines, tokens, lists and blocks, and the numbers that count these. With it, the package
// finds the bounds of quantities in the data, the statement and the input validators
// (BoundSearch), makes new inputs (Mutator), and makes inputs smaller (Shrinker).
package inputs
