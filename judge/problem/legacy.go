package problem

import (
	"slices"
	"strings"

	"crucible/judge/internal/yaml"
	"crucible/judge/terminal"
)

// validation reads the key validation (legacy, "Validation"). The word multi-pass is
// an extension of DOMjudge.
func (m *metadata) validation(n *yaml.Node) error {
	text, err := n.AsString()
	if err != nil {
		return err
	}
	words := strings.Fields(text)
	if len(words) == 0 || words[0] != "default" && words[0] != "custom" {
		return n.Errorf("validation %q: expected default, or custom with optional score, interactive, multi-pass", text)
	}
	m.p.validation = n
	m.p.custom = words[0] == "custom"
	for _, word := range words[1:] {
		switch {
		case words[0] == "default":
			return n.Errorf("validation %q: expected no word after default", text)
		case word == string(Interactive), word == string(MultiPass):
			m.addTypes(Type(word))
		case word == "score":
			m.p.scoreWanted = true
		default:
			return n.Errorf("validation %q: %q: expected score, interactive or multi-pass", text, word)
		}
	}
	return nil
}

// grading reads the key grading (legacy, "Grading"). The keys after the first two are
// older than testdata.yaml, which replaces them.
func (m *metadata) grading(n *yaml.Node) error {
	group := &m.p.grading
	m.fields(n, "grading", map[string]reader{
		"objective": func(n *yaml.Node) error {
			word, err := oneOf("objective", "min", "max")(n)
			m.p.Minimize = word == "min"
			return err
		},
		"show_test_data_groups": checkBool,
		"custom_scoring":        checkBool,
		"accept_score":          into(&group.AcceptScore, (*yaml.Node).AsFloat),
		"reject_score":          into(&group.RejectScore, (*yaml.Node).AsFloat),
		"range":                 into(&group.Range, readRange),
		"on_reject": func(n *yaml.Node) error {
			word, err := n.AsString()
			words := map[string]string{"first_error": "break", "grade": "continue", "break": "break", "continue": "continue"}
			if err == nil && words[word] == "" {
				return n.Errorf("on_reject %q: expected break or continue", word)
			}
			group.OnReject = words[word]
			return err
		},
	})
	if !m.p.Is(Scoring) {
		m.p.gradingAt = n
	}
	return nil
}

// checkValidation checks that the key validation and the type of the problem
// agree with the validators of the package. It removes output validators that the
// package does not use.
func checkValidation(p *Problem, defects *Defects) {
	at := func(format string, args ...any) error {
		if p.validation != nil {
			return p.validation.Errorf(format, args...)
		}
		return Defectf(p.Where(ProblemFile), "%s", strings.TrimSpace(format))
	}
	if p.scoreWanted && !p.Is(Scoring) {
		defects.warn(at("validation: score is allowed only in scoring problems"))
	}
	if p.gradingAt != nil && !p.Is(Scoring) {
		defects.warn(p.gradingAt.Errorf("grading: only for scoring problems"))
	}
	switch {
	case p.validation == nil && !p.Format.Legacy:
	case p.custom && p.OutputValidators == nil:
		defects.Add(at("validation is custom, but output_validators/ has no program"))
	case !p.custom && p.OutputValidators != nil:
		if p.validation == nil && !p.Format.Legacy {
			break
		}
		defects.warn(at("validation is default, so the programs in output_validators/ are not used: expected custom"))
		p.OutputValidators = nil
	}
	for _, kind := range []Type{Interactive, MultiPass} {
		if p.Is(kind) && p.OutputValidators == nil {
			defects.Addf(p.Where(ProblemFile), "a problem of type %s needs an output validator, but the package has none", kind)
		}
	}
	if p.Is(SubmitAnswer) && p.StaticValidator != nil {
		defects.Add(defects.depart(Defectf(p.Where("static_validator"), "not allowed in a problem of type submit-answer")))
	}
}

// readRange reads two numbers, which may be infinite (legacy, "Test Data Groups").
func readRange(n *yaml.Node) (limits [2]float64, err error) {
	text, err := n.AsString()
	if err != nil {
		return limits, err
	}
	words := strings.Fields(text)
	if len(words) != len(limits) {
		return limits, n.Errorf("range %q: expected two numbers such as \"0 100\" or \"-inf +inf\"", text)
	}
	for i, word := range words {
		var ok bool
		if limits[i], ok = legacyFloat(word); !ok {
			return limits, n.Errorf("range %q: %q is not a number", text, word)
		}
	}
	if limits[0] > limits[1] {
		return limits, n.Errorf("range %q: expected the lower number first", text)
	}
	return limits, nil
}

// checkBool accepts true and false, and also yes, no, on and off, which are
// booleans in YAML 1.1.
func checkBool(n *yaml.Node) error {
	if n.Kind() == yaml.String && slices.Contains([]string{"yes", "no", "on", "off"}, strings.ToLower(n.Text())) {
		return nil
	}
	_, err := n.AsBool()
	return err
}

// flags reads the flags of legacy packages: one string, or a list. n may be nil.
func flags(n *yaml.Node) ([]string, error) {
	if n == nil || n.Kind() == yaml.Null {
		return nil, nil
	}
	if n.Kind() == yaml.Sequence {
		return n.AsStrings()
	}
	s, err := n.AsScalar()
	return quoted(s), err
}

// quoted splits text at spaces outside quotes, as a shell does, because DOMjudge's
// packages rely on it. If a quote is not closed, it splits at every space, as other
// judges do.
func quoted(s string) []string {
	words, err := terminal.SplitWords(s, false)
	if err != nil {
		words = strings.Fields(s)
	}
	return slices.Clip(words)
}
