package export

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"crucible/judge/problem"
)

// A metadata is problem.yaml of any version.
type metadata struct {
	Version   string         `yaml:"problem_format_version"`
	Type      any            `yaml:"type,omitempty,flow"`
	Name      any            `yaml:"name"`
	UUID      string         `yaml:"uuid,omitempty"`
	Release   any            `yaml:"version,omitempty"`
	Author    string         `yaml:"author,omitempty"`
	Credits   any            `yaml:"credits,omitempty"`
	Source    any            `yaml:"source,omitempty"`
	SourceURL string         `yaml:"source_url,omitempty"`
	License   string         `yaml:"license"`
	Owner     string         `yaml:"rights_owner,omitempty"`
	Embargo   any            `yaml:"embargo_until,omitempty"`
	Limits    map[string]any `yaml:"limits,omitempty"`
	Keywords  any            `yaml:"keywords,omitempty,flow"`
	Languages any            `yaml:"languages,omitempty,flow"`
	Writing   bool           `yaml:"allow_file_writing,omitempty"`
	Constants any            `yaml:"constants,omitempty"`

	Validation string `yaml:"validation,omitempty"`
	Flags      string `yaml:"validator_flags,omitempty"`
}

// common returns the keys that all versions share.
func (d *draft) common(version string) metadata {
	return metadata{Version: version, Name: d.p.Names, UUID: d.p.UUID, License: d.p.License, Owner: d.p.Credits.Owner,
		Limits: d.limits(), Keywords: d.raw["keywords"]}
}

// limits returns the limits that problem.yaml sets and that all versions have.
func (d *draft) limits() map[string]any {
	given, _ := d.raw["limits"].(map[string]any)
	p := d.p
	limits := make(map[string]any)
	for key, value := range map[string]int64{
		"memory": p.Limits.Memory >> 20, "output": p.Limits.Output >> 20, "code": p.Code >> 10,
		"compilation_time": int64(p.Building.Time / time.Second), "compilation_memory": p.Building.Memory >> 20,
		"validation_time": int64(p.Checking.Time / time.Second), "validation_memory": p.Checking.Memory >> 20,
		"validation_output": p.Checking.Output >> 20,
	} {
		if given[key] != nil {
			limits[key] = value
		}
	}
	if p.Is(problem.MultiPass) {
		limits["validation_passes"] = p.Passes
	}
	return limits
}

// currentMetadata returns problem.yaml of 2025-09.
func (d *draft) currentMetadata() metadata {
	p := d.p
	m := d.common(problem.Formats[0].Version)
	if len(p.Types) == 1 {
		m.Type = p.Types[0]
	} else {
		m.Type = p.Types
	}
	m.UUID = cmp.Or(p.UUID, d.uuid())
	if len(p.Names) == 0 {
		d.lose(problem.ProblemFile, "no name, which the format requires: the name is %s", d.id)
		m.Name = map[string]string{"en": d.id}
	}
	m.Release, m.Embargo, m.Languages, m.Constants, m.Writing = d.raw["version"], d.raw["embargo_until"],
		d.raw["languages"], d.raw["constants"], p.AllowFileWriting
	if m.Credits = d.raw["credits"]; m.Credits == nil && len(p.Credits.Authors) > 0 {
		m.Credits = map[string]any{"authors": p.Credits.Authors}
	}
	var sources []map[string]string
	for _, o := range p.Credits.Sources {
		if o.Name == "" {
			continue
		}
		source := map[string]string{"name": o.Name}
		if o.URL != "" {
			source["url"] = o.URL
		}
		sources = append(sources, source)
	}
	if sources != nil {
		m.Source = sources
	}
	if word, ok := m.Keywords.(string); ok {
		m.Keywords = strings.Fields(word)
	}
	if p.License == "public domain" && m.Owner != "" {
		d.lose(problem.ProblemFile, "rights_owner: not allowed for a problem in the public domain")
		m.Owner = ""
	}
	if p.Limits.Time > 0 {
		m.Limits["time_limit"] = p.Limits.Time.Seconds()
	}
	step := p.Timing.Resolution
	if p.Limits.Time > 0 && p.Limits.Time%time.Duration(step*float64(time.Second)) != 0 {
		step = problem.ResolutionOf(p.Limits.Time).Seconds()
		if p.Timing.Resolution != 1 {
			d.lose(problem.ProblemFile, "time_resolution %v: the time limit is not a multiple of it", p.Timing.Resolution)
		}
	}
	if step != 1 {
		m.Limits["time_resolution"] = step
	}
	m.Limits["time_multipliers"] = map[string]float64{"ac_to_time_limit": max(1, p.Timing.ACToLimit),
		"time_limit_to_tle": max(1, p.Timing.LimitToTLE)}
	return m
}

// uuid returns the UUID of a package that has none: the same package always has the same
// one (RFC 9562, version 8).
func (d *draft) uuid() string {
	h := sha256.New()
	fmt.Fprintf(h, "crucible export %q", d.id)
	for _, lang := range slices.Sorted(maps.Keys(d.p.Names)) {
		fmt.Fprintf(h, " %q %q", lang, d.p.Names[lang])
	}
	b := h.Sum(nil)[:16]
	b[6], b[8] = b[6]&0x0f|0x80, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// legacyMetadata returns problem.yaml of legacy. flags are the arguments of the output
// validator for all cases.
func (d *draft) legacyMetadata(flags []string) metadata {
	p := d.p
	m := d.common("legacy")
	if name, ok := p.Names["en"]; ok && len(p.Names) == 1 {
		m.Name = name
	}
	m.Type = problem.PassFail
	if p.Is(problem.Scoring) {
		m.Type = problem.Scoring
	}
	m.Validation = "default"
	if p.OutputValidators != nil {
		m.Validation = "custom"
		for _, t := range []problem.Type{problem.Interactive, problem.MultiPass} {
			if p.Is(t) {
				m.Validation += " " + string(t)
			}
		}
	}
	m.Flags = strings.Join(flags, " ")
	m.Author = strings.Join(p.Credits.Authors, ", ")
	for i, o := range p.Credits.Sources {
		if i > 0 {
			d.lose(problem.ProblemFile, "source %s: the format has one source only", o.Name)
			continue
		}
		m.Source, m.SourceURL = o.Name, o.URL
	}
	if credits, ok := d.raw["credits"].(map[string]any); ok {
		for _, role := range slices.Sorted(maps.Keys(credits)) {
			if role != "authors" {
				d.lose(problem.ProblemFile, "credits: %s: the format has authors only", role)
			}
		}
	}
	d.loseKeys("version", "embargo_until")
	if p.Languages != nil {
		d.loseVerdicts(problem.ProblemFile, "languages: the format has no such key, so other languages are allowed")
	}
	if !p.AllowFileWriting {
		d.lose(problem.ProblemFile, "allow_file_writing: the format lets submissions write files")
	}
	if p.Timing.Resolution != 1 {
		d.lose(problem.ProblemFile, "time_resolution %v: the format has a resolution of 1 s", p.Timing.Resolution)
	}
	m.Limits["time_multiplier"], m.Limits["time_safety_margin"] = p.Timing.ACToLimit, p.Timing.LimitToTLE
	return m
}
