// Package check decides whether an output is a correct answer to a test case.
//
// It only reads texts: it runs nothing, writes nothing and imports no other package
// of this project. The output of a submission may be hostile. It is compared in
// constant memory, and messages show it clipped and quoted.
package check

import "io"

// A Case contains the texts that [Rules.Check] compares. Check stops reading soon
// after the first difference, and does not restore the positions of the readers.
type Case struct {
	Answer io.Reader // the judges' answer
	Output io.Reader // the output of the submission
}

// A Finding is the decision about one output.
type Finding struct {
	OK   bool        // the output is accepted
	Why  string      // the reason in one line, safe to print; "" if OK
	Diff *Difference // the first difference; nil if OK
}

// A Difference is the first place where an output differs from the answer.
//
// Lines, columns and tokens count from 1, and columns count bytes. The position of
// a token is that of its first byte. The position of whitespace is that of the
// first byte that differs, or the end of the file. The position of a missing token
// is the end of the file that lacks it.
type Difference struct {
	Kind         Kind `json:"kind"`          // how they differ
	Line         int  `json:"line"`          // of the output, from 1
	Column       int  `json:"column"`        // of the output in bytes, from 1
	AnswerLine   int  `json:"answer_line"`   // of the answer, from 1
	AnswerColumn int  `json:"answer_column"` // of the answer in bytes, from 1
	Token        int  `json:"token"`         // number of the token, or of the next token if Kind is Space
	// Number of equal bytes at the start of the token if Kind is Differs; else 0.
	Offset int    `json:"offset"`
	Want   string `json:"want"` // the text of the answer at this place
	Got    string `json:"got"`  // the text of the output at this place
}

// A Kind is the kind of a difference. It determines the contents of Want and Got, which
// have at most 64 raw bytes each; three dots at either end replace text that was cut.
// Print them with [Clip].
type Kind string

const (
	Differs Kind = "differs" // two tokens differ as strings
	Missing Kind = "missing" // the output ended; Want is the missing token, Got is ""
	Extra   Kind = "extra"   // the answer ended; Got is the extra token, Want is ""
	// Whitespace differs; Want and Got are the rest of it in the answer and the output,
	// possibly "".
	Space     Kind = "space"
	NotFloat  Kind = "not a float" // Want is a floating-point number and Got is not
	Tolerance Kind = "tolerance"   // the difference of two floating-point numbers exceeds the tolerance
)
