// Package text formats text for messages: it clips and escapes untrusted text,
// quotes names, and suggests corrections of mistyped words.
package text
