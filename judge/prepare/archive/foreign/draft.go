package foreign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"crucible/judge/internal/yaml"
	"crucible/judge/prepare/archive"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// Options are the settings of [Read].
type Options struct {
	Name     string        // of the new problem; "" means the name in the package, or ID
	ID, UUID string        // of the new problem
	Time     time.Duration // limit; 0 means that of the package, or 2 s
	Memory   int64         // MiB; 0 means that of the package
	Testlib  string        // testlib.h or the folder that contains it; "" means the package's own, or that of the system
}

// A draft is the new package while a reader makes it. Readers fill its fields, and
// finish writes the YAML files and the test data from them.
type draft struct {
	src *problem.Source
	dir string // of the package in src
	Options

	meta          metadata
	files         map[string]archive.File // by name in the new package
	sample        group
	groups        []*group            // of secret; the first has the cases that are in no group
	placed        map[string]string   // names of cases by their commands
	validatorArgs []string            // of the default output validator
	rules         map[string]rule     // submissions.yaml, by glob
	programs      map[string][]string // the generators, by name: their files in generators/
	solution      string              // file of the submission that makes answers; "" if there is none
	input, output string              // files that submissions read and write; "" means the standard streams
	changed       []string            // submissions that do so
	headers       map[string][]byte   // headers that programs include and no file has
	include       []string            // folders of this machine with headers, besides those of the package

	extracted map[string][]byte // files of tests from a zip in the package, by name
	used      map[string]bool   // files of the other package that were read, by name in the source

	parts Inventory
	wrong problem.Defects
	made  []string // cases of which files must be made
}

const (
	defaultTime = 2 * time.Second // time limit of a problem of a package without one
	// The other formats have no limit for outputs, and some need more than the 8 MiB of
	// this one.
	outputLimit = 256 // MiB
)

// metadata is problem.yaml.
type metadata struct {
	Version  string            `yaml:"problem_format_version"`
	Type     []problem.Type    `yaml:"type,omitempty,flow"`
	Name     map[string]string `yaml:"name"`
	UUID     string            `yaml:"uuid"`
	License  string            `yaml:"license"`
	Credits  string            `yaml:"credits,omitempty"`
	Source   *source           `yaml:"source,omitempty"`
	Keywords []string          `yaml:"keywords,omitempty,flow"`
	Writing  bool              `yaml:"allow_file_writing,omitempty"`
	Limits   limits            `yaml:"limits,omitempty"`
}

type source struct {
	Name string `yaml:"name"`
	URL  string `yaml:"url,omitempty"`
}

type limits struct {
	Time       float64 `yaml:"time_limit,omitempty"`
	Resolution float64 `yaml:"time_resolution,omitempty"`
	Memory     int64   `yaml:"memory,omitempty"` // MiB
	Output     int64   `yaml:"output"`           // MiB
}

// A group is a folder of cases and its test_group.yaml.
type group struct {
	name     string // of the folder in secret; "" for secret itself
	settings settings
	cases    []testCase
	include  []string // names of generated cases of earlier groups that are in this group too
}

// settings is test_group.yaml.
type settings struct {
	MaxScore      *float64            `yaml:"max_score,omitempty"`
	Aggregation   problem.Aggregation `yaml:"score_aggregation,omitempty"`
	RequirePass   []string            `yaml:"require_pass,omitempty,flow"`
	ValidatorArgs []string            `yaml:"output_validator_args,omitempty,flow"`
	InputArgs     []string            `yaml:"input_validator_args,omitempty,flow"`
}

// A testCase has the files of a case, or the command that makes its input. The solution
// makes the answer if there is no file of it.
type testCase struct {
	name          string // without folders
	input, answer string // files of the other package; "" if there is none
	command       string // of a generator; "" if there is none
	answered      bool   // the generator makes the answer too
}

// A rule is an entry of submissions.yaml.
type rule struct {
	Permitted []problem.Verdict `yaml:"permitted,omitempty,flow"`
	Required  []problem.Verdict `yaml:"required,omitempty,flow"`
	Language  string            `yaml:"language,omitempty"`
	Entry     string            `yaml:"entrypoint,omitempty"`
}

// setTime sets the time limit. The format requires a multiple of the resolution.
func (d *draft) setTime(limit time.Duration) {
	d.meta.Limits.Time = limit.Seconds()
	if step := problem.ResolutionOf(limit); step != time.Second {
		d.meta.Limits.Resolution = step.Seconds()
	}
}

// is adds a type to the problem.
func (d *draft) is(t problem.Type) {
	if !slices.Contains(d.meta.Type, t) {
		d.meta.Type = append(d.meta.Type, t)
	}
}

// scoring reports whether the problem has scores.
func (d *draft) scoring() bool { return slices.Contains(d.meta.Type, problem.Scoring) }

// all returns the groups with cases, sample first, and their folders below data/.
func (d *draft) all() (folders []string, groups []*group) {
	for _, g := range append([]*group{&d.sample}, d.groups...) {
		if len(g.cases)+len(g.include) == 0 {
			continue
		}
		folder := "sample"
		if g != &d.sample {
			folder = path.Join("secret", g.name)
		}
		folders, groups = append(folders, folder), append(groups, g)
	}
	return folders, groups
}

// finish adds the YAML files and the test data.
func (d *draft) finish(ctx context.Context) error {
	d.meta.Version, d.meta.UUID, d.meta.License = problem.Formats[0].Version, d.UUID, cmp.Or(d.meta.License, "unknown")
	if len(d.meta.Name) == 0 {
		d.meta.Name = map[string]string{"en": d.ID}
	}
	if d.Time != 0 {
		d.setTime(d.Time)
	} else if d.meta.Limits.Time == 0 {
		d.setTime(defaultTime)
	}
	d.meta.Limits.Memory = cmp.Or(d.Memory, d.meta.Limits.Memory)
	d.meta.Limits.Output = cmp.Or(d.meta.Limits.Output, outputLimit)
	if d.Name != "" {
		for lang := range d.meta.Name {
			d.meta.Name[lang] = d.Name
		}
	}
	if _, groups := d.all(); len(groups) == 0 {
		return problem.Defectf(d.where("."), "has no tests")
	}
	d.total()
	d.testData()
	if err := errors.Join(d.wrong.Errs...); err != nil {
		return err
	}
	if len(d.rules) > 0 {
		if err := d.yaml("submissions/submissions.yaml", d.rules); err != nil {
			return err
		}
	}
	if err := d.yaml(problem.ProblemFile, d.meta); err != nil {
		return err
	}
	return context.Cause(ctx)
}

// total gives secret the sum of the scores of its groups.
func (d *draft) total() {
	if !d.scoring() || d.groups[0].settings.MaxScore != nil {
		return
	}
	var sum float64
	for _, g := range d.groups[1:] {
		if g.settings.MaxScore != nil {
			sum += *g.settings.MaxScore
		}
	}
	d.groups[0].settings.MaxScore, d.groups[0].settings.Aggregation = &sum, problem.Sum
}

// A plan is generators.yaml.
type plan struct {
	Solution   string                `yaml:"solution,omitempty"`
	Generators map[string][]string   `yaml:"generators,omitempty"`
	Data       map[string]planFolder `yaml:"data"`
}

type planFolder struct {
	Settings *settings      `yaml:"test_group.yaml,omitempty"`
	Include  []string       `yaml:"include,omitempty,flow"`
	Data     map[string]any `yaml:"data"` // commands, copies and folders
}

// testData adds the cases and the settings of their groups: as files if both files of a
// case exist, and in generators.yaml if a case or its answer must be made.
func (d *draft) testData() {
	folders, groups := d.all()
	p := plan{Generators: d.programs, Data: make(map[string]planFolder)}
	if d.solution != "" {
		p.Solution = "/" + d.solution
	}
	planned, unanswered := false, 0
	for i, g := range groups {
		if g.settings.ValidatorArgs == nil {
			g.settings.ValidatorArgs = d.validatorArgs
		}
		top := folders[i]
		f := planFolder{Include: g.include, Data: make(map[string]any)}
		for _, c := range g.cases {
			name := top + "/" + c.name
			whole := c.answer != "" && c.input != ""
			input, answer := d.file(c.input), d.file(c.answer)
			if whole {
				d.files["data/"+name+".in"], d.files["data/"+name+".ans"] = input, answer
			} else {
				d.made = append(d.made, name)
			}
			if c.answer == "" && !c.answered {
				unanswered++
			}
			planned = planned || !whole || c.command != ""
			if c.command != "" {
				f.Data[c.name] = d.generated(name, c)
				continue
			}
			for _, ext := range shownExts {
				if shown, ok := d.files["data/"+name+ext]; ok {
					d.files["generators/manual/"+name+ext] = shown
				}
			}
			f.Data[c.name] = map[string]string{"copy": "manual/" + name}
			d.files["generators/manual/"+name+".in"] = input
			if whole {
				d.files["generators/manual/"+name+".ans"] = answer
			}
		}
		for _, name := range g.include {
			d.made = append(d.made, top+"/"+name)
		}
		p.add(top, g.settings, f)
		d.settingsFile(top, g.settings)
	}
	if secret := d.groups[0]; len(secret.cases) == 0 && secret.settings.MaxScore != nil {
		p.add("secret", secret.settings, planFolder{})
		d.settingsFile("secret", secret.settings)
	}
	if unanswered > 0 && d.solution == "" {
		d.wrong.Addf(d.where("."), "answers are missing for %d of the cases: expected a solution that makes them", unanswered)
	}
	if planned {
		d.wrong.Add(d.yaml("generators/generators.yaml", p))
		return
	}
	maps.DeleteFunc(d.files, func(name string, _ archive.File) bool { return strings.HasPrefix(name, "generators/") })
}

// shownExts are the extensions of files that contestants see in place of a sample.
var shownExts = []string{".in.statement", ".ans.statement", ".in.download", ".ans.download"}

// generated returns the entry of generators.yaml for a case that a command makes.
func (d *draft) generated(name string, c testCase) any {
	entry := map[string]string{"generate": c.command}
	for _, ext := range shownExts {
		if shown, ok := d.files["data/"+name+ext]; ok {
			text, err := problem.ReadBounded(d.src, shown.From, problem.MaxYAML)
			d.wrong.Add(err)
			entry[ext[1:]] = strings.ReplaceAll(string(text), "\r\n", "\n")
		}
	}
	if len(entry) == 1 {
		return c.command
	}
	return entry
}

// file returns a file of a test, which may come from a zip in the package.
func (d *draft) file(name string) archive.File {
	if data, ok := d.extracted[name]; ok {
		return archive.File{Data: data}
	}
	return archive.File{From: name}
}

// add adds a folder of data/.
func (p *plan) add(folder string, s settings, f planFolder) {
	if !s.empty() {
		f.Settings = &s
	}
	top, name, below := strings.Cut(folder, "/")
	if !below {
		if old, ok := p.Data[top]; ok {
			f.Data = old.Data
		}
		p.Data[top] = f
		return
	}
	if _, ok := p.Data[top]; !ok {
		p.Data[top] = planFolder{Data: make(map[string]any)}
	}
	p.Data[top].Data[name] = f
}

func (s settings) empty() bool {
	return s.MaxScore == nil && s.Aggregation == "" && len(s.RequirePass)+len(s.ValidatorArgs)+len(s.InputArgs) == 0
}

// settingsFile adds test_group.yaml of a folder. A group of a scoring problem has one
// even if it is empty.
func (d *draft) settingsFile(folder string, s settings) {
	if !s.empty() {
		d.wrong.Add(d.yaml("data/"+folder+"/"+problem.Formats[0].GroupFile[0], s))
	}
}

// yaml adds a YAML file.
func (d *draft) yaml(name string, value any) error {
	data, err := yaml.Marshal(value)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	d.files[name] = archive.File{Data: data}
	return nil
}

// submission adds a submission, whose main file has that name in the other package, to a
// folder of submissions/.
func (d *draft) submission(folder string, files map[string]archive.File, from string) string {
	dir, main := "submissions/"+folder, path.Base(from)
	entry := d.withFiles(from, main, files)
	name := dir + "/" + main
	if len(files) > 1 {
		dir += "/" + strings.TrimSuffix(main, path.Ext(main))
		name = dir
	}
	for file, f := range files {
		d.files[dir+"/"+file] = f
	}
	if entry != "" {
		d.rules[strings.TrimPrefix(name, "submissions/")] = rule{Entry: entry}
	}
	return name
}

// checkName adds an error if the format ignores files of that name.
func (d *draft) checkName(where, name string) bool {
	if problem.IgnoredName(name) {
		d.wrong.Addf(where, "the name %s: expected letters, digits and _.- that do not start with - or .",
			terminal.QuoteName(name))
		return false
	}
	return true
}

// read reads a file of the other package, of at most the given number of bytes.
func (d *draft) read(name string, most int64) ([]byte, error) {
	d.used[d.at(name)] = true
	return problem.ReadBounded(d.src, d.at(name), most)
}

// at returns the name in the source of a file of the other package. A name that leads
// outside is returned as a name that no file has.
func (d *draft) at(name string) string {
	name = path.Join(d.dir, path.Clean(strings.ReplaceAll(name, "\\", "/")))
	if !fs.ValidPath(name) {
		return "invalid\x00name"
	}
	return name
}

// has reports whether the other package has a file of that name.
func (d *draft) has(name string) bool {
	info, err := d.src.Stat(d.at(name))
	return err == nil && info.Mode().IsRegular()
}

// where returns the path of a file of the other package, for messages.
func (d *draft) where(name string) string { return d.src.Where(path.Join(d.dir, name)) }

// InOrder runs the steps of a conversion up to the first error, and returns it.
func InOrder(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}
