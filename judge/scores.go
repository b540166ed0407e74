package judge

import "strings"

// ShownGroups returns the groups of a report to show beside the submission's
// score: the groups below sample and secret, a sample group with a score, and
// groups with an error or a reason why they were not run. Groups without any
// result and data/ are left out.
func ShownGroups(r *Report) []*GroupResult {
	var shown []*GroupResult
	for i := range r.Groups {
		g := &r.Groups[i]
		if g.Verdict == "" && g.Score == nil && g.Err == nil && g.NotRun == "" {
			continue
		}
		counts := g.Name == "sample" && g.Score != nil // in legacy packages
		if strings.Contains(g.Name, "/") || counts || g.Name != "" && (g.Err != nil || g.NotRun != "") {
			shown = append(shown, g)
		}
	}
	return shown
}
