package foreign

import (
	"bytes"
	_ "embed" // for the wrapper
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/internal/lazy"
	"crucible/judge/internal/yaml"
	"crucible/judge/prepare/archive"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// dmojWrapper is an output validator in Python that runs checkers of DMOJ. The line that
// calls its function main follows it.
//
//go:embed dmoj_package.py
var dmojWrapper []byte

// linesChecker is an output validator that compares lines. Its argument is the comparison.
//
//go:embed lines_checker.h
var linesChecker []byte

// dmojStandard are the checkers that are arguments of linesChecker. Those that dmojWrapper
// has are nil.
var dmojStandard = map[string][]string{
	"standard": {"standard"}, "identical": {"identical"}, "floats": {"floats"}, "floatsabs": {"floatsabs"},
	"floatsrel": {"floatsrel"},
	"sorted":    nil, "unordered": nil, "easy": nil, "rstripped": nil, "linecount": nil, "linematches": nil,
}

// checker reads the checker or the interactor.
func (r *dmoj) checker() error {
	if n := r.root.Get("interactive"); n != nil {
		r.is(problem.Interactive)
		if c := r.root.Get("checker"); c != nil {
			r.equal(placeOf(c), "the checker: the interactor alone decides on DMOJ")
		}
		return r.bridged("interactor", n, n)
	}
	n := r.root.Get("checker")
	name, args := "standard", (*yaml.Node)(nil)
	if n != nil {
		at := n
		if n.Kind() == yaml.Map {
			if at, args = n.Get("name"), n.Get("args"); at == nil {
				return n.Errorf("expected the key name")
			}
		}
		var err error
		if name, err = at.AsString(); err != nil {
			return err
		}
	}
	standard, known := dmojStandard[name]
	switch {
	case name == "bridged":
		return r.bridged("checker", n, args)
	case strings.Contains(name, "."):
		return r.function(name, n, args)
	case !known:
		return n.Errorf("checker %q: expected standard, identical, floats, floatsabs, floatsrel, sorted, easy, rstripped, "+
			"linecount, linematches, bridged, or a Python file", name)
	case standard == nil:
		r.partial = strings.HasPrefix(name, "line")
		if name == "linecount" {
			r.loseVerdicts(r.where(dmojFile),
				"checker linecount: it gives points for lines even if the program crashed or was too slow")
		}
		return r.run(map[string]any{"standard": name, "arguments": valueOf(args)})
	}
	r.validatorArgs = standard
	if strings.HasPrefix(name, "floats") {
		if err := r.floats(args); err != nil {
			return err
		}
	} else if words, err := r.oneWord(); err != nil || name == "standard" && words {
		r.validatorArgs = []string{"case_sensitive"}
		r.equal(r.where(dmojFile),
			"checker standard: each answer is one word, so the default output validator decides in the same way")
		return err
	}
	r.files["output_validator/lines_checker.cpp"] = archive.File{Data: linesChecker}
	return nil
}

// oneWord reports whether each answer is known and has one word.
func (r *dmoj) oneWord() (bool, error) {
	for _, item := range r.list {
		for _, c := range item.cases {
			data, ok := r.extracted[c.answer]
			if !ok && c.answer != "" {
				var err error
				if data, err = problem.ReadBounded(r.src, c.answer, maxExtracted); err != nil {
					return false, err
				}
			}
			if c.answer == "" || len(bytes.Fields(data)) != 1 {
				return false, nil
			}
		}
	}
	return true, nil
}

// floats sets the tolerance of linesChecker.
func (r *dmoj) floats(args *yaml.Node) error {
	precision := int64(6)
	if n := args.Get("precision"); n != nil {
		var err error
		if precision, err = n.AsInt(); err != nil || precision < 0 || precision > 100 {
			return n.Errorf("precision: expected an integer from 0 to 100, found %q", n.Text())
		}
	}
	if n := args.Get("error_mode"); n != nil {
		name := map[string]string{"absolute": "floatsabs", "relative": "floatsrel", "default": "floats"}[n.Text()]
		if name == "" {
			return n.Errorf("error_mode: expected absolute, relative or default, found %q", n.Text())
		}
		r.validatorArgs = dmojStandard[name]
	}
	r.validatorArgs = append(slices.Clone(r.validatorArgs), strconv.FormatInt(precision, 10))
	return nil
}

// valueOf returns a value of YAML as one of JSON: a map for nil.
func valueOf(n *yaml.Node) any {
	if n == nil {
		return map[string]any{}
	}
	switch n.Kind() {
	case yaml.Map:
		values := make(map[string]any)
		for _, f := range n.Fields() {
			values[f.Key.Text()] = valueOf(f.Value)
		}
		return values
	case yaml.Sequence:
		values := []any{}
		for _, item := range n.Items() {
			values = append(values, valueOf(item))
		}
		return values
	case yaml.Null:
		return nil
	}
	if b, err := n.AsBool(); err == nil {
		return b
	}
	if i, err := n.AsInt(); err == nil {
		return i
	}
	if f, err := n.AsFloat(); err == nil {
		return f
	}
	return n.Text()
}

// run adds the wrapper with settings.
func (r *dmoj) run(settings map[string]any) error {
	data, err := json.Marshal(settings)
	if err != nil {
		return err
	}
	r.python = true
	call := fmt.Sprintf("main(json.loads(%s), sys.argv[1:])\n", strconv.QuoteToASCII(string(data)))
	r.files["output_validator/main.py"] = archive.File{Data: slices.Concat(dmojWrapper, []byte(call))}
	return nil
}

// pythonFile adds a file of Python beside the wrapper.
func (r *dmoj) pythonFile(at *yaml.Node, name string) (string, error) {
	base := path.Base(name)
	switch {
	case !r.has(name):
		return "", at.Errorf("%q is missing", name)
	case base == "main.py" || base == "__main__.py" || problem.IgnoredName(base):
		return "", at.Errorf("%q: expected a name other than main.py with letters, digits and _.- only", name)
	}
	source, err := r.read(name, maxSource)
	if err != nil {
		return "", err
	}
	for _, m := range dmojImport().FindAllSubmatch(source, -1) {
		if module := string(m[1]); !slices.Contains(dmojModules, module) {
			return "", problem.Defectf(r.where(name), "imports %s of DMOJ, which is not supported: expected %s", module,
				strings.Join(dmojModules, ", "))
		}
	}
	r.files["output_validator/"+base] = archive.File{From: r.at(name)}
	r.partial = r.partial || partialText().Match(source)
	return base, nil
}

var (
	dmojModules = []string{"dmoj", "dmoj.result", "dmoj.error", "dmoj.utils", "dmoj.utils.unicode", "dmoj.checkers"}
	dmojImport  = lazy.Regexp(`(?m)^[ \t]*(?:from|import)[ \t]+(dmoj(?:\.\w+)*)`)
	// dmojCheck matches the parameters of a function check.
	dmojCheck = lazy.Regexp(`(?m)^def[ \t]+check[ \t]*\(([^)]*)\)`)
	// dmojUnknown matches what DMOJ gives a function check and an output validator does not
	// know.
	dmojUnknown = lazy.Regexp(`\b(submission_source|submission_language|execution_time|case_position|batch|case|` +
		`result)\b`)
	dmojKeyword = lazy.Regexp(`\bkwargs(?:\[|\.get\()['"](submission_source|submission_language|execution_time|` +
		`case_position|batch|case|result)['"]`)
	// partialText matches programs that can give a part of the points.
	partialText = lazy.Regexp(`\bCheckerResult\b|\bpartial\b|\bquitp\b|\b_pc\b|\b_points\b|\bpoints\b`)
)

// function adds a Python file with a function check.
func (r *dmoj) function(name string, n, args *yaml.Node) error {
	if path.Ext(name) != ".py" {
		return n.Errorf("checker %q: expected a Python file", name)
	}
	base, err := r.pythonFile(n, name)
	if err != nil {
		return err
	}
	source, err := r.read(name, maxSource)
	if err != nil {
		return err
	}
	unknown := dmojKeyword().FindSubmatch(source)
	if m := dmojCheck().FindSubmatch(source); m != nil && unknown == nil {
		unknown = dmojUnknown().FindSubmatch(m[1])
	}
	if unknown != nil {
		r.loseVerdicts(r.where(name), "the function check uses %s, which output validators do not know: it is empty",
			unknown[1])
	}
	return r.run(map[string]any{"file": base, "arguments": valueOf(args)})
}

// A bridge is how DMOJ runs programs of a type: their arguments and the name of the type
// for the wrapper in C.
type bridge struct{ checker, interactor, macro string }

var dmojBridges = map[string]bridge{
	"default": {"{input_file} {output_file} {answer_file}", "{input_file} {answer_file}", ""},
	"testlib": {"{input_file} {output_file} {answer_file}", "{input_file} {output_file} {answer_file}", "PACKAGE_TESTLIB"},
	"coci":    {"{input_file} {output_file} {answer_file}", "{input_file} {answer_file}", "PACKAGE_COCI"},
	"peg":     {"{answer_file} {output_file} {input_file}", "", "PACKAGE_PEG"},
}

// programRules are the states of keys of programs.
var programRules = rulesOf(
	keyList{"files type flags args_format_string", partRule{}},
	keyList{"lang", partRule{state: Equal, what: "the language is that of the name"}},
	keyList{"feedback", partRule{state: Equal, what: "it says what contestants see"}},
	keyList{"cached", partRule{state: Equal, what: "programs are compiled once"}},
	keyList{"unbuffered", partRule{state: Equal, what: "it affects only how fast a program ends that does not flush"}},
	keyList{"time_limit memory_limit compiler_time_limit preprocessing_time",
		partRule{state: Lost, what: "the format has limits for all programs"}},
)

// bridged reads a checker or interactor that is a program of its own.
func (r *dmoj) bridged(what string, n, args *yaml.Node) error {
	if args == nil || args.Kind() != yaml.Map || args.Get("files") == nil {
		return n.Errorf("%s: expected the key files", what)
	}
	files, err := args.Get("files").AsStringOrStrings()
	if err != nil {
		return args.Get("files").Errorf("files: expected the name of a file, or a list of names")
	}
	kind := "default"
	if n := args.Get("type"); n != nil && n.Kind() != yaml.Null {
		kind = n.Text()
	}
	b, ok := dmojBridges[kind]
	form := b.checker
	if what == "interactor" {
		form = b.interactor
	}
	if !ok || form == "" {
		return args.Get("type").Errorf("%s: expected type default, testlib, coci or, for a checker, peg, found %q", what,
			kind)
	}
	r.keys(args, " of the "+what, programRules)
	r.partial = kind == "peg" // whatever two numbers the program writes
	at := args.Get("files")
	if n := args.Get("args_format_string"); n != nil {
		if form, err = n.AsString(); err != nil {
			return err
		}
		at = n
	}
	words, err := terminal.SplitWords(form, true)
	if err != nil {
		return at.Errorf("args_format_string: %v", err)
	}
	if path.Ext(files[0]) == ".py" {
		return r.bridgedPython(what, kind, at, files, words)
	}
	return r.bridgedC(what, b, args, files, words)
}

// bridgedPython adds a program in Python.
func (r *dmoj) bridgedPython(what, kind string, at *yaml.Node, files, words []string) error {
	for _, name := range files {
		if _, err := r.pythonFile(at, name); err != nil {
			return err
		}
	}
	return r.run(map[string]any{"program": path.Base(files[0]), "type": kind, "arguments": words,
		"interactive": what == "interactor"})
}

// bridgedC adds a program in C or C++. One that uses testlib follows the format itself.
func (r *dmoj) bridgedC(what string, b bridge, args *yaml.Node, files, words []string) error {
	if r.has(files[0]) && args.Get("args_format_string") == nil {
		given, restored, err := r.restored(files[0], "output_validator")
		if r.validatorArgs = given; restored || err != nil {
			return err
		}
	}
	at := args.Get("files")
	w := wrappedProgram{what: what, folder: "output_validator"}
	for _, name := range files {
		switch ext := path.Ext(name); {
		case !r.has(name) && path.Base(name) == TestlibHeader:
			continue // another testlib is used
		case !r.has(name):
			return at.Errorf("%q is missing", name)
		case !slices.Contains(cExtensions, ext):
			return at.Errorf("%s %q is not supported: expected one in C, C++ or Python", what, name)
		case !slices.Contains(headerExtensions, ext):
			w.files = append(w.files, name)
		}
		source, err := r.read(name, maxSource)
		if err != nil {
			return err
		}
		r.partial = r.partial || b.macro != "" && path.Base(name) != TestlibHeader && partialText().Match(source)
	}
	if len(w.files) == 0 {
		return at.Errorf("%s: expected a source in C, C++ or Python", what)
	}
	var err error
	if w.flags, err = r.macros(args.Get("flags")); err != nil {
		return err
	}
	main, err := r.sources(w.files[0])
	if err != nil {
		return err
	}
	if _, ok := main[TestlibHeader]; ok && b.macro == "PACKAGE_TESTLIB" && len(w.files) == 1 && w.flags == "" &&
		args.Get("args_format_string") == nil {
		return r.judging(what, w.files[0], "output_validator")
	}
	var list []string
	for _, word := range words {
		name := map[string]string{"{input_file}": "packageInput", "{output_file}": "packageOutput",
			"{answer_file}": "packageAnswer"}[word]
		switch {
		case name != "":
			list = append(list, name+", ")
		case strings.ContainsAny(word, "{}"):
			return args.Get("args_format_string").Errorf("args_format_string: expected {input_file}, {output_file} and "+
				"{answer_file} as arguments of their own, found %q", word)
		default:
			list = append(list, "(char *) "+strconv.QuoteToASCII(word)+", ")
		}
	}
	w.defines = "#define PACKAGE_ARGUMENTS " + strings.Join(list, "") + "\n"
	if b.macro != "" {
		w.defines += "#define " + b.macro + "\n"
	}
	if what == "interactor" {
		w.defines += "#define PACKAGE_INTERACTIVE\n"
	}
	return r.wrapped(w)
}

var macroFlag = lazy.Regexp(`^-D([A-Za-z_][A-Za-z0-9_]*)(?:=([^\n\\]*))?$`)

// macros returns lines that define what the flags of a compiler define.
func (r *dmoj) macros(flags *yaml.Node) (string, error) {
	lines := ""
	for _, n := range itemsOf(flags) {
		m := macroFlag().FindStringSubmatch(n.Text())
		switch {
		case m == nil:
			return "", n.Errorf("the flag %q is not supported: expected -DNAME or -DNAME=VALUE", n.Text())
		case !strings.Contains(m[0], "="):
			m[2] = "1"
		}
		lines += "#define " + m[1] + " " + m[2] + "\n"
	}
	return lines, nil
}
