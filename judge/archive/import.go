package archive

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"crucible/judge/check"
	"crucible/judge/internal/text"
	"crucible/judge/problem"
	"crucible/judge/units"
)

// maxImported bounds one input or answer, which is held in memory to be
// changed.
const maxImported = 1 << 30

// An Import says what becomes of inputs and answers that came from anywhere.
// The zero value puts samples, which are named so, with the samples and all
// else with the secret cases.
type Import struct {
	Into string // "sample" or "secret": all of it goes there; "" means as named

	// Of a new problem only.
	Name          string        // "" means the id
	TimeLimit     time.Duration // 0: none is given, and the limit is inferred
	Memory        int64         // MiB; 0: the usual
	ValidatorArgs []string      // output_validator_args of the default validator
}

// Imported says what was laid out.
type Imported struct {
	New     bool     // there was no such problem before
	Folders []string // of the new problem, or that cases were added to
	Cases   []ImportedCase
	Changed []Change
	Left    []string // files that are no part of a pair
}

// An ImportedCase is a case and where it came from.
type ImportedCase struct {
	Name          string // below data/: "secret/01"
	Input, Answer string // below what was imported
	Renamed       bool   // the name is not the files' own
}

// A Change is what was done to the bytes of some files: what the format asks
// of all text files (2025-09, "General requirements").
type Change struct {
	What  string
	Files []string // below what was imported
}

// Import makes a problem of the pairs of inputs and answers in a folder or zip,
// or adds them to one that there is: all of them, or nothing. root and whole
// are as for [Places]; have is the problem, or nil if it is new. A new problem
// has what can be known: no statement, no validator, and no submissions yet.
func (im Import) Import(ctx context.Context, from *problem.Source, root, id string, whole bool, have *problem.Source) (done *Imported, err error) {
	if err := im.validate(id, have); err != nil {
		return nil, err
	}
	done = &Imported{New: have == nil}
	if err := im.find(ctx, from, done); err != nil {
		return nil, err
	}
	if err := im.clashes(done, from, have); err != nil {
		return nil, err
	}
	st := &stage{}
	defer func() {
		if err = errors.Join(err, st.end()); err != nil {
			done = nil
		}
	}()
	var sound func() error
	if have == nil {
		places := problem.Places(root, id, whole)
		for _, p := range places {
			done.Folders = append(done.Folders, p.Dir)
		}
		err = im.create(ctx, st, places, from, id, done)
	} else {
		sound, err = im.add(ctx, st, have, from, done)
	}
	if err != nil {
		return nil, err
	}
	if err := st.commit(ctx, sound); err != nil || have == nil || im.TimeLimit == 0 {
		return done, err
	}
	p, err := problem.Open(have)
	if err == nil && p.Limits.Time != im.TimeLimit {
		_, err = have.WriteTimeLimit(p, im.TimeLimit)
	}
	return done, err
}

// importName is what a new problem may be called. Other tools have _ and - in
// names; the format has not, which Open warns of.
var importName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]*$`)

// validate checks what was asked for.
func (im Import) validate(id string, have *problem.Source) error {
	switch {
	case !importName.MatchString(id):
		return fmt.Errorf("problem id %s: expected lowercase letters, digits, _ and -, a letter or digit first", text.QuoteName(id))
	case im.TimeLimit < 0 || im.TimeLimit%time.Millisecond != 0:
		return fmt.Errorf("time limit %v: want whole milliseconds", im.TimeLimit)
	case im.Memory < 0 || im.Memory > problem.MaxLimitMiB:
		return fmt.Errorf("memory limit %d: want 1 to %d MiB", im.Memory, problem.MaxLimitMiB)
	case strings.ContainsFunc(im.Name, unicode.IsControl) || !utf8.ValidString(im.Name):
		return fmt.Errorf("name %q: want one line of UTF-8 without control characters", im.Name)
	case have != nil && have.Zip != nil:
		return &problem.Defect{File: have.Path, Msg: "is a zip, which is not written to: unpack it first"}
	case have != nil && im.Name != "":
		return fmt.Errorf("%s: already exists; --name applies only to a new problem", have.Path)
	}
	if have != nil && im.Memory+int64(im.TimeLimit) != 0 {
		p, err := problem.Open(have)
		if err != nil {
			return err
		}
		step := time.Duration(math.Round(p.Timing.Resolution * float64(time.Second)))
		switch {
		case step > 0 && im.TimeLimit%step != 0:
			return fmt.Errorf("%s: time_resolution is %v, and --time-limit %v is no multiple of it", have.Where(problem.ProblemFile), step, im.TimeLimit)
		case im.Memory != 0 && p.Limits.Memory != im.Memory<<20:
			return fmt.Errorf("%s: the memory limit is %s, and --memory is %d MiB: change limits.memory there, or leave --memory out", have.Where(problem.ProblemFile), units.Bytes(p.Limits.Memory), im.Memory)
		}
	}
	_, err := check.Default(im.ValidatorArgs)
	return err
}

// find pairs the files up and names their cases.
func (im Import) find(ctx context.Context, from *problem.Source, done *Imported) error {
	if _, err := from.Stat("problem.yaml"); err == nil {
		return &problem.Defect{File: from.Path, Msg: "is a problem package: judge unpack is for these"}
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
	pairs, left, err := pairUp(names, from.Where, true)
	if err != nil {
		return err
	}
	if len(pairs) == 0 {
		return &problem.Defect{File: from.Path, Msg: "has no pairs of input and answer: want names such as 1.in and 1.ans, 1.in and 1.out, 01 and 01.a, input1.txt and output1.txt, in/1.txt and out/1.txt"}
	}
	done.Left = left
	into := make(map[string][]pair)
	for _, p := range pairs {
		to := im.Into
		switch {
		case to != "":
		case sampleWord.MatchString(p.key):
			to = "sample"
		default:
			to = "secret"
		}
		into[to] = append(into[to], p)
	}
	for _, to := range slices.Sorted(maps.Keys(into)) {
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

// clashes holds the new cases against those that are there.
func (im Import) clashes(done *Imported, from, have *problem.Source) error {
	if have == nil {
		return nil
	}
	var found problem.Defects
	for _, c := range done.Cases {
		for _, name := range []string{c.Name + ".in", c.Name + ".ans", c.Name} {
			switch _, err := have.Stat("data/" + name); {
			case err == nil:
				found.Addf(from.Where(c.Input), "would become %s, which exists already", have.Where("data/"+name))
			case !errors.Is(err, fs.ErrNotExist):
				found.Add(problem.Unreadable(have, "data/"+name, err))
			}
		}
	}
	return errors.Join(found.Errs...)
}

// create writes a new problem.
func (im Import) create(ctx context.Context, st *stage, places []problem.Place, from *problem.Source, id string, done *Imported) (err error) {
	l := newLayout(st, places)
	defer func() { err = errors.Join(err, l.close()) }()
	write := func(name string, data []byte) error {
		_, err := l.write(name, bytes.NewReader(data), false)
		return err
	}
	into := make(map[string]bool)
	for _, c := range done.Cases {
		folder, _, _ := strings.Cut(c.Name, "/")
		into[folder] = true
	}
	if im.ValidatorArgs != nil {
		for _, folder := range slices.Sorted(maps.Keys(into)) {
			if err := write("data/"+folder+"/"+problem.Formats[0].GroupFile[0], im.group()); err != nil {
				return err
			}
		}
	}
	if err := write("problem.yaml", im.metadata(id)); err != nil {
		return err
	}
	// Where the first submission goes. Without the folder there is no package.
	if err := l.mkdir("submissions/accepted"); err != nil {
		return err
	}
	return copyCases(ctx, from, done, func(name string, data []byte) error { return write("data/"+name, data) })
}

// metadata is problem.yaml.
func (im Import) metadata(id string) []byte {
	var b bytes.Buffer
	name := im.Name
	if name == "" {
		name = id
	}
	fmt.Fprintf(&b, "problem_format_version: %s\nname: '%s'\nuuid: %s\nlicense: unknown\n", problem.Formats[0].Version, strings.ReplaceAll(name, "'", "''"), NewUUID())
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
		// The limit must be a multiple of the resolution, which is usually 1.
		for _, resolution := range []time.Duration{time.Second, time.Second / 2, time.Second / 10, time.Second / 100, time.Millisecond} {
			if im.TimeLimit%resolution == 0 {
				if resolution != time.Second {
					fmt.Fprintf(&b, "  time_resolution: %v\n", resolution.Seconds())
				}
				break
			}
		}
	}
	if im.Memory != 0 {
		fmt.Fprintf(&b, "  memory: %d\n", im.Memory)
	}
	return b.Bytes()
}

// group is test_group.yaml. The arguments are words and numbers, which the
// default validator knows.
func (im Import) group() []byte {
	return []byte("output_validator_args: ['" + strings.Join(im.ValidatorArgs, "', '") + "']\n")
}

// add writes cases beside the data of a problem. What it returns says whether
// the problem still opens with them, if it did before.
func (im Import) add(ctx context.Context, st *stage, have, from *problem.Source, done *Imported) (sound func() error, err error) {
	data := have.Where("data")
	done.Folders = []string{data}
	if err := st.mkdir(data); err != nil {
		return nil, err
	}
	tmp, err := st.beside(data)
	if err != nil {
		return nil, err
	}
	staged, err := problem.Folder(tmp)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, staged.Close()) }()
	put := func(name string, data []byte) error {
		st.moves = append(st.moves, move{from: staged.Where(name), to: have.Where("data/" + name)})
		return staged.WriteFile(name, data)
	}
	if im.ValidatorArgs != nil {
		if err := im.addGroups(have, done, put); err != nil {
			return nil, err
		}
	}
	if err = copyCases(ctx, from, done, put); err != nil {
		return nil, err
	}
	if _, err := problem.Open(have); err != nil {
		return nil, nil
	}
	return func() error {
		_, err := problem.Open(have)
		return err
	}, nil
}

// addGroups gives the validator's arguments to the folders that cases are added
// to. A folder that has arguments of its own must have the same.
func (im Import) addGroups(have *problem.Source, done *Imported, put func(name string, data []byte) error) error {
	into := make(map[string]bool)
	for _, c := range done.Cases {
		folder, _, _ := strings.Cut(c.Name, "/")
		into[folder] = true
	}
	p, err := problem.Open(have)
	if err != nil {
		return err
	}
	for _, folder := range slices.Sorted(maps.Keys(into)) {
		name, there := folder+"/"+problem.Formats[0].GroupFile[0], false
		for _, c := range p.Cases {
			if !strings.HasPrefix(c.Name, folder+"/") {
				continue
			}
			if there = true; !slices.Equal(c.OutputValidatorArgs, im.ValidatorArgs) {
				return fmt.Errorf("%s: its cases have other arguments of the validator, %q: change them there, or leave the flags out", have.Where("data/"+folder), c.OutputValidatorArgs)
			}
		}
		if there {
			continue
		}
		if _, err := have.Stat("data/" + name); err == nil {
			return fmt.Errorf("%s: already exists: change output_validator_args there, or leave the flags out", have.Where("data/"+name))
		}
		if err := put(name, im.group()); err != nil {
			return err
		}
	}
	return nil
}

// copyCases hands the files of the cases to put, by their names below data/,
// changed to what the format wants of text.
func copyCases(ctx context.Context, from *problem.Source, done *Imported, put func(name string, data []byte) error) error {
	changed := make(map[string][]string)
	for _, c := range done.Cases {
		for _, f := range [][2]string{{c.Input, ".in"}, {c.Answer, ".ans"}} {
			if err := context.Cause(ctx); err != nil {
				return err
			}
			data, err := problem.ReadBounded(from, f[0], maxImported)
			if err != nil {
				return err
			}
			data, what, err := asText(data)
			if err != nil {
				return &problem.Defect{File: from.Where(f[0]), Msg: err.Error()}
			}
			for _, w := range what {
				changed[w] = append(changed[w], f[0])
			}
			if err := put(c.Name+f[1], data); err != nil {
				return err
			}
		}
	}
	for _, what := range slices.Sorted(maps.Keys(changed)) {
		done.Changed = append(done.Changed, Change{what, changed[what]})
	}
	return nil
}

// asText makes bytes a text file as the format wants it, and says what it
// changed: no byte-order mark, lines that end with LF, the last one too.
func asText(data []byte) (text []byte, changed []string, err error) {
	if bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) {
		return nil, nil, errors.New("is UTF-16: want UTF-8")
	}
	if !utf8.Valid(data) {
		return nil, nil, errors.New("is not UTF-8")
	}
	if rest, ok := bytes.CutPrefix(data, []byte("\xef\xbb\xbf")); ok {
		data, changed = rest, append(changed, "byte-order mark removed")
	}
	if bytes.Contains(data, []byte("\r\n")) {
		data, changed = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), append(changed, "line ends CRLF made LF")
	}
	if n := len(data); n > 0 && data[n-1] != '\n' {
		data, changed = append(slices.Clip(data), '\n'), append(changed, "line end added to the last line")
	}
	return data, changed, nil
}

// NewUUID makes a random UUID (RFC 9562, version 4), as problem.yaml wants one.
func NewUUID() string {
	var b [16]byte
	rand.Read(b[:])
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
