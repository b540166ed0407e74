// Package record is the one form in which results are stored and sent.
//
// A [Document] is everything that one command of the judge learned. [Write] and
// [Read] are its codec; [Append] and [Parse] are that of its parts, for files that
// grow by lines, as in package history. The facts in a document have types of other
// packages, such as [judge.Run] and [bench.Measurement], whose fields carry the keys.
// A [Key] names all that decides the facts of a run.
//
// # Schema 1
//
// A document is one JSON object. All keys are always present. Times are integers
// in nanoseconds, sizes in bytes; medians of times are not whole, and in seconds.
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
//	  "elapsed_ns": 12345678,            real time of it all; 0 if not known
//	  "problems": [{
//	    "id": "poj3074",
//	    "path": "problems/poj3074",
//	    "error": "",                       why the package could not be opened
//	    "limits": {"cpu_ns", "wall_ns", "memory_bytes", "output_bytes"},   0 is no limit
//	    "cases": ["sample/1"],             those chosen, in order
//	    "submissions": [{                  those judged
//	      "name": "accepted/dlx.go",       the path below submissions/
//	      "language": "go",                "" if unknown
//	      "expected": [{
//	        "cases": "",                   glob of the cases it speaks of; "" is all
//	        "permitted": ["AC"],           every case has one of these
//	        "required": ["AC", "WA", "TLE", "RTE"],  some case has one of these
//	        "score": null,                 or [exact], or [least, most]
//	        "message": "",                 some judge message contains it
//	        "final": [],                   the verdict is one of these; empty is any
//	        "partial": false,              accepted, with less than the best score
//	        "timing": ""                   how it bears on the time limit: "false", "lower", "upper", or "", as the verdicts imply
//	      }],
//	      "verdict": "AC",                 AC WA TLE MLE OLE RTE CE, or "" if skipped or on error
//	      "as_expected": true,             or null: skipped, interrupted or a judge error
//	      "broken": "",                    which expectation is not met, and how
//	      "broken_by": "",                 the case that breaks it; "" if what is required is missing
//	      "error": "",                     the judge's own first failure
//	      "package_error": false,          that failure is the package's fault
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
//	        "diff": null,                  or {"kind", "line", "column", "answer_line", "answer_column", "token", "offset", "want", "got"}, counted from 1
//	        OUTCOME,
//	        "times": [{OUTCOME}],          of each time, if the case was run several times; OUTCOME above is of the one that counts
//	        "stderr": "",                  the start of what the program wrote there
//	        "score": null,                 or what the case earns in its group
//	        "passes": 0,                   how many, in multi-pass problems
//	        "dialogue": [],                or [{"pass", "at_ns", "from", "text"}]; from is "<", the judge, or ">"
//	        "dialogue_cut": false,         more was said
//	        "error": ""                    the judge's own failure
//	      }]
//	    }],
//	    "measurement": null,               or MEASUREMENT, if it was measured and not judged
//	    "comparison": null,                or COMPARISON, what a measurement of kind "bench" comes to
//	    "scaling": null,                   or SCALING, of kind "scale"
//	    "band": null                       or BAND, of kind "limits"
//	  }],
//	  "against": null                      or AGAINST, a comparison of stored runs
//	}
//
// OUTCOME are the facts about one run of a program:
//
//	"cpu_ns", "user_ns", "sys_ns", "wall_ns", "memory_bytes",
//	"waited_ns",                           of wall_ns: for a processor that others had, where the kernel tells
//	"instructions",                        in user space; 0 where they are not counted
//	"output_bytes",                        written to standard output and error
//	"stderr_bytes",                        of them, to standard error
//	"written_bytes",                       written to anything, where that is limited and the kernel tells; else 0
//	"files_bytes",                         left in private files of a box
//	"exit": 0,
//	"signal": "",                          "SIGSEGV"; "" if none
//	"exceeded": "",                        the limit that was passed first: "cpu", "wall", "memory", "output", "written", "files", "file size", "processes"
//	"enforced": {                          the limits that it ran under, which are above the problem's where more is to be learned; 0 is none
//	  "cpu_ns", "wall_ns", "memory_bytes", "output_bytes", "written_bytes", "files_bytes", "file_size_bytes", "processes"
//	}
//
// MEASUREMENT is what was run, and what became of it:
//
//	{
//	  "kind": "bench",                     or "scale", "limits"
//	  "problem": "poj3074",
//	  "limits": {"cpu_ns", "wall_ns", "memory_bytes", "output_bytes"},
//	  "timing": {"resolution_s", "ac_to_limit", "limit_to_tle"},
//	  "seed": "1234",                      of the order; a string, for it has 64 bits
//	  "confidence": 0.95,
//	  "looks": 3,                          how often the numbers were looked at, at most, to end or go on
//	  "submissions": [{
//	    "name", "language", "expected",    as above
//	    "skipped": "",                     why it does not run
//	    "startup": [{OUTCOME}]             of its language's empty program
//	  }],
//	  "cases": [{
//	    "name": "secret/01",
//	    "size": 0                          n, of inputs that grow
//	  }],
//	  "reference": 0,                      the place of the submission that others are to be compared with
//	  "trials": [{                         in the order they ran
//	    "submission": 0, "case": 0,        places in the lists above, from 0
//	    "round": 0,                        trials of one round and case are compared with each other; -1 is a warm-up
//	    "at_ns": 0,                        when it began, from the start of the measurement
//	    "verdict": "AC", "why": "",
//	    OUTCOME,
//	    "error": ""                        the judge's own failure
//	  }],
//	  "doubts": ["..."],                   about the machine meanwhile
//	  "cores": [2],                        the processors that programs were pinned to; empty if they were not
//	  "precision": 0.01,                   how precise ratios were asked to be; 0 if a number of rounds was
//	  "budget_ns": 0,                      of real time; 0 is none
//	  "ended": "precise",                  why there are not more rounds: also "budget", "rounds", "no rivals", or "interrupted", as by a kill
//	  "load": {                            what others did meanwhile
//	    "others", "stolen",                processors that they kept busy; share of the time that the host took, of the core that programs were pinned to or of the machine
//	    "core", "rest"                     how many of the core's processors they kept busy at least, and which share of all others; left out if programs were not pinned, or that is unknown
//	  },
//	  "growth": null                       or, of kind "scale", {"series", "command", "counts", "ended"}: what inputs were made from
//	}
//
// What it comes to rests on SUMMARY, of a sample, and RATIO, of a program's CPU
// time to the reference's. What is not finite, such as an interval's end that
// too few runs leave open, is null.
//
//	{"n", "median", "lo", "hi", "confidence", "min", "max", "doubts": [{"kind", "text"}]}
//	{"n", "ratio", "lo", "hi", "confidence", "claim": "faster", "least", "doubts"}   claim is also "slower", "cannot tell"; least is the smallest difference that so many runs would see
//
// COMPARISON, SCALING and BAND:
//
//	{"rounds", "doubts",
//	 "reference",                          the name of the submission that ratios are to: another one than was asked for, if that was not right
//	 "alone_s": SUMMARY,                   of the geometric means of rounds, of one submission that was measured alone; else null
//	 "programs": [{
//	  "submission", "wrong",               why it has no times; "" if it has
//	  "cells": [{"case", "verdict", "why", "cpu_s", "wall_s", "memory_bytes", "instructions", "ratio"}],   SUMMARYs, and a RATIO or null
//	  "overall",                           RATIO of the geometric mean over all cases, or null
//	  "startup_s"                          SUMMARY or null
//	}]}
//	{"curves": [{
//	  "submission", "wrong",
//	  "points": [{"n", "cpu_s", "memory_bytes", "verdict"}],
//	  "time_s", "memory_bytes",            {"model", "a", "b", "k", "k_lo", "k_hi", "confidence", "why", "others": [{"model", "error"}], "doubts"}
//	  "measured", "largest",               n within the limits: measured, and by the fits, or null
//	  "reach",                             what "largest" is: "size", or why it is null: "any" is, "none" is, "doubtful", "unknown"
//	  "bound",                             what a larger one comes to by the fits: "TLE", "MLE" or ""
//	  "stopped"                            why it got no further
//	}], "crossings": [{"a", "b", "n", "within"}]}   a is faster below n; within, what was measured
//	{"limit_ns", "proposed_ns",
//	  "none",                              why no limit obeys the rule
//	  "violated",                          how the problem's own limit breaks it, a line each
//	  "at_ns",                             the limit that the rows are about
//	  "least_ns", "most_ns",               limits from here to there have both margins; 0 is unbounded
//	  "slowest", "fastest",                {"submission", "case", "time_ns", "stopped", "runs"} or null: that must pass, and that must not
//	  "rows": [{
//	    "submission", "wrong",
//	    "case", "nearest": ["case"],       the one nearest to the limit, and all that the chance is from
//	    "time_s", "stopped",
//	    "bounds",                          "above" its time the limit must be, or "below", "both", ""
//	    "verdict",
//	    "flip": {"p", "lo", "hi", "confidence", "n", "by"}   p is known by "runs", or by the "spread" of its times, or of all ("others")
//	  }],
//	  "languages": [{"language", "submission", "time_ns", "factor", "slowest", "needs"}],   times the limit that its slowest needs
//	  "machines": [{"slower", "limit_ns", "why", "unknown"}],
//	  "doubts"
//	}
//
// AGAINST is of judge compare, whose documents have no problems and an empty
// machine. Numbers are in the metric's unit: seconds, bytes or instructions; or
// without one where they are over those of a reference.
//
//	{
//	  "old", "new",                        {"name", "machine": [{"name", "value"}], "looks"}; a value of "" is not known
//	  "metric": "cpu",                     also "wall", "memory", "instructions"
//	  "threshold": 0.05, "confidence": 0.95,
//	  "reference": "",                     the submission that numbers are over those of, in the same round
//	  "machine": [{"name", "old", "new"}], what differs of the machines
//	  "unknown": ["kernel"],               what is not known of both
//	  "setting": [{"name", "old", "new"}], other differences, such as of compilers
//	  "programs": [{
//	    "problem", "submission", "language",
//	    "same_source": false,              known to be
//	    "lost": "",                        why it does not run any more
//	    "overall",                         CHANGE over all cases, or null
//	    "cells": [{
//	      "case", "size",
//	      "lost": "",                      it was AC, and is this now
//	      "found": "",                     it is AC, and was this
//	      "wrong": "",                     it was not AC, and is this now
//	      "change"                         CHANGE or null
//	    }]
//	  }],
//	  "left": [{"problem", "submission", "case", "why", "missing"}],   not compared; missing if a regression could hide there
//	  "doubts": [{"kind", "text"}],
//	  "counts": {"regressions", "open", "missing"}
//	}
//
// CHANGE is a RATIO, of new to old, with
//
//	"outcome": "regression",               also "held", "open"
//	"withheld": false,                     that it is slower or faster is not claimed: what is known not to have changed differs as much
//	"old", "new",                          SUMMARYs
//	"others": {"memory": 1.02}             ratios of medians by other metrics
//
// A change that could break a reader raises the schema's number; new keys do not.
package record
