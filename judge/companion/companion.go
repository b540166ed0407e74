// Package companion receives problems that the browser extension Competitive Companion
// sends (github.com/jmerle/competitive-companion, README, "The format").
package companion

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"
	"time"
	"unicode/utf8"
)

// Ports are the ports on localhost to which the extension sends, unless the user adds
// others in its options (src/hosts/hosts.ts of the extension). The first is the default
// of judge listen: the others belong to tools that are in use.
var Ports = []int{10043, 10045, 10042, 1327, 4244, 6174, 27121}

// Bounds of what is accepted. A page decides what the extension sends.
const (
	maxBody  = 64 << 20 // bytes of a message
	maxTests = 1000
	maxName  = 64 // characters of the name of a folder
)

// A Task is a problem with its samples.
type Task struct {
	Name        string // one line, as the page shows it
	Group       string // the site and the contest: "Codeforces - Round 40"; may be ""
	URL         string // http or https; "" if the page has none
	Interactive bool
	TimeLimit   time.Duration // whole milliseconds; 0 if unknown
	Memory      int64         // MiB; 0 if unknown
	Tests       []Test
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
}

type stream struct {
	Type string `json:"type"`
}

// Read reads one task. The error names the part of the message that is wrong.
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
	t := &Task{Name: line(*m.Name), Group: line(m.Group), Interactive: m.Interactive, Tests: m.Tests}
	if u, err := url.Parse(m.URL); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
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
		return fmt.Errorf("input %q, output %q: expected stdin and stdout, because the judge connects only these", input, output)
	}
	return nil
}

// bounded reads a number from 0 to most. Pages with fractions exist, so they are cut off.
func bounded(key string, n json.Number, most int64) (int64, error) {
	if n == "" {
		return 0, nil
	}
	v, err := n.Float64()
	if err != nil || !(v >= 0 && v <= float64(most)) {
		return 0, fmt.Errorf("%s: %s: expected a number from 0 to %d", key, n, most)
	}
	return int64(v), nil
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

// ID returns an id for the problem: of lowercase letters and digits, made from its name,
// or from its address if the name has none of these.
func (t *Task) ID() string {
	id := word(t.Name, "")
	if u, err := url.Parse(t.URL); id == "" && err == nil {
		id = word(path.Base(u.Path), "")
	}
	if id == "" {
		return "problem"
	}
	return id
}

// Contest returns the name of a folder for the problems of one group: of lowercase
// letters, digits and hyphens.
func (t *Task) Contest() string {
	if name := word(t.Group, "-"); name != "" {
		return name
	}
	return "problems"
}

// word returns the lowercase ASCII letters and digits of a text, with sep for each run of
// others between them.
func word(s, sep string) string {
	parts := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !('a' <= r && r <= 'z' || '0' <= r && r <= '9') })
	name := strings.Join(parts, sep)
	if len(name) > maxName {
		name = strings.Trim(name[:maxName], "-")
	}
	return name
}
