package problem

// A Grading is the way the default grader combines results.
type Grading struct {
	Verdict      string // "worst_error", "first_error", "always_accept"
	Score        string // "sum", "avg", "min", "max"
	IgnoreSample bool   // only the result of secret counts
	AnyAccepted  bool   // one accepted result suffices
}

// GradingOf parses the flags of the default grader, and returns the unknown
// flags, which have no effect. Of contradicting flags the last one counts (legacy, "Default Grader Specification"). The flag no_errors is an
// older name of worst_error.
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
