package archive

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"crucible/judge/internal/lazy"
	"crucible/judge/language"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// Archives of test data have many naming schemes. This file finds the input and
// the answer of each case by the names of the files alone:
//
//	1.in 1.out, 1.in 1.ans         most archives
//	01 01.a                        Polygon
//	input1.txt output1.txt         HackerRank and others, with folders of these names or not
//	in/a.txt out/a.txt             AtCoder
//	abc.in.1a abc.out.1a, I.1 O.1  olympiads
//
// The role of a file is the last word of its name that is a role, or otherwise the
// name of a folder that is one. Two files whose names differ in that word only are a
// pair. The others are paired by their keys, which are the names without the role.

type role int

const (
	neither role = iota
	inputRole
	outputRole // an answer, or what a program wrote
	answerRole
)

// roleWords are roles wherever they are in a name.
var roleWords = map[string]role{
	"in": inputRole, "inp": inputRole, "input": inputRole, "inputs": inputRole, "stdin": inputRole,
	"out": outputRole, "output": outputRole, "outputs": outputRole, "oup": outputRole, "stdout": outputRole,
	"ans": answerRole, "answer": answerRole, "answers": answerRole, "expected": answerRole, "expect": answerRole,
}

// roleEnds are roles as an extension only, because they are common words.
var roleEnds = map[string]role{
	"a": answerRole, "ok": answerRole, "sol": answerRole, "cor": answerRole,
	"ref": answerRole, "std": answerRole, "desired": answerRole, "res": answerRole, "result": answerRole,
	"diff": outputRole,
}

var (
	word       = lazy.Regexp(`[\p{L}\p{M}]+`)
	olympiad   = lazy.Regexp(`^([iIoO])(\.[0-9]+[a-zA-Z]?)$`)
	sampleWord = lazy.Regexp(`(?i)(^|[^a-zA-Z])(samples?|examples?)($|[^a-zA-Z])`)
	// roleFolder matches names of folders such as test_in, which are not roles alone.
	roleFolder = lazy.Regexp(`^(.*[^\p{L}\p{M}])(\p{L}+)$`)
	// gluedRole matches roles inside words, as in testinput.
	gluedRole = lazy.Regexp(`(?i)input|output|answer|expected`)
	plainEnds = []string{".txt", ".dat", ".text"}
	// testFolders have inputs if another folder has the answers of the same names.
	testFolders = []string{"test", "tests", "testcase", "testcases", "case", "cases"}
)

// A dataName is the name of a file, read as that of an input or an answer.
type dataName struct {
	file  string
	role  role
	key   string // the name without the role
	shape string // the name with a mark instead of the role; "" if there is no role
	weak  bool   // the role counts only if a file of the same shape has the other one
	part  bool   // looks like the name of an input or an answer
}

// readName finds the role of a file. has reports whether a file exists.
func readName(name string, has func(string) bool) dataName {
	const mark = "\x00"
	dir, base := path.Split(name)
	n := dataName{file: name}
	if m := olympiad().FindStringSubmatch(base); m != nil {
		n.role = map[string]role{"i": inputRole, "o": outputRole}[strings.ToLower(m[1])]
		n.key, n.shape, n.part = path.Join(dir, m[2][1:]), dir+mark+m[2], true
		return n
	}
	if of, left := problem.WithoutLeftover(name); left && base != of {
		n.key, n.part = name, readName(of, has).role != neither
		return n
	}
	stem := base
	for _, end := range plainEnds {
		if n := len(stem) - len(end); n > 0 && strings.EqualFold(stem[n:], end) {
			stem = stem[:n]
			break
		}
	}
	tail := base[len(stem):]
	// The extension of "a.in2" is "in", and that of "a.in.2b" is the name of a case.
	dot := path.Ext(stem)
	before := strings.TrimSuffix(stem, dot)
	ext := ""
	if len(dot) > 1 {
		if at := word().FindStringIndex(dot); at != nil && at[0] == 1 {
			ext = strings.ToLower(dot[at[0]:at[1]])
		}
	}
	inner := roleWords[strings.ToLower(before[strings.LastIndex(before, ".")+1:])] != neither
	if r := roleEnds[ext]; r != neither && before != "" && (!inner || has(dir+before)) {
		if number := dot[1+len(ext):]; strings.Trim(number, "0123456789") == "" {
			n.role, n.shape, n.part = r, dir+before+"."+mark+number+tail, true
			n.key = path.Join(dir, withoutWord(stem, len(before)+1, len(before)+1+len(ext)))
			if inner { // sum.in.a beside sum.in
				n.key = readName(dir+before, has).key
			}
			return n
		}
	}
	if ext != "" && tail == "" && roleWords[ext] == neither {
		if n.weak = inner && (len(dot) == 2 || sampleWord().MatchString(ext)); !n.weak {
			// Files with other extensions, such as "in.py", are not test data.
			n.key, n.part = name, inner && strings.Contains(before, ".")
			return n
		}
	}
	if at := lastRole(stem); at != nil {
		n.role, n.shape = roleWords[strings.ToLower(stem[at[0]:at[1]])], dir+stem[:at[0]]+mark+stem[at[1]:]+tail
		n.part = !n.weak || before != stem[at[0]:at[1]] // in.c is a program rather
		stem = withoutWord(stem, at[0], at[1])
		if i := strings.Index(strings.ToLower(stem), "expected"); n.role == outputRole && i >= 0 {
			stem, n.role = withoutWord(stem, i, i+len("expected")), answerRole // in expected_output_1
		}
		n.key = path.Join(withoutRole(dir, n.role), stem)
		return n
	}
	n.key = path.Join(dir, stem)
	parts := strings.Split(strings.TrimSuffix(dir, "/"), "/")
	for i, folder := range slices.Backward(parts) {
		m := []string{folder, "", folder}
		if roleWords[strings.ToLower(folder)] == neither {
			if m = roleFolder().FindStringSubmatch(folder); m == nil {
				continue
			}
		}
		if n.role = roleWords[strings.ToLower(m[2])]; n.role != neither {
			n.weak, n.part = m[1] != "", true
			parts[i] = m[1] + mark
			n.shape = path.Join(path.Join(parts...), base)
			parts[i] = strings.TrimRight(m[1], separators)
			n.key = path.Join(path.Join(parts...), stem)
			return n
		}
	}
	if all := gluedRole().FindAllStringIndex(stem, -1); all != nil {
		at := all[len(all)-1]
		n.role, n.weak, n.part = roleWords[strings.ToLower(stem[at[0]:at[1]])], true, true
		n.shape = dir + stem[:at[0]] + mark + stem[at[1]:] + tail
		n.key = path.Join(dir, withoutWord(stem, at[0], at[1]))
		return n
	}
	for i, folder := range slices.Backward(parts) {
		if slices.Contains(testFolders, strings.ToLower(folder)) {
			parts[i] = mark
			n.shape = path.Join(path.Join(parts...), base)
			break
		}
	}
	return n
}

// lastRole returns where the last word of a text that is a role is, or nil.
func lastRole(s string) []int {
	for _, at := range slices.Backward(word().FindAllStringIndex(s, -1)) {
		if roleWords[strings.ToLower(s[at[0]:at[1]])] != neither {
			return at
		}
	}
	return nil
}

// withoutRole removes the folders that have the role of the file.
func withoutRole(dir string, r role) string {
	parts := slices.DeleteFunc(strings.Split(dir, "/"), func(part string) bool {
		of := roleWords[strings.ToLower(part)]
		return of != neither && (of == inputRole) == (r == inputRole)
	})
	return path.Join(parts...)
}

const separators = "._- "

// withoutWord removes a word and the separators around it: "abc.in.1" becomes
// "abc-1".
func withoutWord(stem string, from, to int) string {
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

// pairing is the result of [pairUp].
type pairing struct {
	pairs  []pair   // in natural order of their keys
	left   []string // the other files
	unused []error  // names those of left that look like inputs or answers, and says why they are none
}

// pairUp pairs the files by their names. Two inputs or two answers of one case are an
// error. If the data must be complete, so are an input without an answer and an answer
// without an input. Otherwise an input can be alone, an answer without an input is among
// the unused files, and so is 1.out beside 1.ans, because a program may have written it.
// at returns the real path of a name.
func pairUp(names []string, at func(string) string, complete bool) (*pairing, error) {
	var found problem.Defects
	p := new(pairing)
	var plain []string // of p.left, those that do not look like inputs or answers
	leave := func(n dataName, why string) {
		p.left = append(p.left, n.file)
		if !n.part {
			plain = append(plain, n.file)
		} else {
			p.unused = append(p.unused, problem.Defectf(at(n.file), "is not used: %s", why))
		}
	}
	known := make(map[string]bool)
	for _, name := range names {
		known[name] = true
	}
	read := make([]dataName, len(names))
	both := make(map[string]int) // roles by shape
	for i, name := range names {
		read[i] = readName(name, func(name string) bool { return known[name] })
		both[read[i].shape] |= 1 << min(read[i].role, outputRole)
	}
	const strong, inTests = 1<<inputRole | 1<<outputRole, 1<<neither | 1<<outputRole
	groups := make(map[string][]dataName)
	for _, n := range read {
		fromTests := n.shape != "" && both[n.shape] == inTests
		if fromTests && n.role == neither {
			n.role = inputRole
		}
		switch {
		case n.role != neither && (fromTests || both[n.shape]&strong == strong):
			groups["\x00"+n.shape] = append(groups["\x00"+n.shape], n)
			continue
		case n.weak:
			n.role, n.key = neither, n.file
		}
		key := strings.ToLower(n.key)
		groups[key] = append(groups[key], n)
	}
	of := func(group []dataName, is func(role) bool) []dataName {
		return slices.DeleteFunc(slices.Clone(group), func(n dataName) bool { return !is(n.role) })
	}
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		group := groups[key]
		in := of(group, func(r role) bool { return r == inputRole })
		ans := of(group, func(r role) bool { return r > inputRole })
		others := of(group, func(r role) bool { return r == neither })
		if len(in) == 0 && len(ans) > 0 {
			in, others = others, nil // 01 beside 01.a
		}
		if sure := of(ans, func(r role) bool { return r == answerRole }); !complete && len(sure) > 0 {
			for _, n := range of(ans, func(r role) bool { return r != answerRole }) {
				leave(n, "the answer is "+terminal.QuoteName(path.Base(sure[0].file)))
			}
			ans = sure
		}
		for _, n := range others {
			leave(n, "its name is not that of an input or an answer")
		}
		switch {
		case len(in) > 1:
			found.Addf(at(in[1].file), "a second input of one case; the first is %s", terminal.QuoteName(in[0].file))
		case len(in) == 0 && !complete:
			for _, n := range ans {
				leave(n, "an answer without an input")
			}
		case len(ans) > 1:
			found.Addf(at(ans[1].file), "a second answer of one case; the first is %s", terminal.QuoteName(ans[0].file))
		case len(in) == 1 && len(ans) == 0 && complete:
			found.Addf(at(in[0].file), "an input without an answer: expected a file of the same name that ends in .ans or .out")
		case len(in) == 0 && len(ans) == 1:
			found.Addf(at(ans[0].file), "an answer without an input: expected a file of the same name that ends in .in")
		case len(in) == 1:
			one := pair{key: in[0].key, input: in[0].file}
			if len(ans) == 1 {
				one.answer = ans[0].file
			}
			p.pairs = append(p.pairs, one)
		}
	}
	if found.Errs != nil {
		return nil, errors.Join(found.Errs...)
	}
	p.namesakes(plain, at)
	keys := make([]string, len(p.pairs))
	for i, p := range p.pairs {
		keys[i] = p.key
	}
	natural := padded(keys)
	slices.SortFunc(p.pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(natural(a.key), natural(b.key)), cmp.Compare(a.key, b.key), cmp.Compare(a.input, b.input))
	})
	slices.Sort(p.left)
	slices.SortFunc(p.unused, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return p, nil
}

// otherFiles matches names of files that are often beside a program and its inputs.
var otherFiles = lazy.Regexp(`(?i)\.(o|obj|exe|class|hi|pdf|md|html?|tex|png|jpe?g|svg|zip|json|ya?ml)$`)

// namesakes adds to the unused files those of names that differ from an input without an
// answer in the extension only, such as 1.solution beside 1.in: they may be the answer.
func (p *pairing) namesakes(names []string, at func(string) string) {
	stem := func(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }
	inputs := make(map[string]string)
	for _, one := range p.pairs {
		if one.answer == "" {
			inputs[stem(one.input)] = one.input
		}
	}
	for _, name := range names {
		in := inputs[stem(name)]
		if in == "" || otherFiles().MatchString(name) {
			continue
		}
		if l, _ := language.Builtin.Of([]string{name}); l != nil {
			continue
		}
		p.unused = append(p.unused, problem.Defectf(at(name), "is not used: beside the input %s, expected the answer as %s",
			terminal.QuoteName(path.Base(in)), terminal.QuoteName(path.Base(stem(in))+".ans")))
	}
}

var digits = lazy.Regexp(`[0-9]+`)

// padded returns a function that pads the numbers in keys with zeros, so that keys
// sort by their numbers: the first number of each key gets as many digits as the
// longest first number has, and so on.
func padded(keys []string) func(key string) string {
	var widths []int
	for _, key := range keys {
		for i, n := range digits().FindAllString(key, -1) {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], len(strings.TrimLeft(n, "0")), 1)
		}
	}
	return func(key string) string {
		i := -1
		return digits().ReplaceAllStringFunc(key, func(n string) string {
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
// order of the format would differ. Further cases of one name get -2, -3 and so on.
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
	count, again, inputs := make(map[string]int), make(map[string]int), make(map[string]string) // by name of case
	for _, name := range names {
		count[name]++
	}
	for i, name := range names {
		in := pairs[i].input
		if inputs[name] != "" { // "a b" and "a(b" are both a_b
			other := name
			for ; count[name] > 0; name = fmt.Sprintf("%s-%d", other, again[other]+1) {
				again[other]++
			}
			names[i] = name
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
				found.Addf(at(pairs[i].input), "is in a folder with the name of a case, %s: rename one of them",
					terminal.QuoteName(other))
			}
		}
	}
	return names, errors.Join(found.Errs...)
}

var notInNames = lazy.Regexp(`[^a-zA-Z0-9_.-]+`)

// caseName returns a key in the characters that the format allows in names.
func caseName(key string) string {
	if key == "" {
		return "1"
	}
	parts := strings.Split(key, "/")
	for i, part := range parts {
		part = notInNames().ReplaceAllString(part, "_")
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
			return strings.EqualFold(part, "secret") || strings.EqualFold(part, "secrets") ||
				sampleWord().FindString(part) == part
		})
		pairs[i].key = path.Join(append(folders, parts[last])...)
	}
}
