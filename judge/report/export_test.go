package report

// For the tests of what package sheet adds.
var (
	FormatsOf    = formatsOf
	Golden       = golden
	Reread       = reread
	Uncolor      = uncolor
	CSVRows      = csvRows
	Suites       = suites
	TestDocument = document
	TestRun      = run
	Yes          = yes
)

const Evil = evil
