package problem

// A Grading is the way the default grader combines results.
type Grading struct {
	Verdict      string // how verdicts are combined: "worst_error", "first_error" or "always_accept"
	Score        string // how scores are combined: "sum", "avg", "min" or "max"
	IgnoreSample bool   // only the result of secret counts
	AnyAccepted  bool   // one accepted result suffices
}

// GradingOf parses the flags of the default grader (legacy, "Default Grader
// Specification"). It also returns the unknown flags, which have no effect. If flags
// contradict each other, the last one counts. The flag no_errors is an older name of
// worst_error.
func GradingOf(flags []string) (g Grading, unknown []string) {
	g = Grading{Verdict: "worst_error", Score: "sum"}
	for _, flag := range flags {
		switch flag {
		case "no_errors":
			g.Verdict = "worst_error"
		case "worst_error", "first_error", "always_accept":
			g.Verdict = flag
		case "sum", "avg", "min", "max":
			g.Score = flag
		case "ignore_sample":
			g.IgnoreSample = true
		case "accept_if_any_accepted":
			g.AnyAccepted = true
		default:
			unknown = append(unknown, flag)
		}
	}
	return g, unknown
}
