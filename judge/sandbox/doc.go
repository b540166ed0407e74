// Package sandbox runs one program under limits and states what became of it.
// It has never heard of a verdict.
package sandbox
