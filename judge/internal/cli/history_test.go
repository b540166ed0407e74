package cli

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"crucible/judge/record"
)

func TestIsAbout(t *testing.T) {
	h := record.Head{Problems: []record.ProblemHead{{ID: "poj3074", Path: "problems/poj3074", Submissions: []record.SubmissionHead{
		{Name: "accepted/dancing_links.go"}, {Name: "wrong_answer/[odd] ü.py"},
	}}}}
	text, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		args []string
		want bool
	}{
		{[]string{"poj3074"}, true},
		{[]string{"poj*"}, true},
		{[]string{"*"}, true},
		{[]string{"problems/poj3074"}, true},
		{[]string{"problems/poj3074/"}, true},
		{[]string{"accepted/dancing_links.go"}, true},
		{[]string{"dancing_links.go"}, true},
		{[]string{"dancing_links"}, true},
		{[]string{"danc*_links*"}, true},
		{[]string{"{masks,dancing_links}.go"}, true},
		{[]string{"accepted/*"}, true},
		{[]string{"accepted"}, true},
		{[]string{"poj3074/accepted/dancing_links.go"}, true},
		{[]string{"/work/solutions/poj3074/accepted/dancing_links.go"}, true},
		{[]string{"../solutions/poj3074/accepted/dancing_links.go"}, true},
		{[]string{"masks", "dancing_links"}, true},
		{[]string{"* ü.py"}, true},
		{[]string{"poj30"}, false},
		{[]string{"poj3074/accepted/masks.go"}, false},
		{[]string{"/work/solutions/poj2676/accepted/dancing_links.go"}, false},
		{[]string{"masks", "bands"}, false},
	}
	for _, tt := range tests {
		if got := isAbout(&h, tt.args); got != tt.want {
			t.Errorf("isAbout(%q) = %v, expected %v", tt.args, got, tt.want)
		}
		words := wordsOf(tt.args)
		if tt.want && words != nil && !slices.ContainsFunc(words, func(word []byte) bool { return bytes.Contains(text, word) }) {
			t.Errorf("wordsOf(%q) = %q, none of which is in the head", tt.args, words)
		}
	}
}

func TestSinceWhen(t *testing.T) {
	now := time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC)
	tests := []struct {
		text string
		want time.Time // zero expects an error
	}{
		{"2026-01-31", time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)},
		{"90m", now.Add(-90 * time.Minute)},
		{"1d", now.Add(-24 * time.Hour)},
		{"0.5d", now.Add(-12 * time.Hour)},
		{"0s", now},
		{"-1h", time.Time{}},
		{"-1d", time.Time{}},
		{"NaNd", time.Time{}},
		{"1e9d", time.Time{}},
		{"d", time.Time{}},
		{"2026-02-30", time.Time{}},
		{"", time.Time{}},
	}
	for _, tt := range tests {
		got, err := sinceWhen(tt.text, now)
		if (err != nil) != tt.want.IsZero() || err == nil && !got.Equal(tt.want) {
			t.Errorf("sinceWhen(%q) = %v, %v, expected %v", tt.text, got, err, tt.want)
		}
	}
}
