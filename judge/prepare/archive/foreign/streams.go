package foreign

import (
	_ "embed" // for the sources
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"crucible/judge/internal/lazy"
	"crucible/judge/prepare/archive"
	"crucible/judge/problem"
)

// Submissions of other systems may read a file in place of standard input, and write one in
// place of standard output. In the format they cannot. So a source is added to those in C,
// C++ and Java, and lines to those in Python, that copy standard input to the file before
// the program, and the other file to standard output after it.

// Sources of C (and C++), Python and Java; %[1]q and %[2]q are the names of the files, or "".
var (
	//go:embed files.c.txt
	filesInC string
	//go:embed files.py.txt
	filesInPython string
	//go:embed files.java.txt
	filesInJava string
)

// ioFiles makes submissions read and write these files; "" means the standard stream.
func (d *draft) ioFiles(where, input, output string) error {
	for _, name := range []string{input, output} {
		if name != "" && problem.IgnoredName(name) {
			d.loseVerdicts(where, "the file %q, which submissions read or write: expected a name of letters, digits and _.-",
				name)
			return nil
		}
	}
	if d.input, d.output = input, output; input == "" && output == "" {
		return nil
	}
	d.meta.Writing = true
	for folder, ext := range map[string]string{"c": ".c", "cpp": ".cpp"} {
		d.files["include/"+folder+"/package_files"+ext] = archive.File{Data: fmt.Appendf(nil, filesInC, input, output)}
	}
	d.carry(where, "%s, for submissions in C, C++, Java and Python", d.fileNames())
	return nil
}

// fileNames describes what submissions read and write.
func (d *draft) fileNames() string {
	switch {
	case d.input == "":
		return fmt.Sprintf("%q is standard output", d.output)
	case d.output == "":
		return fmt.Sprintf("%q is standard input", d.input)
	}
	return fmt.Sprintf("%q is standard input and %q is standard output", d.input, d.output)
}

var (
	// pythonStart matches the lines that must stay first in a program in Python.
	pythonStart = lazy.Regexp(`\A(?:\xef\xbb\xbf)?(?:(?:.*\n)*[ \t]*from __future__ .*\n|(?:#.*\n)*)`)
	javaPackage = lazy.Regexp(`(?m)^[ \t]*package[ \t]+([\w.]+)[ \t]*;`)
	javaClass   = lazy.Regexp(`(?m)^[ \t]*public[ \t]+(?:(?:final|abstract|strictfp)[ \t]+)*class[ \t]+(\w+)`)
)

// withFiles changes the files of a submission so that it reads and writes the files of
// ioFiles, and returns its entry point if that is another one now.
func (d *draft) withFiles(at, main string, files map[string]archive.File) (entry string) {
	if d.input == "" && d.output == "" {
		return ""
	}
	text, ext := files[main].Data, path.Ext(main)
	if from := files[main].From; from != "" {
		var err error
		if text, err = problem.ReadBounded(d.src, from, maxSource); err != nil {
			d.wrong.Add(err)
			return ""
		}
	}
	d.used[files[main].From] = true
	switch {
	case slices.Contains(cExtensions, ext):
	case slices.Contains([]string{".py", ".py2", ".py3"}, ext):
		n := len(pythonStart().Find(text))
		lines := fmt.Appendf(nil, filesInPython, d.input, d.output)
		files[main] = archive.File{Data: slices.Concat(text[:n], lines, text[n:])}
	case ext == ".java":
		class, lines := strings.TrimSuffix(main, ext), ""
		if !regexp.MustCompile(`\bclass\s+` + regexp.QuoteMeta(class) + `\b`).Match(text) {
			if m := javaClass().FindSubmatch(text); m != nil {
				class = string(m[1])
			}
		}
		if m := javaPackage().FindSubmatch(text); m != nil {
			lines = "package " + string(m[1]) + ";\n\n"
		}
		delete(files, main)
		entry = "PackageFiles.java"
		files[class+ext] = archive.File{Data: text}
		files[entry] = archive.File{Data: []byte(lines + fmt.Sprintf(filesInJava, d.input, d.output, class))}
	default:
		d.loseVerdicts(d.where(at), "%s, which works for submissions in C, C++, Java and Python only", d.fileNames())
		return ""
	}
	d.changed = append(d.changed, at)
	return entry
}
