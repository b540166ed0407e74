package report

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"crucible/judge"
	"crucible/judge/build"
	"crucible/judge/problem"
	"crucible/judge/record"
)

func TestCode(t *testing.T) {
	tests := []struct{ fact, given, want string }{
		{"plain text is set in backticks", "accepted/dlx.go", "`accepted/dlx.go`"},
		{"nothing stays nothing", "", ""},
		{"markup is only text", "<b>*_[x](y)", "`<b>*_[x](y)`"},
		{"backticks need longer ones around", "a`b``c", "```a`b``c```"},
		{"backticks at the ends are kept apart", "`a", "`` `a ``"},
		{"a pipe would end a table's cell", "a|b", "`a\\x7cb`"},
		{"a line break would end everything", "a\nb\r\n", "`a\\nb\\r\\n`"},
		{"a space at an end would be stripped", " a", "`  a `"},
		{"a backslash escapes nothing", "a\\", "`a\\`"},
	}
	for _, tt := range tests {
		if got := code(tt.given); got != tt.want {
			t.Errorf("%s: code(%q) = %s, expected %s", tt.fact, tt.given, got, tt.want)
		}
	}
}

// outside removes code spans and fenced blocks by the rules of CommonMark. The
// rest is read as markup.
func outside(t *testing.T, markdown string) string {
	var b strings.Builder
	fence := ""
	for line := range strings.Lines(markdown) {
		ticks := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(line), "text"))
		switch {
		case fence != "":
			if ticks == fence {
				fence = ""
			}
			continue
		case len(ticks) >= 3 && strings.Trim(ticks, "`") == "":
			fence = ticks
			continue
		}
		for {
			before, rest, found := strings.Cut(line, "`")
			b.WriteString(before)
			if !found {
				break
			}
			n := 1 + len(rest) - len(strings.TrimLeft(rest, "`"))
			rest = strings.TrimLeft(rest, "`")
			end := -1
			for i := 0; i < len(rest); {
				run := len(rest[i:]) - len(strings.TrimLeft(rest[i:], "`"))
				if run == n {
					end = i + n
					break
				}
				i += max(run, 1)
			}
			if end < 0 {
				t.Errorf("a code span is not closed: %s", line)
				break
			}
			line = rest[end:]
		}
	}
	if fence != "" {
		t.Error("a fenced block is not closed")
	}
	return b.String()
}

func TestMarkdownKeepsHostileTextInCode(t *testing.T) {
	for _, hostile := range []string{
		evil,
		"| a | b |\n|---|---|\n| HOSTILE |",
		"```\nHOSTILE\n```\n````\nHOSTILE\n",
		"~~~\n# HOSTILE\n",
		"`HOSTILE", "HOSTILE`", "` HOSTILE ``",
		"\\`HOSTILE\\|",
		"<script>HOSTILE</script>",
		"</code></pre> @HOSTILE #1 https://HOSTILE.example",
		"$HOSTILE$",
	} {
		score := judge.Report{Submission: hostile, Language: hostile, AsExpected: yes(), Verdict: problem.WrongAnswer,
			Expected: []problem.Expectation{{Cases: hostile, Message: hostile}}, Runs: []judge.Run{{Case: hostile, Verdict: problem.WrongAnswer, Why: hostile}}}
		fails := score
		fails.AsExpected, fails.Broken = no(), hostile
		fails.Runs = []judge.Run{{Case: hostile, Verdict: problem.RuntimeError, Why: hostile, Stderr: hostile}}
		d := &record.Document{Machine: record.Machine{CPU: hostile, OS: "linux"}, Problems: []record.Problem{
			{ID: hostile, Err: errors.New(hostile)},
			{ID: hostile, Reports: []*judge.Report{
				&score, &fails,
				{Submission: hostile, Skipped: hostile},
				{Submission: hostile, Err: errors.New(hostile)},
				{Submission: hostile, Verdict: problem.CompileError, AsExpected: no(), Compile: build.Compile{Message: hostile}},
			}},
		}}
		var b bytes.Buffer
		if err := (Writer{}).WriteMarkdown(&b, d); err != nil {
			t.Fatal(err)
		}
		rest := outside(t, b.String())
		for _, bad := range []string{"HOSTILE", "owned", "<", "[", "\x1b"} {
			if strings.Contains(rest, bad) {
				t.Errorf("%q puts %q outside of code:\n%s", hostile, bad, b.String())
			}
		}
		for line := range strings.Lines(rest) {
			if strings.HasPrefix(line, "| ") && strings.Count(line, "|") != 10 {
				t.Errorf("%q makes a row of %d pipes, expected 10: %s", hostile, strings.Count(line, "|"), line)
			}
		}
	}
}
