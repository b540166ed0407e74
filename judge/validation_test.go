package judge

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"crucible/judge/internal/testkit"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// judged judges the first submission of a package on its secret cases.
func judged(t *testing.T, files fstest.MapFS) *Report {
	t.Helper()
	testkit.Needs(t, "bash")
	p, err := problem.Open(files)
	if err != nil {
		t.Fatal(err)
	}
	j := judgeOnLevel(t, 0, 1)
	j.All = true
	r := j.Run(t.Context(), p.Submissions[0], slices.DeleteFunc(slices.Clone(p.Cases), (*problem.Case).Sample))
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	return r
}

func validated(validator string, yaml string) fstest.MapFS {
	return fstest.MapFS{
		"problem.yaml":                {Data: []byte("problem_format_version: 2025-09\nname: V\nuuid: 0e6f4c3a-5d0b-4a57-9f4e-6a4f0a8d0003\nlimits: {time_limit: 5, validation_output: 1}\n" + yaml)},
		"data/secret/1.in":            {Data: []byte("in\n")},
		"data/secret/1.ans":           {Data: []byte("ans\n")},
		"submissions/accepted/a.sh":   {Data: []byte("echo out\n")},
		"submissions/accepted/b.sh":   {Data: []byte("echo out\n")},
		"statement/problem.en.md":     {Data: []byte("V.\n")},
		"output_validator/v.sh":       {Data: []byte(validator)},
		"input_validators/nothing.sh": {Data: []byte("exit 42\n")},
	}
}

func TestFeedback(t *testing.T) {
	t.Parallel()
	const scoring = "type: scoring\n"
	for i, c := range []struct {
		fact, validator, yaml   string
		want                    string // a verdict; JE for a judge error
		why                     string
		score, multiplier, said string // as printed; "" if nil or empty
	}{
		{"a score", `echo 12.5 > "$3score.txt"; exit 42`, scoring, "AC", "", "12.5", "", ""},
		{"a score of a problem without scores is nobody's business", `echo x > "$3score.txt"; exit 42`, "", "AC", "", "", "", ""},
		{"a multiplier", `printf ' 1e-1\r\n' > "$3score_multiplier.txt"; exit 42`, scoring, "AC", "", "", "0.1", ""},
		{"both", `echo 1 > "$3score.txt"; echo 1 > "$3score_multiplier.txt"; exit 42`, scoring, "JE", "both", "", "", ""},
		{"a score that is none", `echo nan > "$3score.txt"; exit 42`, scoring, "JE", `"nan"`, "", "", ""},
		{"a score in hex", `echo 0x10 > "$3score.txt"; exit 42`, scoring, "JE", `"0x10"`, "", "", ""},
		{"an empty score", `: > "$3score.txt"; exit 42`, scoring, "JE", "expected a number", "", "", ""},
		{"a score beyond numbers", `echo 1e999 > "$3score.txt"; exit 42`, scoring, "JE", "expected a number", "", "", ""},
		{"a score below zero", `echo -1 > "$3score.txt"; exit 42`, scoring, "JE", "-1, expected 0 or more", "", "", ""},
		{"a multiplier above one", `echo 1.01 > "$3score_multiplier.txt"; exit 42`, scoring, "JE", "from 0 to 1", "", "", ""},
		{"a multiplier below zero", `echo -0.5 > "$3score_multiplier.txt"; exit 42`, scoring, "JE", "from 0 to 1", "", "", ""},
		{"a score of a MiB", `head -c 1000000 /dev/zero | tr '\0' 1 > "$3score.txt"; exit 42`, scoring, "JE", "expected a number", "", "", ""},
		{"a score that is a link", `ln -s "$1" "$3score.txt"; exit 42`, scoring, "JE", "but a link", "", "", ""},
		{"a score that is a folder", `mkdir "$3score.txt"; exit 42`, scoring, "JE", "but a folder", "", "", ""},
		{"a score that is a pipe", `mkfifo "$3score.txt"; exit 42`, scoring, "JE", "but a pipe", "", "", ""},
		{"a message", `echo no > "$3judgemessage.txt"; echo sorry > "$3teammessage.txt"; exit 43`, "", "WA", "no", "", "", "no\n/sorry\n"},
		{"a message that is a link says nothing", `ln -s "$2" "$3judgemessage.txt"; exit 43`, "", "WA", "rejected by the output validator", "", "", ""},
		{"a message that is a pipe says nothing", `mkfifo "$3judgemessage.txt"; exit 43`, "", "WA", "rejected", "", "", ""},
		{"a message that is a folder says nothing", `mkdir "$3judgemessage.txt"; exit 42`, "", "AC", "", "", "", ""},
		{"control characters", `printf 'a\033[2Jb\n' > "$3judgemessage.txt"; exit 43`, "", "WA", `a\x1b[2Jb`, "", "", "a\\x1b[2Jb\n/"},
		{"too much in one file", `head -c 3000000 /dev/zero > "$3x"; exit 42`, "", "JE", "left more than", "", "", ""},
		{"too much in many files", `for i in 1 2 3; do head -c 500000 /dev/zero > "$3$i"; done; exit 42`, "", "JE", "output", "", "", ""},
		{"too much to standard output", `head -c 3000000 /dev/zero; exit 42`, "", "JE", "output limit", "", "", ""},
		{"a deep folder", `cd "$3"; for ((i = 0; i < 100; i++)); do mkdir d; cd d; done; exit 42`, "", "JE", "folders deep", "", "", ""},
		{"a folder without rights", `mkdir -p "$3d/e"; chmod 0 "$3d"; exit 42`, "", "AC", "", "", "", ""},
		{"exit status 0", `exit 0`, "", "JE", "exit status 0", "", "", ""},
		{"it works among the submission's files", `[[ $(ls) == a.sh ]] && exit 42; ls >&2; exit 1`, "", "AC", "", "", "", ""},
		{"and cannot write there", `echo x > y && exit 43; exit 42`, "", "AC", "", "", "", ""},
		{"nextpass.in of a problem with one pass is not read", `echo x > "$3nextpass.in"; exit 42`, "", "AC", "", "", "", ""},
	} {
		if testkit.FewRows() && i%4 != 0 {
			continue
		}
		t.Run(c.fact, func(t *testing.T) {
			if strings.Contains(c.fact, "cannot write") {
				testkit.NeedsBox(t)
			}
			run := judged(t, validated(c.validator+"\n", c.yaml)).Runs[0]
			got, why := string(run.Verdict), run.Why
			if run.Err != nil {
				got, why = "JE", run.Err.Error()
			}
			number := func(x *float64) string {
				if x == nil {
					return ""
				}
				return fmt.Sprint(*x)
			}
			said := run.Message
			if run.Message+run.Team != "" {
				said += "/" + run.Team
			}
			if got != c.want || !strings.Contains(why, c.why) || number(run.Score) != c.score || number(run.Multiplier) != c.multiplier || said != c.said {
				t.Errorf("%s: %s, score %q, multiplier %q, said %q; want %s: %s, %q, %q, %q",
					got, why, number(run.Score), number(run.Multiplier), said, c.want, c.why, c.score, c.multiplier, c.said)
			}
		})
	}
}

// TestLongMessagesAreNotKept checks that a complete message is searched and then
// dropped: a report of many cases would be large with all of them.
func TestLongMessagesAreNotKept(t *testing.T) {
	testkit.Needs(t, "bash")
	files := validated(`yes m | head -c 100000 > "$3judgemessage.txt"; echo end >> "$3judgemessage.txt"; exit 42`, "")
	files["submissions/submissions.yaml"] = &fstest.MapFile{Data: []byte("accepted/b.sh: {message: end}\n")}
	p, err := problem.Open(files)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range judgeOnLevel(t, 0, 1).RunAll(t.Context(), p.Submissions, p.Cases) {
		if r.AsExpected == nil || !*r.AsExpected || len(r.Runs) != 1 || len(r.Runs[0].Message) > 2*keptMessage || r.Runs[0].FullMessage != "" {
			t.Errorf("%s: as expected %v, %d bytes of the message kept, want none: %v", r.Submission, r.AsExpected, len(r.Runs[0].FullMessage), r.JudgeError())
		}
	}
}

// Legacy packages may have several output validators, and negative scores.
func TestSeveralValidators(t *testing.T) {
	for _, c := range []struct {
		fact       string
		validators map[string]string
		want, why  string
		score      float64
	}{
		{"all accept", map[string]string{"a.sh": "exit 42", "b.sh": `echo -2.5 > "$3score.txt"; exit 42`}, "AC", "", -2.5},
		{"one rejects", map[string]string{"a.sh": "exit 42", "b.sh": `echo b > "$3judgemessage.txt"; exit 43`}, "WA", "b", 0},
		{"the first that rejects says why", map[string]string{"a.sh": `echo a > "$3judgemessage.txt"; exit 43`, "b.sh": `echo b > "$3judgemessage.txt"; exit 43`}, "WA", "a", 0},
		{"one is broken", map[string]string{"a.sh": "exit 43", "b.sh": "exit 1"}, "JE", "b.sh: exit status 1", 0},
		{"each has feedback of its own", map[string]string{"a.sh": `echo a > "$3mine"; exit 42`, "b.sh": `[[ -e $3mine ]] && exit 43; exit 42`}, "AC", "", 0},
		{"each reads all", map[string]string{"a.sh": "read -r x; [[ $x == out ]] && exit 42", "b.sh": "read -r x; [[ $x == out ]] && exit 42"}, "AC", "", 0},
	} {
		t.Run(c.fact, func(t *testing.T) {
			files := validated("", "")
			delete(files, "output_validator/v.sh")
			files["problem.yaml"] = &fstest.MapFile{Data: []byte("name: V\nvalidation: custom score\ntype: scoring\nlimits: {time_multiplier: 5}\n")}
			files[".timelimit"] = &fstest.MapFile{Data: []byte("5\n")}
			for _, name := range slices.Sorted(maps.Keys(c.validators)) {
				files["output_validators/"+name] = &fstest.MapFile{Data: []byte(c.validators[name] + "\n")}
			}
			p, err := problem.Open(files)
			if err != nil {
				t.Fatal(err)
			}
			testkit.Needs(t, "bash")
			j := judgeOnLevel(t, 0, 1)
			j.TimeLimit = 5e9
			r := j.Run(t.Context(), p.Submissions[0], p.Cases)
			if r.Err != nil || len(r.Runs) != 1 {
				t.Fatal(r.Err, len(r.Runs))
			}
			run := r.Runs[0]
			got, why := string(run.Verdict), run.Why
			if run.Err != nil {
				got, why = "JE", run.Err.Error()
			}
			if got != c.want || !strings.Contains(why, c.why) || c.score != 0 && (run.Score == nil || *run.Score != c.score) {
				t.Errorf("%s: %s, score %v; want %s: %s, %v", got, why, run.Score, c.want, c.why, c.score)
			}
		})
	}
}

// testlibDecided describes the decision of a testlib checker on a scoring problem.
func testlibDecided(exit int, message string) string {
	e := &validation{j: &Judge{}, c: &problem.Case{}, p: &problem.Problem{Types: []problem.Type{problem.Scoring}}}
	stderr := &Stderr{}
	io.WriteString(stderr, message)
	switch d, err := (&validator{at: "v"}).testlibDecision(e, sandbox.Outcome{Exit: exit}, stderr); {
	case err != nil:
		return "fails"
	case d.score != nil:
		return fmt.Sprintf("accepts with %v", *d.score)
	case d.accepts:
		return "accepts"
	}
	return "rejects"
}

func TestStatusOfTestlib(t *testing.T) {
	for exit, want := range map[int]string{
		0: "accepts", 1: "rejects", 2: "rejects", 3: "fails", 4: "rejects",
		5: "fails", 6: "fails", 7: "accepts with 12.5", 8: "rejects", 9: "fails", 15: "fails",
		16: "accepts with 16", 50: "accepts with 50", 100: "accepts with 100",
		101: "fails", 127: "fails", 255: "fails", -1: "fails", 42: "accepts with 42",
	} {
		if got := testlibDecided(exit, "points 12.5"); got != want {
			t.Errorf("exit status %d: %s, want %s", exit, got, want)
		}
	}
}

// In a problem without scores, the format's statuses are not statuses of testlib.
func TestTestlibWithStatusesOfTheFormat(t *testing.T) {
	for _, c := range []struct {
		kind problem.Type
		exit int
		want string
	}{
		{"pass-fail", 42, "exit status 42"}, {"pass-fail", 43, "exit status 43"}, {"pass-fail", 50, ""}, {"scoring", 42, ""},
	} {
		e := &validation{j: &Judge{}, c: &problem.Case{}, p: &problem.Problem{Types: []problem.Type{c.kind}}}
		o, err := (&validator{at: "v"}).testlibDecision(e, sandbox.Outcome{Exit: c.exit}, &Stderr{})
		if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) || o.accepts != (c.kind == "scoring") {
			t.Errorf("%s, exit status %d: accepts %v, %v; want %q", c.kind, c.exit, o.accepts, err, c.want)
		}
	}
}

func FuzzStatusOfTestlib(f *testing.F) {
	f.Add(0, "ok")
	f.Add(7, "points 12.5 good")
	f.Add(7, "points -1")
	f.Fuzz(func(t *testing.T, exit int, message string) {
		if got := testlibDecided(exit, message); (got == "accepts") != (exit == 0) {
			t.Errorf("exit status %d and message %q: %s", exit, message, got)
		}
		if points, err := testlibPoints(message); err == nil && (points < 0 || math.IsNaN(points) || math.IsInf(points, 0)) {
			t.Errorf("testlibPoints(%q) = %v", message, points)
		}
	})
}

func TestAnswerTo(t *testing.T) {
	for _, c := range []struct {
		fact, name string
		files      []string
		only, want string
	}{
		{"the whole name", "secret/g/1", []string{"1.ans", "g/1.ans", "secret/g/1.ans"}, "", "secret/g/1.ans"},
		{"below the first folder", "secret/g/1", []string{"1.ans", "g/1.ans"}, "", "g/1.ans"},
		{"the last part", "secret/g/1", []string{"1.ans", "h/1.ans"}, "", "1.ans"},
		{"the other extension", "secret/1", []string{"1.out"}, "", "1.out"},
		{"the answer before the output", "secret/1", []string{"1.ans", "1.out"}, "", "1.ans"},
		{"another case", "secret/1", []string{"2.ans"}, "", ""},
		{"of any name, if it is the only one", "secret/1", []string{"x.txt"}, "x.txt", "x.txt"},
		{"a secret case before a sample", "sample/1", []string{"1.ans"}, "", ""},
		{"a sample of its own name", "sample/2", []string{"2.ans"}, "", "2.ans"},
		{"a sample by its whole name", "sample/1", []string{"1.ans", "sample/1.ans"}, "", "sample/1.ans"},
		{"which is no answer to a sample", "sample/1", []string{"x.txt"}, "x.txt", ""},
	} {
		if got := answerTo(&problem.Case{Name: c.name}, []*problem.Case{{Name: "sample/1"}, {Name: "sample/2"}, {Name: "secret/1"}, {Name: "secret/g/1"}}, c.files, c.only); got != c.want {
			t.Errorf("%s: answerTo(%q, %q) = %q, want %q", c.fact, c.name, c.files, got, c.want)
		}
	}
}

// TestSubmittedAnswers checks that an answer is judged as an output is: by the
// output limit and by a validator, which sees the submission's files.
func TestSubmittedAnswers(t *testing.T) {
	files := validated("[[ $(ls) == $'1.ans\\n2.out' ]] || exit 1\nread -r x; [[ $x == yes ]] && exit 42; exit 43\n", "type: submit-answer\n")
	files["problem.yaml"].Data = bytes.Replace(files["problem.yaml"].Data, []byte("time_limit: 5"), []byte("output: 1"), 1)
	for i := 2; i <= 4; i++ {
		for ext, text := range map[string]string{".in": "in\n", ".ans": "ans\n"} {
			files[fmt.Sprintf("data/secret/%d%s", i, ext)] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	delete(files, "submissions/accepted/a.sh")
	delete(files, "submissions/accepted/b.sh")
	files["submissions/mine/a/1.ans"] = &fstest.MapFile{Data: []byte("yes\n")}
	files["submissions/mine/a/2.out"] = &fstest.MapFile{Data: bytes.Repeat([]byte("no\n"), 400_000)}
	r := judged(t, files)
	if got, want := verdictsOf(r), "AC OLE WA WA"; got != want {
		t.Errorf("verdicts %s, want %s: %v", got, want, r.JudgeError())
	}
	if r.Language != "" || r.Verdict != problem.OutputLimit {
		t.Errorf("language %q, verdict %s", r.Language, r.Verdict)
	}
}

func TestPassesUseTheMostOfAny(t *testing.T) {
	files := validated(`n=$(wc -l < "$1"); ((n < 3)) && { cat "$1"; echo more; } > "$3nextpass.in"; exit 42`+"\n", "type: multi-pass\n")
	files["problem.yaml"].Data = bytes.Replace(files["problem.yaml"].Data, []byte("time_limit: 5"), []byte("time_limit: 5, validation_passes: 3"), 1)
	files["submissions/accepted/a.sh"].Data = []byte("n=$(wc -l)\n((n == 2)) && for ((i = 0; i < 100000; i++)); do :; done\necho $n >&2\n")
	run := judged(t, files).Runs[0]
	if run.Err != nil || run.Verdict != problem.Accepted || run.Passes != 3 {
		t.Fatalf("%s %v, %d passes; want AC and 3", run.Verdict, run.Err, run.Passes)
	}
	if run.Stderr != "3\n" {
		t.Errorf("stderr %q, expected that of the last pass", run.Stderr)
	}
	var r Run
	for _, o := range []sandbox.Outcome{{CPU: 1, Memory: 9, Written: 1}, {CPU: 5, User: 4, Wall: 7, Waited: 3}, {CPU: 2, User: 2, Wall: 6, Output: 8, Stderr: 1, Exit: 42}} {
		r.add(o, true)
	}
	want := sandbox.Outcome{CPU: 5, User: 4, Wall: 7, Waited: 3, Memory: 9, Output: 8, Stderr: 1, Written: 1, Exit: 42}
	if r.Passes != 3 || r.Outcome != want {
		t.Errorf("%d passes, %+v; expected 3, %+v", r.Passes, r.Outcome, want)
	}
}

func TestStaticValidatorSeesTheSubmission(t *testing.T) {
	files := validated("exit 42\n", "")
	files["static_validator/v.sh"] = &fstest.MapFile{Data: []byte(`[[ $1 == bash && $2 == a.sh && $(ls) == a.sh && $3 == */ && $4 == x ]] || exit 1
echo x > "$3file" || exit 1
echo seen > "$3judgemessage.txt"
exit 42
`)}
	files["data/secret/test_group.yaml"] = &fstest.MapFile{Data: []byte("static_validation_score: pass-fail\nstatic_validator_args: [x]\n")}
	r := judged(t, files)
	if len(r.Runs) != 2 || r.JudgeError() != nil {
		t.Fatal(len(r.Runs), r.JudgeError())
	}
	if run := r.Runs[0]; run.Verdict != problem.Accepted || run.Message != "seen\n" || run.Outcome.CPU != 0 || !strings.HasSuffix(run.Case, "(static)") {
		t.Errorf("%+v", run)
	}
}
