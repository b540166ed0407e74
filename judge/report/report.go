// Package report writes what a judge learned as text, Markdown, JSON and JUnit.
//
// All formats are functions of a [Document] and nothing else; [Formats] lists
// them. Whatever a submission wrote is hostile, and no format lets it through
// as more than text: [Clean] for a terminal, code spans in Markdown, scrubbed
// characters in XML, valid UTF-8 in JSON.
//
// # JSON
//
// The document is one object, which decodes into [JSON]. All keys are
// always present. Times are integers in nanoseconds, sizes in bytes.
//
//	{
//	  "schema": 1,
//	  "machine": {
//	    "os": "linux", "arch": "amd64",
//	    "cpu": "AMD EPYC 9B14",            "" if unknown
//	    "cores": 2,
//	    "kernel": "6.12.48",               "" if unknown
//	    "go": "go1.26.8",
//	    "protection": "process",           how programs were confined, "" if nothing ran
//	    "not_enforced": ["network"],       what was not
//	    "pinned": false,                   each program had a core of its own
//	    "fixed_addresses": false           and the same addresses on every run
//	  },
//	  "problems": [{
//	    "id": "poj3074",
//	    "path": "problems/poj3074",
//	    "error": "",                       why the package could not be opened
//	    "limits": {"cpu_ns", "wall_ns", "memory_bytes", "output_bytes"},   0 is no limit
//	    "submissions": [{
//	      "name": "accepted/dlx.go",       the path below submissions/
//	      "language": "go",                "" if unknown
//	      "expected": [{
//	        "cases": "",                   glob of the cases it speaks of; "" is all
//	        "permitted": ["AC"],           every case has one of these
//	        "required": ["AC", "WA", "TLE", "RTE"],  some case has one of these
//	        "score": null,                 or [exact], or [least, most]
//	        "message": "",                 some judge message contains it
//	        "final": [],                   the verdict is one of these; empty is any
//	        "partial": false               accepted, with less than the best score
//	      }],
//	      "verdict": "AC",                 AC WA TLE MLE OLE RTE CE, or "" if skipped or on error
//	      "as_expected": true,             or null: skipped, interrupted or a judge error
//	      "broken": "",                    which expectation is not met, and how
//	      "error": "",                     the judge's own first failure
//	      "skipped": "",                   why it was not judged
//	      "score": null,                   or a number, of scoring problems
//	      "max_score": null,               or the most that it can be
//	      "groups": [{                     of scoring problems
//	        "name": "secret/1",            "" is all of the data, in legacy packages
//	        "verdict": "AC",               "" if not known
//	        "score": null,                 or a number
//	        "max_score": null,             or a number
//	        "not_run": "",                 why it is not run, which makes its score 0
//	        "error": ""                    the judge's own failure
//	      }],
//	      "compile": {"exit": 0, "message": "", "cached": true},
//	      "runs": [{
//	        "case": "secret/01",
//	        "verdict": "AC",               "" on error
//	        "why": "",                     one line; "" when accepted
//	        "diff": null,                  or {"line", "column", "want", "got"}, counted from 1
//	        "cpu_ns", "user_ns", "sys_ns", "wall_ns", "memory_bytes",
//	        "instructions",                in user space; 0 where they are not counted
//	        "exit": 0,
//	        "signal": "",                  "SIGSEGV"; "" if none
//	        "score": null,                 or what the case earns in its group
//	        "passes": 0,                   how many, in multi-pass problems
//	        "dialogue": [],                or [{"pass", "at_ns", "from", "text"}]; from is "<", the judge, or ">"
//	        "error": ""                    the judge's own failure
//	      }]
//	    }]
//	  }]
//	}
//
// A change that could break a reader raises the schema's number; new keys do not.
package report

import (
	"time"

	"crucible/judge"
)

// A Document is everything one call of the judge learned.
type Document struct {
	Machine  Machine
	Problems []Problem
	Elapsed  time.Duration // real time of it all; 0 if not known
}

// A Problem is one problem's part of a [Document].
type Problem struct {
	ID, Path string
	Err      error        // the package could not be opened; then the fields below are empty
	Limits   judge.Limits // those that were judged under
	Cases    []string     // names of the cases chosen, in order; a submission may stop before the last
	Reports  []*judge.Report
}

// A Standing says how a submission stands against its expectation.
type Standing string

const (
	AsExpected Standing = "ok"
	Unexpected Standing = "FAIL"
	Skipped    Standing = "skip"
	JudgeError Standing = "JE"   // the judge failed, and so the question is open
	Unfinished Standing = "stop" // interrupted before the question was decided
)

// StandingOf says how a report stands. A failure of the judge outweighs a
// broken expectation, which may be its consequence.
func StandingOf(r *judge.Report) Standing {
	switch {
	case r.Skipped != "":
		return Skipped
	case r.JudgeError() != nil:
		return JudgeError
	case r.AsExpected == nil:
		return Unfinished
	case *r.AsExpected:
		return AsExpected
	}
	return Unexpected
}
