package inputs

import (
	"io/fs"
	"math/big"
	"path"
	"slices"
	"strings"

	"crucible/judge/internal/lazy"
	"crucible/judge/problem"
)

// A Declared is a bound of the statement for a quantity of the input.
type Declared struct {
	Name      string   // "n", "a" for a_i, "x_1"; "" if the statement gives none
	Low, High *big.Rat // nil if the statement has no number on that side; inclusive for integers
	Above     bool     // values are above Low, not equal to it; with LowOpen known for numbers that are no integers only
	Below     bool     // values are below High
	Length    bool     // of |s|: the length of a string, or the absolute value of a number
}

// String returns the bound as in a statement: "1 ≤ n ≤ 100".
func (d *Declared) String() string {
	text, less := d.Name, func(strict bool) string {
		if strict {
			return " < "
		}
		return " ≤ "
	}
	if text == "" {
		text = "…"
	}
	if d.Length {
		text = "|" + text + "|"
	}
	if d.Low != nil {
		text = show(d.Low) + less(d.Above) + text
	}
	if d.High != nil {
		text += less(d.Below) + show(d.High)
	}
	return text
}

// A statement is what a statement declares about the input.
type statement struct {
	file     string     // its name in the package
	sequence []Declared // what its input section names, in the order of the first mention; without bounds if it has none
	others   []Declared // bounds of names that the input section does not name
}

// maxStatement is the maximum size of a statement that is read.
const maxStatement = 1 << 20

// readStatement reads the statement of a package: the English one, or else the first. It
// returns nil if none can be read; a PDF cannot.
func readStatement(p *problem.Problem) *statement {
	for _, name := range statementFiles(p) {
		if text, err := statementText(p, name); err == nil {
			s := parseStatement(text, path.Ext(name) == ".tex")
			s.file = name
			return s
		}
	}
	return nil
}

// statementFiles returns the names of the statements that have text, English ones first.
func statementFiles(p *problem.Problem) (names []string) {
	for _, dir := range p.Spec().Statement {
		for _, ext := range []string{"md", "tex", "html"} {
			found, _ := fs.Glob(p.FS, dir+"/*."+ext)
			english := func(name string) bool { return strings.HasSuffix(name, ".en."+ext) }
			slices.SortStableFunc(found, func(a, b string) int {
				switch {
				case english(a) == english(b):
					return 0
				case english(a):
					return -1
				}
				return 1
			})
			names = append(names, found...)
		}
	}
	return slices.DeleteFunc(names, func(name string) bool {
		return !strings.HasPrefix(path.Base(name), "problem.") && path.Ext(name) != ".html"
	})
}

// statementText returns a statement with the values of its constants.
func statementText(p *problem.Problem, name string) (string, error) {
	text, err := problem.ReadBounded(p.FS, name, maxStatement)
	inserted := string(text)
	for key, value := range p.Constants {
		inserted = strings.NewReplacer("{{"+key+"}}", value, `\constant{`+key+`}`, value).Replace(inserted)
	}
	return inserted, err
}

var (
	heading = lazy.Regexp(`(?im)^\s*(?:#+\s*(.*)$|\\(?:sub)*section\*?\{([^}]*)\}|\\begin\{(Input|Output|` +
		`Interaction)\}|<h[1-6][^>]*>(.*?)</h[1-6]>|\*\*([^*\n]+)\*\*\s*$)`)
	inputHeading = lazy.Regexp(`(?i)^\W*(?:the\s+)?(?:input|indata|eingabe|invoer|entrada|entrée|inndata|` +
		`inddata|syöte|wejście|vstup|girdi|ввод|входные)`)
	// otherHeading matches the headings of sections about what programs write to each other.
	otherHeading = lazy.Regexp(`(?i)^\W*(?:the\s+)?(?:output|interaction|utdata|ausgabe|uitvoer|salida|saída|` +
		`sortie|utgång|wyjście|výstup|вывод|выходные)`)
)

// parseStatement parses Markdown, HTML or TeX.
func parseStatement(text string, tex bool) *statement {
	if tex {
		text = comment().ReplaceAllString(text, "$1")
	}
	input, rest := "", ""
	headings := heading().FindAllStringSubmatchIndex(text, -1)
	for i, at := range headings {
		title := text[at[0]:at[1]]
		for g := 2; g < len(at); g += 2 {
			if at[g] >= 0 {
				title = text[at[g]:at[g+1]]
			}
		}
		end := len(text)
		if i+1 < len(headings) {
			end = headings[i+1][0]
		}
		if input == "" && inputHeading().MatchString(title) {
			input = text[at[1]:end]
		}
		if !otherHeading().MatchString(title) {
			rest += text[at[0]:end]
		}
	}
	if len(headings) > 0 {
		text = text[:headings[0][0]] + rest
	}
	// Definitions of macros stand before all sections.
	macros := strings.Join(definition().FindAllString(text, 100), "\n")
	if strings.TrimSpace(input) == "" {
		input = text
	}
	text, input = plain(text, tex), plain(macros+"\n"+input, tex)
	return newReader(text).statement(newReader(input))
}

// statement combines what the complete text and its input section declare.
func (r *reader) statement(input *reader) *statement {
	bounds := merge(r.bounds())
	s := &statement{}
	known := make(map[string]bool)
	for _, d := range input.sequence() {
		if d.Name == "" {
			s.sequence = append(s.sequence, d)
			continue
		}
		base, numbered, _ := strings.Cut(d.Name, "_")
		index := slices.IndexFunc(bounds, func(b Declared) bool { return b.Name == d.Name })
		if index < 0 && numbered != "" {
			index = slices.IndexFunc(bounds, func(b Declared) bool { return b.Name == base })
		}
		if index >= 0 {
			b := bounds[index]
			b.Name = d.Name
			d = b
		}
		// An index, as in "1 ≤ i ≤ n", is no part of the input.
		if (d.Low == nil || d.High == nil) && (r.indexes[d.Name] || input.indexes[d.Name]) || known[d.Name] {
			continue
		}
		known[d.Name], known[base] = true, true
		s.sequence = append(s.sequence, d)
	}
	// A name in the other case than that of its bounds is a slip.
	s.sequence = slices.DeleteFunc(s.sequence, func(d Declared) bool {
		return d.Low == nil && d.High == nil && len(d.Name) == 1 && slices.ContainsFunc(s.sequence, func(o Declared) bool {
			return o.Low != nil && o.High != nil && o.Name != d.Name && strings.EqualFold(o.Name, d.Name)
		})
	})
	for _, b := range bounds {
		if !known[b.Name] && b.Name != "" && b.Low != nil && b.High != nil {
			s.others = append(s.others, b)
		}
	}
	return s
}

// merge joins the bounds of each name: the widest count, because a statement may give
// narrower ones for groups of cases.
func merge(bounds []Declared) (all []Declared) {
	for _, b := range bounds {
		i := slices.IndexFunc(all, func(a Declared) bool { return a.Name == b.Name && b.Name != "" })
		if i < 0 {
			all = append(all, b)
			continue
		}
		a := &all[i]
		if b.Low != nil && (a.Low == nil || b.Low.Cmp(a.Low) < 0) {
			a.Low, a.Above = b.Low, b.Above
		}
		if b.High != nil && (a.High == nil || b.High.Cmp(a.High) > 0) {
			a.High, a.Below = b.High, b.Below
		}
		a.Length = a.Length || b.Length
	}
	return all
}
