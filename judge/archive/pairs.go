package archive

import (
	"cmp"
	"crucible/judge/internal/text"
	"crucible/judge/problem"
	"errors"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Test data comes under many names. This file finds out, by names alone, which
// files are the input and the answer of one case:
//
//	1.in 1.out, 1.in 1.ans         most archives
//	01 01.a                        Polygon
//	input1.txt output1.txt         HackerRank and others, with folders of these names or not
//	in/a.txt out/a.txt             AtCoder
//	abc.in.1 abc.out.1, I.1 O.1    olympiads
//
// A file's role is the last word of its name that says one, or else a folder's
// name that does. Its key is what remains when the role is taken away: the
// files of one case have the same.

type role int

const (
	neither role = iota
	inputRole
	answerRole
)

// roleWords say what a file is, wherever they are in a name.
var roleWords = map[string]role{
	"in": inputRole, "inp": inputRole, "input": inputRole, "inputs": inputRole,
	"out": answerRole, "output": answerRole, "outputs": answerRole, "ans": answerRole, "answer": answerRole, "answers": answerRole,
	"expected": answerRole, "oup": answerRole,
}

// roleEnds are too common as words: they say what a file is as its extension.
var roleEnds = map[string]role{"a": answerRole, "ok": answerRole, "sol": answerRole}

var (
	word       = regexp.MustCompile(`[a-zA-Z]+`)
	olympiad   = regexp.MustCompile(`^([iIoO])\.([0-9]+)$`)
	sampleWord = regexp.MustCompile(`(?i)(^|[^a-zA-Z])(samples?|examples?)($|[^a-zA-Z])`)
	answerWord = regexp.MustCompile(`(?i)(^|[^a-z])(ans|answer|answers|expected)($|[^a-z])`)
	plainEnds  = []string{".txt", ".dat", ".text"}
)

// roleOf tells what a file is by its name, and the key of its case.
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
	// Of "a.in2" the extension is "in"; a foreign one, as of "in.py", is not
	// test data.
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
				stem = withoutWord(stem, i, i+len("expected")) // of expected_output_1
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

// withoutRole takes the folders away that say the same role as the file.
func withoutRole(dir string, r role) string {
	parts := slices.DeleteFunc(strings.Split(dir, "/"), func(part string) bool { return roleWords[strings.ToLower(part)] == r })
	return path.Join(parts...)
}

// withoutWord takes a word away and what parted it from the rest: of
// "abc.in.1" remains "abc-1".
func withoutWord(stem string, from, to int) string {
	const partings = "._- "
	before, after := strings.TrimRight(stem[:from], partings), strings.TrimLeft(stem[to:], partings)
	if before != "" && after != "" {
		return before + "-" + after
	}
	return before + after
}

// A pair is one case among files that came from anywhere.
type pair struct {
	key           string // what names it, with slashes; "" for the likes of input.txt
	input, answer string
}

// pairUp finds the pairs among names, in natural order of their keys, and what
// is no part of one. Two inputs of one case are an error, and if the data is to
// be whole, so are two answers, an input without answer and an answer without
// input; otherwise an input may be alone, an answer that is alone is left out,
// and of 1.ans and 1.out, which a program may have written, the first is the
// answer. At says where a name really lies.
func pairUp(names []string, at func(string) string, whole bool) (pairs []pair, left []string, err error) {
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
		f := files[key]
		if len(f[inputRole]) == 0 && len(f[answerRole]) > 0 {
			// The input beside 01.a is 01.
			f[inputRole], f[neither] = f[neither], nil
		}
		left = append(left, f[neither]...)
		in, ans := f[inputRole], f[answerRole]
		if own := func(name string) bool { return answerWord.MatchString(path.Base(name)) }; !whole && slices.ContainsFunc(ans, own) {
			left = append(left, slices.DeleteFunc(slices.Clone(ans), own)...)
			ans = slices.DeleteFunc(ans, func(name string) bool { return !own(name) })
		}
		switch {
		case !whole && len(in) == 0:
			left = append(left, ans...)
		case !whole && len(in) == 1 && len(ans) == 0:
			pairs = append(pairs, pair{key, in[0], ""})
		case len(in) > 1:
			found.Addf(at(in[1]), "a second input of one case; the first is %s", text.QuoteName(in[0]))
		case len(ans) > 1:
			found.Addf(at(ans[1]), "a second answer of one case; the first is %s", text.QuoteName(ans[0]))
		case len(in) == 1 && len(ans) == 1:
			pairs = append(pairs, pair{key, in[0], ans[0]})
		case len(in) == 1:
			found.Addf(at(in[0]), "an input without answer: want a file of the same name that ends in .ans or .out")
		case len(ans) == 1:
			found.Addf(at(ans[0]), "an answer without input: want a file of the same name that ends in .in")
		}
	}
	if found.Errs != nil {
		return nil, nil, errors.Join(found.Errs...)
	}
	natural := padded(pairs)
	slices.SortFunc(pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(natural(a.key), natural(b.key)), cmp.Compare(a.key, b.key))
	})
	slices.Sort(left)
	return pairs, left, nil
}

var digits = regexp.MustCompile(`[0-9]+`)

// padded returns how to write keys so that numbers in them sort as numbers:
// the first number of each with as many digits as the first of any needs, and
// so on.
func padded(pairs []pair) func(key string) string {
	var widths []int
	for _, p := range pairs {
		for i, n := range digits.FindAllString(p.key, -1) {
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

// nameCases gives pairs, which are in natural order, the names that their cases
// have in a folder of the package's data: their keys, as the format allows, and
// with numbers padded where the format's order would be another.
func nameCases(pairs []pair, at func(string) string) ([]string, error) {
	keys := make([]pair, len(pairs))
	for i, p := range pairs {
		keys[i].key = caseName(p.key)
	}
	less := func(a, b pair) int { return cmp.Compare(a.key, b.key) }
	if !slices.IsSortedFunc(keys, less) {
		natural := padded(keys)
		for i := range keys {
			keys[i].key = natural(keys[i].key)
		}
	}
	var found problem.Defects
	names := make([]string, len(keys))
	first := make(map[string]string)
	for i, k := range keys {
		names[i] = k.key
		in := pairs[i].input
		if other, ok := first[k.key]; ok {
			found.Addf(at(in), "would become case %s, as %s does: rename one of them", k.key, text.QuoteName(other))
		}
		first[k.key] = in
		if part, ok := tooLong(k.key); ok {
			found.Addf(at(in), "the name %.40s… is longer than %d characters", part, maxCaseName)
		}
	}
	for i, name := range names {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			if other, ok := first[dir]; ok {
				found.Addf(at(pairs[i].input), "lies in a folder that has the name of a case, %s: rename one of them", text.QuoteName(other))
			}
		}
	}
	return names, errors.Join(found.Errs...)
}

// maxCaseName leaves room for extensions: the format allows 255 characters.
const maxCaseName = 240

func tooLong(name string) (part string, ok bool) {
	for part := range strings.SplitSeq(name, "/") {
		if len(part) > maxCaseName {
			return part, true
		}
	}
	return "", false
}

var notInNames = regexp.MustCompile(`[^a-zA-Z0-9_.-]+`)

// caseName writes a key in the characters that the format allows in names.
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
			// A folder x.files would be case x's.
			part = strings.ReplaceAll(part, ".", "_")
		} else if part == "test_group" {
			part += "_" // its .yaml would be the group's
		}
		parts[i] = part
	}
	return strings.Join(parts, "/")
}

// withoutFolders takes the folders away that all keys share, and those that say
// no more than which data it is.
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
