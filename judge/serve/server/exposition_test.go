package server

import (
	"strings"
	"testing"
)

func TestTextOfFigures(t *testing.T) {
	runs := newFamily("counter", "runs_total", "Runs by verdict.", "verdict", "worker")
	runs.add(1, "WA", "b")
	runs.add(2, "AC", "a \"quoted\\\" one\nand \xff")
	runs.add(0.5, "AC", "a \"quoted\\\" one\nand \xff")
	took := newFamily("histogram", "took_seconds", "Time.", "route")
	took.observe(0.001, "/")
	took.observe(0.003, "/")
	took.observe(1e4, "/")
	var w strings.Builder
	newFamily("gauge", "nothing", "No figure.").write(&w)
	runs.write(&w)
	took.write(&w)
	begin := `# HELP runs_total Runs by verdict.
# TYPE runs_total counter
runs_total{verdict="AC",worker="a \"quoted\\\" one\nand ` + "\uFFFD" + `"} 2.5
runs_total{verdict="WA",worker="b"} 1
# HELP took_seconds Time.
# TYPE took_seconds histogram
took_seconds_bucket{route="/",le="0.001"} 1
took_seconds_bucket{route="/",le="0.002"} 1
took_seconds_bucket{route="/",le="0.004"} 2
`
	end := `took_seconds_bucket{route="/",le="1048.576"} 2
took_seconds_bucket{route="/",le="+Inf"} 3
took_seconds_sum{route="/"} 10000.004
took_seconds_count{route="/"} 3
`
	if got := w.String(); !strings.HasPrefix(got, begin) || !strings.HasSuffix(got, end) {
		t.Errorf("got\n%sexpected\n%s…\n%s", got, begin, end)
	}
}
