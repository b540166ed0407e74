package judge

import (
	"fmt"
	"runtime"
	"testing"
	"testing/fstest"

	"crucible/judge/internal/testkit"
	"crucible/judge/problem"
)

// TestOpenFiles runs programs that open files: 256 are allowed, and the number
// that a language's runtime needs in addition.
func TestOpenFiles(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("open files are limited on Linux only")
	}
	for _, test := range []struct {
		name, tool, text string
		want             problem.Verdict
	}{
		{"few.c", "gcc", filesInC(200), problem.Accepted},
		{"many.c", "gcc", filesInC(300), problem.RuntimeError},
		{"few.py", "python3", "x = [open('/dev/null') for _ in range(200)]\n", problem.Accepted},
		{"many.py", "python3", "x = [open('/dev/null') for _ in range(300)]\n", problem.RuntimeError},
		{"Few.java", "javac", filesInJava("Few", 200), problem.Accepted},
		{"Many.java", "javac", filesInJava("Many", 300), problem.RuntimeError},
		{"workers.js", "node", workersInNode, problem.Accepted},
		{"many.js", "node", "const fs = require('fs');\nfor (let i = 0; i < 1100; i++) fs.openSync('/dev/null', 'r');\n", problem.RuntimeError},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.tool != "gcc" {
				testkit.InMatrix(t)
			}
			t.Parallel()
			testkit.Needs(t, test.tool)
			p, err := problem.Open(fstest.MapFS{
				"problem.yaml":               {Data: []byte("problem_format_version: 2025-09\nname: Files\nuuid: 00000000-0000-4000-8000-000000000016\nlimits: {time_limit: 20, memory: 1024}\n")},
				"statement/problem.en.tex":   {Data: []byte("x")},
				"data/secret/1.in":           {Data: []byte("1\n")},
				"data/secret/1.ans":          {},
				"submissions/x/" + test.name: {Data: []byte(test.text)},
			})
			if err != nil {
				t.Fatal(err)
			}
			j := &Judge{Cache: testkit.Cache(t), Jobs: 1}
			t.Cleanup(func() { j.Close() })
			r := j.RunAll(t.Context(), p.Submissions, p.Cases)[0]
			if err := r.JudgeError(); err != nil || r.Verdict != test.want {
				t.Errorf("%s, error %v, want %s: %s %+v", r.Verdict, err, test.want, r.Compile.Message, r.Runs)
			}
		})
	}
}

func filesInC(n int) string {
	return fmt.Sprintf("#include <stdio.h>\nint main(void) { for (int i = 0; i < %d; i++) if (!fopen(\"/dev/null\", \"r\")) return 1; return 0; }\n", n)
}

func filesInJava(class string, n int) string {
	return fmt.Sprintf("class %s { public static void main(String[] a) throws Exception { var all = new java.util.ArrayList<java.io.FileInputStream>(); for (int i = 0; i < %d; i++) all.add(new java.io.FileInputStream(\"/dev/null\")); } }\n", class, n)
}

// Each of the 64 worker threads has four files open.
const workersInNode = `const { Worker, isMainThread, parentPort } = require('worker_threads');
if (isMainThread) {
	let started = 0;
	for (let i = 0; i < 64; i++)
		new Worker(__filename).on('message', () => { if (++started === 64) process.exit(0); });
} else {
	parentPort.postMessage('started');
	setInterval(() => {}, 1e6);
}
`
