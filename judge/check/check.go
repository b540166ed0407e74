// Package check answers one question: does this output answer this case?
//
// It reads text and gives an opinion about it. It runs nothing, writes nothing
// and imports nothing of ours. Whatever a submission wrote is hostile here: it
// is compared in constant memory, and told to people clipped and quoted.
package check

import "io"

// A Case is what a checker reads. The default validator looks at Answer and
// Output only, so Input may be nil; it reads them little further than the first
// difference, and leaves them anywhere.
type Case struct {
	Input  io.Reader // what the submission was given
	Answer io.Reader // what the judges answer
	Output io.Reader // what the submission wrote
}

// A Finding is a checker's opinion of one output.
type Finding struct {
	OK    bool
	Why   string      // one line for people, safe to print; "" when OK
	Diff  *Difference // the first difference; nil when OK
	Score float64     // the default validator leaves it 0
}

// A Checker decides one case. Its error is the judge's, never the submission's:
// a reader failed, the text of the error says which, and nothing was learned.
type Checker func(Case) (Finding, error)

// A Difference is the first place where an output departs from the answer.
//
// Lines, columns and tokens count from 1, and columns count bytes. A token is
// placed by its first byte; whitespace by the first byte that differs, or the
// end of the file; what is missing by the end of the file that lacks it.
type Difference struct {
	Kind                     Kind
	Line, Column             int    // in the output
	AnswerLine, AnswerColumn int    // in the answer
	Token                    int    // number of the token; of the next token when Kind is Space
	Offset                   int    // bytes of the token that agree, when Kind is Differs; else 0
	Want                     string // what the answer has here
	Got                      string // what the output has here
}

// A Kind says how an output differs, and what Want and Got hold. They are raw
// bytes of at most 64, of which three dots at either end mark where a longer
// text was cut; print them through [Clip].
type Kind string

const (
	Differs   Kind = "differs"     // two tokens differ as strings
	Missing   Kind = "missing"     // the output ended; Want is the token it lacks, Got is ""
	Extra     Kind = "extra"       // the answer ended; Got is a token too many, Want is ""
	Space     Kind = "space"       // whitespace differs; Want and Got are what is left of it on either side, perhaps ""
	NotFloat  Kind = "not a float" // Want is a floating-point number and Got is none
	Tolerance Kind = "tolerance"   // two floating-point numbers are too far apart
)
