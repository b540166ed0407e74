package problem

// A Grading is how the default grader takes results together.
type Grading struct {
	Verdict      string // "worst_error", "first_error", "always_accept"
	Score        string // "sum", "avg", "min", "max"
	IgnoreSample bool   // the result of secret alone counts
	AnyAccepted  bool   // one that is accepted is enough
}

// GradingOf reads the flags of the default grader, and returns those that it
// does not know, which have no effect. Of those that exclude each other the last
// one counts (legacy, "Default Grader Specification"). The flag no_errors is an
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
