package foreign

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"crucible/judge/prepare/archive"
	"crucible/judge/problem"
)

// LanguageCodes are the codes of the languages that Polygon names.
var LanguageCodes = map[string]string{
	"arabic": "ar", "armenian": "hy", "azerbaijani": "az", "belarusian": "be", "bengali": "bn", "bulgarian": "bg",
	"chinese": "zh", "croatian": "hr", "czech": "cs", "dutch": "nl", "english": "en", "estonian": "et", "finnish": "fi",
	"french": "fr", "georgian": "ka", "german": "de", "greek": "el", "hebrew": "he", "hindi": "hi", "hungarian": "hu",
	"indonesian": "id", "italian": "it", "japanese": "ja", "kazakh": "kk", "korean": "ko", "kyrgyz": "ky", "latvian": "lv",
	"lithuanian": "lt", "mongolian": "mn", "persian": "fa", "polish": "pl", "portuguese": "pt", "romanian": "ro",
	"russian": "ru", "serbian": "sr", "slovak": "sk", "slovene": "sl", "spanish": "es", "swedish": "sv", "tajik": "tg",
	"thai": "th", "turkish": "tr", "turkmen": "tk", "ukrainian": "uk", "uzbek": "uz", "vietnamese": "vi",
}

// sections are the parts of a statement in their order, with their titles. The legend has
// none.
var sections = []struct{ name, title string }{
	{"legend", ""}, {"input", "Input"}, {"output", "Output"}, {"interaction", "Interaction"}, {"scoring", "Scoring"},
	{"notes", "Notes"},
}

var pictureEnds = []string{".png", ".jpg", ".jpeg", ".svg", ".pdf", ".eps"}

// statements reads the statements: their sections, or else the PDF files.
func (p *polygon) statements() error {
	langs := make(map[string]*element)
	for _, s := range p.problem.all("statements/statement") {
		if lang := s.attr("language"); langs[lang] == nil {
			langs[lang] = s
		}
	}
	for _, n := range p.problem.all("names/name") {
		if lang := n.attr("language"); langs[lang] == nil {
			langs[lang] = n
		}
	}
	for _, lang := range slices.Sorted(maps.Keys(langs)) {
		at := langs[lang]
		code := LanguageCodes[lang]
		parts, err := p.sections(lang)
		switch {
		case err != nil:
			return err
		case code == "":
			p.lose(at, "", "the statement in the language %q", lang)
		case parts["legend"] != "":
			p.files["statement/problem."+code+".tex"] = archive.File{Data: latex(parts)}
			p.pictures(lang)
		default:
			p.pdf(lang, code, at)
		}
	}
	for _, t := range p.problem.all("tutorials/tutorial") {
		p.tutorial(t)
	}
	return p.examples(slices.Sorted(maps.Keys(langs)))
}

// sections reads the parts of a statement. The language is untrusted and names a folder.
func (p *polygon) sections(lang string) (map[string]string, error) {
	parts := make(map[string]string)
	if lang == "" || problem.IgnoredName(lang) {
		return parts, nil
	}
	for _, s := range append(slices.Clone(sections), struct{ name, title string }{"name", ""}) {
		name := "statement-sections/" + lang + "/" + s.name + ".tex"
		if !p.has(name) {
			continue
		}
		text, err := p.read(name, problem.MaxYAML)
		if err != nil {
			return nil, err
		}
		parts[s.name] = string(text)
	}
	name := "statements/" + lang + "/problem-properties.json"
	if parts["legend"] != "" || !p.has(name) {
		return parts, nil
	}
	text, err := p.read(name, problem.MaxYAML)
	if err != nil {
		return nil, err
	}
	var properties map[string]any
	if err := json.Unmarshal(text, &properties); err != nil {
		return nil, problem.Defectf(p.where(name), "expected a JSON object: %v", err)
	}
	for key, value := range properties {
		if text, ok := value.(string); ok {
			parts[key] = text
		}
	}
	return parts, nil
}

// latex joins the sections of a statement.
func latex(parts map[string]string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "\\problemname{%s}\n", strings.TrimSpace(parts["name"]))
	for _, s := range sections {
		text := strings.TrimSpace(strings.ReplaceAll(parts[s.name], "\r\n", "\n"))
		if text == "" {
			continue
		}
		b.WriteString("\n")
		if s.title != "" {
			fmt.Fprintf(&b, "\\section*{%s}\n\n", s.title)
		}
		b.WriteString(text + "\n")
	}
	return []byte(b.String())
}

// pictures adds the pictures beside the sections of a statement.
func (p *polygon) pictures(lang string) {
	dir := "statement-sections/" + lang
	entries, err := p.src.ReadDir(p.at(dir))
	if err != nil {
		return
	}
	for _, e := range entries {
		if name := e.Name(); e.Type().IsRegular() && slices.Contains(pictureEnds, strings.ToLower(path.Ext(name))) &&
			!problem.IgnoredName(name) {
			p.files["statement/"+name] = archive.File{From: p.at(dir + "/" + name)}
		}
	}
}

// pdf adds the PDF file of a statement.
func (p *polygon) pdf(lang, code string, at *element) {
	for _, name := range []string{"statements/.pdf/" + lang + "/problem.pdf", "statements/" + lang + "/statement.pdf",
		"statements/" + lang + "/problem.pdf"} {
		if p.has(name) {
			p.files["statement/problem."+code+".pdf"] = archive.File{From: p.at(name)}
			return
		}
	}
	p.lose(at, "", "the statement in %s: neither statement-sections nor a PDF file exists", lang)
}

// tutorial adds the explanation of a solution: its section, or else a PDF file.
func (p *polygon) tutorial(t *element) {
	lang := t.attr("language")
	code := LanguageCodes[lang]
	if lang == "" || problem.IgnoredName(lang) || code == "" {
		p.lose(t, "", "the tutorial in the language %q", lang)
		return
	}
	to := "solution/solution." + code
	for name, ext := range map[string]string{
		"statement-sections/" + lang + "/tutorial.tex": ".tex", "statements/.pdf/" + lang + "/tutorial.pdf": ".pdf",
	} {
		if p.has(name) && p.files[to+".tex"].From == "" {
			delete(p.files, to+".pdf")
			p.files[to+ext] = archive.File{From: p.at(name)}
			p.pictures(lang)
		}
	}
	if p.files[to+".tex"].From == "" && p.files[to+".pdf"].From == "" {
		p.lose(t, "", "the tutorial in %s: neither statement-sections/%s/tutorial.tex nor a PDF file exists", lang, lang)
	}
}

// examples adds the examples that the statement shows in place of the samples. Polygon has
// them for each language, and the format once, so those in English or the first count.
func (p *polygon) examples(langs []string) error {
	if i := slices.Index(langs, "english"); i > 0 {
		langs = append([]string{"english"}, slices.Delete(langs, i, i+1)...)
	}
	shown := make(map[string][]byte) // by the name in the new package
	for _, lang := range langs {
		if lang == "" || problem.IgnoredName(lang) {
			continue
		}
		for i, c := range p.sample.cases {
			for _, one := range []struct{ end, test, ext string }{{"", c.input, ".in"}, {".a", c.answer, ".ans"}} {
				name := fmt.Sprintf("statement-sections/%s/example.%02d%s", lang, i+1, one.end)
				if !p.has(name) {
					continue
				}
				text, err := p.read(name, problem.MaxYAML)
				var test []byte
				if err == nil && one.test != "" {
					test, err = problem.ReadBounded(p.src, one.test, maxExtracted)
				}
				if err != nil {
					return err
				}
				to := "data/sample/" + c.name + one.ext + ".statement"
				switch old, ok := shown[to]; {
				case ok && !sameLines(old, text):
					p.draft.lose(p.where(name), "the example in %s, which differs from that of another language: the format has one",
						lang)
				case ok, one.test != "" && sameLines(text, test):
				default:
					p.files[to] = archive.File{From: p.at(name)}
					// Without files for downloads, the test itself would be one.
					download := strings.TrimSuffix(to, ".statement") + ".download"
					if p.files[download] = p.files[to]; one.test != "" && !slices.Contains(p.meta.Type, problem.Interactive) {
						p.files[download] = archive.File{From: one.test}
					}
				}
				if shown[to] == nil {
					shown[to] = text
				}
			}
		}
	}
	return nil
}

// sameLines reports whether two texts have the same lines. Some lack the last line feed.
func sameLines(a, b []byte) bool {
	lines := func(t []byte) string { return strings.TrimRight(strings.ReplaceAll(string(t), "\r", ""), "\n") }
	return lines(a) == lines(b)
}
