package page

import (
	"fmt"
	"html/template"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	"crucible/judge/problem"
	"crucible/judge/terminal"
)

const (
	maxSource = 256 << 10 // bytes of a file that is shown
	maxFiles  = 20        // of a program
)

// A sourceFile is a file of a program.
type sourceFile struct {
	Name, Note string
	Lines      template.HTML // a list of lines; "" if the file cannot be shown
	Text       string
}

// sourcesOf returns the files of a program of a package.
func sourcesOf(p *problem.Program, code string) (all []sourceFile) {
	for i, name := range p.Files {
		if i == maxFiles {
			all = append(all, sourceFile{Name: fmt.Sprintf("and %s more", terminal.Count(len(p.Files)-maxFiles, "file"))})
			break
		}
		at := p.Path
		if p.IsFolder {
			at = path.Join(p.Path, name)
		}
		f, err := problem.OpenRegular(p.FS, at)
		if err != nil {
			all = append(all, sourceFile{Name: name, Note: "cannot be read"})
			continue
		}
		data, err := io.ReadAll(io.LimitReader(f, maxSource+1))
		f.Close()
		if err != nil {
			all = append(all, sourceFile{Name: name, Note: "cannot be read"})
			continue
		}
		all = append(all, highlight(name, string(data), code))
	}
	return all
}

// highlightAll returns files as a page shows them.
func highlightAll(texts map[string]string, code string) (all []sourceFile) {
	for name, text := range texts {
		all = append(all, highlight(name, text, code))
	}
	slices.SortFunc(all, func(a, b sourceFile) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// kinds are the classes of tokens. A token has the class of the first kind that it is in.
var kinds = []struct {
	is    func(chroma.TokenType) bool
	class string
}{
	{func(t chroma.TokenType) bool {
		return t.InCategory(chroma.Comment) && !t.InSubCategory(chroma.CommentPreproc)
	}, "hc"},
	{func(t chroma.TokenType) bool { return t.InSubCategory(chroma.CommentPreproc) }, "hp"},
	{func(t chroma.TokenType) bool { return t == chroma.KeywordType }, "ht"},
	{func(t chroma.TokenType) bool { return t.InCategory(chroma.Keyword) || t == chroma.OperatorWord }, "hk"},
	{func(t chroma.TokenType) bool { return t.InSubCategory(chroma.LiteralString) }, "hs"},
	{func(t chroma.TokenType) bool { return t.InSubCategory(chroma.LiteralNumber) }, "hn"},
	{func(t chroma.TokenType) bool { return t == chroma.NameFunction || t == chroma.NameClass }, "hf"},
	{func(t chroma.TokenType) bool { return t == chroma.NameBuiltin || t == chroma.NameBuiltinPseudo }, "ht"},
}

// highlight returns a file with its tokens marked. The language is found by the name of
// the file, and else by its code. All text is escaped.
func highlight(name, text, code string) sourceFile {
	f := sourceFile{Name: name}
	if len(text) > maxSource {
		text, f.Note = text[:maxSource], "the first "+terminal.Bytes(maxSource)
	}
	text = terminal.CleanText(strings.ToValidUTF8(strings.ReplaceAll(text, "\r\n", "\n"), "\ufffd"))
	f.Text = text
	lexer := lexers.Match(path.Base(name))
	if lexer == nil {
		lexer = lexers.Get(strings.TrimRight(code, "0123456789"))
	}
	if lexer == nil {
		lexer = lexers.Fallback
	}
	tokens, err := chroma.Coalesce(lexer).Tokenise(nil, text)
	if err != nil {
		tokens = chroma.Literator(chroma.Token{Type: chroma.Text, Value: text})
	}
	var b strings.Builder
	for _, line := range chroma.SplitTokensIntoLines(tokens.Tokens()) {
		b.WriteString("<li>")
		for _, t := range line {
			class := ""
			for _, k := range kinds {
				if k.is(t.Type) {
					class = k.class
					break
				}
			}
			value := template.HTMLEscapeString(strings.TrimSuffix(t.Value, "\n"))
			if class == "" {
				b.WriteString(value)
			} else {
				b.WriteString(`<span class="` + class + `">` + value + `</span>`)
			}
		}
		b.WriteString("</li>")
	}
	f.Lines = template.HTML(b.String())
	return f
}
