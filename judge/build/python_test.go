package build

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"crucible/judge/internal/testkit"
	"crucible/judge/language"
	"crucible/judge/sandbox"
)

// pythonPrograms run in the same way without the packages of the machine. A file begins with
// its name; the first is where the program starts.
var pythonPrograms = []struct{ fact, files string }{
	{"traceback of an error", "main.py\ndef f(n):\n    return 1 // n if n < 1 else f(n - 1)\nprint('before')\nf(2)\n"},
	{"traceback of a cause", "main.py\ntry:\n    {}['a']\nexcept KeyError as e:\n    raise ValueError('\\u00fc') from e\n"},
	{"too deep recursion", "main.py\nimport sys\nprint(sys.getrecursionlimit())\ndef f(n): return f(n + 1)\nf(0)\n"},
	{"deepest recursion", "main.py\nn = 0\ndef f():\n    global n\n    n += 1\n    f()\ntry:\n    f()\nexcept RecursionError:\n    print(n)\n"},
	{"exit with a status", "main.py\nprint('x', end='')\nexit(3)\n"},
	{"quit with a message", "main.py\nquit('why')\n"},
	{"exit without an argument, from a function", "main.py\ndef f(): exit()\nf()\nprint('no')\n"},
	{"sys.exit in a thread, and an error in one", "main.py\nimport sys, threading\ndef f(): sys.exit(4)\ndef g(): 1 / 0\nfor h in f, g:\n    t = threading.Thread(target=h, name='T')\n    t.start()\n    t.join()\nprint('end')\n"},
	{"os._exit without what was not flushed", "main.py\nimport os\nprint('flushed', flush=True)\nprint('lost')\nos._exit(5)\n"},
	{"text of repr", "main.py\nprint(repr(exit), repr(quit), repr(help))\nprint(str(copyright)[:40], repr(license)[:30], str(credits)[:20])\n"},
	{"help", "main.py\nhelp(len)\n"},
	{"encodings, and a line that is not ASCII", "main.py\nimport sys\nprint(sys.stdin.encoding, sys.stdout.encoding, sys.stderr.errors, sys.getfilesystemencoding())\nprint(input()[1:])\nprint(sys.stdin.read())\n"},
	{"end of the input", "main.py\nwhile True:\n    print(input('? '))\n"},
	{"names of the module", "main.py\nimport sys\nprint(__name__, __file__.endswith('/main.py'), __package__, __spec__, type(__loader__).__name__, __builtins__, sys.argv, sorted(globals()), __cached__ if '__cached__' in globals() else '')\n"},
	{"two files", "main.py\nimport other\nprint(other.f(2), other.__name__)\nother.f(0)\n-- other.py\ndef f(n): return 1 / n\n"},
	{"__main__.py", "__main__.py\nimport sys\nfrom other import x\nif __name__ == '__main__':\n    print(x, sys.path[0].endswith('src'))\n-- other.py\nx = 1\n"},
	{"options and environment", "main.py\nimport os, sys, warnings\nprint(sys.warnoptions, sorted(os.environ), sys.flags.optimize, len(sys.path[0]) > 0, sys.excepthook is sys.__excepthook__)\nprint(os.popen('env | sort | cut -d= -f1').read())\n"},
	{"warnings of the compiler and at run time", "main.py\nimport warnings\nwarnings.warn('careful')\nwarnings.warn('old', DeprecationWarning)\nprint(1 is 1)\nimport asyncio\nasync def f(): pass\nf()\n"},
	{"frames", "main.py\nimport sys, traceback\ntraceback.print_stack()\ntry:\n    sys._getframe(1)\nexcept ValueError as e:\n    print(e)\n"},
	{"own excepthook and atexit", "main.py\nimport atexit, sys, traceback\natexit.register(print, 'at exit')\nsys.excepthook = lambda t, v, tb: print(t, v, len(traceback.extract_tb(tb)))\n1 / 0\n"},
	{"KeyboardInterrupt", "main.py\nraise KeyboardInterrupt\n"},
	{"pickle of a class of the program", "main.py\nimport pickle\nclass A:\n    def __init__(self): self.x = 1\nprint(pickle.loads(pickle.dumps(A())).x, A.__module__)\n"},
	{"source of a function and a data class", "main.py\nimport inspect\nfrom dataclasses import dataclass\n@dataclass\nclass A:\n    x: int = 1\ndef f(): return A()\nprint(inspect.getsource(f), A())\n"},
	{"other processes", "main.py\nimport multiprocessing as m, subprocess, sys\ndef f(x): print(x, flush=True)\nif __name__ == '__main__':\n    p = m.get_context('fork').Process(target=f, args=(1,))\n    p.start()\n    p.join()\n    print(p.exitcode)\n    print(subprocess.run([sys.executable, '-S', '-c', 'print(1)'], capture_output=True))\n"},
	{"a module that does not exist", "main.py\ntry:\n    import nowhere\nexcept ImportError as e:\n    print(type(e), e, e.name)\nimport nowhere.else_\n"},
	{"libraries that contests use", "main.py\nimport bisect, collections, decimal, fractions, functools, heapq, itertools, math, random, re, string, sys, typing\nprint(decimal.Decimal(1) / 3, fractions.Fraction(1, 3), random.Random(1).random(), math.inf)\n"},
}

// pythonFiles returns the files of a program, and the name of the first.
func pythonFiles(text string) (files map[string][]byte, entry string) {
	files = make(map[string][]byte)
	for i, part := range strings.Split(text, "-- ") {
		name, data, _ := strings.Cut(part, "\n")
		files[name] = []byte(data)
		if i == 0 {
			entry = name
		}
	}
	return files, entry
}

// start runs a program in the box, and returns what it printed and its outcome.
func start(ctx context.Context, t *testing.T, b *Builder, p *Program, args, env []string) (stdout, stderr string, o sandbox.Outcome) {
	t.Helper()
	var out, said bytes.Buffer
	o, err := b.Runner.Run(ctx, sandbox.Cmd{Args: args, AddEnv: env, Dir: filepath.Join(p.Dir, "src"), Reads: p.Reads, Stdin: strings.NewReader("zürich\nß\n"), Stdout: &out, Stderr: &said,
		Limits: sandbox.Limits{CPU: 10 * time.Second, Wall: 30 * time.Second, Memory: 512 << 20, Output: 1 << 20, Processes: 64}})
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), said.String(), o
}

// TestPythonStartsAsUsual compares programs with a plain start of the interpreter.
// CRUCIBLE_PYTHON names another one.
func TestPythonStartsAsUsual(t *testing.T) {
	if testkit.Raced {
		t.Skip("the race detector does not see into Python")
	}
	table := language.Builtin
	if name := os.Getenv("CRUCIBLE_PYTHON"); name != "" {
		var err error
		if table, err = table.Customize("languages.yaml", []byte("python3: {runtime: "+name+"}"), true); err != nil {
			t.Fatal(err)
		}
	}
	l := table.ByCode("python3")
	b, _ := newBuilder(t, t.TempDir())
	if _, err := b.Tools.Find(t.Context(), l); err != nil {
		t.Skip(err)
	}
	for _, tt := range pythonPrograms {
		t.Run(tt.fact, func(t *testing.T) {
			t.Parallel()
			files, entry := pythonFiles(tt.files)
			p, c, err := b.Build(t.Context(), Source{What: entry, Files: files, Language: l, Entry: entry, Submission: true}, Usual)
			if err != nil || p == nil || c.Exit != 0 {
				t.Fatal(c, err)
			}
			plain := []string{p.Args[0], "-B", p.Args[len(p.Args)-1]}
			usualOut, usualErr, usual := start(t.Context(), t, b, p, plain, []string{"ONLINE_JUDGE=1"})
			out, said, o := start(t.Context(), t, b, p, p.Args, p.Env)
			if out != usualOut || said != usualErr || o.Exit != usual.Exit || o.Signal != usual.Signal {
				t.Errorf("a plain start: exit %d\n%s%s\nthe judge's: exit %d\n%s%s", usual.Exit, usualOut, usualErr, o.Exit, out, said)
			}
		})
	}
}

// A program sees no package of the machine or its user, but NumPy if its language has it.
func TestPythonPackages(t *testing.T) {
	b, _ := newBuilder(t, testkit.Cache(t))
	for _, tt := range []struct{ code, source, out, said string }{
		{"python3", "import numpy\n", "", "ModuleNotFoundError: No module named 'numpy': programs start without the machine's packages; python3numpy has NumPy (judge help languages)\n"},
		{"python3", "try:\n    import numpy\nexcept ImportError:\n    print('none')\n", "none\n", ""},
		{"python3", "import sys\nprint([p for p in sys.path if p.endswith('-packages')], 'site' in sys.modules)\n", "[] False\n", ""},
		{"python3numpy", "import numpy\nprint(numpy.arange(3).sum())\n", "3\n", ""},
		{"python3numpy", "import sys\nprint(len([p for p in sys.path if p.endswith('-packages')]), 'site' in sys.modules)\nexit(0)\n", "1 False\n", ""},
		{"python2", "import sys\nprint sys.argv[1:], [p for p in sys.path if 'packages' in p], exit\nquit(0)\n", "[] [] Use exit() or Ctrl-D (i.e. EOF) to exit\n", ""},
	} {
		l := language.Builtin.ByCode(tt.code)
		if _, err := b.Tools.Find(t.Context(), l); err != nil {
			t.Logf("%s: %v", tt.code, err)
			continue
		}
		p, c, err := b.Build(t.Context(), Source{What: "main.py", Files: map[string][]byte{"main.py": []byte(tt.source)}, Language: l}, Usual)
		if err != nil || p == nil {
			t.Fatal(c, err)
		}
		out, said, _ := start(t.Context(), t, b, p, p.Args, p.Env)
		lines := slices.Collect(strings.Lines(said))
		last := ""
		if len(lines) > 0 {
			last = lines[len(lines)-1]
		}
		if out != tt.out || last != tt.said {
			t.Errorf("%s: %q printed %q and %q; expected %q and %q", tt.code, tt.source, out, said, tt.out, tt.said)
		}
	}
}
