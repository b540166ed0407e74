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
	found, err := pairUp(files, at, true)
	if err != nil {
		return nil, nil, err
	}
	withoutFolders(found.pairs)
	names, err := nameCases(found.pairs, at)
	for i, p := range found.pairs {
		cases = append(cases, fmt.Sprintf("%s=%s+%s", names[i], p.input, p.answer))
	}
	return cases, found.left, err
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
		{"one name after renaming", "a b.in\x00a b.out\x00a_b.in\x00a_b.out", "a_b=a b.in+a b.out a_b-2=a_b.in+a_b.out"},
		{"one name after padding", "01.in 01.out 1.in 1.out 2.in 2.out 10.in 10.out", "01=01.in+01.out 01-2=1.in+1.out 02=2.in+2.out 10=10.in+10.out"},
		{"two alphabets", "а.in а.out б.in б.out _-2.in _-2.out", "_-2=_-2.in+_-2.out _=а.in+а.out _-3=б.in+б.out"},
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

// TestPairsOfJudges has the names that judges and contests use. The files are separated by
// spaces, with _ for a space in a name; want has the pairs, then the names that look like
// parts of pairs and are not used.
func TestPairsOfJudges(t *testing.T) {
	for _, c := range []struct{ custom, files, want, unused string }{
		{"Kattis, problem package format", "1.in 1.ans", "1.in+1.ans", ""},
		{"Codeforces, AtCoder, DMOJ: samples", "1.in 1.out 2.in 2.out", "1.in+1.out 2.in+2.out", ""},
		{"Polygon", "01 01.a 02 02.a", "01+01.a 02+02.a", ""},
		{"Polygon on Windows", "01 01.A", "01+01.A", ""},
		{"ejudge", "001.dat 001.ans 002.dat 002.a 001.inf", "001.dat+001.ans 002.dat+002.a", ""},
		{"PC^2", "sum.dat sum.ans", "sum.dat+sum.ans", ""},
		{"HONI, COCI: letters of a subtask", "sum.in.1a sum.out.1a sum.in.1b sum.out.1b sum.in.2a sum.out.2a sum.in.10 sum.out.10",
			"sum.in.1a+sum.out.1a sum.in.1b+sum.out.1b sum.in.2a+sum.out.2a sum.in.10+sum.out.10", ""},
		{"COCI: samples", "sum.dummy.in.1 sum.dummy.out.1 sum.in.1 sum.out.1", "sum.in.1+sum.out.1 sum.dummy.in.1+sum.dummy.out.1", ""},
		{"letters name the cases", "sum.in.a sum.out.a sum.in.b sum.out.b", "sum.in.a+sum.out.a sum.in.b+sum.out.b", ""},
		{"a name of letters without its pair", "sum.in.b sum.in.1 sum.out.1", "sum.in.1+sum.out.1", "sum.in.b"},
		{"Polygon: an answer of x.in", "sum.in sum.in.a", "sum.in+sum.in.a", ""},
		{"USACO", "I.1 O.1 I.2 O.2", "I.1+O.1 I.2+O.2", ""},
		{"USACO with letters", "I.1a O.1a i.2 o.2", "I.1a+O.1a i.2+o.2", ""},
		{"IOI 2010 to 2013", "grader.in.1 grader.expect.1", "grader.in.1+grader.expect.1", ""},
		{"IOI, CMS", "01-01-example.in 01-01-example.out", "01-01-example.in+01-01-example.out", ""},
		{"CMS", "input/input0.txt output/output0.txt", "input/input0.txt+output/output0.txt", ""},
		{"CMS, by dots", "input.0 output.0 input.10 output.10", "input.0+output.0 input.10+output.10", ""},
		{"SIO2, POI", "sum1a.in sum1a.out sum1ocen.in sum1ocen.out", "sum1a.in+sum1a.out sum1ocen.in+sum1ocen.out", ""},
		{"SIO2, in folders", "in/sum0.in out/sum0.out", "in/sum0.in+out/sum0.out", ""},
		{"infoarena, Kilonova", "1-sum.in 1-sum.ok grader_test2.in grader_test2.ok", "1-sum.in+1-sum.ok grader_test2.in+grader_test2.ok", ""},
		{"infoarena, the program wrote x.out", "1-sum.in 1-sum.ok 1-sum.out", "1-sum.in+1-sum.ok", "1-sum.out"},
		{"OBI, arena.olimpiici.com", "1/1.in 1/1.sol 2/1.in 2/1.sol", "1/1.in+1/1.sol 2/1.in+2/1.sol", ""},
		{"Bulgarian contests", "sum.01.in sum.01.sol sum.02.in sum.02.sol", "sum.01.in+sum.01.sol sum.02.in+sum.02.sol", ""},
		{"with .diff", "sum.1.in sum.1.diff", "sum.1.in+sum.1.diff", ""},
		{"Jutge.org", "sample-1.inp sample-1.cor", "sample-1.inp+sample-1.cor", ""},
		{"other words for an answer", "1.in 1.std 2.in 2.ref 3.in 3.desired", "1.in+1.std 2.in+2.ref 3.in+3.desired", ""},
		{"Themis", "Test01/SUM.INP Test01/SUM.OUT Test02/SUM.INP Test02/SUM.OUT", "Test01/SUM.INP+Test01/SUM.OUT Test02/SUM.INP+Test02/SUM.OUT", ""},
		{"Themis, .oup", "sum1.inp sum1.oup", "sum1.inp+sum1.oup", ""},
		{"UOJ, Lemon", "sum1.in sum1.ans ex_sum1.in ex_sum1.ans", "ex_sum1.in+ex_sum1.ans sum1.in+sum1.ans", ""},
		{"HackerRank", "input/input00.txt output/output00.txt", "input/input00.txt+output/output00.txt", ""},
		{"HackerRank, one test", "input.txt output.txt", "input.txt+output.txt", ""},
		{"AtCoder: archive", "in/00_example_01.txt out/00_example_01.txt", "in/00_example_01.txt+out/00_example_01.txt", ""},
		{"AtCoder: older archive, no extension", "in/a01 out/a01", "in/a01+out/a01", ""},
		{"yukicoder", "test_in/01.txt test_out/01.txt", "test_in/01.txt+test_out/01.txt", ""},
		{"Library Checker", "in/example_00.in out/example_00.out", "in/example_00.in+out/example_00.out", ""},
		{"BOCA", "input/1 output/1", "input/1+output/1", ""},
		{"JOI", "2010-ho-t1-in1.txt 2010-ho-t1-out1.txt", "2010-ho-t1-in1.txt+2010-ho-t1-out1.txt", ""},
		{"Google Code Jam", "A-small-practice.in A-small-practice.out test_set_1/ts1_input.txt test_set_1/ts1_output.txt",
			"A-small-practice.in+A-small-practice.out test_set_1/ts1_input.txt+test_set_1/ts1_output.txt", ""},
		{"Facebook Hacker Cup", "sum_sample_input.txt sum_sample_output.txt", "sum_sample_input.txt+sum_sample_output.txt", ""},
		{"a folder for each test", "1/input.txt 1/output.txt 2/in 2/ans", "1/input.txt+1/output.txt 2/in+2/ans", ""},
		{"a folder input with both files", "input/1.in input/1.out", "input/1.in+input/1.out", ""},
		{"folders inputs and answers", "inputs/1.in answers/1.ans", "inputs/1.in+answers/1.ans", ""},
		{"folders tests and answers", "tests/1.txt answers/1.txt", "tests/1.txt+answers/1.txt", ""},
		{"folders cases and out", "Cases/a/1 out/a/1", "Cases/a/1+out/a/1", ""},
		{"an answer of a name that is not known", "1.in 1.solution 1.cpp 1.pdf", "1.in+", "1.solution"},
		{"answers ou and res", "1.in 1.ou 2.dat 2.res", "1.in+ 2.dat+2.res", "1.ou"},
		{"expected output", "input_1.txt expected_output_1.txt", "input_1.txt+expected_output_1.txt", ""},
		{"standard input and output", "1.stdin 1.stdout", "1.stdin+1.stdout", ""},
		{"roles inside words", "testinput1.txt testoutput1.txt inputA.txt outputA.txt throughput.txt sampleinput2.txt",
			"inputA.txt+outputA.txt testinput1.txt+testoutput1.txt", "sampleinput2.txt"},
		{"folders, and a role inside a word", "in/myinput.txt out/myinput.txt", "in/myinput.txt+out/myinput.txt", ""},
		{"only letters name the cases", "in.a out.a in.b out.b", "in.a+out.a in.b+out.b", ""},
		{"two extensions", "1.in.txt 1.out.txt", "1.in.txt+1.out.txt", ""},
		{"numbers after the extension", "sum.in1 sum.ok1 sum.in2 sum.ok2", "sum.in1+sum.ok1 sum.in2+sum.ok2", ""},
		{"no dots", "in1 out1 in2 out2", "in1+out1 in2+out2", ""},
		{"capitals", "1.IN 1.OUT 2.in 2.OUT", "1.IN+1.OUT 2.in+2.OUT", ""},
		{"capitals of the names differ", "Test1.in test1.out", "Test1.in+test1.out", ""},
		{"spaces", "test_1.in test_1.out input_(2).txt output_(2).txt", "input_(2).txt+output_(2).txt test_1.in+test_1.out", ""},
		{"several dots", "a.b.c.in a.b.c.out v2.final.in.1a v2.final.out.1a", "a.b.c.in+a.b.c.out v2.final.in.1a+v2.final.out.1a", ""},
		{"letters outside ASCII", "тест1.in тест1.out 例.in 例.out", "тест1.in+тест1.out 例.in+例.out", ""},
		{"in and out inside words of other letters", "müin.txt 1.in 1.out", "1.in+1.out", ""},
		{"letters and numbers in order", "10.in 10.out 2a.in 2a.out 1b.in 1b.out 1a.in 1a.out", "1a.in+1a.out 1b.in+1b.out 2a.in+2a.out 10.in+10.out", ""},
		{"several customs", "1.in 1.out 02 02.a input3.txt output3.txt sum.in.4 sum.out.4",
			"1.in+1.out 02+02.a input3.txt+output3.txt sum.in.4+sum.out.4", ""},
		{"several customs with one number", "1.in 1.out input1.txt output1.txt I.1 O.1", "1.in+1.out I.1+O.1 input1.txt+output1.txt", ""},
		{"the problem's name is a role", "input.1.in input.1.out out.in out.out", "input.1.in+input.1.out out.in+out.out", ""},
		{"an answer and an output", "1.in 1.ans 1.out", "1.in+1.ans", "1.out"},
		{"an output without an input", "1.in 1.out 2.out", "1.in+1.out", "2.out"},
		{"copies of editors", "1.in 1.out 1.in~ 1.out.bak 1.in.orig notes~", "1.in+1.out", "1.in.orig 1.in~ 1.out.bak"},
		{"compressed", "1.in 1.out 2.in.gz 2.out.gz", "1.in+1.out", "2.in.gz 2.out.gz"},
		{"programs and texts", "1.in 1.out README.md gen/answer.cpp input.py notes.txt in.c", "1.in+1.out", ""},
	} {
		var files []string
		for _, name := range strings.Fields(c.files) {
			if strings.Contains(c.custom, "spaces") {
				name = strings.ReplaceAll(name, "_", " ")
			}
			files = append(files, name)
		}
		at := func(name string) string { return name }
		found, err := pairUp(files, at, false)
		if err != nil {
			t.Errorf("%s: %v", c.custom, err)
			continue
		}
		var got, unused []string
		for _, p := range found.pairs {
			got = append(got, strings.ReplaceAll(p.input+"+"+p.answer, " ", "_"))
		}
		for _, err := range found.unused {
			unused = append(unused, strings.Split(err.Error(), ":")[0])
		}
		if g, u := strings.Join(got, " "), strings.Join(unused, " "); g != c.want || u != c.unused {
			t.Errorf("%s: %s gives\n%s, unused %q; expected\n%s, unused %q", c.custom, c.files, g, u, c.want, c.unused)
		}
		// judge import takes the same pairs, or refuses.
		if all, err := pairUp(files, at, true); err == nil && !slices.Equal(all.pairs, found.pairs) {
			t.Errorf("%s: an import has %v, expected %v", c.custom, all.pairs, found.pairs)
		} else if err != nil && c.unused == "" {
			t.Errorf("%s: an import refuses: %v", c.custom, err)
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
