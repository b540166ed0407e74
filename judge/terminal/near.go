package terminal

import (
	"fmt"
)

// DidYouMean returns ' (did you mean "word"?)' with the known word nearest to a
// mistyped one, or "".
func DidYouMean(given string, known []string) string {
	if best := Nearest(given, known); best != "" {
		return fmt.Sprintf(" (did you mean %q?)", best)
	}
	return ""
}

// Nearest returns the known word with the smallest edit distance to a mistyped
// one, or "" if every distance exceeds two.
func Nearest(given string, known []string) string {
	best, least := "", 3
	for _, k := range known {
		if d := EditDistance(given, k); d < least && d < min(len(given), len(k)) {
			best, least = k, d
		}
	}
	return best
}

// EditDistance returns the number of bytes to insert, delete, replace, or swap with
// the next to change a into b. It returns 64 for words of more than 64 bytes.
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
