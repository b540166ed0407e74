package judge

import (
	"context"
	"errors"
	"strings"
	"testing"

	"crucible/judge/internal/testkit"
	"crucible/judge/internal/testproblem"
	"crucible/judge/problem"
)

const withGrammar = `-- problem.yaml --
problem_format_version: 2025-09
name: Sum
uuid: 7e57d004-2b97-4e7a-b45f-5387367791cd
limits: {time_limit: 1}
constants: {most: 100}
-- input_validators/form.ctd --
INT(1, {{most}}) SPACE INT(1, {{most}}) NEWLINE
-- data/sample/1.ans --
3
`

func TestGrammars(t *testing.T) {
	const (
		fine  = "-- data/sample/1.in --\n1 100\n"
		loose = "-- data/sample/1.in --\n1   2\n"
	)
	for _, row := range []struct{ name, text, rejects, err string }{
		{"what the grammar wants is accepted", fine, "", ""},
		{"constants are put into it", "-- data/sample/1.in --\n1 101\n",
			`form.ctd rejects line 1, column 3: expected an integer from 1 to 100, found "101" (form.ctd:1:19)`, ""},
		{"spaces count", loose,
			`form.ctd rejects line 1, column 3: expected an integer from 1 to 100, found a space (form.ctd:1:19)`, ""},
		{"-w is for the grammar", loose + "-- data/sample/1.yaml --\ninput_validator_args: [-w]\n", "", ""},
		{"-w by its name too", loose + "-- data/sample/1.yaml --\ninput_validator_args: {form.ctd: [-w]}\n", "", ""},
		{"other arguments are refused", fine + "-- data/sample/1.yaml --\ninput_validator_args: [n=5]\n",
			"", `input_validators/form.ctd: argument "n=5": unknown, expected -w or --whitespace-ok`},
		{"those of the case are not for it", fine + "-- data/sample/1.yaml --\nargs: [n=5]\n", "", ""},
		{"of two grammars both are asked", fine + "-- input_validators/zero.ctd --\nINT(0, 0)\n",
			`zero.ctd rejects line 1, column 1: expected an integer from 0 to 0, found "1" (zero.ctd:1:1)`, ""},
		{"one of VIVA is refused", fine + "-- input_validators/x.viva --\na;\n", "", `input_validators/x.viva: needs VIVA, which this judge does not have`},
		{"one that is broken is refused", fine + "-- input_validators/x.ctd --\nINT(\n", "", `input_validators/x.ctd:2:1: expected a value, found the end of the file`},
	} {
		t.Run(row.name, func(t *testing.T) {
			p, err := problem.Open(testkit.Pack(withGrammar + row.text))
			if err != nil {
				t.Fatal(err)
			}
			j := &Judge{Runner: &testproblem.Scripted{}}
			defer j.Close()
			if err := j.Start(); err != nil {
				t.Fatal(err)
			}
			rejected, err := j.Rejections(t.Context(), p, p.InputValidators, p.Cases[0])
			if got := strings.Join(rejected, "; "); got != row.rejects {
				t.Errorf("rejected by %q, want %q", got, row.rejects)
			}
			var d *problem.Defect
			if (err != nil || row.err != "") && (!errors.As(err, &d) || !strings.Contains(d.Error(), row.err)) {
				t.Errorf("error %v, want a Defect with %q", err, row.err)
			}
		})
	}
}

func TestGrammarArgs(t *testing.T) {
	p, err := problem.Open(testkit.Pack(withGrammar + "-- data/sample/1.in --\n1 2\n-- data/sample/1.yaml --\ninput_validator_args: [--big]\n-- input_validators/form.sh --\nexit 42\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := grammarArgs(p, p.InputValidators[0], p.Cases[0]); got != nil {
		t.Errorf("beside a program the grammar gets its arguments %q", got)
	}
}

func TestGrammarEndsWithItsContext(t *testing.T) {
	p, err := problem.Open(testkit.Pack(strings.Replace(withGrammar, "INT(1, {{most}})", "WHILE(1 == 1) END", 1) + "-- data/sample/1.in --\n1 2\n"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := readGrammar(p.InputValidators[0])
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := acceptsBy(ctx, p, p.InputValidators[0], b.Grammar, p.Cases[0]); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

func TestOnlyInputsHaveGrammars(t *testing.T) {
	p, err := problem.Open(testkit.Pack(withGrammar + "-- data/sample/1.in --\n1 2\n-- output_validator/check.ctd --\nINT(1, 2)\n-- input_validators/folder.ctd/form.sh --\nexit 42\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range append(p.OutputValidators, p.InputValidators...) {
		if want := v.Path == "input_validators/form.ctd"; isGrammar(v) != want {
			t.Errorf("%s: isGrammar() = %v, want %v", v.Path, !want, want)
		}
	}
}
