package verify

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"crucible/judge/internal/lazy"
	"crucible/judge/problem"
	"crucible/judge/strength/inputs"
	"crucible/judge/terminal"
)

// This file checks parts of a package that judging does not need: its statements,
// its other folders, and its text files.

// statements checks that the languages of the statements are those of the name
// (2025-09, "Name"). A legacy package only needs one statement.
func (v *verifier) statements() error {
	p, f := v.p, v.p.Spec()
	var found problem.Defects
	dir := p.Folder(f.Statement, &found)
	if dir == "" {
		v.Broken = append(v.Broken, problem.Unreadable(p.FS, f.Statement[0], fs.ErrNotExist))
		return nil
	}
	have, twice, err := p.Documents(dir, "problem", f.UnnamedLanguage)
	if err != nil {
		v.Broken = append(v.Broken, problem.Unreadable(p.FS, dir, err))
		return nil
	}
	for _, language := range slices.Sorted(maps.Keys(have)) {
		v.Checked++
		if f.Strict && p.Names[language] == "" {
			v.breaks(have[language], "problem.yaml has no name in language %q", language)
		}
	}
	for _, name := range twice {
		v.breaks(name, "a second statement of one language")
	}
	if len(have) == 0 {
		v.breaks(dir, "no statement: expected problem.LANGUAGE%s", oneOf(f.StatementTypes))
	}
	for _, language := range slices.Sorted(maps.Keys(p.Names)) {
		if f.Strict && have[language] == "" {
			v.breaks(dir, "no problem.%s%s for the name in problem.yaml", language, oneOf(f.StatementTypes))
		}
	}
	return nil
}

// rendered renders the statements. It also reports a doubt about bounds and limits that
// contradict problem.yaml or the statement in another language.
func (v *verifier) rendered() error {
	if v.render == nil {
		v.Skipped = "no renderer of statements"
		return nil
	}
	v.Checked, v.Broken, v.Doubts = v.render(v.p)
	v.Doubts = append(v.Doubts, inputs.Disagreements(v.p)...)
	return nil
}

// oneOf lists extensions: ".md, .tex or .pdf".
func oneOf(types []string) string {
	last := len(types) - 1
	return "." + strings.Join(types[:last], ", .") + " or ." + types[last]
}

// folders checks the folders that judging does not need (2025-09, "Attachments",
// "Code templates", "Solution description", "Included files").
func (v *verifier) folders() error {
	f := v.p.Spec()
	v.folder("include", v.languageFolder("include", f.Include))
	if f.Legacy {
		return nil
	}
	v.folder("attachments", func(name string, folder bool) {
		if folder && name != "templates" {
			v.breaks("attachments/"+name, "a folder in attachments/: expected files, and no folder except templates/")
		}
	})
	v.folder("attachments/templates", v.languageFolder("attachments/templates", []string{"default"}))
	if v.folder("solution", func(string, bool) {}) {
		if have, _, _ := v.p.Documents("solution", "solution", true); len(have) == 0 {
			v.breaks("solution", "has no solution.LANGUAGE%s", oneOf(f.StatementTypes))
		}
	}
	return nil
}

// folder passes the entries of a folder to check, and reports whether there is such
// a folder.
func (v *verifier) folder(dir string, check func(name string, folder bool)) bool {
	entries, err := fs.ReadDir(v.p.FS, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	if err != nil {
		v.Broken = append(v.Broken, problem.Unreadable(v.p.FS, dir, err))
		return false
	}
	v.Checked++
	for _, e := range entries {
		if !problem.IgnoredName(e.Name()) {
			check(e.Name(), problem.IsFolder(v.p.FS, dir, e))
		}
	}
	return true
}

// languageFolder returns a check that an entry of dir is a folder for a language,
// or for one of the names in also.
func (v *verifier) languageFolder(dir string, also []string) func(string, bool) {
	return func(name string, folder bool) {
		at := dir + "/" + name
		switch {
		case !folder:
			v.breaks(at, "expected a folder for each language, such as %s/cpp", dir)
		case slices.Contains(also, name):
		case !slices.Contains(problem.FormatLanguages, name):
			v.breaks(at, "expected a code of the format's table of languages%s",
				terminal.DidYouMean(name, append(also, problem.FormatLanguages...)))
			return
		case v.p.Languages != nil && !slices.Contains(v.p.Languages, name):
			v.breaks(at, "the problem does not allow this language, only %s", strings.Join(v.p.Languages, ", "))
			return
		}
		if entries, err := fs.ReadDir(v.p.FS, at); err == nil && len(entries) == 0 {
			v.breaks(at, "is empty")
		}
	}
}

// textFile matches the names of text files: files that the format specifies, and
// sources.
var textFile = lazy.Regexp(`\.(yaml|yml|md|tex|txt|in|ans|out|interaction|statement|download|c|cc|cpp|h|hpp|` +
	`py|java|kt|go|rs|js|ts|cs|hs|ml|pas|rb|pl|php|lua|scala|d|adb|ads|f90|lisp|sh|ctd|viva|svg)$`)

// texts checks that text files are UTF-8 with a line feed at the end of each line,
// including the last (2025-09, "General requirements"). It skips outputs of programs
// and files that must be rejected.
func (v *verifier) texts() error {
	return fs.WalkDir(v.p.FS, ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case v.ctx.Err() != nil:
			return v.ctx.Err()
		case err != nil:
			return nil // the check that needs the file reports it
		case name != "." && problem.IgnoredName(e.Name()), e.IsDir() && strings.HasSuffix(name, ".files"),
			strings.HasPrefix(name, "data/invalid_"), strings.HasPrefix(name, "data/valid_output/") &&
				strings.HasSuffix(name, ".out"):
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		case e.IsDir(), !textFile().MatchString(name):
			return nil
		}
		v.Checked++
		line, what := wrongText(v.p.FS, name)
		if what == "" || len(v.Broken)+len(v.Doubts) > problem.MaxDefects {
			return nil
		}
		defect := &problem.Defect{File: v.p.Where(name), Line: line, Msg: what}
		if v.p.Spec().Strict && path.Dir(name) != "submissions" && !strings.HasPrefix(name, "submissions/") {
			v.Broken = append(v.Broken, defect)
		} else {
			v.Doubts = append(v.Doubts, defect)
		}
		return nil
	})
}

// wrongText returns the first mistake in a text file, or "", and its line, or 0 if
// the line is not known.
func wrongText(fsys fs.FS, name string) (line int, what string) {
	f, err := problem.OpenRegular(fsys, name)
	if err != nil {
		return 0, ""
	}
	defer f.Close()
	buf := make([]byte, 64<<10)
	last, kept, line := byte('\n'), 0, 1
	for first := true; err == nil; first = false {
		var n int
		n, err = io.ReadFull(f, buf[kept:])
		text := buf[:kept+n]
		whole := len(text)
		for tail := 1; err == nil && tail < utf8.UTFMax; tail++ { // the rest of a character may be in the next part
			if at := len(text) - tail; utf8.RuneStart(text[at]) {
				if !utf8.FullRune(text[at:]) {
					whole = at
				}
				break
			}
		}
		part := text[:whole]
		switch {
		case first && bytes.HasPrefix(part, []byte("\xef\xbb\xbf")):
			return 0, "begins with a byte-order mark"
		case bytes.IndexByte(part, 0) >= 0:
			return 0, "" // not a text file
		case bytes.IndexByte(part, '\r') >= 0:
			before, _, _ := bytes.Cut(part, []byte("\r"))
			return line + bytes.Count(before, []byte("\n")),
				"has a carriage return: expected lines that end with a line feed only"
		case !utf8.Valid(part):
			return 0, "is not UTF-8"
		case len(part) > 0:
			last = part[len(part)-1]
		}
		line += bytes.Count(part, []byte("\n"))
		kept = copy(buf, text[whole:])
	}
	if last != '\n' {
		return 0, "does not end with a line feed"
	}
	return 0, ""
}
