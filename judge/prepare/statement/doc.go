// Package statement renders the statements of problems as HTML pages and as PDF.
//
// A statement is Markdown, LaTeX or PDF (2025-09, "Problem statements"). Markdown is
// parsed by goldmark and LaTeX by this package, which knows the commands that
// statements use; a statement that needs others needs TeX. Formulas of both are
// converted to MathML by Temml. A page loads nothing: its pictures are in it, and its
// content security policy forbids scripts and requests.
//
// Statements are untrusted. [Render] passes every page through a list of allowed
// elements and attributes, and quotes everything else.
package statement
