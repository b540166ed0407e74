package problem

import "regexp"

// PackageName matches valid problem ids.
var PackageName = regexp.MustCompile(`^[a-z0-9]+$`)

// domjudgeFile has the settings of DOMjudge.
const domjudgeFile = "domjudge-problem.ini"

// packageFiles are the files that make a folder a package. DOMjudge imports packages that
// have only the second.
var packageFiles = []string{ProblemFile, domjudgeFile}

// MaxListedDepth limits how deep folders of a package, or of files to import, may
// be nested.
const MaxListedDepth = 64
