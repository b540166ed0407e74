package archive

import (
	"cmp"
	"errors"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"crucible/judge/internal/text"
	"crucible/judge/problem"
)

// Archives of test data have many naming schemes. This file finds the input and
// the answer of each case by the names of the files alone:
//
//	1.in 1.out, 1.in 1.ans         most archives
//	01 01.a                        Polygon
//	input1.txt output1.txt         HackerRank and others, with folders of these names or not
//	in/a.txt out/a.txt             AtCoder
//	abc.in.1 abc.out.1, I.1 O.1    olympiads
//
// The role of a file is the last word of its name that is a role, or otherwise the
// name of a folder that is one. The key of a file is its name without the role: the
// files of one case have the same key.

type role int

const (
	neither role = iota
	inputRole
	answerRole
)

// roleWords are roles wherever they are in a name.
var roleWords = map[string]role{
	"in": inputRole, "inp": inputRole, "input": inputRole, "inputs": inputRole,
	"out": answerRole, "output": answerRole, "outputs": answerRole, "ans": answerRole, "answer": answerRole, "answers": answerRole,
	"expected": answerRole, "oup": answerRole,
}

// roleEnds are roles as an extension only, because they are common words.
var roleEnds = map[string]role{"a": answerRole, "ok": answerRole, "sol": answerRole}

var (
	word       = regexp.MustCompile(`[a-zA-Z]+`)
	olympiad   = regexp.MustCompile(`^([iIoO])\.([0-9]+)$`)
	sampleWord = regexp.MustCompile(`(?i)(^|[^a-zA-Z])(samples?|examples?)($|[^a-zA-Z])`)
	answerWord = regexp.MustCompile(`(?i)(^|[^a-z])(ans|answer|answers|expected)($|[^a-z])`)
	plainEnds  = []string{".txt", ".dat", ".text"}
)

// roleOf returns the role of a file and its key.
func roleOf(name string) (role, string) {
	dir, base := path.Split(name)
	dir = strings.TrimSuffix(dir, "/")
	if m := olympiad.FindStringSubmatch(base); m != nil {
		return map[string]role{"i": inputRole, "o": answerRole}[strings.ToLower(m[1])], path.Join(dir, m[2])
	}
	stem := base
	for _, end := range plainEnds {
		if n := len(stem) - len(end); n > 0 && strings.EqualFold(stem[n:], end) {
			stem = stem[:n]
			break
		}
	}
	// The extension of "a.in2" is "in". Files with other extensions, such as
	// "in.py", are not test data.
	ext := strings.ToLower(word.FindString(path.Ext(stem)))
	if r := roleEnds[ext]; r != neither && path.Ext(stem) != stem {
		return r, path.Join(dir, strings.TrimSuffix(stem, path.Ext(stem)))
	}
	if ext != "" && stem == base && roleWords[ext] == neither {
		return neither, path.Join(dir, stem)
	}
	words := word.FindAllStringIndex(stem, -1)
	for _, at := range slices.Backward(words) {
		if r := roleWords[strings.ToLower(stem[at[0]:at[1]])]; r != neither {
			stem = withoutWord(stem, at[0], at[1])
			if i := strings.Index(strings.ToLower(stem), "expected"); r == answerRole && i >= 0 {
				stem = withoutWord(stem, i, i+len("expected")) // in expected_output_1
			}
			return r, path.Join(withoutRole(dir, r), stem)
		}
	}
	parts := strings.Split(dir, "/")
	for i, part := range slices.Backward(parts) {
		if r := roleWords[strings.ToLower(part)]; r != neither {
			return r, path.Join(path.Join(slices.Delete(parts, i, i+1)...), stem)
		}
	}
	return neither, path.Join(dir, stem)
}

// withoutRole removes the folders that have the role of the file.
func withoutRole(dir string, r role) string {
	parts := slices.DeleteFunc(strings.Split(dir, "/"), func(part string) bool { return roleWords[strings.ToLower(part)] == r })
	return path.Join(parts...)
}

// withoutWord removes a word and the separators around it: "abc.in.1" becomes
// "abc-1".
func withoutWord(stem string, from, to int) string {
	const separators = "._- "
	before, after := strings.TrimRight(stem[:from], separators), strings.TrimLeft(stem[to:], separators)
	if before != "" && after != "" {
		return before + "-" + after
	}
	return before + after
}

// A pair is the files of one case.
type pair struct {
	key           string // with slashes; "" for files such as input.txt
	input, answer string
}

// pairUp returns the pairs among names, in natural order of their keys, and the
// other files. Two inputs or two answers of one case are an error. If the data must
// be complete, so are an input without an answer and an answer without an input.
// Otherwise an input can be alone, an answer without an input is among the other
// files, and so is 1.out beside 1.ans, because a program may have written it. at
// returns the real path of a name.
func pairUp(names []string, at func(string) string, complete bool) (pairs []pair, left []string, err error) {
	var found problem.Defects
	files := make(map[string]*[3][]string) // by key, then role
	for _, name := range names {
		r, key := roleOf(name)
		if files[key] == nil {
			files[key] = new([3][]string)
		}
		files[key][r] = append(files[key][r], name)
	}
	for _, key := range slices.Sorted(maps.Keys(files)) {
		in, ans, others := files[key][inputRole], files[key][answerRole], files[key][neither]
		if len(in) == 0 && len(ans) > 0 {
			in, others = others, nil // 01 beside 01.a
		}
		if !complete {
			named := func(name string) bool { return answerWord.MatchString(path.Base(name)) }
			if slices.ContainsFunc(ans, named) {
				others = append(others, slices.DeleteFunc(slices.Clone(ans), named)...)
				ans = slices.DeleteFunc(ans, func(name string) bool { return !named(name) })
			}
			if len(in) == 0 {
				others, ans = append(others, ans...), nil
			}
		}
		left = append(left, others...)
		switch {
		case len(in) > 1:
			found.Addf(at(in[1]), "a second input of one case; the first is %s", text.QuoteName(in[0]))
		case len(ans) > 1:
			found.Addf(at(ans[1]), "a second answer of one case; the first is %s", text.QuoteName(ans[0]))
		case len(in) == 1 && len(ans) == 0 && complete:
			found.Addf(at(in[0]), "an input without an answer: expected a file of the same name that ends in .ans or .out")
		case len(in) == 0 && len(ans) == 1:
			found.Addf(at(ans[0]), "an answer without an input: expected a file of the same name that ends in .in")
		case len(in) == 1:
			pairs = append(pairs, pair{key, in[0], strings.Join(ans, "")})
		}
	}
	if found.Errs != nil {
		return nil, nil, errors.Join(found.Errs...)
	}
	keys := make([]string, len(pairs))
	for i, p := range pairs {
		keys[i] = p.key
	}
	natural := padded(keys)
	slices.SortFunc(pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(natural(a.key), natural(b.key)), cmp.Compare(a.key, b.key))
	})
	slices.Sort(left)
	return pairs, left, nil
}

var digits = regexp.MustCompile(`[0-9]+`)

// padded returns a function that pads the numbers in keys with zeros, so that keys
// sort by their numbers: the first number of each key gets as many digits as the
// longest first number has, and so on.
func padded(keys []string) func(key string) string {
	var widths []int
	for _, key := range keys {
		for i, n := range digits.FindAllString(key, -1) {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], len(strings.TrimLeft(n, "0")), 1)
		}
	}
	return func(key string) string {
		i := -1
		return digits.ReplaceAllStringFunc(key, func(n string) string {
			i++
			n = strings.TrimLeft(n, "0")
			return strings.Repeat("0", widths[i]-len(n)) + n
		})
	}
}

// maxCaseName leaves room for extensions: the format allows 255 characters.
const maxCaseName = 240

// nameCases returns the names of the cases of pairs, which are in natural order:
// their keys in the characters that the format allows, with padded numbers if the
// order of the format would differ.
func nameCases(pairs []pair, at func(string) string) ([]string, error) {
	names := make([]string, len(pairs))
	for i, p := range pairs {
		names[i] = caseName(p.key)
	}
	if !slices.IsSorted(names) {
		natural := padded(names)
		for i, name := range names {
			names[i] = natural(name)
		}
	}
	var found problem.Defects
	inputs := make(map[string]string) // by name of case
	for i, name := range names {
		in := pairs[i].input
		if other, ok := inputs[name]; ok {
			found.Addf(at(in), "would become case %s, as %s does: rename one of them", name, text.QuoteName(other))
		}
		inputs[name] = in
		for part := range strings.SplitSeq(name, "/") {
			if len(part) > maxCaseName {
				found.Addf(at(in), "the name %.40s… has %d characters: expected at most %d", part, len(part), maxCaseName)
				break
			}
		}
	}
	for i, name := range names {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			if other, ok := inputs[dir]; ok {
				found.Addf(at(pairs[i].input), "is in a folder with the name of a case, %s: rename one of them", text.QuoteName(other))
			}
		}
	}
	return names, errors.Join(found.Errs...)
}

var notInNames = regexp.MustCompile(`[^a-zA-Z0-9_.-]+`)

// caseName returns a key in the characters that the format allows in names.
func caseName(key string) string {
	if key == "" {
		return "1"
	}
	parts := strings.Split(key, "/")
	for i, part := range parts {
		part = notInNames.ReplaceAllString(part, "_")
		if short := strings.TrimRight(part, "_"); short != "" && part != parts[i] {
			part = short
		}
		if part[0] == '-' || part[0] == '.' {
			part = "_" + part[1:]
		}
		if i < len(parts)-1 {
			// A folder x.files would belong to case x.
			part = strings.ReplaceAll(part, ".", "_")
		} else if part == "test_group" {
			part += "_" // test_group.yaml belongs to the group
		}
		parts[i] = part
	}
	return strings.Join(parts, "/")
}

// withoutFolders removes from the keys the folders that all of them share, and
// folders with names such as secret or samples.
func withoutFolders(pairs []pair) {
	for len(pairs) > 0 {
		top, _, ok := strings.Cut(pairs[0].key, "/")
		if !ok || slices.ContainsFunc(pairs, func(p pair) bool { return !strings.HasPrefix(p.key, top+"/") }) {
			break
		}
		for i := range pairs {
			pairs[i].key = pairs[i].key[len(top)+1:]
		}
	}
	for i := range pairs {
		parts := strings.Split(pairs[i].key, "/")
		last := len(parts) - 1
		folders := slices.DeleteFunc(parts[:last:last], func(part string) bool {
			return strings.EqualFold(part, "secret") || strings.EqualFold(part, "secrets") || sampleWord.FindString(part) == part
		})
		pairs[i].key = path.Join(append(folders, parts[last])...)
	}
}
