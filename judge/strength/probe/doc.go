// Package probe tests what judges submissions: whether the cases reach the bounds of the
// input, and whether input and output validators accept what they must reject, crash,
// take too long, or decide at random. Run does all of it.
package probe
