package html

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"crucible/judge/measure/bench"
	"crucible/judge/measure/stat"
	"crucible/judge/record"
	"crucible/judge/terminal"
)

func htmlOf(t *testing.T, d *record.Document) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, d); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var update = flag.Bool("update", false, "write the golden files anew")

func TestGoldenFiles(t *testing.T) {
	for name, d := range map[string]*record.Document{"document": stored("document.json"), "scores": stored("scores.json"), "adequacy": stored("adequacy.json"), "stress": stored("stress.json"), "instructions": instructions()} {
		file, got := filepath.Join("testdata", name+".html"), unscripted([]byte(htmlOf(t, d)))
		if *update {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		expected, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(expected), string(got)); diff != "" {
			t.Errorf("%s (-expected +got, go test -update writes it):\n%s", name, diff)
		}
	}
}

func TestAgainst(t *testing.T) {
	if page := htmlOf(t, changes(six, 9)); !strings.Contains(page, "accepted/dancing_links.go") || !strings.Contains(page, "regression") {
		t.Error("expected the submissions and a regression")
	}
}

func TestInterruptionIsShown(t *testing.T) {
	d := comparison([]string{"a", "b"}, 1, 3, 1, 2)
	for _, ended := range []bench.Ending{bench.AllRounds, bench.Interrupted} {
		record.Of[*bench.Comparison](&d.Problems[0]).Measurement.Ended = ended
		if got, expected := strings.Contains(htmlOf(t, d), "interrupted"), ended == bench.Interrupted; got != expected {
			t.Errorf("ended %q: shown as interrupted: %v, expected %v", ended, got, expected)
		}
	}
}

// unscripted removes the scripts and the style of an HTML page, which are long and the
// same in all pages, and their hashes.
func unscripted(page []byte) []byte {
	return asides.ReplaceAll(page, []byte("$1…$2"))
}

var asides = regexp.MustCompile(`(?s)(<style>|<script[^>]*>|Content-Security-Policy" content=").*?(</style>|</script>|">)`)

// TestHTMLInABrowser checks the same; this test needs no browser.
func TestHTMLNamesAreNoMarkup(t *testing.T) {
	page := htmlOf(t, hostileDocument())
	for part, want := range map[string]int{"<script": 3, "</script>": 3, "<style": 1, "<img": 0, "<!--": 0, "\x00": 0, "\u202e": 0, "\u2028": 0} {
		if got := strings.Count(page, part); got != want {
			t.Errorf("%q occurs %d times, expected %d", part, got, want)
		}
	}
	if strings.ToValidUTF8(page, "") != page {
		t.Error("the page is not UTF-8")
	}
}

func TestHTMLCarriesVegaOnlyForPictures(t *testing.T) {
	tests := []struct {
		name string
		d    *record.Document
		want bool
	}{
		{"nothing", &record.Document{}, false},
		{"a submission that did not run", &record.Document{Problems: stored("document.json").Problems[:1]}, false},
		{"runs", verdicts(1, 1), true},
		{"a comparison", comparison([]string{"a", "b"}, 1, 3, 1, 2), true},
	}
	for _, tt := range tests {
		if got := strings.Contains(htmlOf(t, tt.d), `id="engine"`); got != tt.want {
			t.Errorf("%s: has Vega: %v, expected %v", tt.name, got, tt.want)
		}
	}
}

// scripts/vega compiles pictures.json from the folder pictures.
func TestHTMLPicturesAreCompiled(t *testing.T) {
	read := func(name string) []byte {
		t.Helper()
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	var compiled map[string]struct {
		UserMeta struct {
			Source string `json:"source"`
		} `json:"usermeta"`
	}
	if err := json.Unmarshal(read("pictures.json"), &compiled); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir("pictures")
	if err != nil {
		t.Fatal(err)
	}
	sources := 0
	for _, f := range files {
		name, ok := strings.CutSuffix(f.Name(), ".vl.json")
		if !ok {
			continue
		}
		sources++
		h := sha256.New()
		for _, part := range []string{"config.json", "labels.json", f.Name()} {
			h.Write(read(path.Join("pictures", part)))
		}
		if want := hex.EncodeToString(h.Sum(nil)); compiled[name].UserMeta.Source != want {
			t.Errorf("pictures.json has another %s than pictures/%s: run scripts/vega", name, f.Name())
		}
	}
	if sources != len(compiled) {
		t.Errorf("pictures.json has %d pictures, pictures %d: run scripts/vega", len(compiled), sources)
	}
}

func TestHTMLFramesAreColumns(t *testing.T) {
	f := frameOf("x", "s", "t")
	f.add(0.0123456, "a", nil)
	f.add(12345678.0, "b", nil)
	f.add(123456.0, "a", nil)
	f.add(math.Inf(1), "a", nil)
	got, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"columns":{"s":{"of":["a","b"],"at":[0,1,0,0]},"x":[0.01235,1.235e7,123456,null]},"n":4}`
	if string(got) != want {
		t.Errorf("got      %s\nexpected %s", got, want)
	}
}

func TestHTMLLabelsStayApart(t *testing.T) {
	long := strings.Repeat("x", 100)
	got := labels([]string{"a", "a", "a (2)", long + "1", "y" + long + "1", "\x00"})
	seen := map[string]bool{}
	for _, label := range got {
		if seen[label] || terminal.Width(label) > 44 {
			t.Errorf("labels are %q", got)
		}
		seen[label] = true
	}
}

func TestHTMLClaims(t *testing.T) {
	ratio := func(claim stat.Claim, r, lo, hi float64) *stat.Ratio {
		return &stat.Ratio{N: 20, Ratio: r, Interval: stat.Interval{Lo: lo, Hi: hi, Confidence: 0.975}, Claim: claim, Least: 0.031}
	}
	tests := []struct {
		name               string
		p                  bench.Program
		word, number, text string
	}{
		{"faster", bench.Program{Overall: ratio(stat.Faster, 0.518, 0.51, 0.53)}, "faster", "1.93x", "takes 0.518 of the CPU time of a.go, over 2 cases: 0.510–0.530 (97.5 %), n = 20"},
		{"slower", bench.Program{Overall: ratio(stat.Slower, 1.25, 1.2, 1.3)}, "slower", "1.25x", "takes 1.25 of the CPU time of a.go, over 2 cases: 1.20–1.30 (97.5 %), n = 20"},
		{"cannot tell names the smallest detectable difference", bench.Program{Overall: ratio(stat.CannotTell, 1.002, 0.98, 1.03)}, "cannot tell", "",
			"takes 1.002 of the CPU time of a.go, over 2 cases: 0.980–1.030 (97.5 %), n = 20; smallest detectable difference: 3.1 %"},
		{"too few runs", bench.Program{Overall: ratio(stat.CannotTell, 2, 0, math.Inf(1))}, "cannot tell", "",
			"takes 2.00 of the CPU time of a.go, over 2 cases: too few runs for an interval, n = 20; smallest detectable difference: 3.1 %"},
		{"wrong answers have no time", bench.Program{Wrong: "WA on secret/03"}, "no times", "", "WA on secret/03"},
		{"no times on all cases", bench.Program{Cells: make([]bench.Cell, 2)}, "no ratio", "", "Not every case has times of both programs."},
	}
	for _, tt := range tests {
		c := &bench.Comparison{Measurement: &bench.Measurement{Submissions: []bench.Submission{{Name: "a.go"}, {Name: "b.go"}}, Cases: make([]bench.Input, 2)}, Programs: []bench.Program{{}, tt.p}}
		got := new(part).claimOf(c, 1)
		if got.Word != tt.word || got.Number != tt.number || got.Text != tt.text {
			t.Errorf("%s: %q %q %q, expected %q %q %q", tt.name, got.Word, got.Number, got.Text, tt.word, tt.number, tt.text)
		}
	}
}

// The looks differ without colours: two programs differ in shape or dash, and two marks
// of one picture in shape.
func TestHTMLLooksDiffer(t *testing.T) {
	pictures := map[string][]string{
		"verdicts": {"AC", "WA", "TLE", "MLE", "OLE", "RTE", "CE", "JE"},
		"limits":   {"must", "never", "free"},
		"ratios":   {"faster", "slower", "unclear"},
		"scaling":  {"stopped", "failed"},
		"changes":  {"regression", "gain", "held", "open", "lost", "found"},
	}
	for i := range mostPrograms {
		pictures["programs"] = append(pictures["programs"], programKey(i, mostPrograms))
	}
	for name, keys := range pictures {
		of := make(map[string]string)
		for _, key := range keys {
			l, known := markStyles[key]
			look := fmt.Sprint(l.Shape, l.Dash)
			if !known || shapes[l.Shape] == "" || of[look] != "" {
				t.Errorf("%s: %q looks like %q: %+v", name, key, of[look], l)
			}
			of[look] = key
		}
	}
}

func TestHTMLLabelsOfPairsTellBoth(t *testing.T) {
	long := strings.Repeat("x", 60)
	tests := []struct{ name, where, want string }{
		{"accepted/dlx.cpp", "secret/01", "accepted/dlx.cpp · secret/01"},
		{"accepted/" + long + "1.cpp", "secret/01", "…" + strings.Repeat("x", 20) + "1.cpp · secret/01"},
		{"accepted/dlx.cpp", "secret/" + long, "accepted/dlx.cpp · …" + strings.Repeat("x", 18)},
		{"accepted/" + long + ".cpp", "secret/" + long, "…" + strings.Repeat("x", 16) + ".cpp · …" + strings.Repeat("x", 13)},
	}
	for _, tt := range tests {
		got := pairLabel(tt.name, tt.where)
		if got != tt.want || terminal.Width(got) > labelColumns {
			t.Errorf("%s on %s has the label %q, expected %q", tt.name, tt.where, got, tt.want)
		}
	}
}

func TestHTMLDoubtsOnce(t *testing.T) {
	d := comparison([]string{"accepted/a.go", "accepted/b.go"}, 3, 12, 1, 0.5)
	if got := strings.Count(htmlOf(t, d), record.Of[*bench.Comparison](&d.Problems[0]).Measurement.Doubts[0]); got != 1 {
		t.Errorf("a doubt is shown %d times, expected 1", got)
	}
}

func TestTheRowOverAllCasesIsNamed(t *testing.T) {
	r := &stat.Ratio{Ratio: 0.5, N: 20, Claim: stat.Faster}
	m := &bench.Measurement{Kind: bench.ForBench, Submissions: []bench.Submission{{Name: "accepted/a.go"}, {Name: "accepted/b.go"}}, Cases: []bench.Input{{Name: "secret/1"}, {Name: "secret/2"}}}
	c := &bench.Comparison{Measurement: m, Programs: []bench.Program{
		{Cells: make([]bench.Cell, 2)}, {Overall: r, Cells: []bench.Cell{{Ratio: r}, {Ratio: r}}},
	}}
	section := ratioSection(&record.Problem{Sections: record.Sections{"measurement": m, "comparison": c}})
	if len(section.Pictures) != 1 {
		t.Fatalf("%d pictures, expected 1", len(section.Pictures))
	}
	if got := section.Pictures[0].Data["rows"].rows[0][0]; got != "all cases" {
		t.Errorf("the first row is named %q, expected all cases", got)
	}
}

func TestPowersRaisesModels(t *testing.T) {
	for text, want := range map[string]string{
		"n^1.98 ?":              "n<sup>1.98</sup> ?",
		"1.2 ms + 3 ns·1.31^n":  "1.2 ms + 3 ns·1.31<sup>n</sup>",
		"that n^k has, <b>n^2":  "that n<sup>k</sup> has, &lt;b&gt;n<sup>2</sup>",
		"main^2.cpp, a^b, n^<b": "main^2.cpp, a^b, n^&lt;b",
	} {
		if got := string(powers(text)); got != want {
			t.Errorf("powers(%q) = %q, expected %q", text, got, want)
		}
	}
}
