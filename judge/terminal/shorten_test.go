package terminal

import (
	"strings"
	"testing"
)

func TestShortenedNamesStayApart(t *testing.T) {
	tests := []struct {
		name  string
		names []string
		most  int
		want  []string // nil if they would look alike
	}{
		{"what fits stays", []string{"accepted/a.go", "accepted/b.go"}, 13, []string{"accepted/a.go", "accepted/b.go"}},
		{"both ends are kept", []string{"accepted/very_long_generator.cpp"}, 24, []string{"accepted/very_l…ator.cpp"}},
		{"what differs in the middle is cut elsewhere", []string{"accepted/dancing_links_of_a_generator.cpp", "accepted/dancing_links_of_my_generator.cpp"}, 24,
			[]string{"accepte…_a_generator.cpp", "accepte…my_generator.cpp"}},
		{"or at the start", []string{"accepted/dlx_in_a_generator.cpp", "accepted/dlx_in_the_generator.cpp"}, 20, []string{"…_in_a_generator.cpp", "…n_the_generator.cpp"}},
		{"one name stands twice", []string{"accepted/very_long_generator.cpp", "accepted/very_long_generator.cpp"}, 20, []string{"accepted/ver…tor.cpp", "accepted/ver…tor.cpp"}},
		{"wide letters", []string{"accepted/舞蹈链舞蹈链舞蹈链.cpp"}, 20, []string{"accepted/舞…蹈链.cpp"}},
		{"nothing helps", []string{strings.Repeat("x", 30) + "a" + strings.Repeat("x", 30), strings.Repeat("x", 30) + "b" + strings.Repeat("x", 30)}, 20, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Shorten(tt.names, tt.most)
			if (got == nil) != (tt.want == nil) {
				t.Fatalf("shortened to %q, expected %q", got, tt.want)
			}
			for i, want := range tt.want {
				if short := got[tt.names[i]]; short != want || Width(short) > tt.most {
					t.Errorf("%q is shortened to %q, expected %q", tt.names[i], short, want)
				}
			}
		})
	}
}
