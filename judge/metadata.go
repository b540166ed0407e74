package judge

import (
	"io/fs"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"crucible/judge/yaml"
)

// The typical system defaults of the format (2025-09, "Limits"): a package
// that omits a limit accepts any reasonable one.
const (
	defaultMemory     = 2048 << 20
	defaultOutput     = 8 << 20
	defaultCode       = 128 << 10
	defaultCompiling  = 60 * time.Second
	defaultValidating = 60 * time.Second
	defaultGuaranteed = 2048 << 20
	maxLimitMiB       = 1 << 20 // a TiB; beyond it a number is a slip of the pen
	maxSeconds        = 1 << 20
	maxYAML           = 1 << 20 // bytes of one YAML file
	formatVersion     = "2025-09"
	problemFile       = "problem.yaml"
)

// metadataKeys are the keys of problem.yaml (2025-09, "Problem metadata").
// A key that is not here is an error.
var metadataKeys = map[string]func(*Problem, *yaml.Node) error{
	"problem_format_version": func(p *Problem, n *yaml.Node) (err error) {
		p.Version, err = n.AsScalar()
		if err == nil && p.Version != formatVersion {
			return n.Errorf("problem_format_version %q: this judge reads %q", p.Version, formatVersion)
		}
		return err
	},
	"type": readTypes,
	"name": readNames,
	"uuid": func(p *Problem, n *yaml.Node) (err error) {
		p.UUID, err = n.AsString()
		if err == nil && !uuidForm.MatchString(p.UUID) {
			return n.Errorf("uuid %q: want a UUID such as 7e57d004-2b97-4e7a-b45f-5387367791cd", p.UUID)
		}
		return err
	},
	"version": justScalar,
	"credits": readCredits,
	"source":  readSource,
	"license": func(p *Problem, n *yaml.Node) (err error) {
		p.License, err = n.AsString()
		if err == nil && !slices.Contains(licenses, p.License) {
			return n.Errorf("license %q: want one of %s", p.License, strings.Join(licenses, ", "))
		}
		return err
	},
	"rights_owner": justString,
	"embargo_until": func(_ *Problem, n *yaml.Node) error {
		text, err := n.AsScalar()
		if err != nil {
			return err
		}
		for _, layout := range []string{time.DateOnly, "2006-01-02T15:04:05Z"} {
			if _, err := time.Parse(layout, text); err == nil {
				return nil
			}
		}
		return n.Errorf("embargo_until %q: want a date such as 2025-09-30, or 2025-09-30T12:00:00Z", text)
	},
	"limits":   readLimits,
	"keywords": func(_ *Problem, n *yaml.Node) error { _, err := n.AsStrings(); return err },
	"languages": func(p *Problem, n *yaml.Node) error {
		if n.Kind() == yaml.String && n.Text() == "all" {
			return nil
		}
		codes, err := n.AsStringOrStrings()
		if err == nil && len(codes) == 0 {
			return n.Errorf("languages: want %q or at least one language", "all")
		}
		for _, code := range codes {
			if !slices.Contains(formatLanguages, code) {
				return n.Errorf("languages: %q is no code of the format's table of languages%s", code, didYouMean(code, formatLanguages))
			}
		}
		p.Languages = codes
		return err
	},
	"allow_file_writing": func(p *Problem, n *yaml.Node) (err error) {
		p.AllowFileWriting, err = n.AsBool()
		return err
	},
	"constants": readConstants,
}

var (
	uuidForm     = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	constantName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)
	languageCode = regexp.MustCompile(`^[a-z]{2,3}(-[A-Z]{2})?$`)
	licenses     = []string{"unknown", "public domain", "cc0", "cc by", "cc by-sa", "educational", "permission"}
	// The codes of the format's appendix "Languages".
	formatLanguages = strings.Fields(`ada algol68 apl bash c cgmp cobol cpp cppgmp crystal csharp d dart elixir erlang forth
		fortran fsharp gerbil go haskell java javaalgs4 javascript julia kotlin lisp lua modula2 nim objectivec ocaml octave
		odin pascal perl php prolog python2 python3 python3numpy racket ruby rust scala simula smalltalk snobol swift
		typescript visualbasic zig`)
	incompatible = [][2]string{{"pass-fail", "scoring"}, {"multi-pass", "submit-answer"}, {"interactive", "submit-answer"}}
)

// readMetadata reads problem.yaml. It goes on after a defect, so that all are told.
func readMetadata(p *Problem, defects *defects) {
	root, ok := readYAML(p.fsys, problemFile, defects)
	if !ok {
		return
	}
	p.License = "unknown"
	p.Types = []string{"pass-fail"}
	p.Limits = Limits{Memory: defaultMemory, Output: defaultOutput}
	p.Timing = TimeRule{Resolution: 1, ACToLimit: 2, LimitToTLE: 1.5}
	p.Code = defaultCode
	p.Building = Guarantee{Time: defaultCompiling, Memory: defaultGuaranteed}
	p.Checking = Guarantee{Time: defaultValidating, Memory: defaultGuaranteed, Output: defaultOutput}
	keys := make(map[string]func(*yaml.Node) error)
	for name, read := range metadataKeys {
		keys[name] = func(n *yaml.Node) error { return read(p, n) }
	}
	if !defects.fields(root, problemFile, keys) {
		return
	}
	for _, key := range []string{"problem_format_version", "name", "uuid"} {
		if root.Get(key) == nil {
			defects.add(root.Errorf("key %s is missing", key))
		}
	}
	owner := root.Get("rights_owner")
	switch {
	case p.License == "public domain" && owner != nil:
		defects.add(owner.Errorf("rights_owner: a problem in the public domain has none"))
	case p.License != "public domain" && p.License != "unknown" &&
		owner == nil && root.Get("credits") == nil && root.Get("source") == nil:
		defects.add(root.Get("license").Errorf("license %q: want a rights_owner, or credits or a source that name one", p.License))
	}
}

// readYAML reads and parses one YAML file of the package.
func readYAML(fsys fs.FS, name string, defects *defects) (*yaml.Node, bool) {
	data, err := readBounded(fsys, name, maxYAML)
	if err != nil {
		defects.add(err)
		return nil, false
	}
	root, err := yaml.Parse(where(fsys, name), data)
	if err != nil {
		defects.add(err)
		return nil, false
	}
	return root, true
}

func readTypes(p *Problem, n *yaml.Node) error {
	types, err := n.AsStringOrStrings()
	if err != nil {
		return err
	}
	if len(types) == 0 {
		return n.Errorf("type: want at least one of %s", strings.Join(problemTypes, ", "))
	}
	for i, t := range types {
		if !slices.Contains(problemTypes, t) {
			return n.Errorf("type %q: want one of %s", t, strings.Join(problemTypes, ", "))
		}
		if slices.Contains(types[:i], t) {
			return n.Errorf("type %q is given twice", t)
		}
	}
	for _, pair := range incompatible {
		if slices.Contains(types, pair[0]) && slices.Contains(types, pair[1]) {
			return n.Errorf("types %q and %q exclude each other", pair[0], pair[1])
		}
	}
	for _, t := range types {
		if t != "pass-fail" {
			return n.Errorf("type %q: this judge does pass-fail problems only, so far", t)
		}
	}
	p.Types = types
	return nil
}

func readNames(p *Problem, n *yaml.Node) error {
	if n.Kind() != yaml.Map {
		name, err := n.AsString()
		p.Names = map[string]string{"en": name}
		return err
	}
	p.Names = make(map[string]string)
	for _, f := range n.Fields() {
		name, err := f.Value.AsString()
		if err != nil {
			return err
		}
		if !languageCode.MatchString(f.Key.Text()) {
			return f.Key.Errorf("name: %q: want a language code such as en or pt-BR", f.Key.Text())
		}
		p.Names[f.Key.Text()] = name
	}
	if len(p.Names) == 0 {
		return n.Errorf("name: want at least one language")
	}
	return nil
}

// readLimits reads the key limits (2025-09, "Limits").
func readLimits(p *Problem, n *yaml.Node) error {
	seconds := func(to *float64, least float64, inclusive bool) func(*yaml.Node) error {
		return func(n *yaml.Node) error {
			v, err := n.AsFloat()
			if err != nil {
				return err
			}
			if v < least || v == least && !inclusive || v > maxSeconds {
				return n.Errorf("%v: want a number above %v and at most %d", v, least, maxSeconds)
			}
			*to = v
			return nil
		}
	}
	whole := func(least, most int64, set func(int64)) func(*yaml.Node) error {
		return func(n *yaml.Node) error {
			v, err := n.AsInt()
			if err != nil {
				return err
			}
			if v < least || v > most {
				return n.Errorf("%d: want a whole number from %d to %d", v, least, most)
			}
			set(v)
			return nil
		}
	}
	bytes := func(to *int64, unit int64) func(*yaml.Node) error {
		return whole(1, maxLimitMiB, func(v int64) { *to = v * unit })
	}
	duration := func(to *time.Duration) func(*yaml.Node) error {
		return whole(1, maxSeconds, func(v int64) { *to = time.Duration(v) * time.Second })
	}
	var limit float64
	keys := map[string]func(*yaml.Node) error{
		"time_limit":      seconds(&limit, 0, false),
		"time_resolution": seconds(&p.Timing.Resolution, 0, false),
		"time_multipliers": func(n *yaml.Node) error {
			return knownFields(n, "time_multipliers", map[string]func(*yaml.Node) error{
				"ac_to_time_limit":  seconds(&p.Timing.ACToLimit, 1, true),
				"time_limit_to_tle": seconds(&p.Timing.LimitToTLE, 1, true),
			})
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
			return n.Errorf("validation_passes: only for problems of type multi-pass")
		},
	}
	if err := knownFields(n, "limits", keys); err != nil {
		return err
	}
	if limit > 0 {
		p.Limits.Time = time.Duration(math.Round(limit * float64(time.Second)))
		p.Limits.Wall = wallLimit(p.Limits.Time)
		if times := limit / p.Timing.Resolution; math.Abs(times-math.Round(times)) > 1e-9*times {
			return n.Get("time_limit").Errorf("time_limit %v is no multiple of time_resolution %v", limit, p.Timing.Resolution)
		}
	}
	return nil
}

// knownFields reads a map of which every key is known, and stops at the first
// that is not.
func knownFields(n *yaml.Node, what string, keys map[string]func(*yaml.Node) error) error {
	if n.Kind() != yaml.Map {
		return n.Errorf("%s: want a map, got %v", what, n.Kind())
	}
	for _, f := range n.Fields() {
		read, ok := keys[f.Key.Text()]
		if !ok {
			return f.Key.Errorf("unknown key %q in %s%s", f.Key.Text(), what, didYouMean(f.Key.Text(), sortedKeys(keys)))
		}
		if err := read(f.Value); err != nil {
			return err
		}
	}
	return nil
}

func readCredits(p *Problem, n *yaml.Node) error {
	if n.Kind() == yaml.String {
		return nil
	}
	persons := func(n *yaml.Node) error { _, err := people(n); return err }
	return knownFields(n, "credits", map[string]func(*yaml.Node) error{
		"authors": persons, "contributors": persons, "testers": persons,
		"packagers": persons, "acknowledgements": persons,
		"translators": func(n *yaml.Node) error {
			if n.Kind() != yaml.Map {
				return n.Errorf("translators: want a map from language code to persons, got %v", n.Kind())
			}
			for _, f := range n.Fields() {
				if err := persons(f.Value); err != nil {
					return err
				}
			}
			return nil
		},
	})
}

// people reads one person or a sequence of them (2025-09, "Credits").
func people(n *yaml.Node) ([]string, error) {
	items := []*yaml.Node{n}
	if n.Kind() == yaml.Sequence {
		if items = n.Items(); len(items) == 0 {
			return nil, n.Errorf("want at least one person")
		}
	}
	var names []string
	for _, item := range items {
		if item.Kind() != yaml.Map {
			name, err := item.AsString()
			if err != nil {
				return nil, err
			}
			names = append(names, name)
			continue
		}
		text := func(n *yaml.Node) error { _, err := n.AsString(); return err }
		if err := knownFields(item, "person", map[string]func(*yaml.Node) error{"name": text, "email": text, "orcid": text, "kattis": text}); err != nil {
			return nil, err
		}
		name := item.Get("name")
		if name == nil {
			return nil, item.Errorf("person: key name is missing")
		}
		names = append(names, name.Text())
	}
	return names, nil
}

func readSource(p *Problem, n *yaml.Node) error {
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
		if err := knownFields(item, "source", map[string]func(*yaml.Node) error{"name": text, "url": text}); err != nil {
			return err
		}
		if item.Get("name") == nil {
			return item.Errorf("source: key name is missing")
		}
	}
	return nil
}

func readConstants(p *Problem, n *yaml.Node) error {
	if n.Kind() != yaml.Map {
		return n.Errorf("constants: want a map, got %v", n.Kind())
	}
	for _, f := range n.Fields() {
		if !constantName.MatchString(f.Key.Text()) {
			return f.Key.Errorf("constant %q: want letters, digits and _, not starting with a digit", f.Key.Text())
		}
	}
	if len(n.Fields()) > 0 {
		return n.Errorf("constants: this judge does not replace them, so far")
	}
	return nil
}

func justString(_ *Problem, n *yaml.Node) error { _, err := n.AsString(); return err }
func justScalar(_ *Problem, n *yaml.Node) error { _, err := n.AsScalar(); return err }
