package report

import "crucible/judge/bench"

// JSONAgainst is a [bench.Against] in the JSON document.
type JSONAgainst struct {
	Old        JSONSide          `json:"old"`
	New        JSONSide          `json:"new"`
	Metric     bench.Metric      `json:"metric"`
	Threshold  float64           `json:"threshold"`
	Confidence float64           `json:"confidence"`
	Reference  string            `json:"reference"`
	Machine    []JSONDifference  `json:"machine"`
	Unknown    []string          `json:"unknown"`
	Setting    []JSONDifference  `json:"setting"`
	Programs   []JSONMatched     `json:"programs"`
	Left       []JSONLeft        `json:"left"`
	Doubts     []JSONDoubt       `json:"doubts"`
	Counts     JSONAgainstCounts `json:"counts"`
}

// JSONSide is one of the runs of a [JSONAgainst].
type JSONSide struct {
	Name    string     `json:"name"`
	Machine []JSONFact `json:"machine"`
	Looks   int        `json:"looks"`
}

// JSONFact is a [bench.Fact] in the JSON document.
type JSONFact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// JSONDifference is a [bench.Difference] in the JSON document.
type JSONDifference struct {
	Name string `json:"name"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// JSONMatched is a [bench.Matched] in the JSON document.
type JSONMatched struct {
	Problem    string            `json:"problem"`
	Submission string            `json:"submission"`
	Language   string            `json:"language"`
	SameSource bool              `json:"same_source"`
	Lost       string            `json:"lost"`
	Overall    *JSONChange       `json:"overall"`
	Cells      []JSONMatchedCell `json:"cells"`
}

// JSONMatchedCell is a [bench.MatchedCell] in the JSON document.
type JSONMatchedCell struct {
	Case   string      `json:"case"`
	Size   float64     `json:"size"`
	Lost   string      `json:"lost"`
	Found  string      `json:"found"`
	Wrong  string      `json:"wrong"`
	Change *JSONChange `json:"change"`
}

// JSONChange is a [bench.Change] in the JSON document.
type JSONChange struct {
	JSONRatio
	Outcome  bench.Outcome            `json:"outcome"`
	Withheld bool                     `json:"withheld"`
	Old      JSONSummary              `json:"old"`
	New      JSONSummary              `json:"new"`
	Others   map[bench.Metric]float64 `json:"others"`
}

// JSONLeft is a [bench.Leftover] in the JSON document.
type JSONLeft struct {
	Problem string `json:"problem"`
	Name    string `json:"submission"`
	Case    string `json:"case"`
	Why     string `json:"why"`
	Missing bool   `json:"missing"`
}

// JSONAgainstCounts are what decides the exit status of judge compare.
type JSONAgainstCounts struct {
	Regressions int `json:"regressions"`
	Open        int `json:"open"`
	Missing     int `json:"missing"`
}

func jsonAgainst(a *bench.Against) *JSONAgainst {
	if a == nil {
		return nil
	}
	return &JSONAgainst{
		Old: jsonSide(a.Old), New: jsonSide(a.New), Metric: a.Metric, Threshold: a.Threshold, Confidence: a.Confidence, Reference: a.Reference,
		Machine: jsonDifferences(a.Machine), Unknown: present(a.Unknown), Setting: jsonDifferences(a.Setting),
		Programs: each(a.Programs, func(_ int, p *bench.Matched) JSONMatched {
			return JSONMatched{
				Problem: p.Problem, Submission: p.Name, Language: p.Language, SameSource: p.SameSource, Lost: p.Lost, Overall: jsonChange(p.Overall),
				Cells: each(p.Cells, func(_ int, c *bench.MatchedCell) JSONMatchedCell {
					return JSONMatchedCell{c.Case, c.Size, c.Lost, c.Found, c.Wrong, jsonChange(c.Change)}
				}),
			}
		}),
		Left:   each(a.Left, func(_ int, l *bench.Leftover) JSONLeft { return JSONLeft(*l) }),
		Doubts: jsonDoubts(a.Doubts),
		Counts: JSONAgainstCounts{a.Regressions(), a.Open(), a.Missing()},
	}
}

func jsonSide(s *bench.Saved) JSONSide {
	return JSONSide{Name: s.Name, Machine: each(s.Machine, func(_ int, f *bench.Fact) JSONFact { return JSONFact(*f) }), Looks: max(s.Looks, 1)}
}

func jsonDifferences(all []bench.Difference) []JSONDifference {
	return each(all, func(_ int, d *bench.Difference) JSONDifference { return JSONDifference(*d) })
}

func jsonChange(c *bench.Change) *JSONChange {
	if c == nil {
		return nil
	}
	return &JSONChange{*jsonRatio(&c.Ratio), c.Outcome, c.Withheld, jsonSummary(c.Old), jsonSummary(c.New), c.Others}
}
