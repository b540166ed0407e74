package report

import (
	"math"
	"strconv"
	"strings"

	"crucible/judge"
	"crucible/judge/terminal"
)

// ScoreText writes a score and the most that it can be: "60/100", "33.33/100",
// "1234"; "" if it is not known.
func ScoreText(score, most *float64) string {
	if score == nil {
		return ""
	}
	text := decimals(*score)
	if most != nil {
		text += "/" + decimals(*most)
	}
	return text
}

// decimals writes a score with two decimals at most, rounded down, so that what
// is not all does not look so. The JSON document has all decimals.
func decimals(v float64) string {
	if down := math.Floor(v*100+1e-6) / 100; math.Abs(v) < 1e12 {
		v = down
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// ScoreWidth is how many columns a score takes in a table: "33.33/100". Most is
// the most that it can be; nil is unbounded.
func ScoreWidth(most *float64) int {
	if most == nil {
		return len("12345.67")
	}
	n := len(decimals(*most))
	return n + len(".00/") + n
}

// ShownGroups are those of a report that say more than the submission's own score
// does: not sample and secret, unless they have something to tell.
func ShownGroups(r *judge.Report) []*judge.GroupResult {
	var told []*judge.GroupResult
	for i := range r.Groups {
		g := &r.Groups[i]
		if g.Verdict == "" && g.Score == nil && g.Err == nil && g.NotRun == "" {
			continue
		}
		counts := g.Name == "sample" && g.Score != nil // in legacy packages
		if strings.Contains(g.Name, "/") || counts || g.Name != "" && (g.Err != nil || g.NotRun != "") {
			told = append(told, g)
		}
	}
	return told
}

// Scores says in lines what a submission scores: all in all, and in each group.
// There are none for pass-fail problems.
func Scores(r *judge.Report) []string {
	if r.Score == nil {
		return nil
	}
	lines := []string{"score " + ScoreText(r.Score, r.MaxScore)}
	for _, g := range ShownGroups(r) {
		line := terminal.Clean(g.Name) + "  " + string(g.Verdict)
		if g.NotRun != "" {
			line += terminal.Clean("not run: " + g.NotRun)
		}
		lines = append(lines, line+"  "+ScoreText(g.Score, g.Max))
	}
	return lines
}
