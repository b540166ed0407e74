package lab

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// A judgedSample is a line of the results.
type judgedSample struct {
	Problem  string          `json:"problem"`
	ID       string          `json:"id"`
	Language string          `json:"language"`        // code
	Verdict  problem.Verdict `json:"verdict"`         // "" if it was not judged
	Error    string          `json:"error,omitempty"` // why it was not judged
	Score    *float64        `json:"score,omitempty"`
	// The case that decided the verdict, and the reason; of CE, the start of the compiler's
	// message.
	Case     string        `json:"case,omitempty"`
	Why      string        `json:"why,omitempty"`
	CPU      time.Duration `json:"cpu_ns"`             // of the slowest case
	Passed   int           `json:"passed"`             // number of cases that were accepted
	Cases    int           `json:"cases"`              // of the problem
	Stripped string        `json:"stripped,omitempty"` // what was removed around the program
	Program  string        `json:"program,omitempty"`  // digest of its language and text
}

func (j *judgedSample) key() string { return j.Problem + "\x00" + j.ID }

// report sets what a report says.
func (j *judgedSample) report(r *judge.Report, cases int) {
	j.Verdict, j.Score, j.Cases = r.Verdict, r.Score, cases
	if r.Verdict == problem.CompileError {
		j.Why = terminal.Excerpt(r.Compile.Message, 500)
	}
	if slowest := r.Slowest(); slowest != nil {
		j.CPU = slowest.Outcome.CPU
	}
	for i := range r.Runs {
		switch run := &r.Runs[i]; {
		case run.Verdict == problem.Accepted:
			j.Passed++
		case j.Case == "":
			j.Case, j.Why = run.Case, run.Why
		}
	}
}

// A verdicts is the file of results.
type verdicts struct {
	*os.File
	known map[string]*judgedSample
	mu    sync.Mutex
}

// openVerdicts opens the file of results, which need not exist. A last line without a
// newline is removed: the judge was killed while it wrote.
func openVerdicts(name string) (*verdicts, error) {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	v := &verdicts{File: file, known: make(map[string]*judgedSample)}
	data, err := io.ReadAll(file)
	data = data[:bytes.LastIndexByte(data, '\n')+1]
	for n, line := range bytes.Split(data, []byte("\n")) {
		if len(line) == 0 || err != nil {
			continue
		}
		j := new(judgedSample)
		if err = json.Unmarshal(line, j); err == nil && (j.Problem == "" || j.ID == "" || j.Verdict == "") {
			err = errors.New("expected the keys problem, id and verdict")
		}
		if err != nil {
			err = fmt.Errorf("%s:%d: %w", name, n+1, err)
		}
		v.known[j.key()] = j
	}
	if err == nil {
		err = file.Truncate(int64(len(data)))
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekEnd)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return v, nil
}

// add appends a result.
func (v *verdicts) add(j *judgedSample) error {
	data, err := json.Marshal(j)
	if err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if _, err := v.Write(append(data, '\n')); err != nil {
		return err
	}
	v.known[j.key()] = j
	return nil
}

// Close closes the file. A second call does nothing.
func (v *verdicts) Close() error {
	if err := v.File.Close(); !errors.Is(err, fs.ErrClosed) {
		return err
	}
	return nil
}
