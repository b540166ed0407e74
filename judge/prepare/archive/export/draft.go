package export

import (
	"fmt"
	"path"
	"strings"

	"crucible/judge/internal/yaml"
	"crucible/judge/prepare/archive"
	"crucible/judge/prepare/archive/foreign"
	"crucible/judge/problem"
)

// A ContestEntry describes a problem in a contest. DOMjudge's packages contain it.
type ContestEntry struct {
	Label string // such as "A"; "" if not known
	Color string // a name or #rrggbb of CSS; "" if not known
}

// maxText is the maximum size in bytes of a text in which constants are replaced.
const maxText = 16 << 20

// A draft is a package while a writer makes it.
type draft struct {
	p     *problem.Problem
	id    string
	in    ContestEntry
	list  []problem.ListedFile
	raw   map[string]any // problem.yaml
	files map[string]archive.File
	parts foreign.Inventory
}

// lose states a loss that does not affect judging. name is that of a file.
func (d *draft) lose(name, what string, args ...any) {
	d.parts.State(foreign.Part{State: foreign.Lost, Where: d.p.Where(name), What: fmt.Sprintf(what, args...)})
}

// loseVerdicts states a loss that can change the verdicts of submissions.
func (d *draft) loseVerdicts(name, what string, args ...any) {
	d.parts.State(foreign.Part{State: foreign.Lost, Where: d.p.Where(name), What: fmt.Sprintf(what, args...),
		Verdicts: true})
}

// equal states a part that the format needs not express.
func (d *draft) equal(name, what string, args ...any) {
	d.parts.State(foreign.Part{State: foreign.Equal, Where: d.p.Where(name), What: fmt.Sprintf(what, args...)})
}

// loseKeys records the keys of problem.yaml that the format lacks.
func (d *draft) loseKeys(keys ...string) {
	for _, key := range keys {
		if d.raw[key] != nil {
			d.lose(problem.ProblemFile, "%s: the format has no such key", key)
		}
	}
}

// copyAll copies the files of a package that has the format already.
func (d *draft) copyAll() {
	for _, f := range d.list {
		d.files[f.Name] = archive.File{From: f.Name, Executable: f.Executable}
	}
}

// put copies a file to another name. Constants are replaced if the file may use them.
func (d *draft) put(from problem.ListedFile, to string, constants bool) error {
	file := archive.File{From: from.Name, Executable: from.Executable}
	if constants && len(d.p.Inserted()) > 0 && from.Size <= maxText {
		data, err := problem.ReadBounded(d.p.FS, from.Name, maxText)
		if err != nil {
			return err
		}
		replaced, ok := d.p.Insert(data, maxText)
		if !ok {
			return problem.Defectf(d.p.Where(from.Name), "too large after the problem's constants are inserted")
		}
		if string(replaced) != string(data) {
			file.From, file.Data = "", replaced
		}
	}
	d.files[to] = file
	return nil
}

// yaml adds a YAML file, unless the value has no keys.
func (d *draft) yaml(name string, value any) error {
	data, err := yaml.Marshal(value)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if string(data) != "{}\n" {
		d.files[name] = archive.File{Data: data}
	}
	return nil
}

// below splits a name into its first folder and the rest.
func below(name string) (top, rest string) {
	top, rest, _ = strings.Cut(name, "/")
	return top, rest
}

// outputValidators copies the output validators, which are in folder of the new package. A single
// program is the folder itself in 2025-09.
func (d *draft) outputValidators(folder string, single bool) error {
	for i, v := range d.p.OutputValidators {
		if single && i > 0 {
			d.loseVerdicts(v.Path, "the format has one output validator only")
			continue
		}
		dir := folder
		if !single && v.IsFolder {
			name := v.Name
			if v.Path == "output_validator" {
				name = "validator"
			}
			dir = path.Join(folder, name)
		}
		for _, f := range d.list {
			rest, ok := strings.CutPrefix(f.Name, v.Path+"/")
			if f.Name == v.Path {
				rest, ok = path.Base(v.Path), true
			}
			if !ok {
				continue
			}
			if err := d.put(f, path.Join(dir, rest), true); err != nil {
				return err
			}
		}
	}
	return nil
}
