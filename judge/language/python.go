package language

var (
	pythonReal   = []string{"-c", "import sys; print(sys.executable)"}
	pythonPrefix = []string{"-c", "import sys; print(sys.prefix); print(getattr(sys, 'base_prefix', sys.prefix))"}
)

// Python's module site makes the packages of the machine and of its user importable, and runs
// the code of their .pth files, which can take longer than the program. So programs start
// without it (-S). What else site does, the module judge_start does, which pythonCheck
// writes beside the program. Python imports it before the program, because it looks there
// for the category of a warning: so the program itself starts as always, with the same
// stack and traceback as without it.
var (
	pythonRun = []string{"{runtime}", "-B", "-S", "-W", "ignore::judge_start.Start", "{entry}"}
	pythonEnv = []string{"PYTHONPATH={dir}/bin"}
)

// pythonCompile returns the command that checks a program of Python and writes its module
// judge_start. The module lets it import the packages beside the one of that name; "" is none.
func pythonCompile(option, name string) []string {
	return []string{"{runtime}", "-B", option, "{dir}/tmp/check.py", "{dir}/bin", name, "{files}"}
}

// pythonSupport are the files of this command.
var pythonSupport = map[string][]byte{"check.py": []byte(pythonCheck), "start.py": []byte(pythonStart)}

// pythonCheck fails if a file does not parse. It writes judge_start: as bytecode, which is read in
// half the time; for Python 2 as source, because PyPy ignores bytecode without source.
const pythonCheck = `import sys
folder, package = sys.argv[1:3]
for name in sys.argv[3:]:
    compile(open(name, "rb").read(), name, "exec")
start = open(sys.path[0] + "/start.py").read()
import os, site
machine, own = [], []
if package:
    from importlib.util import find_spec
    own = [os.path.dirname(os.path.dirname(find_spec(package).origin))]
if sys.version_info[0] > 2:
    machine = [d for d in site.getsitepackages() if os.path.isdir(d) and d not in own]
start = "machine, own = %r, %r\n%s" % (machine, own, start)
if sys.version_info[0] > 2:
    import marshal, _frozen_importlib_external
    code = compile(start, "<judge>", "exec")
    head = _frozen_importlib_external.MAGIC_NUMBER + bytes(12 if sys.version_info >= (3, 7) else 8)
    open(folder + "/judge_start.pyc", "wb").write(head + marshal.dumps(code))
else:
    open(folder + "/judge_start.py", "w").write(start)`

// pythonStart does what site does for programs: it defines exit and quit, and, when they are used, help,
// copyright, credits and license. It makes the packages of own importable. An import
// that fails, but would find a package of machine with site, says so. It leaves no trace in
// the environment, the path and the options.
const pythonStart = `import sys
try:
    import builtins
except ImportError:
    import __builtin__ as builtins
sys.path[:] = [p for p in sys.path if not __file__.startswith(p)] + own
del sys.warnoptions[:]
try:
    import posix
    posix.environ.pop(b"PYTHONPATH", None)
    posix.unsetenv(b"PYTHONPATH")
except ImportError:
    pass

class Start(Warning):
    pass

class Quitter(object):
    def __init__(self, name):
        self.name = name
    def __repr__(self):
        return "Use %s() or Ctrl-D (i.e. EOF) to exit" % self.name
    def __call__(self, code=None):
        try:
            sys.stdin.close()
        except:
            pass
        raise SystemExit(code)

class Late(object):
    def __init__(self, name):
        self.name = name
    def found(self):
        import site
        site.setcopyright()
        site.sethelper()
        return getattr(builtins, self.name)
    def __repr__(self):
        return repr(self.found())
    def __call__(self, *args, **kwds):
        return self.found()(*args, **kwds)

class Missing(object):
    @staticmethod
    def find_spec(name, path=None, target=None):
        from os.path import exists
        if path is None and (name == "numpy" or any(exists(d + "/" + name + e) for d in machine for e in ("", ".py"))):
            raise ModuleNotFoundError("No module named %r: programs start without the machine's packages; "
                "python3numpy has NumPy (judge help languages)" % name, name=name)

for name in "exit", "quit":
    setattr(builtins, name, Quitter(name))
for name in "help", "copyright", "credits", "license":
    setattr(builtins, name, Late(name))
if machine or own:
    sys.meta_path.append(Missing)
`
