package problem

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/language"

	"crucible/judge/internal/lazy"
	"crucible/judge/internal/yaml"
	"crucible/judge/terminal"
)

// Defaults of the format (2025-09, "Limits") and upper limits of this judge.
const (
	defaultMemory     = 2048 << 20
	defaultOutput     = 8 << 20
	defaultCode       = 128 << 10
	DefaultCompiling  = 60 * time.Second // time limit of a compilation
	defaultValidating = 60 * time.Second
	DefaultGuaranteed = 2048 << 20 // bytes of memory for compilers and validators
	defaultPasses     = 2
	MaxLimitMiB       = 1 << 20 // 1 TiB; the largest memory or output limit
	maxSeconds        = 1 << 20
	maxPasses         = 1000
	MaxYAML           = 1 << 20        // bytes of one YAML file
	ProblemFile       = "problem.yaml" // name of the metadata file
)

// A metadata reads problem.yaml into a problem.
type metadata struct {
	*Defects
	p *Problem
	f *Format

	passesAt, sourceURLAt *yaml.Node // values of validation_passes and source_url, or nil
}

func (m *metadata) uuid(n *yaml.Node) (err error) {
	m.p.UUID, err = n.AsString()
	if err == nil && !uuidForm().MatchString(m.p.UUID) {
		return m.depart(n.Errorf("uuid %q: expected a UUID such as 7e57d004-2b97-4e7a-b45f-5387367791cd", m.p.UUID))
	}
	return err
}

func (m *metadata) embargo(n *yaml.Node) error {
	text, err := n.AsScalar()
	if err != nil {
		return err
	}
	is := func(layouts ...string) bool {
		return slices.ContainsFunc(layouts, func(layout string) bool {
			_,
				err := time.Parse(layout, text)
			return err == nil
		})
	}
	if is(time.DateOnly, "2006-01-02T15:04:05Z") {
		return nil
	}
	// Timestamps of YAML 1.1, which other tools accept.
	text = spacesInTime().ReplaceAllString(strings.Replace(text, "t", "T", 1), "T")
	if is("2006-1-2", "2006-1-2T15:04:05", "2006-1-2T15:04:05Z07:00", "2006-1-2T15:04:05Z07") {
		m.warn(n.Errorf("embargo_until %q: expected a date, or a date and time in UTC such as 2025-09-30T12:00:00Z",
			n.Text()))
		return nil
	}
	return n.Errorf("embargo_until %q: expected a date such as 2025-09-30 or 2025-09-30T12:00:00Z", n.Text())
}

func (m *metadata) languages(n *yaml.Node) error {
	if n.Kind() == yaml.String && n.Text() == "all" {
		return nil
	}
	codes, err := n.AsStringOrStrings()
	for _, code := range codes {
		if !slices.Contains(FormatLanguages, code) {
			return n.Errorf("languages: %q is not a language code of the format%s", code,
				terminal.DidYouMean(code, FormatLanguages))
		}
	}
	m.p.Languages = codes
	return err
}

var (
	uuidForm     = lazy.Regexp(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	languageCode = lazy.Regexp(`^[a-z]{2,3}(-[A-Z]{2})?$`)
	spacesInTime = lazy.Regexp(`[ \t]+`)
	licenses     = []string{"unknown", "public domain", "cc0", "cc by", "cc by-sa", "educational", "permission"}
	// FormatLanguages lists the codes of the format's appendix "Languages".
	FormatLanguages = strings.Fields(`ada algol68 apl bash c cgmp cobol cpp cppgmp crystal csharp d dart elixir
		erlang forth fortran fsharp gerbil go haskell java javaalgs4 javascript julia kotlin lisp lua modula2 nim
		objectivec ocaml octave odin pascal perl php prolog python2 python3 python3numpy racket ruby rust scala simula
		smalltalk snobol swift typescript visualbasic zig`)
	incompatible = [][2]Type{{PassFail, Scoring}, {MultiPass, SubmitAnswer}, {Interactive, SubmitAnswer}}
)

// readYAML reads and parses a YAML file of the package of at most [MaxYAML] bytes.
// It reports defects and returns false if the file cannot be parsed.
func readYAML(fsys fs.FS, name string, defects *Defects) (*yaml.Node, bool) {
	data, err := ReadBounded(fsys, name, MaxYAML)
	if err != nil {
		defects.Add(err)
		return nil, false
	}
	return parseYAML(Where(fsys, name), data, defects)
}

// parseYAML parses the text of a YAML file. If a key occurs twice, the last one
// counts, as in PyYAML, which Kattis' tools use.
func parseYAML(file string, data []byte, defects *Defects) (*yaml.Node, bool) {
	root, repeated, err := yaml.ParseLast(file, data)
	if err != nil {
		defects.Add(err)
		return nil, false
	}
	for _, again := range repeated {
		again.Msg += "; the last one counts"
		defects.warn(again)
	}
	return root, true
}

// LossComment begins a comment line of problem.yaml that names a part of another package
// which an import did not carry over, so that submissions can get other verdicts.
const LossComment = "# not carried over, verdicts can differ: "

// readLosses warns of the losses in problem.yaml.
func readLosses(p *Problem, defects *Defects) {
	data, err := ReadBounded(p.FS, ProblemFile, MaxYAML)
	if err != nil {
		return // another step has reported it
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		if what, ok := strings.CutPrefix(line, LossComment); ok {
			msg := strings.TrimPrefix(LossComment, "# ") + terminal.Excerpt(strings.TrimSpace(what), 1000)
			loss := &Defect{File: p.Where(ProblemFile), Line: n, Msg: msg, Harmless: true}
			if defects.warn(loss); len(p.Losses) < MaxDefects {
				p.Losses = append(p.Losses, loss)
			}
		}
	}
}

func (m *metadata) types(n *yaml.Node) error {
	words, err := n.AsStringOrStrings()
	if err != nil {
		return err
	}
	if n.Kind() == yaml.String && strings.ContainsAny(n.Text(), " ,") {
		// Other tools accept packages with this form.
		words = strings.FieldsFunc(n.Text(), func(r rune) bool { return r == ' ' || r == ',' })
		m.warn(n.Errorf("type %q: expected a list for several types: [%s]", n.Text(), strings.Join(words, ", ")))
	}
	if len(words) == 0 {
		return n.Errorf("type: expected at least one of %s", list(m.f.types, ", "))
	}
	var types []Type
	for _, word := range words {
		t := Type(word)
		if !slices.Contains(m.f.types, t) {
			return n.Errorf("type %q: expected one of %s", t, list(m.f.types, ", "))
		}
		if slices.Contains(types, t) {
			return n.Errorf("type %q is given twice", t)
		}
		types = append(types, t)
	}
	for _, pair := range incompatible {
		if slices.Contains(types, pair[0]) && slices.Contains(types, pair[1]) {
			return n.Errorf("types %q and %q exclude each other", pair[0], pair[1])
		}
	}
	if !slices.Contains(types, PassFail) && !slices.Contains(types, Scoring) {
		types = append([]Type{PassFail}, types...)
	}
	m.addTypes(types...)
	return nil
}

// addTypes adds types to the problem; scoring replaces pass-fail.
func (m *metadata) addTypes(types ...Type) {
	for _, t := range types {
		if t == Scoring {
			m.p.Types = slices.DeleteFunc(m.p.Types, func(t Type) bool { return t == PassFail })
		}
		if !m.p.Is(t) && (t != PassFail || !m.p.Is(Scoring)) {
			m.p.Types = append(m.p.Types, t)
		}
	}
}

func (m *metadata) names(n *yaml.Node) error {
	if n.Kind() != yaml.Map {
		name, err := n.AsString()
		if err != nil && !m.strict {
			name, err = n.AsScalar()
		}
		m.p.Names = map[string]string{"en": name}
		return err
	}
	m.p.Names = make(map[string]string)
	for _, f := range n.Fields() {
		name, err := f.Value.AsString()
		if err != nil {
			return err
		}
		if err := m.language("name", f.Key); err != nil {
			return err
		}
		m.p.Names[f.Key.Text()] = name
	}
	if len(m.p.Names) == 0 {
		return n.Errorf("name: expected at least one language")
	}
	return nil
}

// language checks a key that names a natural language. The format allows codes of
// ISO 639 with a region; other tools accept any tag of BCP 47.
func (m *metadata) language(what string, n *yaml.Node) error {
	code := n.Text()
	known, ok := languageTag(code)
	switch {
	case !ok:
		return n.Errorf("%s: %q: expected a language code such as en or pt-BR", what, code)
	case !languageCode().MatchString(code):
		m.warn(n.Errorf("%s: %q is more than a language and a region: expected a language code such as en or pt-BR", what,
			code))
	case !known:
		m.doubt(n.Errorf("%s: unknown language or region %q", what, code))
	}
	return nil
}

// languageTag reports whether a text has the syntax of a BCP 47 language tag, and
// whether its parts are registered.
func languageTag(text string) (known, ok bool) {
	_, err := language.Parse(text)
	var unknown language.ValueError
	switch {
	case strings.Contains(text, "_"): // accepted by x/text, but not by BCP 47
		return false, false
	case err == nil:
		return true, true
	}
	return false, errors.As(err, &unknown)
}

// IsLanguage reports whether text is the code of a natural language, such as en or
// pt-BR.
func IsLanguage(text string) bool {
	known, _ := languageTag(text)
	return known || languageCode().MatchString(text)
}
