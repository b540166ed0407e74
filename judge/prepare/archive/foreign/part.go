package foreign

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"crucible/judge/prepare/archive"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// A State says what became of a part of a package in another format.
type State string

const (
	Carried State = "carried" // the new package has it
	Equal   State = "equal"   // the new package has nothing for it, and is judged and shown in the same way
	Lost    State = "lost"    // the new package lacks it
)

// A Part is a part of a package that was converted: an element, attribute or key of its
// description, or a file.
type Part struct {
	State State  `json:"-"`
	Where string `json:"where"` // the place in the other package: file, and line if known
	What  string `json:"what"`

	// Verdicts means that the part is lost, and without it some submission can get another
	// verdict or, if it has scores, another score.
	Verdicts bool `json:"changes_verdicts,omitempty"`
}

// String returns the place and the part.
func (p Part) String() string { return p.Where + ": " + p.What }

// Parts are all parts of a package. Readers and writers of packages state them, and
// [Parts.Check] decides whether the conversion counts.
type Parts []Part

// In returns the parts of a state, never nil.
func (p Parts) In(s State) Parts {
	return append(Parts{}, slices.DeleteFunc(slices.Clone(p), func(one Part) bool { return one.State != s })...)
}

// ChangeVerdicts returns the lost parts that can change verdicts or scores.
func (p Parts) ChangeVerdicts() Parts {
	return slices.DeleteFunc(slices.Clone(p), func(one Part) bool { return !one.Verdicts })
}

// ErrLosses is the error of [Parts.Check].
var ErrLosses = errors.New(
	"parts that are not carried over can change verdicts or scores; --accept-losses makes it anyway")

// Check returns an error for the package at a path if a lost part can change verdicts or
// scores, unless losses are accepted.
func (p Parts) Check(path string, accepted bool) error {
	if accepted || len(p.ChangeVerdicts()) == 0 {
		return nil
	}
	return fmt.Errorf("%s: nothing is made: %w", path, ErrLosses)
}

// An Inventory collects the parts of a package.
type Inventory struct {
	Parts Parts
	times map[string]int // how often each text occurs, by state
}

// maxAlike limits the lost parts with the same text. Of other parts, the first counts.
const maxAlike = 20

// State adds a part.
func (v *Inventory) State(one Part) {
	if v.times == nil {
		v.times = make(map[string]int)
	}
	key := string(one.State) + one.What
	if v.times[key]++; v.times[key] == 1 || one.State == Lost && v.times[key] <= maxAlike {
		v.Parts = append(v.Parts, one)
	}
}

// known reports whether a part with that name is stated as lost.
func (v *Inventory) known(name string) bool { return v.times[name] > 0 }

// lose states a part that is lost.
func (d *draft) lose(where, format string, args ...any) {
	d.parts.State(Part{State: Lost, Where: where, What: fmt.Sprintf(format, args...)})
}

// loseVerdicts states a part that is lost, without which verdicts or scores can differ.
func (d *draft) loseVerdicts(where, format string, args ...any) {
	d.parts.State(Part{State: Lost, Where: where, What: fmt.Sprintf(format, args...), Verdicts: true})
}

// equal states a part that the new package does not need.
func (d *draft) equal(where, format string, args ...any) {
	d.parts.State(Part{State: Equal, Where: where, What: fmt.Sprintf(format, args...)})
}

// carry states a part that the new package has.
func (d *draft) carry(where, format string, args ...any) {
	d.parts.State(Part{State: Carried, Where: where, What: fmt.Sprintf(format, args...)})
}

// losses adds the accepted losses that can change verdicts to the new package: as comments
// of problem.yaml, which problem.Open reads, and together with all other losses to
// [ImportFile].
func (d *draft) losses(format string) {
	changes := d.parts.Parts.ChangeVerdicts()
	if len(changes) == 0 {
		return
	}
	line := func(p Part) string {
		return terminal.Excerpt(strings.NewReplacer("\n", " ", "\t", " ").Replace(p.String()), 1000)
	}
	var yaml, b strings.Builder
	fmt.Fprintf(&b,
		"Made of a package of %s by judge import --accept-losses.\n\n"+
			"Not carried over, so verdicts or scores can differ:\n\n", format)
	for _, p := range changes {
		fmt.Fprintf(&b, "- %s\n", line(p))
		fmt.Fprintf(&yaml, "%s%s\n", problem.LossComment, line(p))
	}
	if rest := slices.DeleteFunc(d.parts.Parts.In(Lost), func(p Part) bool { return p.Verdicts }); len(rest) > 0 {
		b.WriteString("\nNot carried over, without an effect on verdicts and scores:\n\n")
		for _, p := range rest {
			fmt.Fprintf(&b, "- %s\n", line(p))
		}
	}
	d.files[ImportFile] = archive.File{Data: []byte(b.String())}
	d.files[problem.ProblemFile] = archive.File{Data: append([]byte(yaml.String()), d.files[problem.ProblemFile].Data...)}
}

// ImportFile lists what the new package lacks, if submissions could get other verdicts.
const ImportFile = "IMPORT.txt"

// unusedFiles says what files are that no part of the package names.
type unusedFiles struct {
	pattern func() *regexp.Regexp // of names in the package
	state   State
	what    string // "" if another part states them already
}

// leftovers states the files that were not read, by folder: those that the table does not
// know are lost.
func (d *draft) leftovers(table []unusedFiles) {
	for _, f := range d.files {
		d.used[f.From] = true
	}
	lost := make(map[string][]string) // by folder and what they are
	states := make(map[string]Part)
	fs.WalkDir(d.src, d.dir, func(at string, e fs.DirEntry, err error) error {
		switch base := path.Base(at); {
		case err != nil || base == "__MACOSX" || base != "." && strings.HasPrefix(base, ".") && at != d.dir &&
			base != ".pdf" && base != ".html":
			if e != nil && e.IsDir() {
				return fs.SkipDir
			}
			return nil
		case !e.Type().IsRegular() || d.used[at]:
			return nil
		}
		name := strings.TrimPrefix(at, d.dir+"/")
		one := Part{State: Lost, Where: d.where(path.Dir(name)), What: "which no part of the package names"}
		for _, l := range table {
			if l.pattern().MatchString(name) {
				one.State, one.What = l.state, l.what
				break
			}
		}
		if one.What != "" {
			key := string(one.State) + one.Where + one.What
			states[key], lost[key] = one, append(lost[key], path.Base(name))
		}
		return nil
	})
	for _, key := range slices.Sorted(maps.Keys(states)) {
		one, names := states[key], lost[key]
		some := strings.Join(names[:min(5, len(names))], ", ")
		if len(names) > 5 {
			some += fmt.Sprintf(" and %d more", len(names)-5)
		}
		one.What = "file " + some + ", " + one.What
		if len(names) > 1 {
			one.What = "files " + strings.TrimPrefix(one.What, "file ")
		}
		d.parts.State(one)
	}
}
