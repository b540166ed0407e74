package problem

import (
	"bytes"
	"path"
	"slices"

	"crucible/judge/internal/lazy"
)

var (
	includesTestlib = lazy.Regexp(`(?m)^[ \t]*#[ \t]*include[ \t]*["<]([\w./-]*/)?testlib\.h[">]`)
	validates       = lazy.Regexp(`\bregisterValidation\b`)
	// A define, or a flag of a build script.
	okIsAccepted = lazy.Regexp(`(?m)(?:\b|-D)OK_EXIT_CODE(?:[ \t]+|=)42\b`)
)

// FollowsTestlib reports whether a validator of these files follows the conventions of
// testlib, not those of the format: 0 accepts. One that reads only an input or an answer
// must call registerValidation: other programs may exit with 0 whatever they read.
func FollowsTestlib(files map[string][]byte, input bool) bool {
	includes, registers := false, false
	for name, text := range files {
		inC := slices.Contains(extensionsOfC, path.Ext(name))
		if inC {
			text = withoutComments(text)
		}
		if okIsAccepted().Match(text) {
			return false
		}
		includes = includes || inC && includesTestlib().Match(text)
		registers = registers || inC && path.Base(name) != "testlib.h" && validates().Match(text)
	}
	return includes && (registers || !input)
}

// extensionsOfC are the extensions of files that can include a header.
var extensionsOfC = []string{".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".h", ".hh", ".hpp", ".hxx", ".h++", ".inl"}

// withoutComments returns a text of C or C++ with a space for each comment.
// Literals of strings and characters stay as they are.
func withoutComments(text []byte) []byte {
	kept := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		rest, n := text[i:], 1
		switch {
		case bytes.HasPrefix(rest, []byte("//")):
			n = len(bytes.TrimSuffix(rest[:lengthTo(rest, 2, "\n")], []byte("\n"))) // without the end of the line
			rest = []byte(" ")
		case bytes.HasPrefix(rest, []byte("/*")):
			n = lengthTo(rest, 2, "*/")
			rest = []byte(" ")
		case rest[0] == '"' || rest[0] == '\'':
			for n < len(rest) && rest[n] != rest[0] && rest[n] != '\n' {
				if rest[n] == '\\' {
					n++
				}
				n++
			}
			n = min(n, len(rest))
			rest = rest[:n]
		default:
			rest = rest[:1]
		}
		kept = append(kept, rest...)
		i += n
	}
	return kept
}

// lengthTo returns the length of the text up to and including the first end after
// from, or the length of the text if there is none.
func lengthTo(text []byte, from int, end string) int {
	if i := bytes.Index(text[from:], []byte(end)); i >= 0 {
		return from + i + len(end)
	}
	return len(text)
}
