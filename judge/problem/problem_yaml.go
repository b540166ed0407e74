package problem

import (
	"io/fs"
	"maps"
	"math"
	"strings"

	"crucible/judge/internal/yaml"
	"crucible/judge/terminal"
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
	p.grading = Group{OnReject: "break", AcceptScore: 1, Range: [2]float64{math.Inf(-1), math.Inf(1)}}
	var root *yaml.Node
	var ok bool
	if Absent(p.FS, ProblemFile) && !Absent(p.FS, domjudgeFile) {
		defects.warnf(p.Where(ProblemFile), "is missing: the package is read as legacy, with the settings of %s",
			domjudgeFile)
		root, ok = parseYAML(p.Where(ProblemFile), []byte("{}"), defects)
	} else {
		root, ok = readYAML(p.FS, ProblemFile, defects)
	}
	if !ok {
		return
	}
	if root.Kind() == yaml.Map {
		readVersion(p, root, defects)
	}
	m := &metadata{Defects: defects, p: p, f: p.Format}
	defects.strict = p.Format.Strict
	defects.dropUnset(root)
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
	if m.sourceURLAt != nil && len(p.Credits.Sources) > 0 {
		p.Credits.Sources[0].URL = m.sourceURLAt.Text()
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
	if n == nil || n.Kind() == yaml.Null {
		p.Format = FormatOf("legacy")
		for _, newer := range []string{"statement", "output_validator", "submissions/submissions.yaml"} {
			if _, err := fs.Stat(p.FS, newer); err == nil {
				defects.warn(root.Errorf("no problem_format_version, so the package is read as legacy, but %s is from a later "+
					"version: expected problem_format_version: %s", newer, Formats[0].Version))
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
		defects.Add(n.Errorf("problem_format_version %q: expected one of %s%s", version, strings.Join(Versions(), ", "),
			terminal.DidYouMean(version, Versions())))
	default:
		p.Format = f
	}
}

// keys returns the keys of problem.yaml in the package's version (2025-09 and legacy,
// "Problem metadata").
func (m *metadata) keys() map[string]reader {
	both := map[string]reader{
		"problem_format_version": ignored, // read first
		"type":                   m.types,
		"name":                   m.names,
		"uuid":                   m.uuid,
		"source":                 m.source,
		"license":                m.license,
		"rights_owner":           into(&m.p.Credits.Owner, (*yaml.Node).AsString),
		"limits":                 m.limits,
	}
	legacy := map[string]reader{
		"author": func(n *yaml.Node) error {
			name, err := n.AsString()
			m.p.Credits.Authors = []string{name}
			return err
		},
		"source_url": func(n *yaml.Node) error {
			m.sourceURLAt = n
			return checked((*yaml.Node).AsString)(n)
		},
		"validation": m.validation,
		"validator_flags": func(n *yaml.Node) error {
			text, err := n.AsScalar()
			m.p.validatorFlags = quoted(text)
			return err
		},
		"grading":  m.grading,
		"keywords": func(n *yaml.Node) error { return firstError(oneOrMore(n), checked((*yaml.Node).AsString)) },
	}
	newer := map[string]reader{
		"version":            checked((*yaml.Node).AsScalar),
		"credits":            m.credits,
		"embargo_until":      m.embargo,
		"keywords":           checked((*yaml.Node).AsStrings),
		"languages":          m.languages,
		"allow_file_writing": into(&m.p.AllowFileWriting, (*yaml.Node).AsBool),
		"constants":          m.constants,
	}
	if !m.f.Strict { // authors of draft packages used legacy keys too
		maps.Copy(both, legacy)
	}
	if !m.f.Legacy {
		maps.Copy(both, newer)
	}
	return both
}
