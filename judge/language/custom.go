package language

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"crucible/judge/internal/lazy"
	"crucible/judge/internal/yaml"
	"crucible/judge/terminal"
)

// Customize returns the table with the changes that the text of a languages.yaml makes.
// The keys of the file are codes of languages:
//
//	cpp:
//	  flags: -O3 -std=gnu++23
//	zig:
//	  name: Zig
//	  extensions: .zig
//	  compiler: zig
//	  version: version
//	  compile: "{compiler} build-exe -O ReleaseFast -femit-bin={bin} {files}"
//	  hello: |
//	    ...
//
// A list of words can also be a text with spaces between them. A language of the table
// keeps what the file does not change. An error names its place in the file, and then
// the result is the table as it was.
//
// The judge runs compilers in a
// sandbox, but asks them for their version outside of it. So version is limited to
// the usual arguments, and tools are found on the PATH, or by a path only if paths is
// true.
func (t Table) Customize(file string, data []byte, paths bool) (Table, error) {
	root, err := yaml.Parse(file, data)
	if err != nil {
		return t, err
	}
	if root.Kind() == yaml.Null {
		return t, nil
	}
	if root.Kind() != yaml.Map {
		return t, root.Errorf("expected a map from codes of languages to their properties, found %s", root.Kind())
	}
	table := slices.Clone(t.All())
	for _, f := range root.Fields() {
		code := f.Key.Text()
		if !codePattern().MatchString(code) {
			return t, f.Key.Errorf("language %q: expected a code of small letters and digits", code)
		}
		i := slices.IndexFunc(table, func(l Language) bool { return l.Code == code })
		if i < 0 {
			i = len(table)
			table = append(table, Language{Code: code})
		}
		l := &table[i]
		if err := l.customize(f.Value, paths); err != nil {
			return t, err
		}
		if err := l.check(table); err != nil {
			return t, f.Key.Errorf("language %s: %v", code, err)
		}
	}
	return Table{table}, nil
}

var codePattern = lazy.Regexp(`^[a-z][a-z0-9]*$`)

// versionArguments are the arguments with which tools print their version and do
// nothing else.
var versionArguments = []string{"--version", "-version", "version", "-v", "-V", "-iV", "-W version"}

func (l *Language) customize(n *yaml.Node, paths bool) error {
	if n.Kind() != yaml.Map {
		return n.Errorf("expected a map of properties, such as flags, found %s", n.Kind())
	}
	lists := map[string]*[]string{
		"extensions": &l.Exts, "compiler": &l.Compilers, "runtime": &l.Runtimes, "version": &l.Version,
		"flags": &l.Flags, "compile": &l.Compile, "run": &l.Run, "entry": &l.Entry,
		"static": &l.Static, "define": &l.Define, "define_run": &l.DefineRun,
	}
	texts := map[string]*string{"name": &l.Name, "hello": &l.Hello, "empty": &l.Empty}
	for _, f := range n.Fields() {
		key := f.Key.Text()
		if to := texts[key]; to != nil {
			text, err := f.Value.AsString()
			if err != nil {
				return err
			}
			*to = text
			continue
		}
		to := lists[key]
		if to == nil {
			return f.Key.Errorf("unknown property %q%s", key, terminal.DidYouMean(key, propertyNames))
		}
		words, err := wordsOf(f.Value)
		if err != nil {
			return err
		}
		switch key {
		case "compiler", "runtime":
			if i := slices.IndexFunc(words, func(w string) bool { return w != filepath.Base(w) }); i >= 0 && !paths {
				return f.Value.Errorf("%q: expected the name of a tool on the PATH: paths are allowed only in the file of the "+
					"user's own configuration folder", words[i])
			}
		case "run":
			l.ProgramEnv = nil // of the command before
		case "version":
			if !slices.Contains(versionArguments, strings.Join(words, " ")) {
				return f.Value.Errorf("version: expected %s", strings.Join(versionArguments, ", "))
			}
		case "extensions":
			if i := slices.IndexFunc(words, func(w string) bool { return len(w) < 2 || w[0] != '.' }); i >= 0 {
				return f.Value.Errorf("extension %q: expected a dot before it", words[i])
			}
		}
		*to = words
	}
	for _, key := range []string{"flags", "static", "define"} {
		if at := n.Get(key); at != nil && !slices.Contains(l.Compile, "{flags}") {
			return at.Errorf("the flags of %s cannot be changed: its command compile has no {flags}", cmp.Or(l.Name, l.Code))
		}
	}
	if at := n.Get("define_run"); at != nil && !l.startsRuntime() {
		return at.Errorf("define_run has no effect on %s: its command run does not begin with {runtime}",
			cmp.Or(l.Name, l.Code))
	}
	return nil
}

var propertyNames = []string{"name", "extensions", "compiler", "runtime", "version", "flags", "static", "define",
	"define_run",
	"compile", "run", "entry", "hello", "empty"}

// wordsOf returns a list of words, or the words of a text.
func wordsOf(n *yaml.Node) ([]string, error) {
	if n.Kind() == yaml.Sequence {
		return n.AsStrings()
	}
	text, err := n.AsString()
	return strings.Fields(text), err
}

var placeholder = lazy.Regexp(`\{[a-z]+\}`)

var placeholders = []string{"{compiler}", "{runtime}", "{home}", "{files}", "{flags}", "{entry}", "{stem}", "{class}",
	"{bin}", "{dir}", "{heap}", "{package}"}

// check returns an error if the language lacks a property or contradicts itself or
// another language of the table.
func (l *Language) check(table []Language) error {
	if l.Name == "" {
		l.Name = l.Code
	}
	if l.Version == nil {
		l.Version = versionArguments[:1]
	}
	switch {
	case len(l.Exts)+len(l.Shared) == 0:
		return fmt.Errorf("expected the property extensions")
	case len(l.Compilers)+len(l.Runtimes) == 0:
		return fmt.Errorf("expected the property compiler or runtime")
	case l.Run == nil && !strings.Contains(strings.Join(l.Compile, " "), "{bin}"):
		return fmt.Errorf("expected the property run, or a property compile that makes {bin}")
	case l.Hello == "":
		return fmt.Errorf("expected the property hello: a program that prints hello")
	}
	for _, command := range [][]string{l.Compile, l.Run} {
		for _, name := range placeholder().FindAllString(strings.Join(command, " "), -1) {
			switch {
			case !slices.Contains(placeholders, name):
				return fmt.Errorf("unknown name %s in a command: expected one of %s", name, strings.Join(placeholders, " "))
			case name == "{compiler}" && l.Compilers == nil, name == "{runtime}" && l.Runtimes == nil:
				return fmt.Errorf("a command contains %s, but there is no property %s", name, strings.Trim(name, "{}"))
			}
		}
	}
	for i := range table {
		for _, ext := range l.Exts {
			if other := &table[i]; other.Code != l.Code && slices.Contains(other.Exts, ext) {
				return fmt.Errorf("the extension %s belongs to %s", ext, other.Name)
			}
		}
	}
	return nil
}

// Sanitized returns the table with the Sanitizer flags added to the flags of each language
// that has them. Leaks are not reported: finding them needs ptrace(2), which the sandbox
// does not permit.
func (t Table) Sanitized() Table {
	all := slices.Clone(t.All())
	for i := range all {
		if l := &all[i]; l.Sanitizer != nil {
			l.Flags = slices.Concat(l.Flags, l.Sanitizer) // -fsanitize also rules Static out
			l.ProgramEnv = []string{"ASAN_OPTIONS=detect_leaks=0", "UBSAN_OPTIONS=print_stacktrace=1"}
			l.Headers = nil // they are precompiled without these flags
		}
	}
	return Table{all}
}

// WithFlags returns the table with flags appended to those of a language, so that they
// win over earlier ones. The error is for a language that is unknown or whose flags cannot
// be changed.
func (t Table) WithFlags(code string, flags []string) (Table, error) {
	all := slices.Clone(t.All())
	i := slices.IndexFunc(all, func(l Language) bool { return l.Code == code })
	switch {
	case i < 0:
		return t, fmt.Errorf("%q: unknown language; judge lang lists them", code)
	case !slices.Contains(all[i].Compile, "{flags}"):
		return t, fmt.Errorf("the flags of %s cannot be changed", all[i].Name)
	}
	all[i].Flags = slices.Concat(all[i].Flags, flags)
	return Table{all}, nil
}
