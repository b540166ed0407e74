package judge

import (
	"fmt"
	"path"
	"strings"
)

// The globs of submissions.yaml and of the command line: "*" stands for any
// characters but "/", braces hold alternatives, and nothing else is special
// (2025-09, "Glob patterns"). A pattern also covers whatever lies below what
// it matches.

// maxAlternatives bounds what braces in one pattern may multiply to.
const maxAlternatives = 1024

// expandBraces writes out a pattern's alternatives: "{a,b}.py" is "a.py" and
// "b.py". Braces nest. The error says what is unbalanced.
func expandBraces(pattern string) ([]string, error) {
	open := strings.IndexByte(pattern, '{')
	if open < 0 {
		if strings.IndexByte(pattern, '}') >= 0 {
			return nil, fmt.Errorf("glob %q: } without {", pattern)
		}
		return []string{pattern}, nil
	}
	if i := strings.IndexByte(pattern[:open], '}'); i >= 0 {
		return nil, fmt.Errorf("glob %q: } without {", pattern)
	}
	depth, start := 0, open+1
	var parts []string
	for i := open; i < len(pattern); i++ {
		switch pattern[i] {
		case '{':
			depth++
		case ',':
			if depth == 1 {
				parts = append(parts, pattern[start:i])
				start = i + 1
			}
		case '}':
			depth--
			if depth > 0 {
				continue
			}
			parts = append(parts, pattern[start:i])
			var all []string
			for _, part := range parts {
				expanded, err := expandBraces(pattern[:open] + part + pattern[i+1:])
				if err != nil {
					return nil, err
				}
				all = append(all, expanded...)
				if len(all) > maxAlternatives {
					return nil, fmt.Errorf("glob %q: more than %d alternatives", pattern, maxAlternatives)
				}
			}
			return all, nil
		}
	}
	return nil, fmt.Errorf("glob %q: { without }", pattern)
}

// checkGlob refuses what the format's globs do not have.
func checkGlob(pattern string) error {
	if pattern == "" {
		return fmt.Errorf("empty glob")
	}
	if strings.Contains(pattern, "**") {
		return fmt.Errorf("glob %q: ** is not supported by the format", pattern)
	}
	_, err := expandBraces(pattern)
	return err
}

// coveredBy reports whether the pattern matches name or a folder above it.
func coveredBy(pattern, name string) bool {
	alternatives, err := expandBraces(pattern)
	if err != nil {
		return false
	}
	for _, alt := range alternatives {
		alt = strings.TrimSuffix(alt, "/")
		for n := name; n != "." && n != "/"; n = path.Dir(n) {
			if matchStars(alt, n) {
				return true
			}
		}
	}
	return false
}

// matchStars matches a pattern whose only special character is "*". It walks
// back to the last star alone, so that its cost is bounded by len(p)·len(s).
func matchStars(p, s string) bool {
	star, mark := -1, 0
	i, j := 0, 0
	for j < len(s) {
		switch {
		case i < len(p) && p[i] == '*':
			star, mark = i, j
			i++
		case i < len(p) && p[i] == s[j]:
			i++
			j++
		case star >= 0 && s[mark] != '/':
			mark++
			i, j = star+1, mark
		default:
			return false
		}
	}
	for i < len(p) && p[i] == '*' {
		i++
	}
	return i == len(p)
}

// GlobCovers reports whether a glob of the format matches name or a folder
// above it. A malformed glob covers nothing.
func GlobCovers(glob, name string) bool { return coveredBy(glob, name) }
