package archive

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"crucible/judge/check"
	"crucible/judge/internal/lazy"
	"crucible/judge/language"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// maxImported limits the size in bytes of one input or answer, which is read into
// memory.
const maxImported = 1 << 30

// groupFile is the name of the file with the settings of a folder of cases.
var groupFile = problem.Formats[0].GroupFile[0]

// An Import has the settings of an import of inputs and answers. With the zero
// value, files with "sample" or "example" in their names become samples, and all
// others become secret cases.
type Import struct {
	Into string // "sample" or "secret" for all cases; "" means by their names

	// For a new problem only.
	Name          string        // "" means the id
	TimeLimit     time.Duration // whole milliseconds; 0 means that the judge infers the limit
	Memory        int64         // MiB; 0 means the default of the format
	Source, URL   string        // contest or site of the problem, and its address; both may be ""
	ValidatorArgs []string      // output_validator_args of the default validator
	AcceptLosses  bool          // import a package although submissions can get other verdicts

	// Checker has the files of an output validator by their names, for [Import.Loose] only;
	// nil means the default validator.
	Checker   map[string][]byte
	Languages language.Table // of programs that solve the problem of [Import.Loose]
}

// An ImportResult describes the result of an import.
type ImportResult struct {
	New     bool           // the problem is new
	Folders []string       // of the new problem, or the one that cases were added to
	Cases   []ImportedCase // the new cases, sorted by name
	Changed []Change       // changes of the imported text
	Left    []string       // files that belong to no pair
	Unused  []error        // names those of Left that look like inputs or answers
}

// An ImportedCase is a case and its origin.
type ImportedCase struct {
	Name          string // below data/: "secret/01"
	Input, Answer string // below the imported folder or zip
	Renamed       bool   // the name of the case differs from that of the input
}

// A Change is a change of files that the format requires (2025-09, "General requirements").
type Change struct {
	What  string   `json:"what"`  // such as "CRLF line ends changed to LF"
	Files []string `json:"files"` // below the imported folder or zip
}

// Import makes a problem of the pairs of inputs and answers in a folder or zip, or
// adds them to an existing problem. It adds all of them or none. root and whole
// are as for [problem.Places]; have is the existing problem, or nil. A new problem
// has no statement, no validator and no submissions.
func (im Import) Import(ctx context.Context, from *problem.Source, root, id string, whole bool,
	have *problem.Source) (done *ImportResult, err error) {
	if err := im.Validate(id, have); err != nil {
		return nil, err
	}
	done = &ImportResult{New: have == nil}
	if err := im.find(ctx, from, done); err != nil {
		return nil, err
	}
	var places []problem.Place // of the new problem
	if have == nil {
		places = problem.Places(root, id, whole)
	}
	st := newStage(places, false)
	defer func() {
		if err = errors.Join(err, st.end()); err != nil {
			done = nil
		}
	}()
	if have != nil {
		return done, im.add(ctx, st, have, from, done)
	}
	for _, p := range places {
		done.Folders = append(done.Folders, p.Dir)
	}
	if err := im.create(ctx, st, from, id, done); err != nil {
		return nil, err
	}
	return done, st.commit(ctx, nil)
}

// importName matches the ids of new problems. The format allows neither _ nor -,
// but other tools do; Open warns of them.
var importName = lazy.Regexp(`^[a-z0-9][a-z0-9_-]*$`)

// Validate checks the settings, for an existing problem or, if have is nil, a new one.
func (im Import) Validate(id string, have *problem.Source) error {
	switch {
	case !importName().MatchString(id):
		return fmt.Errorf("problem id %s: expected lowercase letters, digits, _ and -, a letter or digit first",
			terminal.QuoteName(id))
	case im.TimeLimit < 0 || im.TimeLimit%time.Millisecond != 0:
		return fmt.Errorf("time limit %v: expected whole milliseconds", im.TimeLimit)
	case im.Memory < 0 || im.Memory > problem.MaxLimitMiB:
		return fmt.Errorf("memory limit %d: expected 1 to %d MiB", im.Memory, problem.MaxLimitMiB)
	case strings.ContainsFunc(im.Name, unicode.IsControl) || !utf8.ValidString(im.Name):
		return fmt.Errorf("name %q: expected one line of UTF-8 without control characters", im.Name)
	case have != nil && im.Name != "":
		return fmt.Errorf("%s: already exists; --name applies only to a new problem", have.Path)
	}
	if have != nil {
		if err := have.Writable(); err != nil {
			return err
		}
	}
	if have != nil && im.Memory+int64(im.TimeLimit) != 0 {
		p, err := problem.Open(have)
		if err != nil {
			return err
		}
		step := time.Duration(math.Round(p.Timing.Resolution * float64(time.Second)))
		switch {
		case step > 0 && im.TimeLimit%step != 0:
			return fmt.Errorf("%s: time_resolution is %v: expected a multiple of it, found --time-limit %v",
				have.Where(problem.ProblemFile), step, im.TimeLimit)
		case im.Memory != 0 && p.Limits.Memory != im.Memory<<20:
			return fmt.Errorf("%s: the memory limit is %s, and --memory is %d MiB: change limits.memory there, or leave "+
				"--memory out", have.Where(problem.ProblemFile), terminal.Bytes(p.Limits.Memory), im.Memory)
		}
	}
	_, err := check.ParseRules(im.ValidatorArgs)
	return err
}

// find pairs the files and names their cases.
func (im Import) find(ctx context.Context, from *problem.Source, done *ImportResult) error {
	if problem.HasPackage(from) {
		return problem.Defectf(from.Path, "is a problem package: use judge unpack")
	}
	w, err := from.List(ctx, func(_, name string) bool {
		return strings.HasPrefix(name, ".") || name == "__MACOSX"
	})
	if err != nil {
		return err
	}
	names := make([]string, len(w.Files))
	for i, f := range w.Files {
		names[i] = f.Name
	}
	found, err := pairUp(names, from.Where, true)
	if err != nil {
		return err
	}
	if len(found.pairs) == 0 {
		return problem.Defectf(from.Path, "has no pairs of input and answer: expected names such as 1.in and 1.ans, 1.in "+
			"and 1.out, 01 and 01.a, input1.txt and output1.txt, in/1.txt and out/1.txt")
	}
	done.Left, done.Unused = found.left, found.unused
	into := make(map[string][]pair)
	for _, p := range found.pairs {
		folder := cmp.Or(im.Into, "secret")
		if im.Into == "" && sampleWord().MatchString(p.key) {
			folder = "sample"
		}
		into[folder] = append(into[folder], p)
	}
	for _, to := range []string{"sample", "secret"} {
		pairs := into[to]
		withoutFolders(pairs)
		names, err := nameCases(pairs, from.Where)
		if err != nil {
			return err
		}
		for i, p := range pairs {
			stem := strings.TrimSuffix(path.Base(p.input), path.Ext(p.input))
			done.Cases = append(done.Cases, ImportedCase{to + "/" + names[i], p.input, p.answer, path.Base(names[i]) != stem})
		}
	}
	slices.SortFunc(done.Cases, func(a, b ImportedCase) int { return strings.Compare(a.Name, b.Name) })
	return nil
}

// folders returns the folders that have new cases: "sample", "secret" or both.
func (done *ImportResult) folders() []string {
	var all []string
	for _, c := range done.Cases { // in order of their names
		folder, _, _ := strings.Cut(c.Name, "/")
		all = append(all, folder)
	}
	return slices.Compact(all)
}

// create writes a new problem.
func (im Import) create(ctx context.Context, st *stage, from *problem.Source, id string, done *ImportResult) error {
	write := func(name string, data []byte) error {
		_, err := st.write(name, bytes.NewReader(data), false)
		return err
	}
	if im.ValidatorArgs != nil {
		for _, folder := range done.folders() {
			if err := write("data/"+folder+"/"+groupFile, im.group()); err != nil {
				return err
			}
		}
	}
	if err := write(problem.ProblemFile, im.metadata(id)); err != nil {
		return err
	}
	if err := st.acceptedFolder(); err != nil {
		return err
	}
	return copyCases(ctx, from, done, func(name string, data []byte) error { return write("data/"+name, data) })
}

// metadata returns problem.yaml of a new problem.
func (im Import) metadata(id string) []byte {
	var b bytes.Buffer
	quoted := func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
	fmt.Fprintf(&b, "problem_format_version: %s\nname: %s\nuuid: %s\nlicense: unknown\n", problem.Formats[0].Version,
		quoted(cmp.Or(im.Name, id)), NewUUID())
	if im.Source != "" || im.URL != "" {
		fmt.Fprintf(&b, "source:\n  name: %s\n", quoted(cmp.Or(im.Source, im.URL)))
		if im.URL != "" {
			fmt.Fprintf(&b, "  url: %s\n", quoted(im.URL))
		}
	}
	if im.TimeLimit == 0 && im.Memory == 0 {
		return b.Bytes()
	}
	b.WriteString("limits:\n")
	if im.TimeLimit != 0 {
		seconds := strconv.FormatFloat(im.TimeLimit.Seconds(), 'f', -1, 64)
		if im.TimeLimit%time.Second == 0 {
			seconds += ".0"
		}
		fmt.Fprintf(&b, "  time_limit: %s\n", seconds)
		// The limit must be a multiple of the resolution, which is 1 by default.
		if step := problem.ResolutionOf(im.TimeLimit); step != time.Second {
			fmt.Fprintf(&b, "  time_resolution: %v\n", step.Seconds())
		}
	}
	if im.Memory != 0 {
		fmt.Fprintf(&b, "  memory: %d\n", im.Memory)
	}
	return b.Bytes()
}

// group returns test_group.yaml. The arguments are words and numbers that the
// default validator knows, so they need no escapes.
func (im Import) group() []byte {
	return []byte("output_validator_args: ['" + strings.Join(im.ValidatorArgs, "', '") + "']\n")
}

// add adds cases and settings to an existing problem. If the problem was valid
// before, it must still be valid with them.
func (im Import) add(ctx context.Context, st *stage, have, from *problem.Source, done *ImportResult) error {
	if err := clashes(done, from, have); err != nil {
		return err
	}
	data := have.Where("data")
	done.Folders = []string{data}
	tmp, err := st.beside(data)
	if err != nil {
		return err
	}
	put := func(name string, data []byte) error {
		at := filepath.Join(tmp, filepath.FromSlash(name))
		st.moves = append(st.moves, move{from: at, to: have.Where("data/" + name)})
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return err
		}
		return os.WriteFile(at, data, 0o644)
	}
	if im.ValidatorArgs != nil {
		if err := im.addGroups(have, done, put); err != nil {
			return err
		}
	}
	if err := copyCases(ctx, from, done, put); err != nil {
		return err
	}
	var check func() error
	if _, err := problem.Open(have); err == nil {
		check = func() error { _, err := problem.Open(have); return err }
	}
	if err := st.commit(ctx, check); err != nil || im.TimeLimit == 0 {
		return err
	}
	p, err := problem.Open(have)
	if err == nil && p.Limits.Time != im.TimeLimit {
		_, err = have.WriteTimeLimit(p, im.TimeLimit)
	}
	return err
}

// clashes returns an error if a new case would replace a file.
func clashes(done *ImportResult, from, have *problem.Source) error {
	var found problem.Defects
	for _, c := range done.Cases {
		for _, name := range []string{c.Name + ".in", c.Name + ".ans", c.Name} {
			switch _, err := have.Stat("data/" + name); {
			case err == nil:
				found.Addf(from.Where(c.Input), "would become %s, which already exists", have.Where("data/"+name))
			case !errors.Is(err, fs.ErrNotExist):
				found.Add(problem.Unreadable(have, "data/"+name, err))
			}
		}
	}
	return errors.Join(found.Errs...)
}

// addGroups writes the arguments of the validator for the folders that have new
// cases. The existing cases of such a folder must have the same arguments.
func (im Import) addGroups(have *problem.Source, done *ImportResult, put func(name string, data []byte) error) error {
	p, err := problem.Open(have)
	if err != nil {
		return err
	}
	for _, folder := range done.folders() {
		name, known := folder+"/"+groupFile, false
		for _, c := range p.Cases {
			if !strings.HasPrefix(c.Name, folder+"/") {
				continue
			}
			if known = true; !slices.Equal(c.OutputValidatorArgs, im.ValidatorArgs) {
				return fmt.Errorf("%s: its cases have other arguments of the validator, %q: change them there, or leave the "+
					"flags out", have.Where("data/"+folder), c.OutputValidatorArgs)
			}
		}
		if known {
			continue
		}
		if _, err := have.Stat("data/" + name); err == nil {
			return fmt.Errorf("%s: already exists: change output_validator_args there, or leave the flags out",
				have.Where("data/"+name))
		}
		if err := put(name, im.group()); err != nil {
			return err
		}
	}
	return nil
}

// copyCases passes the files of the cases to put, with names below data/. It
// changes their text as the format requires, and records that.
func copyCases(ctx context.Context, from *problem.Source, done *ImportResult,
	put func(name string, data []byte) error) error {
	changed := make(changes)
	for _, c := range done.Cases {
		for _, f := range [][2]string{{".in", c.Input}, {".ans", c.Answer}} {
			ext, name := f[0], f[1]
			if err := context.Cause(ctx); err != nil {
				return err
			}
			data, err := problem.ReadBounded(from, name, maxImported)
			if err != nil {
				return err
			}
			data, what, err := asText(data)
			if err != nil {
				return problem.Defectf(from.Where(name), "%v", err)
			}
			changed.add(what, name)
			if err := put(c.Name+ext, data); err != nil {
				return err
			}
		}
	}
	done.Changed = changed.list()
	return nil
}

// changes are the names of changed files by what was changed.
type changes map[string][]string

func (c changes) add(what []string, name string) {
	for _, w := range what {
		c[w] = append(c[w], name)
	}
}

// list returns the changes in the order of what was changed.
func (c changes) list() (all []Change) {
	for _, what := range slices.Sorted(maps.Keys(c)) {
		all = append(all, Change{What: what, Files: c[what]})
	}
	return all
}

// asText converts a text file to the form that the format requires, and returns
// what it changed: no byte-order mark, and LF at the end of each line, including
// the last.
func asText(data []byte) (text []byte, changed []string, err error) {
	if bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) {
		return nil, nil, errors.New("is UTF-16: expected UTF-8")
	}
	if !utf8.Valid(data) {
		return nil, nil, errors.New("is not UTF-8")
	}
	if rest, ok := bytes.CutPrefix(data, []byte("\xef\xbb\xbf")); ok {
		data, changed = rest, append(changed, "byte-order mark removed")
	}
	if bytes.Contains(data, []byte("\r\n")) {
		data, changed = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), append(changed, "CRLF line ends changed to LF")
	}
	if n := len(data); n > 0 && data[n-1] != '\n' {
		data, changed = append(slices.Clip(data), '\n'), append(changed, "line feed added at the end")
	}
	return data, changed, nil
}

// NewUUID returns a random UUID (RFC 9562, version 4) for problem.yaml.
func NewUUID() string {
	var b [16]byte
	rand.Read(b[:])
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
