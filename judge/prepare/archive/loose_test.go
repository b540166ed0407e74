package archive

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

func TestLoose(t *testing.T) {
	for _, c := range []struct{ name, files, want, left string }{
		{"Codeforces", "a.cpp 1.in 1.out 2.in 2.out", "1=1.in+1.out 2=2.in+2.out", "a.cpp"},
		{"Kattis", "a.py 1.in 1.ans", "1=1.in+1.ans", "a.py"},
		{"sample-1.in, in order", "sample-1.in sample-1.out sample-2.in sample-2.out sample-10.in sample-10.out", "sample-01=sample-1.in+sample-1.out sample-02=sample-2.in+sample-2.out sample-10=sample-10.in+sample-10.out", ""},
		{"input1.txt", "input1.txt output1.txt", "1=input1.txt+output1.txt", ""},
		{"in1.txt", "in1.txt out1.txt a.py", "1=in1.txt+out1.txt", "a.py"},
		{"one case", "input.txt output.txt", "1=input.txt+output.txt", ""},
		{"in and out", "in/a.txt out/a.txt in/b.txt out/b.txt", "a=in/a.txt+out/a.txt b=in/b.txt+out/b.txt", ""},
		{"oj", "main.py test/sample-1.in test/sample-1.out", "sample-1=test/sample-1.in+test/sample-1.out", "main.py"},
		{"tests", "tests/01 tests/01.a", "01=tests/01+tests/01.a", ""},
		{"sample", "sample/1.in sample/1.ans", "1=sample/1.in+sample/1.ans", ""},
		{"folders that mean nothing", "notes/1.in node_modules/x/2.in .git/3.in test/1.in test/1.out", "1=test/1.in+test/1.out", ""},
		{"no answer", "1.in 2.in 2.out 3.out", "1=1.in+ 2=2.in+2.out", "3.out"},
		{"an output beside the answer", "1.in 1.ans 1.out", "1=1.in+1.ans", "1.out"},
		{"a compiled program", "a a.out 1.in 1.out", "1=1.in+1.out", ""},
		{"two inputs", "1.in 1.txt.in in/1.txt", "1.in|second input", ""},
		{"nothing", "a.cpp README.md", "no inputs", ""},
	} {
		fsys := fstest.MapFS{}
		for _, name := range strings.Fields(c.files) {
			data := []byte("1\n")
			if name == "a" || name == "a.out" {
				data = []byte("\x7fELF\x02")
			}
			fsys[name] = &fstest.MapFile{Data: data}
		}
		names, err := LooseFiles(fsys, true)
		if err != nil {
			t.Fatal(err)
		}
		l, err := Import{TimeLimit: 2 * time.Second, Memory: 256, ValidatorArgs: []string{"float_tolerance", "1e-6"}}.Loose(fsys, "sum", names)
		if err != nil {
			if _, want, _ := strings.Cut("|"+c.want, "|"); !strings.Contains(err.Error(), want[strings.LastIndex(want, "|")+1:]) {
				t.Errorf("%s: %v, want %s", c.name, err, c.want)
			}
			continue
		}
		var got []string
		for i, k := range l.Cases {
			if l.Problem.Cases[i].Name != k.Name {
				t.Errorf("%s: case %d is %s, and %s in the problem", c.name, i, k.Name, l.Problem.Cases[i].Name)
			}
			got = append(got, strings.TrimPrefix(k.Name, "sample/")+"="+k.Input+"+"+k.Answer)
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%s: cases %s, want %s", c.name, got, c.want)
		}
		if got := strings.Join(l.Left, " "); got != c.left {
			t.Errorf("%s: left %s, want %s", c.name, got, c.left)
		}
		if l.Problem.Limits.Time != 2*time.Second || l.Problem.Limits.Memory != 256<<20 || len(l.Problem.Cases[0].OutputValidatorArgs) != 2 {
			t.Errorf("%s: limits %v, arguments %v", c.name, l.Problem.Limits, l.Problem.Cases[0].OutputValidatorArgs)
		}
	}
}
