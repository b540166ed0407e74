package archive

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"net/url"
	"path"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	json "github.com/go-json-experiment/json/v1"
	"golang.org/x/text/unicode/norm"

	"crucible/judge/internal/lazy"
)

// Ports are the ports on localhost to which the extension sends, unless the user adds
// others in its options (src/hosts/hosts.ts of the extension). The first is the default
// of judge listen: the others belong to tools that are in use.
var Ports = []int{10043, 10045, 10042, 1327, 4244, 6174, 27121}

// Bounds of what is accepted. A page decides what the extension sends.
const (
	maxBody  = 64 << 20 // bytes of a message
	maxTests = 1000
	maxText  = 2048 // bytes of a name, a group or an address
	maxBatch = 1000 // problems of a contest
	maxName  = 64   // characters of the name of a folder
	maxBytes = 128  // and bytes, because some file systems allow 143 only
)

// A Task is a problem with its samples, as the browser extension Competitive Companion
// sends it (github.com/jmerle/competitive-companion, README, "The format").
type Task struct {
	Name        string // one line, as the page shows it
	Group       string // the site and the contest: "Codeforces - Round 40"; may be ""
	URL         string // http or https; the identity of the problem; "" if the page has none
	Interactive bool
	TimeLimit   time.Duration // whole milliseconds; 0 if unknown
	Memory      int64         // MiB; 0 if unknown
	Tests       []Test
	Batch       Batch
}

// A Batch is the problems that the extension sends after one click.
type Batch struct {
	ID   string `json:"id"`
	Size int    `json:"size"`
}

// A Test is a sample. The texts are as the page has them.
type Test struct {
	Input  string `json:"input"`
	Output string `json:"output"`
}

// A message is the JSON of a task. Keys that the judge does not need are left out.
type message struct {
	Name        *string     `json:"name"`
	Group       string      `json:"group"`
	URL         string      `json:"url"`
	Interactive bool        `json:"interactive"`
	MemoryLimit json.Number `json:"memoryLimit"` // MB
	TimeLimit   json.Number `json:"timeLimit"`   // ms
	Tests       []Test      `json:"tests"`
	Input       stream      `json:"input"`
	Output      stream      `json:"output"`
	Batch       Batch       `json:"batch"`
}

type stream struct {
	Type string `json:"type"`
}

// Read reads one task. The error names the part of the message that is wrong. The task is nil
// if the message is no task.
func Read(r io.Reader) (*Task, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxBody+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxBody {
		return nil, fmt.Errorf("more than %d MiB", maxBody>>20)
	}
	var m message
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("expected the JSON of Competitive Companion: %w", err)
	}
	if m.Name == nil {
		return nil, errors.New(`expected the JSON of Competitive Companion, found no "name"`)
	}
	for key, text := range map[string]string{"name": *m.Name, "group": m.Group, "url": m.URL} {
		if len(text) > maxText {
			return nil, fmt.Errorf("%s: found %d bytes, expected at most %d", key, len(text), maxText)
		}
	}
	t := &Task{Name: line(*m.Name), Group: line(m.Group), Interactive: m.Interactive, Tests: m.Tests, Batch: m.Batch}
	if t.Batch.Size < 1 || t.Batch.Size > maxBatch || len(t.Batch.ID) > maxBytes {
		t.Batch = Batch{}
	}
	if u, err := url.Parse(m.URL); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		u.Host = strings.ToLower(u.Host)
		t.URL = u.String()
	}
	ms, err1 := bounded("timeLimit", m.TimeLimit, 24*time.Hour.Milliseconds())
	memory, err2 := bounded("memoryLimit", m.MemoryLimit, 1<<20)
	t.TimeLimit, t.Memory = time.Duration(ms)*time.Millisecond, memory
	return t, errors.Join(err1, err2, t.check(m.Input.Type, m.Output.Type))
}

// check checks the samples and the files through which a program gets its input and
// output.
func (t *Task) check(input, output string) error {
	if len(t.Tests) > maxTests {
		return fmt.Errorf("tests: found %d, expected at most %d", len(t.Tests), maxTests)
	}
	for i, one := range t.Tests {
		if !utf8.ValidString(one.Input) || !utf8.ValidString(one.Output) {
			return fmt.Errorf("tests[%d]: expected UTF-8", i)
		}
	}
	if input != "" && input != "stdin" || output != "" && output != "stdout" {
		return fmt.Errorf("input %q, output %q: expected stdin and stdout, because the judge connects only these", input,
			output)
	}
	return nil
}

// bounded reads a number from 0 to most. Pages with fractions exist, so they are rounded up.
func bounded(key string, n json.Number, most int64) (int64, error) {
	if n == "" {
		return 0, nil
	}
	v, err := n.Float64()
	if err != nil || !(v >= 0 && v <= float64(most)) {
		return 0, fmt.Errorf("%s: %s: expected a number from 0 to %d", key, n, most)
	}
	return int64(math.Ceil(v)), nil
}

// line makes one line without control characters of a text.
func line(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == utf8.RuneError {
			return ' '
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// Folders returns names for the folder of the problem, in the order in which they are to be
// used: each is for the case that the one before belongs to another problem.
func (t *Task) Folders() iter.Seq[string] {
	name, tail := lettersOf(t.Name, ""), ""
	if u, err := url.Parse(t.URL); err == nil {
		tail = path.Base(u.Path)
		if name == "" {
			name = lettersOf(tail+" "+u.RawQuery, "")
		}
		if _, value, ok := strings.Cut(u.RawQuery, "="); ok {
			tail = value[strings.LastIndex(value, "=")+1:]
		}
	}
	return names(cmp.Or(name, "problem"), lettersOf(tail, ""))
}

// Contests returns names for the folder of the problems of one group, in the order in which
// they are to be used.
func (t *Task) Contests() iter.Seq[string] {
	return names(cmp.Or(lettersOf(t.Group, "-"), "problems"), "")
}

// names returns the name, the name with the tail, and the name with numbers.
func names(name, tail string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if !yield(name) || tail != "" && len(tail) <= maxTail && !yield(name+"-"+tail) {
			return
		}
		for n := 2; n < maxNames; n++ {
			if !yield(fmt.Sprintf("%s-%d", name, n)) {
				return
			}
		}
	}
}

const (
	maxTail  = 24 // bytes of the part of an address that makes a name unique
	maxNames = 1000
)

// reserved matches names of devices on Windows, which no file or folder can have there.
var reserved = lazy.Regexp(`^(con|prn|aux|nul|com[0-9]|lpt[0-9])$`)

// word returns the letters and digits of a text, of any script and in lower case, with sep
// for each run of other characters between them. Beside other letters than those of ASCII,
// sep is a hyphen, because the name is no id of the package format anyway.
func lettersOf(s, sep string) string {
	s = strings.ToLower(norm.NFC.String(strings.ToValidUTF8(s, " ")))
	part := func(r rune) bool {
		invisible := unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
		return !invisible && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.In(r, unicode.Mn, unicode.Mc))
	}
	var words []string
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return !part(r) }) {
		w = strings.TrimLeftFunc(w, unicode.IsMark) // it belongs to a letter that is not there
		if w != "" {
			words = append(words, w)
		}
		if strings.ContainsFunc(w, func(r rune) bool { return r >= utf8.RuneSelf }) {
			sep = "-"
		}
	}
	name := strings.Join(words, sep)
	for n, i := 0, 0; i < len(name); n++ {
		_, size := utf8.DecodeRuneInString(name[i:])
		if n == maxName || i+size > maxBytes {
			name = name[:i]
			break
		}
		i += size
	}
	if name = norm.NFC.String(strings.Trim(name, "-")); reserved().MatchString(name) {
		name += "1"
	}
	return name
}
