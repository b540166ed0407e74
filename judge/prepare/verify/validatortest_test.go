package verify

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"testing/fstest"

	"crucible/judge"
	"crucible/judge/internal/testkit"
	"crucible/judge/internal/testproblem"
)

// sound is a package without faults: the answer is the sum, and its parity as a word.
const sound = `-- problem.yaml --
problem_format_version: 2025-09
name: Sum
uuid: 00000000-0000-0000-0000-000000000001
limits:
  time_limit: 5.0
-- statement/problem.en.md --
## Input

The first line has $n$, $1 \le n \le 20$. The second line has $n$ integers $a_1, \ldots, a_n$ with $0 \le a_i \le 1\,000$.
-- input_validators/format.sh --
read -r n || exit 43
[[ $n =~ ^[1-9][0-9]?$ ]] && ((n <= 20)) || exit 43
read -r -a a || exit 43
((${#a[@]} == n)) || exit 43
for x in "${a[@]}"; do [[ $x =~ ^(0|[1-9][0-9]{0,3})$ ]] && ((x <= 1000)) || exit 43; done
IFS= read -r rest && exit 43
[[ -z $rest ]] || exit 43
exit 42
-- output_validator/check.sh --
read -r -N 20000 output
got=($output)
read -r -d '' -a want <"$2"
[[ ${got[*]} == "${want[*]}" ]] && exit 42
exit 43
-- submissions/accepted/a.sh --
read -r n; read -r -a a; s=0; for x in "${a[@]}"; do ((s += x)); done; echo $s; ((s % 2)) && echo odd || echo even
-- submissions/accepted/b.sh --
read -r n; s=0; for x in $(cat); do s=$((s + x)); done; echo $s; [[ $((s % 2)) = 1 ]] && echo odd || echo even
-- data/sample/1.in --
2
1 2
-- data/sample/1.ans --
3
odd
-- data/secret/1.in --
1
0
-- data/secret/1.ans --
0
even
-- data/secret/2.in --
20
1000 1000 1000 1000 1000 1000 1000 1000 1000 1000 1000 1000 1000 1000 1000 1000 1000 1000 1000 1000
-- data/secret/2.ans --
20000
even
`

// found probes the sound package with changes, and lists what is found.
func found(t *testing.T, changes string, o ValidatorOptions) (*Findings, string) {
	t.Helper()
	testkit.NeedsShell(t)
	m := fstest.MapFS{}
	for _, archive := range []string{sound, changes} {
		for _, f := range txtar.Parse([]byte(archive)).Files {
			m[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
		}
	}
	p := testproblem.PackageOf(t, m)
	j := &judge.Judge{Cache: testkit.Cache(t)}
	f, err := Validators(t.Context(), j, p, o)
	if err != nil {
		t.Error(err)
	}
	if err := j.Close(); err != nil {
		t.Error(err)
	}
	var all []string
	for _, one := range f.Findings {
		text := string(one.What)
		if one.Kind != "" {
			text += " of " + string(one.Kind)
		}
		if !one.Certain {
			text = "doubt: " + text
		}
		all = append(all, text)
	}
	return f, strings.Join(all, "; ")
}

func TestSoundPackageHasNoFinding(t *testing.T) {
	f, all := found(t, "", ValidatorOptions{Seed: 1})
	if all != "" || f.NotProbed != nil {
		t.Errorf("got %s %q, expected nothing", all, f.NotProbed)
	}
	for _, x := range f.Findings {
		t.Logf("%+v", x)
	}
	if f.Fed < 50 || f.Accepted == 0 || f.Unique == "" {
		t.Errorf("%d outputs were fed, %d accepted, unique %q; expected many, some, and a reason", f.Fed, f.Accepted, f.Unique)
	}
	want := []string{
		"n line 1: 1..20 [1..20] (0..21)",
		"a line 2, tokens: 0..1000 [0..1000] (-1..1001)",
	}
	for i, b := range f.Bounds {
		got := fmt.Sprintf("%s %s: %s..%s [%s..%s] (%s..%s)", b.Name, b.Place, b.Low.Seen, b.High.Seen, b.Low.Declared, b.High.Declared, b.Low.Rejected, b.High.Rejected)
		if i >= len(want) || got != want[i] {
			t.Errorf("bound %d: got %s", i, got)
		}
	}
}

// Each fault is found, and nothing else. The race detector needs a few of them only,
// because the faults differ in what the validators do, not in the goroutines of Validators.
func TestSeededFaults(t *testing.T) {
	const check = "-- output_validator/check.sh --\nread -r -N 20000 output\ngot=($output)\nread -r -d '' -a want <\"$2\"\n"
	const end = "[[ ${got[*]} == \"${want[*]}\" ]] && exit 42\nexit 43\n"
	for i, c := range []struct{ name, changes, want string }{
		{"accepts empty output", check + "[[ -z $output ]] && exit 42\n" + end, "wrong accept of empty; wrong accept of malformed"},
		{"crashes on bytes that are not UTF-8", check + "[[ $(LC_ALL=C; tr -dc '\\377' <<<\"$output\" | wc -c) -gt 0 ]] && kill -SEGV $$\n" + end, "crash of not UTF-8"},
		{"hangs on long tokens", check + "((${#got[0]} > 1000)) && while :; do :; done\n" + end, "time-out of huge"},
		{"exits with 1 for words", check + "[[ ${got[0]} =~ ^-?[0-9]+$ ]] || exit 1\n" + end, "crash of empty"},
		{"ignores what follows", check + "[[ ${got[*]:0:2} == \"${want[*]}\" ]] && exit 42\nexit 43\n", "wrong accept of extra text; wrong accept of not UTF-8; doubt: wrong accept of repeated"},
		{"ignores the number", check + "[[ -n ${got[0]} && ${got[*]:1} == \"${want[*]:1}\" ]] && exit 42\nexit 43\n",
			"wrong accept of huge; doubt: wrong accept of number; doubt: wrong accept of other case"},
		{"decides at random", check + "((RANDOM % 2)) && exit 43\n" + end, "random"},
		{"an upper bound is off by one", "-- input_validators/format.sh --\n" + strings.Replace(txtarFile("input_validators/format.sh"), "<= 20", "<= 21", 1), "doubt: outside bounds"},
		{"a lower bound is off by one", "-- input_validators/format.sh --\n" + strings.Replace(txtarFile("input_validators/format.sh"), "[1-9][0-9]?$", "[0-9]+$", 1), "doubt: outside bounds"},
		{"the input validator decides at random", "-- input_validators/format.sh --\n((RANDOM % 2)) && exit 43\n" + txtarFile("input_validators/format.sh"), "random"},
		{"the input validator ignores what follows", "-- input_validators/format.sh --\n" + strings.Replace(txtarFile("input_validators/format.sh"), "IFS= read -r rest && exit 43\n", "", 1), "wrong accept"},
		{"no case has the largest number", "-- data/secret/2.in --\n20\n1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20\n-- data/secret/2.ans --\n210\neven\n", "doubt: unreached bound"},
		{"another rule excludes a bound", "-- input_validators/format.sh --\n" + strings.Replace(txtarFile("input_validators/format.sh"), "((n <= 20))", "((n != 1 && n <= 20))", 1) +
			"-- data/secret/1.in --\n2\n0 0\n", ""},
		{"an answer is wrong", "-- data/secret/1.ans --\n1\nodd\n", "disagreement; disagreement"},
		{"an answer is no output", check + "[[ ${want[0]} == none ]] && { [[ ${got[*]} == \"0 even\" ]] && exit 42; exit 43; }\n" + end + "-- data/secret/1.ans --\nnone\n", "doubt: rejected answer"},
	} {
		if testkit.FewRows() && i%5 != 2 { // a time-out and two input validators remain
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			f, all := found(t, c.changes, ValidatorOptions{Seed: 1, ValidatorTime: time.Second})
			ok := all == c.want
			if c.want == "random" { // an output that is accepted once may also be found otherwise
				ok = strings.Contains(all, "random")
			}
			if !ok {
				t.Errorf("found %q, expected %q", all, c.want)
				for _, x := range f.Findings {
					t.Logf("%+v", x)
				}
			}
		})
	}
}

// txtarFile returns a file of the sound package.
func txtarFile(name string) string {
	for _, f := range txtar.Parse([]byte(sound)).Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	panic(name)
}

// ratio is a package with decimals.
const ratio = `-- statement/problem.en.md --
## Input

The only line has a decimal number $x$, $0.5 \le x < 10$.
-- input_validators/format.sh --
read -r x || exit 43
[[ $x =~ ^-?(0|[1-9][0-9]?)\.[0-9][0-9]$ ]] || exit 43
n=${x/./}
n=$((10#${n#-})); [[ $x == -* ]] && n=-$n
((LOW <= n && n <= HIGH)) || exit 43
IFS= read -r rest && exit 43
[[ -z $rest ]] || exit 43
exit 42
-- submissions/accepted/a.sh --
read -r x; echo ${x/./}; echo even
-- submissions/accepted/b.sh --
IFS=. read -r a b; echo $a$b; echo even
-- data/sample/1.in --
1.25
-- data/sample/1.ans --
125
even
-- data/secret/1.in --
0.50
-- data/secret/1.ans --
050
even
-- data/secret/2.in --
9.99
-- data/secret/2.ans --
999
even
`

func TestBoundsOfDecimals(t *testing.T) {
	testkit.InMatrix(t)
	for _, c := range []struct {
		name, low, high, lowest, want, bounds string
	}{
		{"exact", "50", "999", "0.50", "", "0.5..10 (0.49..10.00)"},
		{"the validator accepts the excluded bound", "50", "1000", "0.50", "x (line 1): the statement's maximum excludes 10, and an input with 10.00 is accepted", "0.5..10 (0.49..10.01)"},
		{"the validator accepts too small a number", "49", "999", "0.50", "x (line 1): the statement's minimum is 0.5, and an input with 0.49 is accepted", "0.5..10 (0.48..10.00)"},
		{"no case has the smallest number", "50", "999", "0.51", "x (line 1): the statement's minimum is 0.5, and the smallest value of all cases is 0.51", "0.5..10 (0.49..10.00)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := strings.NewReplacer("LOW", c.low, "HIGH", c.high, "\n0.50\n", "\n"+c.lowest+"\n", "\n050\n", "\n"+strings.Replace(c.lowest, ".", "", 1)+"\n").Replace(ratio)
			f, _ := found(t, files, ValidatorOptions{Seed: 1})
			var reasons []string
			for _, one := range f.Findings {
				reasons = append(reasons, one.Reason)
			}
			if got := strings.Join(reasons, "; "); got != c.want {
				t.Errorf("found %q, expected %q", got, c.want)
			}
			b := f.Bounds[0]
			if got := fmt.Sprintf("%s..%s (%s..%s)", b.Low.Declared, b.High.Declared, b.Low.Rejected, b.High.Rejected); got != c.bounds {
				t.Errorf("bounds %s, expected %s", got, c.bounds)
			}
		})
	}
}
