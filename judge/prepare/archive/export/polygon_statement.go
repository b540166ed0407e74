package export

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"crucible/judge/internal/lazy"
	"crucible/judge/prepare/archive"
	"crucible/judge/prepare/statement"
	"crucible/judge/problem"
)

var (
	problemName = lazy.Regexp(`(?m)^[ \t]*\\problemname\{[^\n]*\}[ \t]*\n?`)
	sectionLine = lazy.Regexp(`(?m)^[ \t]*\\section\*\{([A-Za-z]+)\}[ \t]*$`)
	pictureEnds = []string{".png", ".jpg", ".jpeg", ".svg", ".eps"}
)

// statements adds the statements: LaTeX as sections, which Polygon edits, and others as
// the files that it shows.
func (p *polygon) statements() error {
	files, err := statement.Files(p.p)
	if err != nil {
		p.lose("statement", "the statements: %v", err)
		return nil
	}
	for _, f := range files {
		language := polygonLanguage(f.Language)
		switch {
		case language == "":
			p.lose(f.Name, "the statement in the language %s", f.Language)
		case f.Kind() == ".pdf":
			p.shown("statements/.pdf/"+language+"/problem.pdf", language, "application/pdf", archive.File{From: f.Name})
		case f.Kind() == ".tex":
			if err := p.sections(f, language); err != nil {
				return err
			}
		default:
			p.page(f, language)
		}
	}
	return nil
}

func (p *polygon) shown(at, language, kind string, f archive.File) {
	p.files[at] = f
	p.xml.Statements = append(p.xml.Statements, polygonStatement{Language: language, Path: at, Type: kind})
}

// sections divides a statement in LaTeX into the files of Polygon, and copies the pictures
// beside it.
func (p *polygon) sections(f statement.File, language string) error {
	data, err := problem.ReadBounded(p.p.FS, f.Name, maxText)
	if err != nil {
		return err
	}
	if text, ok := p.p.Insert(data, maxText); ok {
		data = text
	}
	text := problemName().ReplaceAllString(string(data), "")
	dir := "statement-sections/" + language + "/"
	put := func(name, text string) {
		if text = strings.TrimSpace(text); text != "" {
			p.files[dir+name+".tex"] = archive.File{Data: []byte(text + "\n")}
		}
	}
	put("name", p.p.Names[f.Language])
	at, name := 0, "legend"
	for _, m := range sectionLine().FindAllStringSubmatchIndex(text, -1) {
		title := strings.ToLower(text[m[2]:m[3]])
		if _, twice := p.files[dir+title+".tex"]; twice || title == name || !slices.Contains(polygonSections, title) {
			continue
		}
		put(name, text[at:m[0]])
		at, name = m[1], title
	}
	put(name, text[at:])
	for _, picture := range p.list {
		if path.Dir(picture.Name) == path.Dir(f.Name) && slices.Contains(pictureEnds,
			strings.ToLower(path.Ext(picture.Name))) {
			p.files[dir+path.Base(picture.Name)] = archive.File{From: picture.Name}
		}
	}
	return nil
}

// polygonSections are the parts of a statement that follow the legend.
var polygonSections = []string{"input", "output", "interaction", "scoring", "notes"}

// page adds a statement as the HTML page that Polygon shows.
func (p *polygon) page(f statement.File, language string) {
	page, err := statement.Render(p.p, f)
	var html []byte
	if err == nil {
		html, err = page.HTML()
	}
	if err != nil {
		p.lose(f.Name, "the statement: %v", err)
		return
	}
	p.shown("statements/.html/"+language+"/problem.html", language, "text/html", archive.File{Data: html})
	p.lose(f.Name, "the source of the statement: it is an HTML page, and Polygon edits LaTeX")
}

// shownTexts adds the examples that statements show in place of samples, and the tutorials.
func (p *polygon) shownTexts() error {
	for _, f := range p.list {
		lang, ok := strings.CutPrefix(f.Name, "solution/solution.")
		lang, tex := strings.CutSuffix(lang, ".tex")
		switch language := polygonLanguage(lang); {
		case !ok && !strings.HasPrefix(f.Name, "solution/"):
		case ok && tex && language != "":
			at := "statement-sections/" + language + "/tutorial.tex"
			p.files[at] = archive.File{From: f.Name}
			p.xml.Tutorials = append(p.xml.Tutorials, polygonStatement{Charset: "UTF-8", Language: language, Mathjax: true,
				Path: at, Type: "application/x-tex"})
		default:
			p.lose(f.Name, "the format has solutions in LaTeX, in the languages of Polygon")
		}
	}
	n := 0
	for _, c := range p.p.Cases {
		if !c.Sample() || c.Static != nil {
			continue
		}
		n++
		for ext, end := range map[string]string{".in.statement": "", ".ans.statement": ".a"} {
			if !c.Has(ext) {
				continue
			}
			for _, name := range p.xml.Names {
				p.files[fmt.Sprintf("statement-sections/%s/example.%02d%s", name.Language, n, end)] = fileOf(c, ext)
			}
			if download := strings.TrimSuffix(ext, ".statement") + ".download"; c.Has(download) {
				p.equal(c.Path(download), "contestants get the test, or what the statement shows")
			}
		}
	}
	return nil
}
