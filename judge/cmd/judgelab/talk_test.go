package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTalkInTmux talks to a program, and to an interactor, on a terminal.
func TestTalkInTmux(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"echo.sh": `echo 'question 1'; while read n; do echo "you said <$n>"; done; echo 'no more input'` + "\n",
		"guess/problem.yaml": "problem_format_version: 2025-09\ntype: interactive\nname: Guess\n" +
			"uuid: 00000000-0000-4000-8000-000000000001\nlimits: {time_limit: 5}\n",
		"guess/data/secret/1.in":  "7\n",
		"guess/data/secret/1.ans": "",
		"guess/output_validator/run": `#!/bin/bash
read right < "$1"
echo 'your guess?'
while read guess; do
	if [ "$guess" = "$right" ]; then exit 42; fi
	echo "not <$guess>"
done
echo 'no guess' > "$3/judgemessage.txt"
exit 43
`,
	} {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	enter := func(after, line string) press { return press{after, []string{line, "Enter"}} }
	tests := []struct {
		name, args string
		presses    []press
		expected   []string // each once on the screen
	}{
		{"Ctrl-D ends the input of the program", "echo.sh",
			[]press{enter("question 1", "42"), {"you said <42>", []string{"C-d"}}},
			[]string{"\nno more input\n", "\necho.sh  ended  ", "\nstatus 0\n"}},
		{"Ctrl-C ends the program", "echo.sh",
			[]press{{"question 1", []string{"C-c"}}},
			[]string{"judge: interrupted\n", "\nstatus 130\n"}},
		{"a line that is not complete stays with the terminal", "echo.sh",
			[]press{{"question 1", []string{"49", "BSpace", "2", "Enter"}}, {"you said <42>", []string{"C-d"}}},
			[]string{"\nyou said <42>\n", "\nstatus 0\n"}},
		{"the interactor accepts", "--problem guess",
			[]press{enter("your guess?", "9"), enter("not <9>", "7")},
			[]string{"\nnot <9>\n", "interactor of guess on secret/1  AC", "\nstatus 0\n"}},
		{"Ctrl-D ends the input of the interactor", "--problem guess",
			[]press{enter("your guess?", "9"), {"not <9>", []string{"C-d"}}},
			[]string{"interactor of guess on secret/1  WA", "no guess", "\nstatus 1\n"}},
		{"Ctrl-C ends the interactor", "--problem guess",
			[]press{{"your guess?", []string{"C-c"}}},
			[]string{"judge: interrupted\n", "\nstatus 130\n"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			// The shell must survive Ctrl-C to print the status.
			p := inTmux(t, dir, 100, 24, "trap : INT; judge test --interactive "+test.args+"; echo status $?", test.presses...)
			for _, text := range test.expected {
				if n := strings.Count("\n"+p.screen, text); n != 1 {
					t.Errorf("%q is %d times on the screen, expected once", text, n)
				}
			}
			for _, wrong := range []string{"\x1b", "⠋"} {
				if strings.Contains(p.screen, wrong) {
					t.Errorf("%q is left on the screen", wrong)
				}
			}
			if t.Failed() {
				t.Logf("screen:\n%s\noutput: %q", p.screen, p.output)
			}
		})
	}
}
