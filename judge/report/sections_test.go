package report_test

import (
	"time"

	"crucible/judge/report"
	"crucible/judge/report/sheet"
)

// The tests of this package are those of documents with sections. The golden files are
// beside those of judged documents.
var (
	golden, reread, uncolor = report.Golden, report.Reread, report.Uncolor
	csvRows, suites         = report.CSVRows, report.Suites
	document, run, yes      = report.TestDocument, report.TestRun, report.Yes
	formats                 = report.FormatsOf(sheet.Writer)
)

const (
	evil = report.Evil
	ms   = time.Millisecond
)
