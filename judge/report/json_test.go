package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/record"
)

func TestJSONDecodesIntoTheTypesItIsMadeOf(t *testing.T) {
	var b bytes.Buffer
	if err := WriteJSON(&b, document()); err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(&b)
	d.DisallowUnknownFields()
	var got JSON
	if err := d.Decode(&got); err != nil {
		t.Fatal(err)
	}
	want := ToJSON(document())
	valid := cmp.Transformer("ToValidUTF8", func(s string) string { return strings.ToValidUTF8(s, "\ufffd") })
	if diff := cmp.Diff(want, got, valid); diff != "" {
		t.Errorf("written and read again (-want +got):\n%s", diff)
	}
	if d.More() {
		t.Error("there is more than one document")
	}
}

// keys lists what is missing from, or too much in, a decoded value of a type.
func keys(at string, typ reflect.Type, v any) []string {
	var wrong []string
	switch typ.Kind() {
	case reflect.Pointer:
		if v != nil {
			return keys(at, typ.Elem(), v)
		}
	case reflect.Slice:
		list, ok := v.([]any)
		if !ok && !strings.HasSuffix(at, ".score") {
			return []string{at + " is no list"}
		}
		for i, one := range list {
			wrong = append(wrong, keys(fmt.Sprintf("%s[%d]", at, i), typ.Elem(), one)...)
		}
	case reflect.Struct:
		object, ok := v.(map[string]any)
		if !ok {
			return []string{at + " is no object"}
		}
		for i := range typ.NumField() {
			f := typ.Field(i)
			if f.Anonymous { // its keys are among the others
				for k := range f.Type.NumField() {
					below := f.Type.Field(k)
					key := below.Tag.Get("json")
					value, present := object[key]
					if !present {
						wrong = append(wrong, at+"."+key+" is missing")
						continue
					}
					wrong = append(wrong, keys(at+"."+key, below.Type, value)...)
					delete(object, key)
				}
				continue
			}
			key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			value, present := object[key]
			if !present {
				wrong = append(wrong, at+"."+key+" is missing")
				continue
			}
			wrong = append(wrong, keys(at+"."+key, f.Type, value)...)
			delete(object, key)
		}
		for key := range object {
			wrong = append(wrong, at+"."+key+" is not documented")
		}
	}
	return wrong
}

func TestJSONHasEveryKey(t *testing.T) {
	tests := []struct {
		name string
		doc  *record.Document
	}{
		{"when there is nothing", &record.Document{}},
		{"when a problem could not be opened", &record.Document{Problems: []record.Problem{{Err: errors.New("no such file")}}}},
		{"when nothing is known of a submission", &record.Document{Problems: []record.Problem{{Reports: []*judge.Report{{}}}}}},
		{"when nothing is expected or known of a run", &record.Document{Problems: []record.Problem{{Reports: []*judge.Report{
			{Expected: []problem.Expectation{{}}, Runs: []judge.Run{{}}}}}}}},
		{"when everything is there", document()},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := WriteJSON(&b, tt.doc); err != nil {
				t.Fatal(err)
			}
			var got any
			if err := json.Unmarshal(b.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
			for _, wrong := range keys("", reflect.TypeFor[JSON](), got) {
				t.Error(wrong)
			}
		})
	}
}

func TestJSONOfOneSubmission(t *testing.T) {
	score := 3.0
	infinite := math.Inf(1)
	all := []problem.Verdict{problem.Accepted, problem.WrongAnswer, problem.TimeLimit, problem.RuntimeError}
	tests := []struct {
		fact   string
		report judge.Report
		path   string
		want   any
	}{
		{"a verdict is a string", judge.Report{Verdict: problem.MemoryLimit, AsExpected: no()}, "verdict", "MLE"},
		{"what is not as expected is false", judge.Report{AsExpected: no()}, "as_expected", false},
		{"a skip has no verdict", judge.Report{Skipped: "no gcc", Verdict: problem.Accepted, AsExpected: yes()}, "verdict", ""},
		{"a skip is not as expected and not otherwise", judge.Report{Skipped: "no gcc", AsExpected: yes()}, "as_expected", nil},
		{"an error has no verdict", judge.Report{Err: errors.New("disk full"), Verdict: problem.Accepted}, "verdict", ""},
		{"an error is told", judge.Report{Err: errors.New("disk full")}, "error", "disk full"},
		{"an error is as expected and not otherwise", judge.Report{Err: errors.New("disk full"), AsExpected: no()}, "as_expected", nil},
		{"an error on a case is the submission's", judge.Report{Runs: []judge.Run{{Err: errors.New("checker")}}}, "error", "checker"},
		{"an error on a case is the run's", judge.Report{Runs: []judge.Run{{Err: errors.New("checker")}}}, "runs.0.error", "checker"},
		{"an error on a case has no verdict", judge.Report{Runs: []judge.Run{{Verdict: problem.Accepted, Err: errors.New("checker")}}}, "runs.0.verdict", ""},
		{"an interrupted submission has no verdict", judge.Report{Verdict: problem.Accepted}, "verdict", ""},
		{"nothing permitted in particular is all", judge.Report{Expected: []problem.Expectation{{}}}, "expected.0.permitted", all},
		{"nothing required in particular is any", judge.Report{Expected: []problem.Expectation{{}}}, "expected.0.required", all},
		{"what is permitted is all that is", judge.Report{Expected: wantAC}, "expected.0.permitted", []problem.Verdict{problem.Accepted}},
		{"an expected score is a list", judge.Report{Expected: []problem.Expectation{{Score: []float64{1, 2.5}}}}, "expected.0.score", []float64{1, 2.5}},
		{"a score is a number", judge.Report{Runs: []judge.Run{{Earned: &score}}}, "runs.0.score", 3.0},
		{"an infinite score is none", judge.Report{Runs: []judge.Run{{Earned: &infinite}}}, "runs.0.score", nil},
		{"markup is not escaped", judge.Report{Runs: []judge.Run{{Why: "<&>"}}}, "runs.0.why", "<&>"},
		{"bytes that are no UTF-8 are replaced", judge.Report{Runs: []judge.Run{{Why: "a\xffb"}}}, "runs.0.why", "a\ufffdb"},
	}
	for _, tt := range tests {
		t.Run(tt.fact, func(t *testing.T) {
			var b bytes.Buffer
			if err := WriteJSON(&b, &record.Document{Problems: []record.Problem{{Reports: []*judge.Report{&tt.report}}}}); err != nil {
				t.Fatal(err)
			}
			var got any
			if err := json.Unmarshal(b.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
			for key := range strings.SplitSeq("problems.0.submissions.0."+tt.path, ".") {
				if key == "0" {
					got = got.([]any)[0]
				} else {
					got = got.(map[string]any)[key]
				}
			}
			gotText, _ := json.Marshal(got)
			wantText, _ := json.Marshal(tt.want)
			if string(gotText) != string(wantText) {
				t.Errorf("%s = %s, want %s", tt.path, gotText, wantText)
			}
			if strings.Contains(b.String(), `\u003c`) {
				t.Error("< is escaped")
			}
		})
	}
}
