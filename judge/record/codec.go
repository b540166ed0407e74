package record

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"syscall"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// options define the encoding of all records. Bytes that are not UTF-8 become U+FFFD,
// and a nil list becomes an empty one. A value that is not decoded keeps its bytes.
var options = json.JoinOptions(
	json.WithMarshalers(marshalers), json.WithUnmarshalers(unmarshalers), jsontext.PreserveRawStrings(true),
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

// Read reads a document that [Write] wrote, of this schema or an older one, and decodes
// the given sections. It does not read a comparison of stored runs, so Against is nil, and
// it does not restore the types of errors. It returns an error for text that no version of
// Write writes.
func Read(r io.Reader, sections ...Section) (*Document, error) {
	in := jsontext.NewDecoder(r, options)
	var d struct {
		Schema int `json:"schema"`
		Document
	}
	if err := json.UnmarshalDecode(in, &d); err != nil {
		return nil, Plain(err)
	}
	if _, err := in.ReadToken(); err != io.EOF {
		return nil, errors.New("more than one JSON document: expected one")
	}
	if d.Schema < 1 || d.Schema > Schema {
		return nil, fmt.Errorf("schema %d: expected %d", d.Schema, Schema)
	}
	d.Against = nil
	return &d.Document, d.Document.restore(sections)
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
func Parse(data []byte, v any) error { return Plain(json.Unmarshal(data, v, options)) }

// Plain replaces the error for a JSON value that does not fit its Go type by one that says
// where it is, what was found and what is expected: the text of the library names Go types,
// and varies from process to process on purpose. Plain returns other errors unchanged.
func Plain(err error) error {
	bad, ok := errors.AsType[*json.SemanticError](err)
	switch {
	case !ok:
		return err
	case errors.Is(bad.Err, json.ErrUnknownName):
		return fmt.Errorf("%s: unknown key %q", placeOf(bad.JSONPointer.Parent()), bad.JSONPointer.LastToken())
	case bad.Err != nil && !errors.Is(bad.Err, strconv.ErrSyntax) && !errors.Is(bad.Err, strconv.ErrRange):
		return fmt.Errorf("%s: %w", placeOf(bad.JSONPointer), bad.Err)
	}
	return fmt.Errorf("%s: found %s, expected %s", placeOf(bad.JSONPointer),
		cmp.Or(found[bad.JSONKind], bad.JSONKind.String())+number(bad), expected(bad.GoType))
}

// placeOf names a value of a JSON text.
func placeOf(p jsontext.Pointer) string {
	if p == "" {
		return "JSON"
	}
	return fmt.Sprintf("JSON at %q", p)
}

var found = map[jsontext.Kind]string{'"': "a string", '0': "a number", '{': "an object", '[': "an array"}

// number returns the number that does not fit, after a space.
func number(bad *json.SemanticError) string {
	if bad.JSONKind != '0' || len(bad.JSONValue) == 0 {
		return ""
	}
	return fmt.Sprintf(" %.40s", bad.JSONValue)
}

// expected returns what stands in JSON for a Go type.
func expected(t reflect.Type) string {
	if t == nil {
		return "another value"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return expected(t.Elem())
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.Map, reflect.Struct:
		return "an object"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return fmt.Sprintf("an integer of at most %d bits", t.Bits())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return fmt.Sprintf("an integer from 0 of at most %d bits", t.Bits())
	}
	return t.String()
}

// restore completes a document whose fields were decoded. It sets the fields that are
// not stored, and decodes sections.
func (d *Document) restore(sections []Section) error {
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
		maps.DeleteFunc(p.Sections, func(_ string, v any) bool {
			text, ok := v.(jsontext.Value)
			return ok && text.Kind() == 'n'
		})
		if err := p.decode(sections); err != nil {
			return err
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
)

// requiredKeys are the sections that every problem has in schema 1: null if there are no results.
var requiredKeys = []string{"measurement", "comparison", "scaling", "band"}

var marshalers = json.JoinMarshalers(
	json.MarshalToFunc(func(e *jsontext.Encoder, p *Problem) error {
		c := plainProblem(*p)
		c.Sections = maps.Clone(p.Sections)
		for _, name := range requiredKeys {
			delete(c.Sections, name)
		}
		return json.MarshalEncode(e, &struct {
			*plainProblem
			Measurement any `json:"measurement"`
			Comparison  any `json:"comparison"`
			Scaling     any `json:"scaling"`
			Band        any `json:"band"`
		}{&c, p.Sections["measurement"], p.Sections["comparison"], p.Sections["scaling"], p.Sections["band"]})
	}),
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
	json.UnmarshalFromFunc(func(d *jsontext.Decoder, v *any) error {
		text, err := d.ReadValue()
		*v = text.Clone()
		return err
	}),
)
