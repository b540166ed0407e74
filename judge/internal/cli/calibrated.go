package cli

import (
	"bytes"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json/jsontext"

	"crucible/judge"
	"crucible/judge/internal/osfile"
	"crucible/judge/record"
)

// selfTestFile keeps the result of judge doctor --self-test beside the compiled programs.
const selfTestFile = "selftest.json"

// A selfTestResult is the content of selfTestFile. Its machine has the sandbox level.
type selfTestResult struct {
	Machine  record.Machine `json:"machine"`
	SelfTest jsontext.Value `json:"self_test"` // an object
}

// SaveSelfTest keeps the result of a self-test with the sandbox of j for later calls of
// the judge, which add it to their records.
func SaveSelfTest(j *judge.Judge, result jsontext.Value) error {
	return saveCalibration(j, selfTestFile, &selfTestResult{MachineOf(j), result})
}

// selfTestOf returns the result of the last self-test on a machine with the same sandbox
// level, or nil. Its type is [jsontext.Value].
func selfTestOf(j *judge.Judge, m *record.Machine) any {
	var t selfTestResult
	if !loadCalibration(j, selfTestFile, &t) || len(t.SelfTest) == 0 || !SameMachine(t.Machine, *m) ||
		t.Machine.Protection != m.Protection {
		return nil
	}
	return t.SelfTest
}

// saveCalibration keeps a value in a file of the cache of j.
func saveCalibration(j *judge.Judge, file string, v any) error {
	dir, err := j.CacheDir()
	if err != nil {
		return err
	}
	text, err := record.Append(nil, v, false)
	if err != nil {
		return err
	}
	return osfile.WriteAtomic(filepath.Join(dir, file), append(text, '\n'))
}

// loadCalibration reads what saveCalibration has kept. It returns false if there is
// nothing that can be read.
func loadCalibration(j *judge.Judge, file string, v any) bool {
	dir, err := j.CacheDir()
	if err != nil {
		return false
	}
	text, err := os.ReadFile(filepath.Join(dir, file))
	return err == nil && record.Parse(bytes.TrimSpace(text), v) == nil
}
