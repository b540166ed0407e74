package text

import (
	"fmt"
)

// DidYouMean suggests the known word nearest to a mistyped one.
func DidYouMean(given string, known []string) string {
	if best := Nearest(given, known); best != "" {
		return fmt.Sprintf(" (did you mean %q?)", best)
	}
	return ""
}

// Nearest returns the known word that a mistyped one was most likely meant to
// be, or "" if it differs from each in more than two letters.
func Nearest(given string, known []string) string {
	best, least := "", 3
	for _, k := range known {
		if d := EditDistance(given, k); d < least && d < min(len(given), len(k)) {
			best, least = k, d
		}
	}
	return best
}

// EditDistance counts the letters that are inserted, left out, replaced, or
// swapped with the next.
func EditDistance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	var rows [3][]int // the row of i-2 letters of a, of i-1, of i
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
	}
	for j := range rows[2] {
		rows[2][j] = j
	}
	for i := range len(a) {
		rows[0], rows[1], rows[2] = rows[1], rows[2], rows[0]
		rows[2][0] = i + 1
		for j := range len(b) {
			d := rows[1][j]
			if a[i] != b[j] {
				d = 1 + min(d, rows[1][j+1], rows[2][j])
				if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
					d = min(d, 1+rows[0][j-1])
				}
			}
			rows[2][j+1] = d
		}
	}
	return rows[2][len(b)]
}
