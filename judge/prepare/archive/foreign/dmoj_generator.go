package foreign

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/internal/lazy"
	"crucible/judge/internal/yaml"
	"crucible/judge/prepare/archive"
	"crucible/judge/problem"
)

// A generator of DMOJ writes the input to standard output and the answer to standard error,
// and can read a file of the case. One of generators.yaml reads nothing, and leaves the
// answer in testcase.ans. A source beside a generator, or lines before one in Python, make
// the one the other; there is a generator for each file that is read.

// cStreams is this source in C and C++. %s are the bytes of the file. Programs in C may
// have functions named read and write.
const cStreams = `#include <stdio.h>
#include <unistd.h>
__attribute__((constructor)) static void packageStreams(void) {
    static const unsigned char input[] = {%s0};
    int ends[2];
    FILE *in = pipe(ends) < 0 ? NULL : fdopen(ends[1], "w");
    if (in == NULL || fwrite(input, 1, sizeof input - 1, in) != sizeof input - 1 || fclose(in) != 0 ||
        dup2(ends[0], 0) < 0 || freopen("testcase.ans", "w", stderr) == NULL)
        _exit(3);
}
`

// pythonStreams are these lines in Python 2 and 3. %s is the contents of the file.
const pythonStreams = `import os as _os
_ends = _os.pipe()
_os.write(_ends[1], b%s)
_os.close(_ends[1])
_os.dup2(_ends[0], 0)
_os.dup2(_os.open("testcase.ans", _os.O_WRONLY | _os.O_CREAT | _os.O_TRUNC, 384), 2)
`

// maxGeneratorInput limits the bytes of a file that a generator reads, which a pipe must
// hold.
const maxGeneratorInput = 60 << 10

// command returns the command that makes a case.
func (r *dmoj) command(generator, n *yaml.Node) (string, error) {
	source, flags, args := generator, (*yaml.Node)(nil), n.Get("generator_args")
	if generator.Kind() == yaml.Map {
		if source, flags = generator.Get("source"), generator.Get("flags"); source == nil {
			return "", generator.Errorf("generator: expected the key source")
		}
		if len(itemsOf(args)) == 0 {
			args = generator.Get("args")
		}
	}
	files, err := source.AsStringOrStrings()
	if err != nil {
		return "", err
	}
	words, err := r.generatorArgs(args)
	if err != nil {
		return "", err
	}
	input, name := []byte(nil), ""
	if from := n.Get("generator_in"); from != nil {
		if name, err = r.file(from); err != nil {
			return "", err
		}
		if input = r.extracted[name]; input == nil {
			input, err = problem.ReadBounded(r.src, name, maxGeneratorInput)
		}
		if err == nil && len(input) > maxGeneratorInput {
			err = from.Errorf("generator_in: expected a file of at most %d KiB", maxGeneratorInput>>10)
		}
		if err != nil {
			return "", err
		}
	}
	id, err := r.generatorFor(source, flags, files, name, input)
	return strings.Join(append([]string{id}, words...), " "), err
}

// generatorArgs returns the arguments in the form of a command in generators.yaml.
func (r *dmoj) generatorArgs(args *yaml.Node) ([]string, error) {
	var words []string
	for _, n := range itemsOf(args) {
		word, err := n.AsScalar()
		if err != nil {
			return nil, err
		}
		if word == "" || strings.ContainsAny(word, "{}\"'\\ \t\r\n") {
			return nil, n.Errorf("generator_args: expected arguments without spaces, quotes and braces, found %q", word)
		}
		words = append(words, word)
	}
	return words, nil
}

// generatorFor adds the generator that reads a file, and returns its name.
func (r *dmoj) generatorFor(at, flags *yaml.Node, files []string, name string, input []byte) (string, error) {
	ext := path.Ext(files[0])
	base := strings.TrimSuffix(path.Base(files[0]), ext)
	number := slices.Index(r.generators, name)
	if number < 0 {
		number, r.generators = len(r.generators), append(r.generators, name)
	}
	id := base
	if number > 0 {
		id += "_" + strconv.Itoa(number+1)
	}
	if r.programs[id] != nil {
		return id, nil
	}
	lines, err := r.macros(flags)
	if err != nil {
		return "", err
	}
	var from []string
	for _, f := range files {
		switch e := path.Ext(f); {
		case !r.has(f):
			return "", at.Errorf("generator: %q is missing", f)
		case !problem.IgnoredName(path.Base(f)) && slices.Contains(headerExtensions, e):
			continue // sources adds those that are included
		case problem.IgnoredName(path.Base(f)) || !slices.Contains(append(slices.Clone(cExtensions), ".py", ".py2", ".py3"),
			e):
			return "", at.Errorf("generator %q is not supported: expected one in C, C++ or Python", f)
		}
		from = append(from, f)
	}
	if len(from) == 0 || from[0] != files[0] {
		return "", at.Errorf("generator: expected a source first")
	}
	names := []string{id + ext}
	c := slices.Contains(cExtensions, ext)
	if c {
		names = append(names, id+"_streams"+ext)
		r.files["generators/"+names[1]] = archive.File{Data: fmt.Appendf(nil, cStreams, cBytes(input))}
	}
	for _, f := range from {
		sources, err := r.sources(f)
		if err != nil {
			return "", err
		}
		for file, s := range sources {
			if file == path.Base(f) {
				s, err = r.withLines(f, s, lines)
			}
			if err == nil && f == files[0] && file == path.Base(f) {
				if file = id + ext; !c {
					s, err = r.withLines(f, s, fmt.Sprintf(pythonStreams, pythonBytes(input)))
				}
			}
			if err != nil {
				return "", err
			}
			r.files["generators/"+file] = s
			if !slices.Contains(names, file) {
				names = append(names, file)
			}
		}
	}
	slices.Sort(names[1:])
	r.programs[id] = names
	return id, nil
}

// futureLines matches the lines with which a Python program must begin.
var futureLines = lazy.Regexp(`\A(?:.*\n)*from __future__ .*\n`)

// withLines returns a file with lines before its text, but after imports from __future__.
func (r *dmoj) withLines(name string, f archive.File, lines string) (archive.File, error) {
	data := f.Data
	if f.From != "" {
		var err error
		if data, err = r.read(name, maxSource); err != nil {
			return f, err
		}
	}
	first := futureLines().Find(data)
	return archive.File{Data: slices.Concat(first, []byte(lines), data[len(first):])}, nil
}

// cBytes returns the bytes as initializers in C.
func cBytes(data []byte) string {
	var b strings.Builder
	for i, c := range data {
		fmt.Fprintf(&b, "%d,", c)
		if i%32 == 31 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// pythonBytes returns a literal of Python with the bytes.
func pythonBytes(data []byte) string {
	var b strings.Builder
	for _, c := range data {
		fmt.Fprintf(&b, `\x%02x`, c)
	}
	return `"` + b.String() + `"`
}
