package page

import (
	"fmt"
	"html/template"
	"net/url"
	"strings"
	"time"

	"crucible/judge/terminal"
)

// A choice is an option of a form.
type choice struct{ Value, Text string }

// functions are those of templates, besides those of the HTML report.
var functions = template.FuncMap{
	"ago":    ago,
	"short":  terminal.Age,
	"when":   func(t time.Time) string { return t.Local().Format("2 Jan 2006 15:04:05") },
	"iso":    func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
	"factor": terminal.Factor,
	"count":  terminal.Count,
	"path":   func(s string) string { return (&url.URL{Path: s}).EscapedPath() },
	"join":   strings.Join,
	"times":  func(a, b int) int { return a * b },
	"list":   func(all ...any) []any { return all },
	"dict": func(pairs ...any) (map[string]any, error) {
		m := make(map[string]any)
		for i := 0; i+1 < len(pairs); i += 2 {
			name, ok := pairs[i].(string)
			if !ok {
				return nil, fmt.Errorf("dict: argument %d is no name", i)
			}
			m[name] = pairs[i+1]
		}
		return m, nil
	},
}

// ago returns how long ago a time was.
func ago(t time.Time) string {
	d := time.Since(t)
	if d < -time.Minute {
		return "at a later time of the clock"
	}
	if d < 2*time.Second {
		return "just now"
	}
	return terminal.Age(d) + " ago"
}
