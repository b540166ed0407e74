// Package text has the words of messages: clipped and cleaned text, quoted
// names, signals, and the word that a mistyped one was meant to be.
package text
