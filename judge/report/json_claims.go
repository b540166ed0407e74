package report

import (
	"crucible/judge/bench"
	"crucible/judge/problem"
	"crucible/judge/stat"
)

// What a measurement comes to, in the JSON document. It is written for readers
// and never read back: [FromJSON] works it out again from the facts.

// JSONComparison is a [bench.Comparison] in the JSON document.
type JSONComparison struct {
	Rounds    int           `json:"rounds"`
	Reference string        `json:"reference"`
	Alone     *JSONSummary  `json:"alone_s"`
	Programs  []JSONProgram `json:"programs"`
	Doubts    []JSONDoubt   `json:"doubts"`
}

// JSONProgram is a [bench.Program] in the JSON document.
type JSONProgram struct {
	Submission string       `json:"submission"`
	Wrong      string       `json:"wrong"`
	Cells      []JSONCell   `json:"cells"`
	Overall    *JSONRatio   `json:"overall"`
	Startup    *JSONSummary `json:"startup_s"`
}

// JSONCell is a [bench.Cell] in the JSON document.
type JSONCell struct {
	Case         string          `json:"case"`
	Verdict      problem.Verdict `json:"verdict"`
	Why          string          `json:"why"`
	CPU          JSONSummary     `json:"cpu_s"`
	Wall         JSONSummary     `json:"wall_s"`
	Memory       JSONSummary     `json:"memory_bytes"`
	Instructions JSONSummary     `json:"instructions"`
	Ratio        *JSONRatio      `json:"ratio"`
}

// JSONInterval is a [stat.Interval] in the JSON document.
type JSONInterval struct {
	Lo         *float64 `json:"lo"`
	Hi         *float64 `json:"hi"`
	Confidence float64  `json:"confidence"`
}

// JSONSummary is a [stat.Summary] in the JSON document.
type JSONSummary struct {
	N      int      `json:"n"`
	Median *float64 `json:"median"`
	JSONInterval
	Min    *float64    `json:"min"`
	Max    *float64    `json:"max"`
	Doubts []JSONDoubt `json:"doubts"`
}

// JSONRatio is a [stat.Ratio] in the JSON document.
type JSONRatio struct {
	N     int      `json:"n"`
	Ratio *float64 `json:"ratio"`
	JSONInterval
	Claim  stat.Claim  `json:"claim"`
	Least  *float64    `json:"least"`
	Doubts []JSONDoubt `json:"doubts"`
}

// JSONDoubt is a [stat.Doubt] in the JSON document.
type JSONDoubt struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}

// JSONScaling is a [bench.Scaling] in the JSON document.
type JSONScaling struct {
	Curves    []JSONCurve    `json:"curves"`
	Crossings []JSONCrossing `json:"crossings"`
}

// JSONCurve is a [bench.Curve] in the JSON document.
type JSONCurve struct {
	Submission string          `json:"submission"`
	Wrong      string          `json:"wrong"`
	Points     []JSONPoint     `json:"points"`
	Time       JSONFit         `json:"time_s"`
	Memory     JSONFit         `json:"memory_bytes"`
	Measured   *float64        `json:"measured"`
	Largest    *float64        `json:"largest"`
	Reach      bench.Reach     `json:"reach"`
	Bound      problem.Verdict `json:"bound"`
	Stopped    string          `json:"stopped"`
}

// JSONPoint is a [bench.Point] in the JSON document.
type JSONPoint struct {
	N       float64         `json:"n"`
	CPU     JSONSummary     `json:"cpu_s"`
	Memory  JSONSummary     `json:"memory_bytes"`
	Verdict problem.Verdict `json:"verdict"`
}

// JSONFit is a [stat.Fit] in the JSON document.
type JSONFit struct {
	Model      stat.Model  `json:"model"`
	A          *float64    `json:"a"`
	B          *float64    `json:"b"`
	K          *float64    `json:"k"`
	Lo         *float64    `json:"k_lo"`
	Hi         *float64    `json:"k_hi"`
	Confidence float64     `json:"confidence"`
	Why        string      `json:"why"`
	Others     []JSONRival `json:"others"`
	Doubts     []JSONDoubt `json:"doubts"`
}

// JSONRival is a [stat.Rival] in the JSON document.
type JSONRival struct {
	Model stat.Model `json:"model"`
	Error *float64   `json:"error"`
}

// JSONCrossing is a [bench.Crossing] in the JSON document.
type JSONCrossing struct {
	A      string   `json:"a"`
	B      string   `json:"b"`
	N      *float64 `json:"n"`
	Within bool     `json:"within"`
}

// JSONBand is a [bench.Band] in the JSON document.
type JSONBand struct {
	Limit     int64            `json:"limit_ns"`
	Proposed  int64            `json:"proposed_ns"`
	None      string           `json:"none"`
	Violated  []string         `json:"violated"`
	At        int64            `json:"at_ns"`
	Least     int64            `json:"least_ns"`
	Most      int64            `json:"most_ns"`
	Slowest   *JSONBound       `json:"slowest"`
	Fastest   *JSONBound       `json:"fastest"`
	Rows      []JSONStance     `json:"rows"`
	Languages []JSONMultiplier `json:"languages"`
	Machines  []JSONElsewhere  `json:"machines"`
	Doubts    []JSONDoubt      `json:"doubts"`
}

// JSONBound is a [bench.Bound] in the JSON document.
type JSONBound struct {
	Submission string `json:"submission"`
	Case       string `json:"case"`
	Time       int64  `json:"time_ns"`
	Stopped    bool   `json:"stopped"`
	Runs       int    `json:"runs"`
}

// JSONStance is a [bench.Stance] in the JSON document.
type JSONStance struct {
	Submission string          `json:"submission"`
	Wrong      string          `json:"wrong"`
	Case       string          `json:"case"`
	Nearest    []string        `json:"nearest"`
	Time       JSONSummary     `json:"time_s"`
	Stopped    bool            `json:"stopped"`
	Bounds     bench.Side      `json:"bounds"`
	Verdict    problem.Verdict `json:"verdict"`
	Flip       JSONChance      `json:"flip"`
}

// JSONChance is a [stat.Chance] in the JSON document.
type JSONChance struct {
	P *float64 `json:"p"`
	JSONInterval
	N  int        `json:"n"`
	By stat.Basis `json:"by"`
}

// JSONMultiplier is a [bench.Multiplier] in the JSON document.
type JSONMultiplier struct {
	Language   string   `json:"language"`
	Submission string   `json:"submission"`
	Time       int64    `json:"time_ns"`
	Factor     *float64 `json:"factor"`
	Slowest    string   `json:"slowest"`
	Needs      *float64 `json:"needs"`
}

// JSONElsewhere is a [bench.Elsewhere] in the JSON document.
type JSONElsewhere struct {
	Slower  float64 `json:"slower"`
	Limit   int64   `json:"limit_ns"`
	Why     string  `json:"why"`
	Unknown bool    `json:"unknown"`
}

func jsonComparison(c *bench.Comparison) *JSONComparison {
	if c == nil {
		return nil
	}
	return &JSONComparison{
		Rounds: c.Rounds, Reference: entrant(c.Measurement, c.Reference), Alone: maybeSummary(c.Alone),
		Programs: each(c.Programs, func(i int, p *bench.Program) JSONProgram {
			return JSONProgram{
				Submission: entrant(c.Measurement, i), Wrong: p.Wrong, Overall: jsonRatio(p.Overall), Startup: maybeSummary(p.Startup),
				Cells: each(p.Cells, func(i int, l *bench.Cell) JSONCell {
					return JSONCell{
						Case: input(c.Measurement, i), Verdict: l.Verdict, Why: l.Why, CPU: jsonSummary(l.CPU), Wall: jsonSummary(l.Wall),
						Memory: jsonSummary(l.Memory), Instructions: jsonSummary(l.Instructions), Ratio: jsonRatio(l.Ratio),
					}
				}),
			}
		}),
		Doubts: jsonDoubts(c.Doubts),
	}
}

func jsonScaling(s *bench.Scaling) *JSONScaling {
	if s == nil {
		return nil
	}
	return &JSONScaling{
		Curves: each(s.Curves, func(i int, c *bench.Curve) JSONCurve {
			return JSONCurve{
				Submission: entrant(s.Measurement, i), Wrong: c.Wrong, Time: jsonFit(&c.Time), Memory: jsonFit(&c.Memory),
				Measured: finite(&c.Measured), Largest: jsonLargest(c), Reach: c.Reach(), Bound: c.Bound, Stopped: c.Stopped,
				Points: each(c.Points, func(_ int, p *bench.Point) JSONPoint {
					return JSONPoint{N: p.N, CPU: jsonSummary(p.CPU), Memory: jsonSummary(p.Memory), Verdict: p.Verdict}
				}),
			}
		}),
		Crossings: each(s.Crossings, func(_ int, c *bench.Crossing) JSONCrossing {
			return JSONCrossing{A: entrant(s.Measurement, c.A), B: entrant(s.Measurement, c.B), N: finite(&c.N), Within: c.Within}
		}),
	}
}

// jsonLargest is the largest size by the fits, if there is one to tell.
func jsonLargest(c *bench.Curve) *float64 {
	if c.Reach() != bench.ReachSize {
		return nil
	}
	return &c.Largest
}

func jsonBand(b *bench.Band) *JSONBand {
	if b == nil {
		return nil
	}
	return &JSONBand{
		Limit: b.Limit.Nanoseconds(), Proposed: b.Proposed.Nanoseconds(), None: b.None,
		Violated: present(b.Violated), At: b.At.Nanoseconds(), Least: b.Least.Nanoseconds(), Most: b.Most.Nanoseconds(),
		Slowest: jsonBound(b.Measurement, b.Slowest), Fastest: jsonBound(b.Measurement, b.Fastest),
		Rows: each(b.Rows, func(i int, s *bench.Stance) JSONStance {
			return JSONStance{
				Submission: entrant(b.Measurement, i), Wrong: s.Wrong, Case: input(b.Measurement, s.Case),
				Nearest: each(s.Nearest, func(_ int, k *bench.CaseIndex) string { return input(b.Measurement, *k) }),
				Time:    jsonSummary(s.Time), Stopped: s.Stopped, Bounds: s.Bounds, Verdict: s.Verdict,
				Flip: JSONChance{P: finite(&s.Flip.P), JSONInterval: jsonInterval(s.Flip.Interval), N: s.Flip.N, By: s.Flip.By},
			}
		}),
		Languages: each(b.Languages, func(_ int, m *bench.Multiplier) JSONMultiplier {
			return JSONMultiplier{Language: m.Language, Submission: entrant(b.Measurement, m.Submission), Time: m.Time.Nanoseconds(), Factor: finite(&m.Factor), Slowest: entrant(b.Measurement, m.Slowest), Needs: finite(&m.Needs)}
		}),
		Machines: each(b.Machines, func(_ int, m *bench.Elsewhere) JSONElsewhere {
			return JSONElsewhere{Slower: m.Slower, Limit: m.Limit.Nanoseconds(), Why: m.Why, Unknown: m.Unknown}
		}),
		Doubts: jsonDoubts(b.Doubts),
	}
}

func jsonBound(m *bench.Measurement, b *bench.Bound) *JSONBound {
	if b == nil {
		return nil
	}
	return &JSONBound{Submission: entrant(m, b.Submission), Case: input(m, b.Case), Time: b.Time.Nanoseconds(), Stopped: b.Stopped, Runs: b.Runs}
}

func jsonFit(f *stat.Fit) JSONFit {
	return JSONFit{
		Model: f.Model, A: finite(&f.A), B: finite(&f.B), K: finite(&f.K),
		Lo: finite(&f.Of.Lo), Hi: finite(&f.Of.Hi), Confidence: f.Of.Confidence, Why: f.Why,
		Others: each(f.Others, func(_ int, r *stat.Rival) JSONRival { return JSONRival{Model: r.Model, Error: finite(&r.Error)} }),
		Doubts: jsonDoubts(f.Doubts),
	}
}

func jsonInterval(i stat.Interval) JSONInterval {
	return JSONInterval{Lo: finite(&i.Lo), Hi: finite(&i.Hi), Confidence: i.Confidence}
}

func jsonSummary(s stat.Summary) JSONSummary {
	return JSONSummary{
		N: s.N, Median: finite(&s.Median), JSONInterval: jsonInterval(s.Interval), Min: finite(&s.Min), Max: finite(&s.Max), Doubts: jsonDoubts(s.Doubts),
	}
}

func maybeSummary(s *stat.Summary) *JSONSummary {
	if s == nil {
		return nil
	}
	j := jsonSummary(*s)
	return &j
}

func jsonRatio(r *stat.Ratio) *JSONRatio {
	if r == nil {
		return nil
	}
	return &JSONRatio{
		N: r.N, Ratio: finite(&r.Ratio), JSONInterval: jsonInterval(r.Interval), Claim: r.Claim, Least: finite(&r.Least), Doubts: jsonDoubts(r.Doubts),
	}
}

func jsonDoubts(doubts []stat.Doubt) []JSONDoubt {
	return each(doubts, func(_ int, d *stat.Doubt) JSONDoubt { return JSONDoubt(*d) })
}

// entrant names a submission of a measurement by its place.
func entrant[I ~int](m *bench.Measurement, i I) string {
	if m == nil || i < 0 || int(i) >= len(m.Submissions) {
		return ""
	}
	return m.Submissions[i].Name
}

// input names a case of a measurement by its place.
func input[I ~int](m *bench.Measurement, i I) string {
	if m == nil || i < 0 || int(i) >= len(m.Cases) {
		return ""
	}
	return m.Cases[i].Name
}

// each returns a list of what is made of each element, which is never nil.
func each[A, B any](list []A, of func(int, *A) B) []B {
	made := make([]B, len(list))
	for i := range list {
		made[i] = of(i, &list[i])
	}
	return made
}
