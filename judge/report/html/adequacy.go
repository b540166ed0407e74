package html

import (
	"fmt"

	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/report/sheet"
	"crucible/judge/strength/adequacy"
	"crucible/judge/terminal"
)

// adequacy fills the part of a problem whose test data was assessed.
func (part *part) adequacy(p *record.Problem) {
	part.judged(p)
	part.Kind = "Test data"
	r := record.Of[*adequacy.Result](p)
	part.Claims = append(adequacyClaims(r), part.Claims...)
	for _, note := range r.Notes {
		part.doubt("", terminal.Clean(note))
	}
	if r.Probe != nil {
		for _, one := range r.Probe.Findings {
			if !one.Certain {
				part.doubt(one.Program, string(one.What)+": "+one.Reason)
			}
		}
	}
	strength := section{Title: "Strength of the test data", Tables: open(sheet.OfAdequacy(r)...)}
	part.Sections = append([]section{strength}, part.Sections...)
}

// adequacyClaims returns the mutation score and the survivors.
func adequacyClaims(r *adequacy.Result) (claims []claim) {
	if r.Mutation != nil && r.Mutation.Scores.Headline.Of > 0 {
		score := r.Mutation.Scores.Headline
		text := fmt.Sprintf("%d of %s killed", score.Killed, terminal.Count(score.Of, "mutant"))
		if score.Share.Lo < score.Share.Hi {
			text += fmt.Sprintf("; of all %d possible ones %s to %s (%s)", r.Mutation.Possible, terminal.Share(score.Share.Lo),
				terminal.Share(score.Share.Hi), terminal.Percent(score.Share.Confidence))
		}
		claims = append(claims, claim{Word: "mutation score", Number: terminal.Share(score.Share.P), Text: text})
	}
	for i := range r.Submissions {
		if s := &r.Submissions[i]; s.Compiled && s.RejectedBy == 0 {
			claims = append(claims, claim{Mark: report.Bad, Word: "survives", Name: s.Name, Text: "no case rejects it"})
		}
	}
	if r.Probe != nil {
		for _, one := range r.Probe.Findings {
			if one.Certain {
				claims = append(claims, claim{Mark: report.Bad, Word: string(one.What), Name: one.Program,
					Text: terminal.Clean(one.Reason)})
			}
		}
	}
	if x := &r.Smallest; len(x.Cases) > 0 {
		text := fmt.Sprintf("%s of CPU time instead of %s; ", terminal.Duration(x.CPU), terminal.Duration(x.CPUAll))
		if x.Proved {
			text += "no smaller set exists"
		} else {
			text += fmt.Sprintf("no set has fewer than %d", x.AtLeast)
		}
		claims = append(claims, claim{Word: "smallest set", Number: fmt.Sprintf("%d of %d cases", len(x.Cases), len(r.Cases)),
			Text: "rejects the same submissions: " + text})
	}
	return claims
}
