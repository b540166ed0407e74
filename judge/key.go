package judge

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"sync"
	"time"

	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// A Key contains everything on this machine that decides the facts of a run and its
// verdict, except its limits on time. Runs with equal keys on one machine, by one
// version of the judge, are interchangeable. Hashes are of file contents, in
// hexadecimal digits; "" if there is nothing to hash.
type Key struct {
	// Hash of the compiled program, or of its source and runtime if it is not compiled.
	Program string   `json:"program"`
	Args    []string `json:"args"` // arguments of the program
	// Hash of the input and of the other files that the program can read.
	Input       string         `json:"input"`
	Answer      string         `json:"answer"`          // hash of the answer file
	Validators  []KeyValidator `json:"validators"`      // the output validators, in the order in which they run
	Passes      int            `json:"passes"`          // the largest number of passes; 0 if the problem is not multi-pass
	Interactive bool           `json:"interactive"`     // the program runs together with the first validator
	Scoring     bool           `json:"scoring"`         // the validators give scores
	Writes      bool           `json:"writes"`          // the program may write to its working folder
	Limits      sandbox.Limits `json:"limits"`          // limits of the execution; those on time are 0
	Level       string         `json:"level"`           // the sandbox level, as [sandbox.Level] prints it
	Environment []string       `json:"environment"`     // variables of the judge that programs see, NAME=value
	Pinned      bool           `json:"pinned"`          // the program runs on one processor that the caller chose
	Fixed       bool           `json:"fixed_addresses"` // see [Judge.FixedAddresses]
	Alone       bool           `json:"alone"`           // no other program of the judge runs at the same time
	// See [Judge.Counter]: whether the run has a count of instructions, and by which version.
	Counter string `json:"counter"`
}

// A KeyValidator is an output validator in a [Key].
type KeyValidator struct {
	Program string   `json:"program"` // hash of the compiled validator; "" is the default one
	Flags   []string `json:"flags"`   // its arguments for the case
}

// A Store keeps runs between calls of the judge. Its methods may be called
// concurrently.
type Store interface {
	// Load returns a run with an equal key, and when it was made.
	Load(*Key) (*Run, time.Time, bool)
	// Save keeps a run. A run that cannot be kept is made again some day.
	Save(*Key, *Run)
}

// keys computes keys. It hashes each file of a problem once.
type keys struct {
	mu    sync.Mutex
	cases map[*problem.Case]caseKey
}

type caseKey struct{ input, answer string }

// of returns the hashes of the files of a case.
func (k *keys) of(c *problem.Case) (caseKey, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if found, ok := k.cases[c]; ok {
		return found, nil
	}
	var made caseKey
	h := sha256.New()
	input, err := c.Input()
	if err == nil {
		err = add(h, ".in", input)
	}
	for _, name := range c.Files {
		if err != nil {
			break
		}
		var f io.ReadCloser
		if f, err = problem.OpenRegular(c.FS, c.Path(".files")+"/"+name); err == nil {
			err = add(h, name, f)
		}
	}
	made.input = hex.EncodeToString(h.Sum(nil))
	if err == nil && c.Has(".ans") {
		h.Reset()
		var f io.ReadCloser
		if f, err = problem.OpenRegular(c.FS, c.Path(".ans")); err == nil {
			err = add(h, ".ans", f)
		}
		made.answer = hex.EncodeToString(h.Sum(nil))
	}
	if err != nil {
		return caseKey{}, err
	}
	if k.cases == nil {
		k.cases = make(map[*problem.Case]caseKey)
	}
	k.cases[c] = made
	return made, nil
}

// add adds a file to a hash and closes it. The length comes last, so that different
// lists of files have different hashes.
func add(h hash.Hash, name string, f io.ReadCloser) error {
	defer f.Close()
	fmt.Fprintf(h, "%d:%s", len(name), name)
	n, err := io.Copy(h, f)
	fmt.Fprintf(h, "%d", n)
	return err
}
