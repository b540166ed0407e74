package record

import (
	"crypto/sha256"
	"encoding/hex"

	"crucible/judge"
)

// KeySchema is the version of [Key]. A new field, or a new meaning of a field,
// increases it.
const KeySchema = 3

// A Key identifies a run on any machine: runs with equal keys are interchangeable.
type Key struct {
	judge.Key `json:",embed"`
	Machine   Machine `json:"machine"` // where it runs; its SelfTest is no part of the key
	Judge     string  `json:"judge"`   // the version of the judge, which decides verdicts
}

// Hash returns the first 16 bytes of the SHA-256 of the key and [KeySchema], in
// hexadecimal digits. It is the same on every machine and in every later version
// with the same schema.
func (k *Key) Hash() string {
	of := *k
	of.Machine.SelfTest = nil
	text, err := Append(nil, &struct {
		Schema int `json:"schema"`
		*Key
	}{KeySchema, &of}, false)
	if err != nil {
		panic(err) // no field has a value that cannot be encoded
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}
