package record

import (
	"crypto/sha256"
	"encoding/hex"

	"crucible/judge/sandbox"
)

// KeySchema is the version of [Key]. A new field, or a new meaning of a field,
// increases it.
const KeySchema = 1

// A Key contains everything that decides the facts of one run. Runs with equal keys
// are interchangeable; the judge does not reuse runs yet. Hashes are of file contents,
// in hexadecimal digits; "" if there is nothing to hash.
type Key struct {
	Program     string         `json:"program"`     // hash of the compiled program, or of its source and runtime if it is not compiled
	Args        []string       `json:"args"`        // arguments of the program
	Input       string         `json:"input"`       // hash of the input and of the other files that the program can read
	Answer      string         `json:"answer"`      // hash of the answer file
	Validators  []KeyValidator `json:"validators"`  // the output validators, in the order in which they run
	Passes      int            `json:"passes"`      // the largest number of passes; 0 if the problem is not multi-pass
	Interactive bool           `json:"interactive"` // the program runs together with the first validator
	Limits      sandbox.Limits `json:"limits"`      // limits of the execution, which may be above those of the problem
	Level       string         `json:"level"`       // the sandbox level, as [sandbox.Level] prints it
	Environment []string       `json:"environment"` // NAME=value, in sorted order
	Machine     Machine        `json:"machine"`     // where it runs
}

// A KeyValidator is an output validator in a [Key].
type KeyValidator struct {
	Program string   `json:"program"` // hash of the compiled validator, or the name of the built-in one
	Flags   []string `json:"flags"`   // its arguments for the case
}

// Hash returns the first 16 bytes of the SHA-256 of the key and [KeySchema], in
// hexadecimal digits. It is the same on every machine and in every later version
// with the same schema.
func (k *Key) Hash() string {
	text, err := Append(nil, &struct {
		Schema int `json:"schema"`
		*Key
	}{KeySchema, k}, false)
	if err != nil {
		panic(err) // no field has a value that cannot be encoded
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}
