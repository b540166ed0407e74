package sheet

import (
	"testing"

	"crucible/judge/measure/bench"
)

func TestLanguagesThatNamesDoNotTell(t *testing.T) {
	for _, tt := range []struct{ name, language, want string }{
		{"accepted/a.cpp", "cpp", "accepted/a.cpp"},
		{"accepted/a.py", "python3", "accepted/a.py"},
		{"accepted/vector", "go", "accepted/vector (go)"},
		{"accepted/a.c", "cpp", "accepted/a.c (cpp)"},
		{"accepted/a.unknown", "", "accepted/a.unknown"},
	} {
		if got := withLanguage(&bench.Submission{Name: tt.name, Language: tt.language}); got != tt.want {
			t.Errorf("%s in %q: %q, expected %q", tt.name, tt.language, got, tt.want)
		}
	}
}

func TestConfidenceText(t *testing.T) {
	for level, want := range map[float64]string{0.975: "97.5 %", 0.95: "95 %", 1 - 0.025/8: "99.688 %", 1 - 0.025/2: "98.75 %"} {
		if got := confidenceText(level); got != want {
			t.Errorf("%v: %q, expected %q", level, got, want)
		}
	}
}
