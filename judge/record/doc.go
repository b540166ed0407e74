// Package record defines the one form in which results are stored and sent.
//
// A [Document] contains the results of one command of the judge. [Write] and [Read]
// encode and decode it. [Append] and [Parse] do the same for its parts, for files to
// which lines are appended, as in the history. The facts in a document have types
// of other packages, such as [judge.Run]; their fields define the keys. Other packages
// measure and encode [Sections]; whoever reads a document names those that it needs, and
// all others are written as they were read. A [Key] identifies everything that decides the
// facts of a run.
//
// # Schema 1
//
// A document is one JSON object. All keys are always present, except where noted.
// Times are integers in nanoseconds (_ns), sizes are integers in bytes. Statistics of
// times are numbers in seconds (_s). Lists are never null.
//
//	{
//	  "schema": 1,
//	  "machine": {
//	    "os": "linux", "arch": "amd64",
//	    "cpu": "AMD EPYC 9B14",            "" if unknown
//	    "cores": 2,
//	    "kernel": "6.12.48",               "" if unknown
//	    "go": "go1.26.8",
//	    "protection": "process",           the sandbox level; "" if nothing ran
//	    "not_enforced": ["network"],       the resources and accesses that this level does not limit, count or prevent
//	    "pinned": false,                   each program had a core of its own
//	    "fixed_addresses": false,          programs had the same memory addresses in every run
//	    "counter": "qemu-x86_64 version 7.2.22"   what counted instructions, if they were the clock; else the key is
//	                                              missing
//	    "self_test": {                     what judge doctor --self-test last found here; the key is missing if it was
//	                                       not run
//	      "made_at": "2026-11-22T10:00:00Z",
//	      "checks": [{
//	        "of": "CPU time",              or "wall time", "memory"
//	        "true": 0.1,                   the known cost of a program, in seconds or bytes
//	        "median": 0.0002,              the median error of the reported cost, in the same unit
//	        "error": {"lo", "hi", "confidence"},   the interval of that median
//	        "runs": 9
//	      }]
//	    }
//	  },
//	  "elapsed_ns": 12345678,            wall-clock time of the command; 0 if not known
//	  "problems": [{
//	    "id": "poj3074",
//	    "path": "problems/poj3074",
//	    "error": "",                       why the package could not be opened or judged; "" if it was
//	    "limits": {"cpu_ns", "wall_ns", "memory_bytes", "output_bytes"},   0 is no limit
//	    "cases": ["sample/1"],             the chosen cases, in order
//	    "submissions": [{                  the judged submissions
//	      "name": "accepted/dlx.go",       the path below submissions/
//	      "language": "go",                "" if unknown
//	      "expected": [{                   the expectations of the author
//	        "cases": "",                   glob of the cases or groups that the expectation applies to; "" is all
//	        "permitted": ["AC"],           every case has one of these verdicts
//	        "required": ["AC", "WA", "TLE", "RTE"],  at least one case has one of these verdicts
//	        "score": null,                 or [exact], or [least, most]
//	        "message": "",                 at least one judge message contains it
//	        "final": [],                   the verdict is one of these; an empty list permits any
//	        "partial": false,              accepted, with less than the maximum score
//	        "timing": ""                   bound of the time limit: "false" (none), "lower", "upper", or "" (derived
//	                                       from the verdicts)
//	      }],
//	      "verdict": "AC",                 AC WA TLE MLE OLE RTE CE; "" if skipped or after a judge error
//	      "as_expected": true,             null if skipped, interrupted or after a judge error
//	      "broken": "",                    which expectation is not met, and why
//	      "broken_by": "",                 the case that breaks it; "" if a required verdict is missing
//	      "error": "",                     the first error of the judge
//	      "package_error": false,          the package caused that error
//	      "skipped": "",                   why the submission was not judged; "" if it was
//	      "score": null,                   or a number, for scoring problems
//	      "max_score": null,               or the maximum score; null is unbounded
//	      "groups": [{                     for scoring problems
//	        "name": "secret/1",            "" is all of the data, in legacy packages
//	        "verdict": "AC",               "" if not known
//	        "score": null,                 or a number
//	        "max_score": null,             or a number
//	        "not_run": "",                 why the group was not run, so its score is 0; "" if it was
//	        "error": ""                    the error of the judge
//	      }],
//	      "compile": {"exit": 0, "message": "", "cached": true},
//	      "runs": [{
//	        "case": "secret/01",
//	        "verdict": "AC",               "" after a judge error
//	        "why": "",                     the reason for the verdict, one line; "" if accepted
//	        "diff": null,                  or {"kind", "line", "column", "answer_line", "answer_column", "token",
//	                                       "offset", "want", "got"}; lines and columns count from 1
//	        OUTCOME,
//	        "times": [{OUTCOME}],          all executions, if the case was run several times; OUTCOME above is the one
//	                                       that counts
//	        "stderr": "",                  the start and the end of the program's standard error
//	        "score": null,                 or the score of the case in its group
//	        "passes": 0,                   the number of passes, for multi-pass problems
//	        "dialogue": [],                the interaction log: [{"pass", "at_ns", "from", "text"}]; from is "<" (the
//	                                       judge) or ">" (the submission)
//	        "dialogue_cut": false,         the log is incomplete
//	        "interactor_stderr": "guess 1\n",
//	                                        what the output validator wrote to standard error, with an interaction log;
//	                                        else the key is missing
//	        "retried": "TLE beside 3 other programs: used 1.02 s CPU, within 5 % of the limit",
//	                                        why the case was run again alone, or by another worker; else the key is
//	                                        missing. "times" has all attempts
//	        "doubt": "TLE: used 1.02 s CPU, limit 1 s; ...",
//	                                        why the verdict may be another one on another machine, if there was no other
//	                                        worker to run the case again; else the key is missing
//	        "stored_at": "2026-11-22T10:00:00Z",
//	                                        when the run was made, if it is a stored one that was not made again; else
//	                                        the key is missing
//	        "stored_age_ns": 60000000000,  how long before its use that was; only with stored_at
//	        "made_again": "its CPU ...",   why a stored run was not used; the key is missing if there was none
//	        "other_attempts": [{"verdict", "why", "cpu_ns", "wall_ns", "worker"}],   attempts that do not count,
//	                                        if the verdict was tried again or if they have different verdicts; else the
//	                                        key is missing
//	        "uncounted": "",               why the instructions of an accepted run could not be counted; the key is
//	                                       missing if that is ""
//	        "worker": "a1",                the worker that made the run; the key is missing if this process made it
//	        "error": ""                    the error of the judge
//	      }]
//	    }],
//	    SECTIONS                           of other packages, of which these four are always present:
//	    "measurement": null,               or MEASUREMENT, if submissions were measured and not judged
//	    "comparison": null,                or COMPARISON, for a measurement of kind "bench"
//	    "scaling": null,                   or SCALING, for kind "scale"
//	    "band": null                       or BAND, for kind "limits"
//	    "adequacy", "stress"               if they were measured
//	  }],
//	  "against": null                      or AGAINST, a comparison of stored runs
//	}
//
// OUTCOME contains the facts about one execution of a program:
//
//	"cpu_ns", "user_ns", "sys_ns", "wall_ns", "memory_bytes",
//	"waited_ns",                           part of wall_ns: other programs used the processors; only where the kernel
//	                                       reports it
//	"instructions",                        executed in user space; 0 if the machine does not count them
//	"output_bytes",                        written to standard output and standard error
//	"stderr_bytes",                        part of output_bytes: written to standard error
//	"written_bytes",                       written to any file; 0 if not limited, or if the kernel does not report it
//	"files_bytes",                         left in the private folders of a box
//	"exit": 0,                             exit status; -1 if a signal ended the program
//	"signal": "",                          "SIGSEGV"; "" if none
//	"beside": 3,                           the largest number of other programs of the judge that ran at the same time;
//	                                       the key is missing if it ran alone
//	"exceeded": "",                        the limit that was exceeded first: "cpu", "wall", "memory", "output",
//	                                       "written", "files", "file size", "processes"
//	"enforced": {                          the limits of the execution, which may be above those of the problem; 0 is no
//	                                       limit
//	  "cpu_ns", "wall_ns", "memory_bytes", "output_bytes", "written_bytes", "files_bytes", "file_size_bytes", "processes"
//	}
//
// MEASUREMENT contains what was run, and the results:
//
//	{
//	  "kind": "bench",                     or "scale", "limits"
//	  "clock": "instructions",             what is compared; the key is missing if it is CPU time
//	  "problem": "poj3074",
//	  "limits": {"cpu_ns", "wall_ns", "memory_bytes", "output_bytes"},
//	  "timing": {"resolution_s", "ac_to_limit", "limit_to_tle"},
//	  "seed": "1234",                      of the random order; a string, because it has 64 bits
//	  "confidence": 0.95,                  of all claims together
//	  "looks": 3,                          the maximum number of interim evaluations, which decide whether to end
//	  "submissions": [{
//	    "name", "language", "expected",    as above
//	    "skipped": "",                     why the submission was not run; "" if it was
//	    "command": ["g++"],                the command of the compiler; the key is missing if nothing was compiled
//	    "startup": [{OUTCOME}]             of the empty program of its language
//	  }],
//	  "cases": [{
//	    "name": "secret/01",
//	    "size": 0                          n of a generated input of growing size; 0 otherwise
//	  }],
//	  "reference": 0,                      index of the requested reference in the submissions
//	  "trials": [{                         in the order in which they ran
//	    "submission": 0, "case": 0,        indexes in the lists above, from 0
//	    "round": 0,                        trials of the same round and case are compared; -1 is a warm-up
//	    "at_ns": 0,                        start of the trial, since the start of the measurement
//	    "verdict": "AC", "why": "",
//	    OUTCOME,
//	    "error": ""                        the error of the judge
//	  }],
//	  "doubts": ["..."],                   warnings about the measurement
//	  "cores": [2],                        the processors that programs were pinned to; empty if none
//	  "precision": 0.01,                   the requested half-width of intervals of ratios; 0 if a number of rounds was
//	                                       requested
//	  "budget_ns": 0,                      wall-clock time for all rounds; 0 is no limit
//	  "ended": "precise",                  why the measurement ended: also "budget", "rounds", "no rivals", or
//	                                       "interrupted" (also for a killed judge)
//	  "load": {                            load by other programs during the measurement
//	    "others",                          average number of processors that they kept busy
//	    "stolen",                          share of the time that the host took, of the cores with pinned programs or of
//	                                       the machine
//	    "core",                            on cores with pinned programs: the number of processors that they kept busy,
//	                                       a lower bound; omitted if not known
//	    "rest"                             the share of the time of all other processors that they used; omitted if 0 or
//	                                       not known
//	  },
//	  "growth": null                       or, for kind "scale", how inputs were made: {"series", "command", "counts",
//	                                       "ended"}
//	}
//
// COMPARISON, SCALING, BAND and AGAINST contain SUMMARY, of a sample, and RATIO, of
// the CPU time of a program to that of the reference, or of the instructions if they are
// the clock. A number that is not finite is null, such as an unbounded end of an interval.
// An interval of counts that repeat exactly has equal ends and a confidence of 1.
//
//	{"n", "median", "lo", "hi", "confidence", "min", "max", "doubts": [{"kind", "text"}]}
//	{"n", "ratio", "lo", "hi", "confidence",
//	 "claim": "faster",                    or "slower", "cannot tell"; "equal" for counts that repeat exactly
//	 "least",                              the smallest difference that this number of runs detects with a probability
//	                                       of 80 %
//	 "doubts"}
//
// COMPARISON, SCALING and BAND:
//
//	{"rounds", "doubts",
//	 "reference",                          name of the submission that ratios are relative to; not the requested one if
//	                                       that one failed
//	 "alone_s": SUMMARY,                   of the geometric means of rounds, if one submission was measured alone and
//	                                       the clock is CPU time; else null
//	 "alone_instructions": SUMMARY,        likewise, if the clock is instructions; else the key is missing
//	 "programs": [{
//	  "submission", "wrong",               wrong is the reason why times are missing; "" if none are
//	  "cells": [{"case", "verdict", "why", "cpu_s", "wall_s", "memory_bytes", "instructions", "ratio"}],   SUMMARYs,
//	                                        and a RATIO or null
//	  "overall",                           RATIO of the geometric mean over all cases, or null
//	  "total_ratio",                       ratio of the sums of the cases' medians; this key and the next are missing if
//	                                       there is one case, or no overall
//	  "fastest_case", "slowest_case",      the cases with the smallest and the largest ratio: {"case", "ratio"}
//	  "startup_s"                          SUMMARY or null
//	}]}
//	{"curves": [{
//	  "submission", "wrong",               as above
//	  "points": [{"n", "cpu_s", "memory_bytes",
//	    "instructions",                    SUMMARY; the key is missing if they are not the clock, or are not known
//	    "verdict"}],
//	  "time_s", "memory_bytes",            the fits: {"model", "a", "b", "k", "k_lo", "k_hi", "confidence", "why",
//	                                       "others": [{"model", "error"}], "doubts"}
//	  "instructions",                      a fit as above; the key is missing if they are not the clock
//	  "measured",                          the largest measured n within the limits
//	  "largest",                           the largest n within the limits by the fits, or null
//	  "reach",                             "size" if largest is a number; otherwise the reason: all sizes are within the
//	                                       limits ("any"), no size is ("none"), "doubtful", "unknown"
//	  "bound",                             the verdict of a larger n by the fits: "TLE", "MLE" or ""
//	  "stopped"                            why larger sizes were not measured
//	}],
//	"crossings": [{"a", "b", "n",          a is faster below n, b is faster above n
//	  "within"}]}                          n is in the range of the measured sizes
//	{"limit_ns", "proposed_ns",            the time limit of the problem, and the proposed one
//	  "none",                              why no limit obeys the rule; "" if one does
//	  "violated",                          how the limit of the problem breaks the rule, one line each
//	  "at_ns",                             the limit that the rows refer to
//	  "least_ns", "most_ns",               the limits between these have both margins; 0 is unbounded
//	  "slowest", "fastest",                the slowest that must pass, the fastest that must not: {"submission", "case",
//	                                       "time_ns", "stopped", "runs"} or null
//	  "rows": [{
//	    "submission", "wrong",
//	    "case", "nearest": ["case"],       the case that decides the verdict, and the cases from which flip is estimated
//	    "time_s", "stopped",               stopped: runs were stopped, so the time is a lower bound
//	    "bounds",                          the limit must be "above" the time, "below" it, "both" (on different cases),
//	                                       or ""
//	    "verdict",
//	    "flip": {"p", "lo", "hi", "confidence", "n", "by"}
//	                                       the probability that another run changes the verdict; by is the method:
//	                                       "runs", "spread" or "others"
//	  }],
//	  "languages": [{"language", "submission", "time_ns", "factor", "slowest",
//	    "needs"}],                         the multiplier of the limit that the slowest submission of the language needs
//	  "machines": [{"slower", "limit_ns", "why", "unknown"}],   limits on machines of other speeds
//	  "doubts"
//	}
//
// AGAINST is the result of judge compare. Its document has no problems and an empty
// machine. Numbers are in the unit of the metric (seconds, bytes or instructions) or,
// if there is a reference, ratios to the reference.
//
//	{
//	  "old", "new",                        {"name", "machine": [{"name", "value"}], "counter", "looks"}; a value of ""
//	                                       is not known; counter is as in the machine above
//	  "metric": "cpu",                     or "wall", "memory", "instructions"
//	  "threshold": 0.05, "confidence": 0.95,
//	  "reference": "",                     numbers are divided by those of this submission in the same round; "" if none
//	  "machine": [{"name", "old", "new"}], differences of the machines
//	  "unknown": ["kernel"],               facts about the machine that are not known of both runs
//	  "setting": [{"name", "old", "new"}], other differences, such as versions of compilers
//	  "programs": [{
//	    "problem", "submission", "language",
//	    "old_command", "new_command",      of the compiler; a key is missing if nothing was compiled, or if it is not
//	                                       known
//	    "same_source": false,              the source is known to be unchanged, and no different commands are known
//	    "lost": "",                        why the submission no longer runs; "" if it runs
//	    "overall",                         CHANGE over all cases, or null
//	    "cells": [{
//	      "case", "size",
//	      "lost": "",                      the new verdict, if only the old one is AC
//	      "found": "",                     the old verdict, if only the new one is AC
//	      "wrong": "",                     the new verdict, if neither is AC
//	      "change"                         CHANGE or null
//	    }]
//	  }],
//	  "left": [{"problem", "submission", "case", "why", "missing"}],   not compared; missing if the old run has it,
//	                                        so a regression would be missed
//	  "doubts": [{"kind", "text"}],
//	  "counts": {"regressions", "open", "missing"}
//	}
//
// CHANGE is a RATIO of new to old with further keys:
//
//	"outcome": "regression",               or "held", "open"
//	"withheld": false,                     the claim does not count, because unchanged programs differ as much
//	"old", "new",                          SUMMARYs
//	"others": {"memory": 1.02}             ratios of medians by the other metrics
//
// New keys do not change the number of the schema. A change that may break a reader
// increases it.
//
// # History
//
// Calls of the judge are stored on disk, one file per call. The judge writes a line for
// each result as soon as the result is known.
//
// The files are in [HistoryFolder] and are named TIME-ID.jsonl. TIME is the start of the
// call in UTC, so names sort by time. ID is ten random characters. A call always
// creates a new file and is its only writer, so concurrent calls do not conflict.
// The judge locks the file until the call ends: a file without an end line and
// without a lock belongs to a judge that was killed. Each line is written by one
// system call. If the judge is killed during that call, the last line may be
// incomplete; readers ignore an incomplete last line. Any other damage is an error.
//
// Each line is a JSON object with one key, which is the kind of the line. Times are
// integers in nanoseconds, sizes are in bytes. Lines refer to problems, submissions,
// cases and measurements by their indexes in lists, from 0. A later line about the
// same thing replaces an earlier one. New keys and new kinds of lines do
// not change the number of the schema; readers ignore keys and kinds that they do
// not know. Below, "..." stands for further keys.
//
//	{"head": {                        always the first line
//	  "schema": 1, "id", "time",
//	  "judge": "",                    version of the judge; "" if it was built without one
//	  "command": "run", "args": [], "flags": ["--jobs=1"], "env": ["CRUCIBLE_SANDBOX=require"],
//	  "folder", "host",               working folder and machine, for people
//	  "machine": {},                  as in the JSON document above
//	  "problems": [{                  the chosen problems
//	    "id", "path", "format",       format is the version of the package format
//	    "limits": {},                 as in the JSON document; all 0 if they are not inferred yet
//	    "data",                       hash of the chosen cases; "" if they could not be read
//	    "cases": [{"name", "data"}],  data is the hash of the case
//	    "submissions": [{"name", "language", "source"}]   source is the hash of the files
//	  }]
//	}}
//	{"begun": {"problem", "limits", "error"}}   judging of the problem begins, or cannot begin
//	{"unopened": {"id", "path", "error"}}       a package that could not be opened
//	{"toolchain": {"language", "compiler", "runtime", "version"}}   the tools of a language
//	{"run": {"problem", "submission", ...}}     and the keys of a run in the JSON document
//	{"submission": {"problem", "submission", "runs": ["sample/1"], ...}}
//	                                            and the keys of a submission; runs are the cases that count, in order
//	{"end": {"status", "elapsed_ns", "runs"}}   exit status, and the number of runs of programs on cases; the last line
//
// A line of any other kind is a section: results that another package measures.
//
//	{"measurement": {"number", ...}}            and the keys of a measurement, without trials
//	{"trial": {"measurement", ...}}             and the keys of a trial; values of 0 and "" are omitted,
//	                                            and "enforced" if it is the same as in the trial before
//	{"adequacy": {"problem", "key", ...}}       and the keys of "adequacy" in the JSON document; key is the hash of the
//	                                            files of the package that the result depends on, "" if they could not be
//	                                            read
//	{"verified": {"problem", "key", "checked", "broken", "doubtful"}}   of judge verify: numbers of promises
//
// Hashes are the first 16 bytes of SHA-256, in hexadecimal digits. A file stores as
// much of the output of programs as the JSON document does. Only the owner can read
// the files.
//
// # Stored runs
//
// A [Store] keeps runs by their keys, so that later calls of the judge need not make a
// run again whose result cannot have changed. A folder has a file for each program and
// its conditions: the key without the case. A line of a file is a run:
//
//	CHECKSUM {"key": HASH, "at": "2026-11-22T10:00:00Z", "run": {...}, ...}
//
// Each line is written by one call and begins with a line feed, so that concurrent
// judges do not mix their lines, and a line that was cut off damages no other one.
// Damaged lines are ignored. The last line with a key counts.
package record
