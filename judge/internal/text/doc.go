// Package text formats text for messages: it clips and escapes untrusted text,
// quotes names, and suggests corrections of mistyped words.
package text

// Map returns the results of f for all elements, in order.
func Map[T any](all []T, f func(T) string) []string {
	texts := make([]string, len(all))
	for i, one := range all {
		texts[i] = f(one)
	}
	return texts
}
