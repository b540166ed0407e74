package verify

import (
	"bytes"
	"context"
	"crucible/judge"
	"crucible/judge/internal/text"
	"crucible/judge/problem"
	"errors"
	"io"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// What Verify looks at in a package besides what judging needs: its statements,
// its other folders, and its text files.

// checkStatements holds the statements' languages against those of the name:
// the format wants them equal (2025-09, "Name"). Legacy wants a statement, and
// a name in one of its languages.
func checkStatements(_ context.Context, _ *judge.Judge, p *problem.Problem, promise *Promise, _ *Verification) error {
	f := p.Spec()
	var found problem.Defects
	dir := p.Folder(f.Statement, &found)
	if dir == "" {
		promise.Broken = append(promise.Broken, problem.Unreadable(p.FS, f.Statement[0], fs.ErrNotExist))
		return nil
	}
	have, twice, err := languagesIn(p, dir, "problem", f.StatementTypes, f.UnnamedLanguage)
	if err != nil {
		promise.Broken = append(promise.Broken, problem.Unreadable(p.FS, dir, err))
		return nil
	}
	for _, language := range slices.Sorted(maps.Keys(have)) {
		promise.Checked++
		if f.Strict && p.Names[language] == "" {
			promise.breaks(p.Where(dir+"/"+have[language]), "problem.yaml has no name in language %q", language)
		}
	}
	for _, language := range slices.Sorted(maps.Keys(have)) {
		checkNextSample(p, dir+"/"+have[language], promise)
	}
	for _, name := range twice {
		promise.breaks(p.Where(dir+"/"+name), "a second statement of one language")
	}
	if len(have) == 0 {
		promise.breaks(p.Where(dir), "no statement: want problem.LANGUAGE%s", oneOf(f.StatementTypes))
	}
	for _, language := range slices.Sorted(maps.Keys(p.Names)) {
		if f.Strict && have[language] == "" {
			promise.breaks(p.Where(dir), "no problem.%s%s for the name in problem.yaml", language, oneOf(f.StatementTypes))
		}
	}
	return nil
}

// nextSample is how a statement asks for the next sample, in Markdown and in LaTeX.
var nextSample = regexp.MustCompile(`\{\{nextsample\}\}|\\nextsample\b`)

// checkNextSample wants no more samples to be shown than there are (2025-09,
// "Markdown environment and supported features").
func checkNextSample(p *problem.Problem, name string, promise *Promise) {
	text, err := problem.ReadBounded(p.FS, name, problem.MaxYAML)
	if err != nil || !strings.HasSuffix(name, ".md") && !strings.HasSuffix(name, ".tex") {
		return
	}
	left := 0
	if sample := p.Data.At("sample"); sample != nil {
		left = sample.Shown
	}
	for _, c := range p.Samples() {
		if c.Static == nil {
			left++
		}
	}
	for i, line := range strings.Split(string(text), "\n") {
		if left -= len(nextSample.FindAllString(line, -1)); left < 0 {
			promise.Broken = append(promise.Broken, &problem.Defect{File: p.Where(name), Line: i + 1, Msg: "nextsample: there is no sample left"})
			return
		}
	}
}

// oneOf lists extensions: ".md, .tex or .pdf".
func oneOf(types []string) string {
	last := len(types) - 1
	return "." + strings.Join(types[:last], ", .") + " or ." + types[last]
}

// languagesIn finds the files NAME.LANGUAGE.TYPE of a folder by language, and
// those of a language that there is a file for already. Where the language may be
// left out, that is English.
func languagesIn(p *problem.Problem, dir, name string, types []string, unnamed bool) (have map[string]string, twice []string, err error) {
	entries, err := fs.ReadDir(p.FS, dir)
	have = make(map[string]string)
	for _, e := range entries {
		parts := strings.Split(e.Name(), ".")
		if len(parts) == 2 && unnamed {
			parts = []string{parts[0], "en", parts[1]}
		}
		if len(parts) == 3 && parts[0] == name && slices.Contains(types, parts[2]) && problem.IsLanguage(parts[1]) {
			if have[parts[1]] != "" {
				twice = append(twice, e.Name())
				continue
			}
			have[parts[1]] = e.Name()
		}
	}
	return have, twice, err
}

// checkFolders holds the folders that judging does not need to the format
// (2025-09, "Attachments", "Code templates", "Solution description", "Included
// files").
func checkFolders(_ context.Context, _ *judge.Judge, p *problem.Problem, promise *Promise, _ *Verification) error {
	f := p.Spec()
	each := func(dir string, look func(e fs.DirEntry, folder bool)) bool {
		entries, err := fs.ReadDir(p.FS, dir)
		if errors.Is(err, fs.ErrNotExist) {
			return false
		}
		if err != nil {
			promise.Broken = append(promise.Broken, problem.Unreadable(p.FS, dir, err))
			return false
		}
		promise.Checked++
		for _, e := range entries {
			if !problem.IgnoredName(e.Name()) {
				look(e, problem.IsFolder(p.FS, dir, e))
			}
		}
		return true
	}
	languages := func(dir string, also []string) func(fs.DirEntry, bool) {
		return func(e fs.DirEntry, folder bool) {
			at := dir + "/" + e.Name()
			switch {
			case !folder:
				promise.breaks(p.Where(at), "want a folder for each language, such as %s/cpp", dir)
			case !slices.Contains(problem.FormatLanguages, e.Name()) && !slices.Contains(also, e.Name()):
				promise.breaks(p.Where(at), "is no code of the format's table of languages%s", text.DidYouMean(e.Name(), append(also, problem.FormatLanguages...)))
			case p.Languages != nil && !slices.Contains(p.Languages, e.Name()) && !slices.Contains(also, e.Name()):
				promise.breaks(p.Where(at), "the problem does not allow this language, only %s", strings.Join(p.Languages, ", "))
			default:
				if entries, err := fs.ReadDir(p.FS, at); err == nil && len(entries) == 0 {
					promise.breaks(p.Where(at), "is empty")
				}
			}
		}
	}
	each("include", languages("include", f.Include))
	if f.Legacy {
		return nil
	}
	each("attachments", func(e fs.DirEntry, folder bool) {
		if folder && e.Name() != "templates" {
			promise.breaks(p.Where("attachments/"+e.Name()), "a folder in attachments/: want files, and templates/ alone as a folder")
		}
	})
	each("attachments/templates", languages("attachments/templates", []string{"default"}))
	if each("solution", func(fs.DirEntry, bool) {}) {
		if have, _, _ := languagesIn(p, "solution", "solution", f.StatementTypes, true); len(have) == 0 {
			promise.breaks(p.Where("solution"), "has no solution.LANGUAGE%s", oneOf(f.StatementTypes))
		}
	}
	return nil
}

// textFile matches the files that are taken for text: all that the format has a
// name for, and sources.
var textFile = regexp.MustCompile(`\.(yaml|yml|md|tex|txt|in|ans|out|interaction|statement|download|c|cc|cpp|h|hpp|py|java|kt|go|rs|js|ts|cs|hs|ml|pas|rb|pl|php|lua|scala|d|adb|ads|f90|lisp|sh|ctd|viva|svg)$`)

// checkTexts looks for text that is not UTF-8 with a line feed at the end of
// each line, the last one too (2025-09, "General requirements"). What stands for
// a program's output, and what must be rejected, may be as it likes.
func checkTexts(ctx context.Context, _ *judge.Judge, p *problem.Problem, promise *Promise, _ *Verification) error {
	err := fs.WalkDir(p.FS, ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return nil // told by whoever needs it
		case name != "." && problem.IgnoredName(e.Name()), e.IsDir() && strings.HasSuffix(name, ".files"), strings.HasPrefix(name, "data/invalid_"), strings.HasPrefix(name, "data/valid_output/") && strings.HasSuffix(name, ".out"):
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		case e.IsDir(), !textFile.MatchString(name):
			return nil
		}
		promise.Checked++
		line, what := wrongText(p.FS, name)
		if what == "" || len(promise.Broken)+len(promise.Doubts) > problem.MaxDefects {
			return nil
		}
		defect := &problem.Defect{File: p.Where(name), Line: line, Msg: what}
		if p.Spec().Strict && path.Dir(name) != "submissions" && !strings.HasPrefix(name, "submissions/") {
			promise.Broken = append(promise.Broken, defect)
		} else {
			promise.Doubts = append(promise.Doubts, defect)
		}
		return nil
	})
	return err
}

// wrongText says what is wrong with a text file and where, or "". Line is 0 where
// that cannot be said.
func wrongText(fsys fs.FS, name string) (line int, what string) {
	f, err := problem.OpenRegular(fsys, name)
	if err != nil {
		return 0, ""
	}
	defer f.Close()
	buf := make([]byte, 64<<10)
	var last byte
	kept := 0
	line = 1
	for first := true; ; first = false {
		n, err := io.ReadFull(f, buf[kept:])
		text := buf[:kept+n]
		whole := text
		if err == nil { // a character may go on in the next part
			for cut := 1; cut < utf8.UTFMax && cut < len(whole); cut++ {
				if r := whole[len(whole)-cut]; utf8.RuneStart(r) {
					if !utf8.FullRune(whole[len(whole)-cut:]) {
						whole = whole[:len(whole)-cut]
					}
					break
				}
			}
		}
		switch {
		case first && bytes.HasPrefix(whole, []byte("\xef\xbb\xbf")):
			return 0, "begins with a byte-order mark"
		case bytes.IndexByte(whole, 0) >= 0:
			return 0, "" // not text after all
		}
		if i := bytes.IndexByte(whole, '\r'); i >= 0 {
			return line + bytes.Count(whole[:i], []byte("\n")), "has a carriage return: want lines to end with a line feed alone"
		}
		if !utf8.Valid(whole) {
			return 0, "is not UTF-8"
		}
		line += bytes.Count(whole, []byte("\n"))
		if len(whole) > 0 {
			last = whole[len(whole)-1]
		}
		kept = copy(buf, text[len(whole):])
		if err != nil {
			break
		}
	}
	if last != 0 && last != '\n' {
		return 0, "does not end with a line feed"
	}
	return 0, ""
}
