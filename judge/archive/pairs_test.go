package archive

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"crucible/judge/problem"
)

// pairNames pairs and names files as an import does, and formats the cases as
// "name=input+answer".
func pairNames(files []string) (cases, left []string, err error) {
	at := func(name string) string { return name }
	pairs, left, err := pairUp(files, at, true)
	if err != nil {
		return nil, nil, err
	}
	withoutFolders(pairs)
	names, err := nameCases(pairs, at)
	for i, p := range pairs {
		cases = append(cases, fmt.Sprintf("%s=%s+%s", names[i], p.input, p.answer))
	}
	return cases, left, err
}

func TestPairs(t *testing.T) {
	for _, c := range []struct {
		fact, files, want string
	}{
		{"in and out", "1.in 1.out", "1=1.in+1.out"},
		{"in and ans", "1.ans 1.in", "1=1.in+1.ans"},
		{"whatever the case of the extension", "1.IN 1.Out", "1=1.IN+1.Out"},
		{"Polygon", "tests/01 tests/01.a tests/02 tests/02.a", "01=tests/01+tests/01.a 02=tests/02+tests/02.a"},
		{"input and output, numbered", "input1.txt output1.txt", "1=input1.txt+output1.txt"},
		{"input and output alone", "input.txt output.txt", "1=input.txt+output.txt"},
		{"folders in and out", "in/a.txt in/b.txt out/a.txt out/b.txt", "a=in/a.txt+out/a.txt b=in/b.txt+out/b.txt"},
		{"folders in and out, no extensions", "in/00_sample_00 out/00_sample_00", "00_sample_00=in/00_sample_00+out/00_sample_00"},
		{"folders and extensions", "in/1.in out/1.out", "1=in/1.in+out/1.out"},
		{"folders and prefixes", "input/input00.txt output/output00.txt", "00=input/input00.txt+output/output00.txt"},
		{"number at the end", "abc.in.1 abc.out.1", "abc-1=abc.in.1+abc.out.1"},
		{"number in the extension", "abc.in1 abc.ou1 abc.out1", "abc-1=abc.in1+abc.out1 abc.ou1"},
		{"I.1", "I.1 O.1", "1=I.1+O.1"},
		{"suffixes", "1_input.txt 1_output.txt", "1=1_input.txt+1_output.txt"},
		{"expected output", "input_1.txt expected_output_1.txt", "1=input_1.txt+expected_output_1.txt"},
		{"in twice: the last word is the role", "max-in-range.in max-in-range.out", "max-in-range=max-in-range.in+max-in-range.out"},
		{"in and out inside words say nothing", "main.in main.out", "main=main.in+main.out"},
		{"text beside an answer is its input", "1.txt 1.ans", "1=1.txt+1.ans"},
		{"numbers stay in order", "1.in 1.out 10.in 10.out 2.in 2.out", "01=1.in+1.out 02=2.in+2.out 10=10.in+10.out"},
		{"numbers in order already stay", "1.in 1.out 2.in 2.out", "1=1.in+1.out 2=2.in+2.out"},
		{"numbers of folders and files", "a/g1/t2.in a/g1/t2.out a/g1/t10.in a/g1/t10.out a/g12/t1.in a/g12/t1.out", "g01/t02=a/g1/t2.in+a/g1/t2.out g01/t10=a/g1/t10.in+a/g1/t10.out g12/t01=a/g12/t1.in+a/g12/t1.out"},
		{"forbidden characters", "a b(1).in\x00a b(1).out", "a_b_1=a b(1).in+a b(1).out"},
		{"no leading dash", "-1.in -1.out", "_1=-1.in+-1.out"},
		{"other letters", "тест1.in тест1.out", "_1=тест1.in+тест1.out"},
		{"test_group is no case", "test_group.in test_group.out", "test_group_=test_group.in+test_group.out"},
		{"a folder is no case's .files", "y/x.files/1.in y/x.files/1.out y/z.in y/z.out", "x_files/1=y/x.files/1.in+y/x.files/1.out z=y/z.in+y/z.out"},
		{"the folders of a package", "data/sample/1.in data/sample/1.ans", "1=data/sample/1.in+data/sample/1.ans"},
		{"sources and texts are left out", "1.in 1.out README.md gen/answer.cpp input.py notes.txt", "1=1.in+1.out README.md gen/answer.cpp input.py notes.txt"},
	} {
		sep := " "
		if strings.Contains(c.files, "\x00") {
			sep = "\x00"
		}
		cases, left, err := pairNames(strings.Split(c.files, sep))
		got := strings.Join(append(cases, left...), " ")
		if err != nil || got != c.want {
			t.Errorf("%s: %s gives %s, %v; want %s", c.fact, c.files, got, err, c.want)
		}
	}
}

func TestPairsRefused(t *testing.T) {
	for _, c := range []struct {
		fact  string
		files []string
		want  []string // in the error
	}{
		{"no answer", []string{"1.in", "2.in", "2.out"}, []string{"1.in: an input without an answer"}},
		{"no input", []string{"1.out"}, []string{"1.out: an answer without an input"}},
		{"all are reported", []string{"1.in", "2.in", "3.ans"}, []string{"1.in", "2.in", "3.ans"}},
		{"two answers", []string{"1.ans", "1.in", "1.out"}, []string{"1.out: a second answer of one case; the first is 1.ans"}},
		{"two inputs", []string{"1.in", "1.inp", "1.out"}, []string{"1.inp: a second input of one case; the first is 1.in"}},
		{"two that may be the input", []string{"1", "1.a", "1.txt"}, []string{"1.txt: a second input of one case; the first is 1"}},
		{"one name after renaming", []string{"a b.in", "a b.out", "a_b.in", "a_b.out"}, []string{"would become case a_b"}},
		{"one name after padding", []string{"1.in", "1.out", "01.in", "01.out", "2.in", "2.out", "10.in", "10.out"}, []string{"would become case 01"}},
		{"a case and a folder of one name", []string{"x/a.in", "x/a.out", "x/a/1.in", "x/a/1.out"}, []string{"x/a/1.in: is in a folder with the name of a case, x/a.in"}},
		{"a name too long", []string{strings.Repeat("a", 250) + ".in", strings.Repeat("a", 250) + ".out"}, []string{"characters: expected at most 240"}},
		{"a number too long", []string{strings.Repeat("9", 241) + ".in", strings.Repeat("9", 241) + ".out"}, []string{"characters: expected at most 240"}},
	} {
		_, _, err := pairNames(c.files)
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v gives error %v; want %q in it", c.fact, c.files, err, want)
			}
		}
	}
}

func TestNaturalOrder(t *testing.T) {
	pairs := []pair{{key: "10"}, {key: "9b"}, {key: "9"}, {key: "9a2"}, {key: "9a10"}, {key: "b"}, {key: "007"}}
	var files []string
	for _, p := range pairs {
		files = append(files, p.key+".in", p.key+".out")
	}
	cases, _, err := pairNames(files)
	for i, c := range cases {
		cases[i], _, _ = strings.Cut(c, "=")
	}
	if diff := cmp.Diff([]string{"07", "09", "09a02", "09a10", "09b", "10", "b"}, cases); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// For any file names, an import returns distinct names that the format allows, or an
// error.
func FuzzPairs(f *testing.F) {
	f.Add("1.in\n1.out\n10.in\n10.ans")
	f.Add("in/ \nout/ \n-.in\n-.out")
	f.Add(".a\n\n..in\n..out")
	f.Fuzz(func(t *testing.T, list string) {
		cases, _, err := pairNames(strings.Split(list, "\n"))
		if err != nil {
			return
		}
		seen := make(map[string]bool)
		for _, c := range cases {
			name, _, _ := strings.Cut(c, "=")
			for part := range strings.SplitSeq(name, "/") {
				if problem.IgnoredName(part + ".in") {
					t.Errorf("%q: the format ignores %q", list, part)
				}
			}
			dir := path.Dir(name)
			if slices.ContainsFunc(problem.Formats[0].CaseExtensions, func(ext string) bool { return strings.HasSuffix(dir, ext) }) || path.Base(name) == "test_group" {
				t.Errorf("%q: %q is no case, or lies in no folder", list, name)
			}
			if seen[name] {
				t.Errorf("%q: two cases %q", list, name)
			}
			seen[name] = true
		}
	})
}
