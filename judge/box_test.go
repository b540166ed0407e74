package judge

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	"crucible/judge/internal/testkit"
	"crucible/judge/internal/testproblem"
	"crucible/judge/problem"
)

// TestSubmissionInABox checks that a submission in a box finds no file of the
// judge under any name, and writes only where the problem permits it.
func TestSubmissionInABox(t *testing.T) {
	testkit.NeedsBox(t)
	testkit.Needs(t, "bash")
	t.Setenv("TMPDIR", t.TempDir())
	cache := t.TempDir()
	if err := os.MkdirAll(filepath.Join(cache, "go-build"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, allow := range []bool{false, true} {
		files := testkit.Pack(testkit.EveryProgram)
		files["problem.yaml"].Data = fmt.Appendf(slices.Clip(files["problem.yaml"].Data), "allow_file_writing: %v\n", allow)
		delete(files, "output_validator/checks.sh")
		dir := filepath.Join(t.TempDir(), "sum")
		files["submissions/accepted/answers.sh"].Data = fmt.Appendf(nil, `
read -r a b
for secret in '%[1]s' '%[1]s/data/sample/1.ans' '%[1]s/problem.yaml' '%[2]s/programs' '%[2]s/go-build' '%[2]s' "$HOME/../.." /root /home /work /etc/shadow /proc/1/root/etc; do
	[[ -r $secret && $secret != */../.. ]] && { found=$(ls "$secret" 2>&1 | head -n 3); [[ -n $found ]] && echo "I see $secret: $found"; }
done
own=${PWD#%[3]s/}
others=$(cd '%[3]s' && ls -d crucible-*/* | grep -v "^$own$"); [[ -n $others ]] && echo "I see $others beside $own"
if (echo x > new) 2> /dev/null; then writes=true; else writes=false; fi
[[ $writes = %[4]v && -z $(ls | grep -v -e answers.sh -e new) ]] || echo "I can write: $writes; here is $(ls)"
(echo 'exit 1' >> answers.sh) 2> /dev/null
[[ -e ../beside ]] && echo "I see what an earlier run left beside the working folder"
(echo x > ../beside) 2> /dev/null
(echo x >> /proc/self/fd/0) 2> /dev/null && echo "I can write to my input"
echo $((a + b))
exit
`, dir, cache, os.Getenv("TMPDIR"), allow)
		if err := os.CopyFS(dir, files); err != nil {
			t.Fatal(err)
		}
		p, err := problem.OpenDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		j := &Judge{Settings: Settings{KeepOutput: true, Repeat: 3}, Jobs: 1, Cache: cache}
		r := j.Run(t.Context(), p.Submissions[0], p.Samples())
		if r.JudgeError() != nil || r.Verdict != problem.Accepted {
			t.Errorf("allow_file_writing %v: %s %v, it says: %s%s", allow, r.Verdict, r.JudgeError(), r.Runs[0].Output, r.Runs[0].Stderr)
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestValidatorInABox checks that a validator in a box finds its case and its
// feedback folder.
func TestValidatorInABox(t *testing.T) {
	testkit.NeedsBox(t)
	testkit.Needs(t, "bash")
	files := testkit.Pack(testkit.EveryProgram)
	files["output_validator/checks.sh"] = &fstest.MapFile{Data: []byte(`
set -e
test -r "$1" -a -r "$2"
for other in "$(dirname "$1")"/../secret/*; do
	if test -e "$other"; then echo "it sees $other" > "$3judgemessage.txt"; exit 43; fi
done
for name in "$1" "$2" here; do
	if (echo x >> "$name") 2> /dev/null; then echo "it writes to $name" > "$3judgemessage.txt"; exit 43; fi
done
mkdir "$3kept"
exit 42
`)}
	p := testproblem.PackageOf(t, files)
	j := &Judge{Jobs: 1, Cache: t.TempDir()}
	defer j.Close()
	r := j.Run(t.Context(), p.Submissions[0], p.Samples())
	if r.JudgeError() != nil || r.Verdict != problem.Accepted {
		t.Errorf("%s %v %+v", r.Verdict, r.JudgeError(), r.Runs)
	}
}
