package problem

import (
	"slices"
	"strings"
)

func isSample(dir string) bool { return dir == "data/sample" || strings.HasPrefix(dir, "data/sample/") }

// onlyShown reports whether all files of a sample are for the statement or for
// download, and none is for a program.
func onlyShown(exts []string) bool {
	return !slices.ContainsFunc(exts, func(ext string) bool {
		return slices.Contains([]string{".in", ".ans", ".out", ".files", ".args"}, ext)
	})
}

// checkShown checks the files of a case that are shown or downloaded (2025-09,
// "Displaying test cases", "Downloading test cases", "Illustrations"). Judging
// does not depend on them.
func (d *dataReader) checkShown(at func(string) string, exts []string) {
	if !d.p.Format.Strict {
		return
	}
	among := func(these ...string) []string {
		return slices.DeleteFunc(slices.Clone(these), func(ext string) bool { return !slices.Contains(exts, ext) })
	}
	warn := func(ext, format string, args ...any) {
		d.defects.warnf(at(ext), format, args...)
	}
	one := func(what string, found []string) {
		if len(found) > 1 {
			warn(found[1], "a second %s; the first is %s", what, found[0])
		}
	}
	one("image of the case", among(".png", ".jpg", ".jpeg", ".svg"))
	one("file that is shown as the input", among(".in.statement", ".interaction"))
	one("file that is shown as the output", among(".out", ".ans.statement", ".interaction"))
	one("file that is downloaded as the output", among(".out", ".ans.download"))
	for _, side := range []struct {
		what          string
		shown, loaded []string
	}{
		{"input", []string{".in.statement", ".interaction"}, []string{".in.download"}},
		// An .out is both shown and downloaded.
		{"output", []string{".ans.statement", ".interaction", ".out"}, []string{".ans.download", ".out"}},
	} {
		shown, loaded := among(side.shown...), among(side.loaded...)
		if slices.Contains(shown, ".interaction") {
			loaded = among(side.loaded[0])
		}
		switch {
		case len(shown) > 0 && len(loaded) == 0:
			warn(shown[0], "replaces the %s in the statement but not in downloads: expected %s as well", side.what,
				side.loaded[0])
		case len(loaded) > 0 && len(shown) == 0:
			warn(loaded[0], "replaces the %s in downloads but not in the statement: expected %s or %s as well", side.what,
				side.shown[0], side.shown[1])
		}
	}
}

// checkInteraction checks that each line of a sample interaction begins with the
// mark of its sender (2025-09, "Samples for interactive and multi-pass problems").
func (d *dataReader) checkInteraction(name string) {
	text, err := ReadBounded(d.p.FS, name, MaxYAML)
	if err != nil {
		d.defects.Add(err)
		return
	}
	for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		if !strings.HasPrefix(line, "<") && !strings.HasPrefix(line, ">") && strings.TrimSpace(line) != "---" {
			d.defects.warn(&Defect{File: d.p.Where(name), Line: i + 1,
				Msg: "expected a line that starts with < or >, or --- between passes"})
			return
		}
	}
}

// checkCollisions warns of case files with the name of a file of an input
// validator, because both are in the validator's working directory (2025-09,
// "Working directory").
func (d *dataReader) checkCollisions(cases []*Case) {
	if d.p.Format.Legacy {
		return
	}
	for _, v := range d.p.InputValidators {
		for _, c := range cases {
			for _, name := range c.Files {
				if slices.Contains(v.Files, name) {
					d.defects.warnf(d.p.Where(c.Path(".files")+"/"+name), "has the same name as a file of %s, which runs in the "+
						"same folder", v.Path)
				}
			}
		}
	}
}
