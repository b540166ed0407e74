package bench

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"crucible/judge/measure/stat"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/sandbox"
)

// Keys of a problem in a record, and kinds of lines in the log of a call.
const (
	measurementKey = "measurement"
	comparisonKey  = "comparison"
	scalingKey     = "scaling"
	bandKey        = "band"
	trialLine      = "trial"
)

// Section is the section of measurements: the facts, and the results, which are computed
// again from the facts when they are read.
var Section = record.Section{Name: measurementKey, Decode: decode, Problems: problemsOf}

// Conclude adds a measurement to a problem, and its results. It returns an error for a
// measurement of unknown kind.
func Conclude(p *record.Problem, m *Measurement) error {
	if p.Sections == nil {
		p.Sections = make(record.Sections)
	}
	p.Sections[measurementKey] = m
	switch m.Kind {
	case ForBench:
		p.Sections[comparisonKey] = CompareOf(m)
	case ForScale:
		p.Sections[scalingKey] = ScalingOf(m)
	case ForLimits:
		p.Sections[bandKey] = BandOf(m)
	default:
		return fmt.Errorf("measurement of kind %q: expected %s, %s or %s", m.Kind, ForBench, ForScale, ForLimits)
	}
	return nil
}

// decode adds a measurement that was read to a problem, and its results.
func decode(p *record.Problem, text jsontext.Value) error {
	for _, key := range []string{comparisonKey, scalingKey, bandKey} {
		delete(p.Sections, key)
	}
	m := new(Measurement)
	if err := record.Parse(text, m); err != nil {
		return err
	}
	if err := checkIndexes(m); err != nil {
		return err
	}
	return Conclude(p, m)
}

// checkIndexes returns an error if an index of a submission or case in the measurement
// is out of range.
func checkIndexes(m *Measurement) error {
	if n := len(m.Submissions); m.Reference < 0 || m.Reference >= max(n, 1) {
		return fmt.Errorf("reference %d: there are %d submissions", m.Reference, n)
	}
	for i := range m.Trials {
		if err := checkTrial(m, &m.Trials[i]); err != nil {
			return fmt.Errorf("trial %d: %w", i, err)
		}
	}
	return nil
}

func checkTrial(m *Measurement, t *Trial) error {
	if t.Submission < 0 || t.Submission >= len(m.Submissions) || t.Case < 0 || t.Case >= len(m.Cases) {
		return fmt.Errorf("submission %d on case %d: there are %d and %d", t.Submission, t.Case, len(m.Submissions),
			len(m.Cases))
	}
	if n := m.machines(); t.Worker < 0 || t.Worker >= n {
		return fmt.Errorf("worker %d: there are %d", t.Worker, n)
	}
	return nil
}

// A measurementLine contains the fields of a measurement except its trials.
type measurementLine struct {
	Number int     `json:"number"`          // index of the measurement in the call, from 0
	Trials []Trial `json:"trials,omitzero"` // always nil
	Measurement
}

// A numberedTrial is a trial of a measurement. A measurement has thousands of trials, so
// their zero fields are omitted.
type numberedTrial struct {
	Measurement int `json:"measurement"` // number of the measurement
	Trial
	Enforced *sandbox.Limits `json:"enforced"` // limits of the trial; nil if they equal those of the trial before
}

// A Log stores measurements in the log of a call while they run. If the judge is killed,
// all trials that ended are stored.
type Log struct {
	To interface { // usually a [record.Recording]
		Line(kind string, v any)
		Toolchain(language string)
	}
	measurements []*Measurement
	stored       []*measurementLine // the last line of each measurement
	limits       *sandbox.Limits    // of the last trial; nil before the first
	again        time.Time          // when an unfinished measurement was last stored
}

// storeInterval is the minimum time before an unfinished measurement is stored again. If the
// judge is killed, the stored measurement has its warnings too, such as the load of
// the machine.
const storeInterval = 2 * time.Second

// Measuring stores a measurement without its trials, if it changed. It is called before
// the first trial, and again after submissions or cases were added.
func (l *Log) Measuring(m *Measurement) {
	i := slices.Index(l.measurements, m)
	if i < 0 {
		i = len(l.measurements)
		l.measurements, l.stored = append(l.measurements, m), append(l.stored, nil)
	}
	line := &measurementLine{Number: i, Measurement: *m}
	line.Measurement.Trials, line.Measurement.Submissions = nil, slices.Clone(m.Submissions)
	if !reflect.DeepEqual(l.stored[i], line) {
		l.stored[i] = line
		l.To.Line(measurementKey, line)
	}
}

// Trial stores a trial of the latest measurement.
func (l *Log) Trial(t Trial) {
	latest := len(l.measurements) - 1
	if latest < 0 {
		return
	}
	line := &numberedTrial{Measurement: latest, Trial: t}
	if l.limits == nil || *l.limits != t.Outcome.Limits {
		l.limits, line.Enforced = &t.Outcome.Limits, &t.Outcome.Limits
	}
	l.To.Line(trialLine, line)
	if time.Since(l.again) >= storeInterval {
		l.Measuring(l.measurements[latest])
		l.again = time.Now()
	}
}

// Measured stores a measurement at its end, and the toolchains of its submissions.
func (l *Log) Measured(m *Measurement) {
	l.Measuring(m)
	for i := range m.Submissions {
		if m.Workers != nil {
			break // they have their own
		}
		l.To.Toolchain(m.Submissions[i].Language)
	}
}

// problemsOf returns the measurements with a trial that are stored of a call.
func problemsOf(c *record.Call) (problems []record.Problem, err error) {
	var all []Measurement
	var limits sandbox.Limits // of the last trial
	for _, line := range c.Sections {
		switch line.Name {
		case measurementKey:
			all, err = addMeasurement(all, line.Text)
		case trialLine:
			err = addTrial(all, &limits, line.Text)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", c.Path, line.Number, err)
		}
	}
	for i := range all {
		m := &all[i]
		if m.Trials == nil {
			continue
		}
		if c.State != record.Ended {
			m.Ended = cmp.Or(m.Ended, Interrupted)
		}
		p := record.Problem{ID: m.Problem, Limits: m.Limits}
		for k := range c.Head.Problems {
			if one := &c.Head.Problems[k]; one.ID == m.Problem {
				p.Path = one.Path
				break
			}
		}
		for _, one := range m.Cases {
			p.Cases = append(p.Cases, one.Name)
		}
		err := checkIndexes(m)
		if err == nil {
			err = Conclude(&p, m)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: problem %q: %w", c.Path, m.Problem, err)
		}
		problems = append(problems, p)
	}
	return problems, nil
}

// addMeasurement adds a new measurement, or updates an existing one except its trials.
func addMeasurement(all []Measurement, text jsontext.Value) ([]Measurement, error) {
	var line measurementLine
	if err := record.Parse(text, &line); err != nil {
		return nil, err
	}
	switch n := len(all); {
	case line.Number == n:
		all = append(all, Measurement{})
	case line.Number < 0 || line.Number > n:
		return nil, fmt.Errorf("measurement %d: there are %d", line.Number, n)
	}
	line.Measurement.Trials = all[line.Number].Trials
	all[line.Number] = line.Measurement
	return all, nil
}

// addTrial adds a trial to its measurement. limits are those of the trial before.
func addTrial(all []Measurement, limits *sandbox.Limits, text jsontext.Value) error {
	var t numberedTrial
	if err := record.Parse(text, &t); err != nil {
		return err
	}
	if n := t.Measurement; n < 0 || n >= len(all) {
		return fmt.Errorf("trial of measurement %d: there are %d", n, len(all))
	}
	m := &all[t.Measurement]
	if err := checkTrial(m, &t.Trial); err != nil {
		return fmt.Errorf("trial of %w", err)
	}
	if t.Enforced != nil {
		*limits = *t.Enforced
	}
	t.Outcome.Limits = *limits
	m.Trials = append(m.Trials, t.Trial)
	return nil
}

// The plain types have the fields of types that encode themselves, but no method.
type (
	plainComparison    Comparison
	plainScaling       Scaling
	plainBand          Band
	plainRunComparison RunComparison
)

// MarshalJSONTo writes a comparison with names in place of indexes.
func (c *Comparison) MarshalJSONTo(e *jsontext.Encoder) error {
	return encodeNamed(e, c.Measurement, (*plainComparison)(c))
}

// MarshalJSONTo writes a scaling with names in place of indexes.
func (s *Scaling) MarshalJSONTo(e *jsontext.Encoder) error {
	return encodeNamed(e, s.Measurement, (*plainScaling)(s))
}

// MarshalJSONTo writes a band with names in place of indexes.
func (b *Band) MarshalJSONTo(e *jsontext.Encoder) error {
	return encodeNamed(e, b.Measurement, (*plainBand)(b))
}

// encodeNamed writes a value. It replaces the indexes of submissions and cases in the
// measurement by their names, and an index that is out of range by "".
func encodeNamed(e *jsontext.Encoder, m *Measurement, v any) error {
	if m == nil {
		m = new(Measurement)
	}
	outer, _ := json.GetOption(e.Options(), json.WithMarshalers)
	return json.MarshalEncode(e, v, json.WithMarshalers(json.JoinMarshalers(
		nameOf[SubmissionIndex](m.Submissions, func(e Submission) string { return e.Name }),
		nameOf[CaseIndex](m.Cases, func(i Input) string { return i.Name }),
		outer,
	)))
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

// MarshalJSONTo writes a curve with what is known about larger sizes.
func (c *Curve) MarshalJSONTo(e *jsontext.Encoder) error {
	largest := &c.Largest
	if c.Reach() != ReachSize {
		largest = nil
	}
	return json.MarshalEncode(e, &struct {
		Submission SubmissionIndex `json:"submission"`
		Wrong      string          `json:"wrong"`
		Points     []Point         `json:"points"`
		Time       *fitObject      `json:"time_s"`
		Memory     *fitObject      `json:"memory_bytes"`
		Count      *fitObject      `json:"instructions,omitzero"`
		Measured   float64         `json:"measured"`
		Largest    *float64        `json:"largest"`
		Reach      Reach           `json:"reach"`
		Bound      problem.Verdict `json:"bound"`
		Stopped    string          `json:"stopped"`
	}{c.Submission, c.Wrong, c.Points, objectOf(&c.Time), objectOf(&c.Memory), objectOf(c.Count), c.Measured, largest,
		c.Reach(), c.Bound, c.Stopped})
}

// A fitObject has the keys of a fit.
type fitObject struct {
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
}

func objectOf(f *stat.Fit) *fitObject {
	if f == nil {
		return nil
	}
	return &fitObject{f.Model, f.A, f.B, f.K, f.Of.Lo, f.Of.Hi, f.Of.Confidence, f.Why, f.Others, f.Doubts}
}

// MarshalJSONTo writes a comparison of stored runs with its counts.
func (a *RunComparison) MarshalJSONTo(e *jsontext.Encoder) error {
	old, new := *a.Old, *a.New
	old.Looks, new.Looks = max(old.Looks, 1), max(new.Looks, 1)
	c := plainRunComparison(*a)
	c.Old, c.New = &old, &new
	return json.MarshalEncode(e, &struct {
		*plainRunComparison
		Counts Counts `json:"counts"`
	}{&c, a.Counts()})
}
