package lab

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"crucible/judge/internal/lazy"
	"crucible/judge/language"
)

// maxSample is the size in bytes of a line of samples.
const maxSample = 8 << 20

// A sample is a program of the file of judge eval, which a model wrote.
type sample struct {
	Problem  string // id; with --on also the digest of a package that was sent
	Language string // code
	Source   string
	ID       string // unique in its problem
	stripped string // what was removed around the source; "" if nothing was
}

func (s *sample) key() string { return s.Problem + "\x00" + s.ID }

// digest returns a hash of what is judged.
func (s *sample) digest() string {
	return fmt.Sprintf("%.16x", sha256.Sum256([]byte(s.Language+"\x00"+s.Source)))
}

// A sampleKey is the keys in lines that mean the same. The first of them that a line has counts.
type sampleKey struct {
	role  string
	names []string
}

var sampleKeys = []sampleKey{
	{"problem", []string{"problem", "problem_id", "task_id", "prompt_id", "question_id", "task"}},
	{"source", []string{"source", "solution", "completion", "response", "code", "program", "generation"}},
	{"language", []string{"language", "lang", "programming_language"}},
	{"id", []string{"id", "sample_id", "completion_id", "sample", "index"}},
}

// keysHelp returns the lines of the help on the keys.
func keysHelp() string {
	var b strings.Builder
	for _, k := range sampleKeys {
		fmt.Fprintf(&b, "  %-9s %s\n", k.role, strings.Join(k.names[1:], ", "))
	}
	return b.String()
}

// A sampleReader reads files of samples.
type sampleReader struct {
	table    language.Table
	keys     []string          // in place of the usual ones: "problem=name"
	named    map[string]string // the same by role
	language string            // of lines that name none
	verbatim bool              // the text is the program
}

// read reads a file of samples.
func (r *sampleReader) read(name string) (all []*sample, err error) {
	r.named = make(map[string]string)
	for _, one := range r.keys {
		role, key, _ := strings.Cut(one, "=")
		if key == "" || !slices.ContainsFunc(sampleKeys, func(k sampleKey) bool { return k.role == role }) {
			return nil, fmt.Errorf("--keys %s: expected problem, source, language or id, and = and a key", one)
		}
		r.named[role] = key
	}
	if r.language != "" {
		if r.language, err = r.code(r.language); err != nil {
			return nil, fmt.Errorf("--lang: %w", err)
		}
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(make([]byte, 64<<10), maxSample)
	seen, ofProblem := make(map[string]int), make(map[string]int)
	n := 1
	for ; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		some, err := r.samples(lines.Bytes())
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		for _, s := range some {
			if ofProblem[s.Problem]++; s.ID == "" {
				s.ID = fmt.Sprint(ofProblem[s.Problem])
			}
			if before := seen[s.key()]; before > 0 {
				return nil, fmt.Errorf("%s:%d: id %.60q of problem %.60q: line %d has it, too", name, n, s.ID, s.Problem,
					before)
			}
			seen[s.key()] = n
		}
		all = append(all, some...)
	}
	switch {
	case errors.Is(lines.Err(), bufio.ErrTooLong):
		return nil, fmt.Errorf("%s:%d: expected a line of at most %d bytes", name, n, maxSample)
	case lines.Err() == nil && len(all) == 0:
		return nil, fmt.Errorf("%s: found no line: expected a program in each, see judge eval --help", name)
	}
	return all, lines.Err()
}

// samples returns the programs of a line: several if its source is a list.
func (r *sampleReader) samples(line []byte) ([]*sample, error) {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(line, &values); err != nil {
		return nil, err
	}
	found := strings.Join(slices.Sorted(maps.Keys(values)), ", ")
	role := func(at int) (json.RawMessage, string, error) {
		k := sampleKeys[at]
		names := k.names
		if k.role == "source" {
			names = append(slices.Clone(names), "solutions", "completions", "responses")
		}
		if name := r.named[k.role]; name != "" {
			names = []string{name}
		}
		for _, name := range names {
			if v := values[name]; v != nil && string(v) != "null" {
				return v, name, nil
			}
		}
		if at > 1 && r.named[k.role] == "" {
			return nil, "", nil // it need not be there
		}
		return nil, "", fmt.Errorf("no key for the %s: found %.200s: expected %s; --keys %s=KEY names another", k.role, found,
			strings.Join(names, " or "), k.role)
	}
	text := func(at int) (string, error) {
		v, name, err := role(at)
		if v == nil {
			return "", err
		}
		return textOf(name, v)
	}
	of, err1 := problemID(text(0))
	lang, err2 := text(2)
	id, err3 := text(3)
	v, name, err4 := role(1)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return nil, err
	}
	var sources []json.RawMessage
	if json.Unmarshal(v, &sources) != nil {
		sources = []json.RawMessage{v}
	}
	var all []*sample
	for i, source := range sources {
		one := sample{Problem: of, ID: id}
		if len(sources) > 1 && id != "" {
			one.ID = fmt.Sprintf("%s-%d", id, i+1)
		}
		var err error
		if one.Source, err = textOf(name, source); err != nil {
			return nil, err
		}
		fence := ""
		if !r.verbatim {
			one.Source, fence, one.stripped = programIn(one.Source)
		}
		switch {
		case lang != "":
			one.Language, err = r.code(lang)
		case fence != "":
			if one.Language, err = r.code(fence); err != nil && r.language != "" {
				one.Language, err = r.language, nil
			}
		case r.language != "":
			one.Language = r.language
		default:
			err = fmt.Errorf("no language: found the keys %.200s: expected %s, a Markdown fence that names one, or --lang",
				found, strings.Join(sampleKeys[2].names, " or "))
		}
		if err != nil {
			return nil, err
		}
		all = append(all, &one)
	}
	return all, nil
}

// problemID checks the id of a problem.
func problemID(id string, err error) (string, error) {
	if err == nil && id == "" {
		err = errors.New("the problem is empty: expected its id")
	}
	return id, err
}

// textOf returns a text or a number as text.
func textOf(key string, v json.RawMessage) (string, error) {
	var text string
	if json.Unmarshal(v, &text) == nil {
		return text, nil
	}
	var number json.Number
	if json.Unmarshal(v, &number) == nil {
		return number.String(), nil
	}
	return "", fmt.Errorf("%s: %.40s: expected a text", key, v)
}

// versioned matches a language with a version: "c++17", "Python 3.11".
var versioned = lazy.Regexp(`^(.*?[^0-9 ._-])[ _-]?v?([0-9][0-9a-z.]*)$`)

// otherNames are names of languages in data sets that are neither code, name nor extension.
var otherNames = map[string]string{
	"c++": "cpp", "g++": "cpp", "gnu++": "cpp", "gnu": "c", "gcc": "c", "python": "python3", "cpython": "python3",
	"golang": "go",
	"node":   "javascript", "nodejs": "javascript", "node.js": "javascript", "shell": "bash", "objective-c": "objectivec",
}

// code returns the code of a language by its code, name or extension, also with a version.
func (r *sampleReader) code(name string) (string, error) {
	known := func(word string) string {
		for l := range r.table.Each {
			if l.Code == word {
				return l.Code
			}
		}
		if code := otherNames[word]; r.table.ByCode(code) != nil {
			return code
		}
		for l := range r.table.Each {
			if strings.ToLower(l.Name) == word || slices.Contains(l.Exts, "."+word) {
				return l.Code
			}
		}
		return ""
	}
	word := strings.ToLower(strings.TrimSpace(name))
	code := known(word)
	if parts := versioned().FindStringSubmatch(word); code == "" && parts != nil {
		if code = known(parts[1]); code == "python3" && strings.HasPrefix(parts[2], "2") {
			code = known("python2")
		}
	}
	if code == "" {
		return "", fmt.Errorf("language %.40q: expected one of %s", name, strings.Join(r.table.Codes(), ", "))
	}
	return code, nil
}
