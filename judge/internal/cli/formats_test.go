package cli

import "testing"

func TestFormatFor(t *testing.T) {
	tests := []struct{ given, want string }{
		{"json", "json"},
		{"out/results.json", "json"},
		{"README.MD", "markdown"},
		{"-", ""},
		{"html", "html"},
		{"runs.csv", "csv"},
		{"htm", ""},
		{"json.txt", "text"},
		{"", ""},
	}
	for _, tt := range tests {
		f, ok := formatFor(tt.given)
		if f.Name != tt.want || ok != (tt.want != "") {
			t.Errorf("formatFor(%q) = %q, %v, expected %q", tt.given, f.Name, ok, tt.want)
		}
	}
}
