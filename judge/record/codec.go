package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"syscall"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"crucible/judge"
	"crucible/judge/measure/bench"
	"crucible/judge/measure/stat"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// options define the encoding of all records. Bytes that are not UTF-8 become U+FFFD,
// and a nil list becomes an empty one.
var options = json.JoinOptions(
	json.WithMarshalers(json.JoinMarshalers(ofProblem, ofParts)), json.WithUnmarshalers(unmarshalers),
	jsonv1.FormatDurationAsNano(true), json.FormatNilMapAsNull(true), json.Deterministic(true),
	jsontext.AllowInvalidUTF8(true), jsontext.EscapeForJS(true),
)

// Write writes a document as indented JSON, with a final newline.
func Write(w io.Writer, d *Document) error {
	err := json.MarshalWrite(w, &struct {
		Schema int `json:"schema"`
		*Document
	}{Schema, d}, options, jsontext.WithIndent("  "))
	if err == nil {
		_, err = io.WriteString(w, "\n")
	}
	return err
}

// Read reads a document that [Write] wrote, of this schema or an older one. It
// computes the results of a measurement again from the trials. It does not read a
// comparison of stored runs, so Against is nil, and it does not restore the types of
// errors. It returns an error for text that no version of Write writes.
func Read(r io.Reader) (*Document, error) {
	in := jsontext.NewDecoder(r, options)
	var d struct {
		Schema int `json:"schema"`
		Document
	}
	if err := json.UnmarshalDecode(in, &d); err != nil {
		return nil, plain(err)
	}
	if _, err := in.ReadToken(); err != io.EOF {
		return nil, errors.New("more than one JSON document: expected one")
	}
	if d.Schema < 1 || d.Schema > Schema {
		return nil, fmt.Errorf("schema %d: expected %d", d.Schema, Schema)
	}
	d.Against = nil
	return &d.Document, d.Document.Restore()
}

// Append appends the JSON encoding of v to a slice, on one line and without a
// newline. The encoding is that of a [Document]. If sparse is true, fields of
// structs that are zero are omitted.
func Append(to []byte, v any, sparse bool) ([]byte, error) {
	b := bytes.NewBuffer(slices.Grow(to, 1024))
	err := json.MarshalWrite(b, v, options, json.OmitZeroStructFields(sparse))
	return b.Bytes(), err
}

// Parse decodes what [Append] appended. It ignores unknown keys.
func Parse(data []byte, v any) error { return plain(json.Unmarshal(data, v, options)) }

// plain replaces the error for a JSON value that does not fit its Go type, because
// the library varies the text of that error from process to process on purpose.
// plain returns other errors unchanged.
func plain(err error) error {
	bad, ok := errors.AsType[*json.SemanticError](err)
	switch {
	case !ok:
		return err
	case bad.Err != nil:
		return fmt.Errorf("JSON at %q: %w", bad.JSONPointer, bad.Err)
	}
	return fmt.Errorf("JSON at %q: found a %s, expected %s", bad.JSONPointer, bad.JSONKind, bad.GoType)
}

// Restore completes a document whose fields were decoded. It sets the fields that are
// not stored, and computes the results of measurements. It returns an error for a
// measurement of unknown kind, or with an index that is out of range.
func (d *Document) Restore() error {
	for i := range d.Problems {
		p := &d.Problems[i]
		for _, r := range p.Reports {
			r.Problem = p.ID
			if len(r.Groups) == 0 {
				r.Groups = nil
			}
			// An error of a run or group is also stored as the error of the report.
			stored := r.Err
			if r.Err = nil; stored != nil && (r.JudgeError() == nil || r.JudgeError().Error() != stored.Error()) {
				r.Err = stored
			}
		}
		p.Comparison, p.Scaling, p.Band = nil, nil, nil
		if p.Measurement == nil {
			continue
		}
		err := checkIndexes(p.Measurement)
		if err == nil {
			err = p.Conclude(p.Measurement)
		}
		if err != nil {
			return fmt.Errorf("problem %q: %w", p.ID, err)
		}
	}
	return nil
}

// checkIndexes returns an error if an index of a submission or case in the measurement
// is out of range.
func checkIndexes(m *bench.Measurement) error {
	if n := len(m.Submissions); m.Reference < 0 || m.Reference >= max(n, 1) {
		return fmt.Errorf("reference %d: there are %d submissions", m.Reference, n)
	}
	for i, t := range m.Trials {
		if t.Submission < 0 || t.Submission >= len(m.Submissions) || t.Case < 0 || t.Case >= len(m.Cases) {
			return fmt.Errorf("trial %d: submission %d on case %d: there are %d and %d", i, t.Submission, t.Case,
				len(m.Submissions), len(m.Cases))
		}
	}
	return nil
}

// OfRun returns a run as it is stored: after a judge error it has no verdict, and
// Times is nil if the case was run once. It does not change r.
func OfRun(r *judge.Run) judge.Run {
	c := *r
	if c.Err != nil {
		c.Verdict = ""
	}
	if len(c.Times) == 1 {
		c.Times = nil
	}
	return c
}

// OfReport returns a report as it is stored: with its first error, and without a
// verdict if that is not final. It does not change r.
func OfReport(r *judge.Report) judge.Report {
	c := *r
	if c.Skipped != "" || c.Err != nil {
		c.AsExpected = nil
	}
	c.Err = r.JudgeError()
	c.Defect = r.IsDefect()
	if c.Skipped != "" || r.Err != nil || c.Err == nil && c.AsExpected == nil {
		c.Verdict = ""
	}
	return c
}

// allVerdicts are the verdicts that the package format uses if an expectation names
// none (2025-09, "Example submissions").
var allVerdicts = []problem.Verdict{problem.Accepted, problem.WrongAnswer, problem.TimeLimit, problem.RuntimeError}

// The plain types have the fields of types that have a marshaler, but no marshaler.
type (
	plainRun         judge.Run
	plainReport      judge.Report
	plainExpectation problem.Expectation
	plainProblem     Problem
	plainAgainst     bench.RunComparison
)

// ofProblem writes a problem. It replaces the indexes in the results of a measurement
// by names.
var ofProblem = json.MarshalToFunc(func(e *jsontext.Encoder, p *Problem) error {
	parts := ofUnmeasured
	if p.Measurement != nil {
		parts = json.WithMarshalers(json.JoinMarshalers(namesOf(p.Measurement), ofParts))
	}
	return json.MarshalEncode(e, (*plainProblem)(p), parts)
})

// ofUnmeasured writes the parts of a problem without a measurement. It is made once,
// because a list of marshalers remembers which of them each type has.
var ofUnmeasured = json.WithMarshalers(json.JoinMarshalers(namesOf(new(bench.Measurement)), ofParts))

// ofParts writes the parts of a problem.
var ofParts = json.JoinMarshalers(
	json.MarshalToFunc(func(e *jsontext.Encoder, v float64) error {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return e.WriteToken(jsontext.Null)
		}
		return errors.ErrUnsupported
	}),
	json.MarshalToFunc(func(e *jsontext.Encoder, v []float64) error { // the expected score of an expectation
		if v == nil {
			return e.WriteToken(jsontext.Null)
		}
		return errors.ErrUnsupported
	}),
	json.MarshalToFunc(func(e *jsontext.Encoder, v *error) error {
		if *v == nil {
			return e.WriteToken(jsontext.String(""))
		}
		return json.MarshalEncode(e, (*v).Error())
	}),
	json.MarshalToFunc(func(e *jsontext.Encoder, s syscall.Signal) error {
		return e.WriteToken(jsontext.String(terminal.SignalName(s)))
	}),
	json.MarshalToFunc(func(e *jsontext.Encoder, r *judge.Run) error {
		c := OfRun(r)
		return json.MarshalEncode(e, (*plainRun)(&c))
	}),
	json.MarshalToFunc(func(e *jsontext.Encoder, r *judge.Report) error {
		c := OfReport(r)
		return json.MarshalEncode(e, (*plainReport)(&c))
	}),
	json.MarshalToFunc(func(e *jsontext.Encoder, x *problem.Expectation) error {
		c := plainExpectation(*x)
		if c.Permitted == nil {
			c.Permitted = allVerdicts
		}
		if c.Required == nil {
			c.Required = allVerdicts
		}
		return json.MarshalEncode(e, &c)
	}),
	json.MarshalToFunc(func(e *jsontext.Encoder, c *bench.Curve) error {
		largest := &c.Largest
		if c.Reach() != bench.ReachSize {
			largest = nil
		}
		return json.MarshalEncode(e, &struct {
			Submission bench.SubmissionIndex `json:"submission"`
			Wrong      string                `json:"wrong"`
			Points     []bench.Point         `json:"points"`
			Time       *stat.Fit             `json:"time_s"`
			Memory     *stat.Fit             `json:"memory_bytes"`
			Count      *stat.Fit             `json:"instructions,omitzero"`
			Measured   float64               `json:"measured"`
			Largest    *float64              `json:"largest"`
			Reach      bench.Reach           `json:"reach"`
			Bound      problem.Verdict       `json:"bound"`
			Stopped    string                `json:"stopped"`
		}{c.Submission, c.Wrong, c.Points, &c.Time, &c.Memory, c.Count, c.Measured, largest, c.Reach(), c.Bound, c.Stopped})
	}),
	json.MarshalToFunc(func(e *jsontext.Encoder, f *stat.Fit) error {
		return json.MarshalEncode(e, &struct {
			Model      stat.Model         `json:"model"`
			A          float64            `json:"a"`
			B          float64            `json:"b"`
			K          float64            `json:"k"`
			Lo         float64            `json:"k_lo"`
			Hi         float64            `json:"k_hi"`
			Confidence float64            `json:"confidence"`
			Why        string             `json:"why"`
			Others     []stat.Alternative `json:"others"`
			Doubts     []stat.Doubt       `json:"doubts"`
		}{f.Model, f.A, f.B, f.K, f.Of.Lo, f.Of.Hi, f.Of.Confidence, f.Why, f.Others, f.Doubts})
	}),
	json.MarshalToFunc(func(e *jsontext.Encoder, a *bench.RunComparison) error {
		old, new := *a.Old, *a.New
		old.Looks, new.Looks = max(old.Looks, 1), max(new.Looks, 1)
		c := plainAgainst(*a)
		c.Old, c.New = &old, &new
		return json.MarshalEncode(e, &struct {
			*plainAgainst
			Counts bench.Counts `json:"counts"`
		}{&c, a.Counts()})
	}),
)

var unmarshalers = json.JoinUnmarshalers(
	json.UnmarshalFromFunc(func(d *jsontext.Decoder, v *error) error {
		var message string
		err := json.UnmarshalDecode(d, &message)
		if *v = nil; message != "" {
			*v = errors.New(message)
		}
		return err
	}),
	json.UnmarshalFromFunc(func(d *jsontext.Decoder, s *syscall.Signal) error {
		var name string
		err := json.UnmarshalDecode(d, &name)
		if *s = 0; name != "" {
			*s = terminal.SignalNamed(name)
		}
		return err
	}),
	json.UnmarshalFromFunc(func(d *jsontext.Decoder, x *problem.Expectation) error {
		err := json.UnmarshalDecode(d, (*plainExpectation)(x))
		for _, list := range []*[]problem.Verdict{&x.Permitted, &x.Required} {
			if slices.Equal(*list, allVerdicts) {
				*list = nil
			}
		}
		if len(x.Final) == 0 {
			x.Final = nil
		}
		return err
	}),
	skip[bench.Comparison](), skip[bench.Scaling](), skip[bench.Band](), skip[bench.RunComparison](),
)

// skip returns an unmarshaler that ignores the values of a type, because they are
// computed again or not needed.
func skip[T any]() *json.Unmarshalers {
	return json.UnmarshalFromFunc(func(d *jsontext.Decoder, _ *T) error { return d.SkipValue() })
}

// namesOf returns marshalers that replace the indexes of submissions and cases in a
// measurement by their names. An index that is out of range becomes "".
func namesOf(m *bench.Measurement) *json.Marshalers {
	return json.JoinMarshalers(
		nameOf[bench.SubmissionIndex](m.Submissions, func(e bench.Submission) string { return e.Name }),
		nameOf[bench.CaseIndex](m.Cases, func(i bench.Input) string { return i.Name }),
	)
}

// nameOf returns a marshaler that replaces the indexes of a list by names.
func nameOf[Index ~int, T any](list []T, name func(T) string) *json.Marshalers {
	return json.MarshalToFunc(func(e *jsontext.Encoder, i Index) error {
		if i < 0 || int(i) >= len(list) {
			return e.WriteToken(jsontext.String(""))
		}
		return json.MarshalEncode(e, name(list[i]))
	})
}
