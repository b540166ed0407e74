package problem

import (
	"errors"
	"io/fs"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/language"

	"crucible/judge/internal/text"
	"crucible/judge/internal/yaml"
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

	passesAt, sourceURLAt *yaml.Node // where those keys are given, or nil
}

// metadataKeys are the keys of problem.yaml (2025-09, "Problem metadata").
var metadataKeys = map[string]func(*metadata, *yaml.Node) error{
	"problem_format_version": func(*metadata, *yaml.Node) error { return nil }, // read first
	"type":                   readTypes,
	"name":                   readNames,
	"uuid": func(m *metadata, n *yaml.Node) (err error) {
		m.p.UUID, err = n.AsString()
		if err == nil && !uuidForm.MatchString(m.p.UUID) {
			return m.depart(n.Errorf("uuid %q: expected a UUID such as 7e57d004-2b97-4e7a-b45f-5387367791cd", m.p.UUID))
		}
		return err
	},
	"version":      justScalar,
	"credits":      readCredits,
	"source":       readSource,
	"license":      readLicense,
	"rights_owner": justString,
	"embargo_until": func(m *metadata, n *yaml.Node) error {
		text, err := n.AsScalar()
		if err != nil {
			return err
		}
		for _, layout := range []string{time.DateOnly, "2006-01-02T15:04:05Z"} {
			if _, err := time.Parse(layout, text); err == nil {
				return nil
			}
		}
		// Timestamps of YAML 1.1, which other tools accept.
		text = spacesInTime.ReplaceAllString(strings.Replace(text, "t", "T", 1), "T")
		for _, layout := range []string{"2006-1-2", "2006-1-2T15:04:05", "2006-1-2T15:04:05Z07:00", "2006-1-2T15:04:05Z07"} {
			if _, err := time.Parse(layout, text); err == nil {
				m.warn(n.Errorf("embargo_until %q: expected a date, or a date and time in UTC such as 2025-09-30T12:00:00Z", n.Text()))
				return nil
			}
		}
		return n.Errorf("embargo_until %q: expected a date such as 2025-09-30 or 2025-09-30T12:00:00Z", n.Text())
	},
	"limits":   readLimits,
	"keywords": func(_ *metadata, n *yaml.Node) error { _, err := n.AsStrings(); return err },
	"languages": func(m *metadata, n *yaml.Node) error {
		if n.Kind() == yaml.String && n.Text() == "all" {
			return nil
		}
		codes, err := n.AsStringOrStrings()
		if err == nil && len(codes) == 0 {
			return n.Errorf("languages: expected %q or at least one language", "all")
		}
		for _, code := range codes {
			if !slices.Contains(FormatLanguages, code) {
				return n.Errorf("languages: %q is not a language code of the format%s", code, text.DidYouMean(code, FormatLanguages))
			}
		}
		m.p.Languages = codes
		return err
	},
	"allow_file_writing": func(m *metadata, n *yaml.Node) (err error) {
		m.p.AllowFileWriting, err = n.AsBool()
		return err
	},
	"constants": readConstants,
}

var (
	uuidForm     = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	languageCode = regexp.MustCompile(`^[a-z]{2,3}(-[A-Z]{2})?$`)
	spacesInTime = regexp.MustCompile(`[ \t]+`)
	licenses     = []string{"unknown", "public domain", "cc0", "cc by", "cc by-sa", "educational", "permission"}
	// FormatLanguages lists the codes of the format's appendix "Languages".
	FormatLanguages = strings.Fields(`ada algol68 apl bash c cgmp cobol cpp cppgmp crystal csharp d dart elixir erlang forth
		fortran fsharp gerbil go haskell java javaalgs4 javascript julia kotlin lisp lua modula2 nim objectivec ocaml octave
		odin pascal perl php prolog python2 python3 python3numpy racket ruby rust scala simula smalltalk snobol swift
		typescript visualbasic zig`)
	incompatible = [][2]Type{{PassFail, Scoring}, {MultiPass, SubmitAnswer}, {Interactive, SubmitAnswer}}
)

// readMetadata reads problem.yaml into p and reports all its defects. It sets
// defaults for all keys that problem.yaml omits.
func readMetadata(p *Problem, defects *Defects) {
	p.Format = &Formats[0]
	defer func() { defects.strict = p.Format.Strict }()
	p.License = "unknown"
	p.Types = []Type{PassFail}
	p.Limits = Limits{Memory: defaultMemory, Output: defaultOutput}
	p.Code = defaultCode
	p.Building = Guarantee{Time: DefaultCompiling, Memory: DefaultGuaranteed}
	p.Checking = Guarantee{Time: defaultValidating, Memory: DefaultGuaranteed, Output: defaultOutput}
	p.Passes = 1
	root, ok := readYAML(p.FS, ProblemFile, defects)
	if !ok {
		return
	}
	if root.Kind() == yaml.Map {
		readVersion(p, root, defects)
	}
	m := &metadata{Defects: defects, p: p, f: p.Format}
	defects.strict = p.Format.Strict
	p.Version, p.Timing, p.AllowFileWriting = p.Format.Version, p.Format.timing, p.Format.writing
	if !defects.fields(root, ProblemFile, m.keys()) {
		return
	}
	for _, key := range p.Format.needed {
		if root.Get(key) == nil {
			defects.Add(root.Errorf("key %s is missing", key))
		}
	}
	m.checkOwner(root)
	if m.sourceURLAt != nil && root.Get("source") == nil {
		m.warn(m.sourceURLAt.Errorf("source_url: expected source as well"))
	}
	switch {
	case p.Is(MultiPass) && m.passesAt == nil:
		p.Passes = defaultPasses
	case !p.Is(MultiPass) && m.passesAt != nil:
		defects.Add(defects.depart(m.passesAt.Errorf("validation_passes: allowed only in problems of type multi-pass")))
		p.Passes = 1
	}
}

// readVersion sets the version of the package. A package without
// problem_format_version is legacy (legacy, "Problem format version").
func readVersion(p *Problem, root *yaml.Node, defects *Defects) {
	n := root.Get("problem_format_version")
	if n == nil {
		p.Format = FormatOf("legacy")
		for _, newer := range []string{"statement", "output_validator", "submissions/submissions.yaml"} {
			if _, err := fs.Stat(p.FS, newer); err == nil {
				defects.warn(root.Errorf("no problem_format_version, so the package is read as legacy, but %s is from a later version: expected problem_format_version: %s", newer, Formats[0].Version))
				return
			}
		}
		return
	}
	version, err := n.AsScalar()
	switch f := FormatOf(version); {
	case err != nil:
		defects.Add(err)
	case f == nil:
		defects.Add(n.Errorf("problem_format_version %q: expected one of %s%s", version, versions(), text.DidYouMean(version, Versions())))
	default:
		p.Format = f
	}
}

// keys returns the keys of the package's version.
func (m *metadata) keys() map[string]func(*yaml.Node) error {
	keys := make(map[string]func(*yaml.Node) error)
	add := func(table map[string]func(*metadata, *yaml.Node) error) {
		for name, read := range table {
			if keys[name] == nil {
				keys[name] = func(n *yaml.Node) error { return read(m, n) }
			}
		}
	}
	switch {
	case m.f.Legacy:
		add(legacyKeys)
	case m.f.Strict:
		add(metadataKeys)
	default: // authors of draft packages used legacy keys too
		add(metadataKeys)
		add(legacyKeys)
	}
	return keys
}

// checkOwner checks that the license has the rights owner that it requires
// (2025-09, "Rights owner"; legacy, "License").
func (m *metadata) checkOwner(root *yaml.Node) {
	owner, credits := root.Get("rights_owner"), root.Get("credits")
	named := root.Get("author") != nil || root.Get("source") != nil ||
		credits != nil && (credits.Kind() != yaml.Map || credits.Get("authors") != nil)
	switch license := m.p.License; {
	case license == "public domain" && owner != nil:
		m.Add(m.depart(owner.Errorf("rights_owner: not allowed for a problem in the public domain")))
	case license != "public domain" && license != "unknown" && slices.Contains(licenses, license) && owner == nil && !named:
		m.Add(m.depart(root.Get("license").Errorf("license %q: expected a rights_owner, authors in credits, or a source", license)))
	}
}

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

func readTypes(m *metadata, n *yaml.Node) error {
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
		return n.Errorf("type: expected at least one of %s", commaList(m.f.types))
	}
	var types []Type
	for _, word := range words {
		t := Type(word)
		if !slices.Contains(m.f.types, t) {
			return n.Errorf("type %q: expected one of %s", t, commaList(m.f.types))
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

func readNames(m *metadata, n *yaml.Node) error {
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
	case !languageCode.MatchString(code):
		m.warn(n.Errorf("%s: %q is more than a language and a region: expected a language code such as en or pt-BR", what, code))
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
	return known || languageCode.MatchString(text)
}

func readLicense(m *metadata, n *yaml.Node) error {
	license, err := n.AsString()
	if err != nil {
		return err
	}
	m.p.License = license
	if !slices.Contains(licenses, license) {
		return m.depart(n.Errorf("license %q: expected one of %s", license, strings.Join(licenses, ", ")))
	}
	return nil
}

// seconds reads a number of seconds, or a factor, greater than least or, if
// inclusive is set, equal to it.
func seconds(to *float64, least float64, inclusive bool) func(*yaml.Node) error {
	return func(n *yaml.Node) error {
		v, err := n.AsFloat()
		if err != nil {
			return err
		}
		if !(v > least || v == least && inclusive) || v > maxSeconds {
			bound := "above"
			if inclusive {
				bound = "from"
			}
			return n.Errorf("%v: expected a number %s %v to %d", v, bound, least, maxSeconds)
		}
		*to = v
		return nil
	}
}

// whole reads a whole number.
func (m *metadata) whole(least, most int64, set func(int64)) func(*yaml.Node) error {
	return func(n *yaml.Node) error {
		v, err := n.AsInt()
		if f, ferr := n.AsFloat(); err != nil && !m.strict && ferr == nil && f > 0 && f <= float64(most) {
			v, err = int64(math.Ceil(f)), nil
		}
		if err != nil {
			return err
		}
		if v < least || v > most {
			return n.Errorf("%d: expected an integer from %d to %d", v, least, most)
		}
		set(v)
		return nil
	}
}

// readLimits reads the key limits (2025-09, "Limits").
func readLimits(m *metadata, n *yaml.Node) error {
	p := m.p
	bytes := func(to *int64, unit int64) func(*yaml.Node) error {
		return m.whole(1, MaxLimitMiB, func(v int64) { *to = v * unit })
	}
	duration := func(to *time.Duration) func(*yaml.Node) error {
		return m.whole(1, maxSeconds, func(v int64) { *to = time.Duration(v) * time.Second })
	}
	var limit float64
	keys := map[string]func(*yaml.Node) error{
		"time_limit":      seconds(&limit, 0, false),
		"time_resolution": seconds(&p.Timing.Resolution, 0, false),
		"time_multipliers": func(n *yaml.Node) error {
			if n.Kind() != yaml.Map && m.f.Legacy {
				// Legacy has no such key, and other tools ignore it.
				m.warn(n.Errorf("time_multipliers: is not read: version %s expects time_multiplier and time_safety_margin", m.p.Version))
				return nil
			}
			m.fields(n, "time_multipliers", map[string]func(*yaml.Node) error{
				"ac_to_time_limit":  seconds(&p.Timing.ACToLimit, 1, true),
				"time_limit_to_tle": seconds(&p.Timing.LimitToTLE, 1, true),
			})
			return nil
		},
		"memory":             bytes(&p.Limits.Memory, 1<<20),
		"output":             bytes(&p.Limits.Output, 1<<20),
		"code":               bytes(&p.Code, 1<<10),
		"compilation_time":   duration(&p.Building.Time),
		"compilation_memory": bytes(&p.Building.Memory, 1<<20),
		"validation_time":    duration(&p.Checking.Time),
		"validation_memory":  bytes(&p.Checking.Memory, 1<<20),
		"validation_output":  bytes(&p.Checking.Output, 1<<20),
		"validation_passes": func(n *yaml.Node) error {
			m.passesAt = n
			return m.whole(2, maxPasses, func(v int64) { p.Passes = int(v) })(n)
		},
	}
	if !m.f.Strict {
		keys["time_multiplier"] = seconds(&p.Timing.ACToLimit, 0, false)
		keys["time_safety_margin"] = seconds(&p.Timing.LimitToTLE, 0, false)
	}
	before := len(m.Errs)
	if !m.fields(n, "limits", keys) || len(m.Errs) > before {
		return nil
	}
	if limit > 0 {
		at := n.Get("time_limit")
		m.setTimeLimit(limit)
		if times := limit / p.Timing.Resolution; m.f.Strict && math.Abs(times-math.Round(times)) > 1e-9*times {
			return at.Errorf("time_limit %v is not a multiple of time_resolution %v", limit, p.Timing.Resolution)
		}
	}
	return nil
}

func (m *metadata) setTimeLimit(seconds float64) {
	m.p.Limits.Time = time.Duration(math.Round(seconds * float64(time.Second)))
	m.p.Limits.Wall = WallLimit(m.p.Limits.Time)
}

func readCredits(m *metadata, n *yaml.Node) error {
	if n.Kind() == yaml.String {
		doubtPerson(n, n.Text(), m.Defects)
		return nil
	}
	persons := func(n *yaml.Node) error { _, err := people(n, m.Defects); return err }
	m.fields(n, "credits", map[string]func(*yaml.Node) error{
		"authors": persons, "contributors": persons, "testers": persons,
		"packagers": persons, "acknowledgements": persons,
		"translators": func(n *yaml.Node) error {
			if n.Kind() != yaml.Map {
				return n.Errorf("translators: expected a map from language code to persons, found %v", n.Kind())
			}
			for _, f := range n.Fields() {
				if err := m.language("translators", f.Key); err != nil {
					return err
				}
				if err := persons(f.Value); err != nil {
					return err
				}
			}
			return nil
		},
	})
	return nil
}

// people reads one person or a sequence of them (2025-09, "Credits").
func people(n *yaml.Node, defects *Defects) ([]string, error) {
	items := []*yaml.Node{n}
	if n.Kind() == yaml.Sequence {
		if items = n.Items(); len(items) == 0 {
			return nil, n.Errorf("expected at least one person")
		}
	}
	var names []string
	for _, item := range items {
		if item.Kind() != yaml.Map {
			name, err := item.AsString()
			if err != nil {
				return nil, err
			}
			doubtPerson(item, name, defects)
			names = append(names, name)
			continue
		}
		text := func(n *yaml.Node) error { _, err := n.AsString(); return err }
		defects.fields(item, "person", map[string]func(*yaml.Node) error{"name": text, "email": text, "orcid": text, "kattis": text})
		name := item.Get("name")
		if name == nil {
			return nil, item.Errorf("person: key name is missing")
		}
		doubtPerson(name, name.Text(), defects)
		names = append(names, name.Text())
	}
	return names, nil
}

// doubtPerson reports a doubt for a name that probably lists several persons,
// using the same signs as BAPCtools.
func doubtPerson(at *yaml.Node, name string, defects *Defects) {
	name, _, _ = strings.Cut(name, "<")
	for _, sign := range []string{",", " and ", "&"} {
		if strings.Contains(name, sign) {
			defects.doubt(at.Errorf("person %q: seems to be several persons, because of %q: expected a list of persons", strings.TrimSpace(name), strings.TrimSpace(sign)))
			return
		}
	}
}

func readSource(m *metadata, n *yaml.Node) error {
	items := []*yaml.Node{n}
	if n.Kind() == yaml.Sequence {
		items = n.Items()
	}
	for _, item := range items {
		if item.Kind() != yaml.Map {
			if _, err := item.AsString(); err != nil {
				return err
			}
			continue
		}
		text := func(n *yaml.Node) error { _, err := n.AsString(); return err }
		m.fields(item, "source", map[string]func(*yaml.Node) error{"name": text, "url": text})
		if item.Get("name") == nil {
			return item.Errorf("source: key name is missing")
		}
	}
	return nil
}

func justString(_ *metadata, n *yaml.Node) error { _, err := n.AsString(); return err }
func justScalar(_ *metadata, n *yaml.Node) error { _, err := n.AsScalar(); return err }
