package foreign

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/internal/yaml"
)

// The patterns of names that DMOJ uses if init.yml has none.
const (
	dmojInputs  = `^(?=.*?\.in|in).*?(?:(?:^|\W)(?P<batch>\d+)[^\d\s]+)?(?P<case>\d+)[^\d\s]*$`
	dmojOutputs = `^(?=.*?\.out|out).*?(?:(?:^|\W)(?P<batch>\d+)[^\d\s]+)?(?P<case>\d+)[^\d\s]*$`
)

// A dmojNames finds the cases of a problem whose init.yml has patterns for the names of
// files in the archive, or no list of cases at all.
type dmojNames struct {
	at    *yaml.Node                      // the patterns, or the file
	files map[string]map[string][2]string // input and output, by batch and case; a case alone is its own batch
	batch map[string]bool                 // the batches that are no cases alone
}

// matched finds the cases by the names of files in the archive.
func (r *dmoj) matched() ([]dmojItem, error) {
	n := r.root.Get("test_cases")
	m := dmojNames{at: r.root, files: make(map[string]map[string][2]string), batch: make(map[string]bool)}
	if n != nil && n.Kind() != yaml.Null {
		m.at = n
	}
	if r.zip == nil || m.at.Kind() != yaml.Map {
		return nil, m.at.Errorf("test_cases: expected a list of cases or, for an archive, a map of patterns")
	}
	if m.at != r.root {
		r.keys(m.at, " of test_cases", map[string]partRule{"input_format": {}, "output_format": {}, "case_points": {}})
	}
	for i, key := range []string{"input_format", "output_format"} {
		p, err := dmojPatternOf(m.at, key, []string{dmojInputs, dmojOutputs}[i])
		if err != nil {
			return nil, err
		}
		for _, f := range r.zip.File {
			batch, number, ok := p.match(f.Name)
			switch {
			case !ok:
				continue
			case number == "":
				return nil, m.at.Errorf("%s: it matches %q, but not the number of the case in it", key, f.Name)
			}
			m.add(batch, number, i, f.Name)
		}
	}
	return r.named(m)
}

// add adds a file: an input, or an output if which is 1.
func (m *dmojNames) add(batch, number string, which int, name string) {
	if batch == "" {
		batch = number
	} else {
		m.batch[batch] = true
	}
	if m.files[batch] == nil {
		m.files[batch] = make(map[string][2]string)
	}
	pair := m.files[batch][number]
	pair[which] = name
	m.files[batch][number] = pair
}

// named returns the matched cases in the order of DMOJ.
func (r *dmoj) named(m dmojNames) (items []dmojItem, err error) {
	var points []*yaml.Node
	if m.at != r.root {
		points = itemsOf(m.at.Get("case_points"))
	}
	number := 0
	for i, batch := range inOrder(m.files) {
		item := dmojItem{batched: m.batch[batch]}
		var own *yaml.Node
		if i < len(points) {
			own = points[i]
		} else if points != nil {
			return nil, m.at.Get("case_points").Errorf("case_points: expected points for each of %d cases and batches, found %d",
				len(m.files), len(points))
		}
		if item.points, err = r.points(own); err != nil {
			return nil, err
		}
		if !item.batched && len(m.files[batch]) > 1 {
			return nil, m.at.Errorf("test_cases: the patterns match several cases %q", batch)
		}
		for _, name := range inOrder(m.files[batch]) {
			if number++; number > maxTests {
				return nil, m.at.Errorf("expected at most %d cases", maxTests)
			}
			c, pair := testCase{name: pad(number, 3)}, m.files[batch][name]
			if c.input, err = r.fileNamed(m.at, cmp.Or(pair[0], noFile)); err == nil {
				c.answer, err = r.fileNamed(m.at, cmp.Or(pair[1], noFile))
			}
			if err != nil {
				return nil, err
			}
			item.cases = append(item.cases, c)
		}
		items = append(items, item)
	}
	return items, nil
}

// inOrder returns the names of cases or batches: those that are no numbers, and then the
// numbers.
func inOrder[V any](of map[string]V) []string {
	return slices.SortedFunc(maps.Keys(of), func(a, b string) int {
		i, first := strconv.Atoi(a)
		j, second := strconv.Atoi(b)
		switch {
		case first == nil && second == nil:
			return cmp.Compare(i, j)
		case first != nil && second != nil:
			return cmp.Compare(a, b)
		case first != nil:
			return -1
		}
		return 1
	})
}

// A dmojPattern is a pattern of the names of files. The regular expressions of Python have
// lookaheads, which those of Go have not; ahead is the one at the beginning, or nil.
type dmojPattern struct{ ahead, name *regexp.Regexp }

// dmojPatternOf reads a pattern, or returns the usual one.
func dmojPatternOf(of *yaml.Node, key, usual string) (p dmojPattern, err error) {
	text, at := usual, of
	if n := of.Get(key); n != nil {
		if at = n; n.Kind() != yaml.Null {
			if text, err = n.AsString(); err != nil {
				return p, err
			}
		}
	}
	rest := strings.TrimPrefix(text, "^")
	if ahead, ok := strings.CutPrefix(rest, "(?="); ok {
		end := closing(ahead)
		if end < 0 {
			return p, at.Errorf("%s: a parenthesis is not closed", key)
		}
		p.ahead, err = regexp.Compile(`^(?i:` + ahead[:end] + `)`)
		rest = ahead[end+1:]
	}
	if err == nil {
		p.name, err = regexp.Compile(`^(?i:` + rest + `)`)
	}
	if err != nil {
		return p, at.Errorf("%s: expected a regular expression that has no lookaround after its beginning: %v", key, err)
	}
	return p, nil
}

// closing returns the index of the parenthesis that closes one before text, or -1.
func closing(text string) int {
	depth := 1
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// match returns the batch and the number in the name of a file, or "" for what it has not.
func (p dmojPattern) match(name string) (batch, number string, ok bool) {
	m := p.name.FindStringSubmatch(name)
	if m == nil || p.ahead != nil && !p.ahead.MatchString(name) {
		return "", "", false
	}
	for i, group := range p.name.SubexpNames() {
		text := m[i]
		if n, err := strconv.Atoi(text); err == nil {
			text = strconv.Itoa(n) // 01 and 1 are one number
		}
		switch group {
		case "batch":
			batch = text
		case "case":
			number = text
		}
	}
	return batch, number, true
}
