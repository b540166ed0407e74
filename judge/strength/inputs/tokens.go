package inputs

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"crucible/judge/internal/lazy"
)

// A token is a piece of a statement that matters for bounds. Words, numbers, and signs
// such as ≤ are tokens.
type token struct {
	text     string
	math     int  // number of the formula that contains it, from 1; 0 outside formulas
	adjacent bool // nothing stands between it and the token before
}

func (t token) number() bool { return t.text[0] >= '0' && t.text[0] <= '9' }
func (t token) name() bool {
	r, _ := utf8.DecodeRuneInString(t.text)
	return unicode.IsLetter(r)
}

// relation has the signs of comparisons.
var relation = map[string]bool{"≤": true, "<": true, "≥": true, ">": true}

// commands are TeX commands that have another meaning than their name. Those that change
// only the look mean nothing.
var commands = map[string]string{
	"le": "≤", "leq": "≤", "leqslant": "≤", "lt": "<", "ge": "≥", "geq": "≥", "geqslant": "≥", "gt": ">",
	"cdot": "*", "times": "*", "ldots": "…", "dots": "…", "cdots": "…", "dotsc": "…", "vert": "|", "lvert": "|",
	"rvert": "|", "mid": "|",
	"mathrm": "", "mathit": "", "text": "", "texttt": "", "textit": "", "textbf": "", "emph": "", "tt": "", "it": "",
	"bf": "", "num": "", "mathtt": "",
	"left": "", "right": "", "quad": " ", "qquad": " ", "big": "", "Big": "", "bigl": "", "bigr": "", "max": "max",
	"textless": "<", "textgreater": ">", "textasciicircum": "^",
}

// greek letters are names. Other commands that are not known become names that begin with
// macro, so that they are an operand of a comparison but no part of the input.
const (
	greek = " alpha beta gamma delta epsilon varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau phi " +
		"varphi chi psi omega ell "
	macro = "TeX"
)

var (
	power      = lazy.Regexp(`([0-9])\*\*([0-9(])`)
	comment    = lazy.Regexp(`(?m)(^|[^\\])%.*$`)
	definition = lazy.Regexp(`\\(?:re)?(?:newcommand|providecommand|def)\*?\{?\\([A-Za-z]+)\}?\{((?:[^{}]|` +
		`\{[^{}]*\})*)\}`)
	command = lazy.Regexp(`\\([A-Za-z]+)\*?`)
	mathTag = lazy.Regexp(`(?i)</?(?:var|i|em)>`)
	raised  = lazy.Regexp(`(?is)<sup>(.*?)</sup>`)
	lowered = lazy.Regexp(`(?is)<sub>(.*?)</sub>`)
	tag     = lazy.Regexp(`(?i)</?(?:p|b|strong|span|code|tt|li|ul|ol|br|div|td|tr|th|table|h[1-6]|a|pre|` +
		`hr)\b[^>]*>`)
	verbatim   = lazy.Regexp("(?s)```.*?```|\\\\begin\\{verbatim\\}.*?\\\\end\\{verbatim\\}|<pre\\b.*?</pre>")
	grouped    = lazy.Regexp(`\b[0-9]{1,3}(?:[ ,'\x{a0}\x{2009}\x{202f}][0-9]{3})+\b`)
	separators = strings.NewReplacer(" ", "", ",", "", "'", "", "\u00a0", "", "\u2009", "", "\u202f", "")
	pieces     = lazy.Regexp(`[0-9]+(?:\.[0-9]+)?(?:e[0-9]+\b)?|[A-Za-z]+|[≤<≥>*^+\-/()\[\],.…|=∈$_;:!?'` + "`" +
		`]|[^\x00-\x7f]|\s+`)
	scripts = lazy.Regexp(`[⁰¹²³⁴⁵⁶⁷⁸⁹]+|[₀₁₂₃₄₅₆₇₈₉]+`)
)

// plain rewrites Markdown, HTML or TeX with one spelling for each sign. Formulas stay
// between dollar signs.
func plain(text string, tex bool) string {
	text = verbatim().ReplaceAllString(text, " ; ")
	if tex {
		text = comment().ReplaceAllString(text, "$1")
	}
	for _, d := range definition().FindAllStringSubmatch(text, 100) {
		body := strings.ReplaceAll(d[2], "$", "$$")
		text = regexp.MustCompile(`\\`+d[1]+`(?:\{\}|\b)`).ReplaceAllString(text, body)
	}
	text = power().ReplaceAllString(text, "$1^$2")
	text = raised().ReplaceAllString(text, "^{$1}")
	text = lowered().ReplaceAllString(text, "_{$1}")
	text = tag().ReplaceAllString(mathTag().ReplaceAllString(text, "$"), " ")
	text = html.UnescapeString(text)
	text = strings.NewReplacer(`\(`, "$", `\)`, "$", `\[`, "$", `\]`, "$", "$$", "$", `\,`, "\u2009", `\;`, " ", `\:`, " ",
		`\!`, "", `\ `, " ", "{,}", ",",
		"~", "\u00a0", `\\`, " ", `\{`, "(", `\}`, ")", `\_`, "_", "<=", "≤", ">=", "≥", "⩽", "≤", "⩾", "≥", "≦", "≤", "−",
		"-", "–", "-",
		"×", "*", "·", "*", "⋅", "*", "...", "…", "..", "…").Replace(text)
	text = command().ReplaceAllStringFunc(text, func(c string) string {
		name := strings.TrimRight(c[1:], "*")
		if means, ok := commands[name]; ok {
			return means + " "
		}
		if !strings.Contains(greek, " "+name+" ") {
			name = macro + name
		}
		return " " + name + " "
	})
	text = scripts().ReplaceAllStringFunc(text, func(s string) string {
		digits, sign := "⁰¹²³⁴⁵⁶⁷⁸⁹", "^"
		if strings.ContainsAny(s, "₀₁₂₃₄₅₆₇₈₉") {
			digits, sign = "₀₁₂₃₄₅₆₇₈₉", "_"
		}
		all := []rune(digits)
		return sign + "{" + strings.Map(func(r rune) rune {
			for i := range all {
				if all[i] == r {
					return rune('0' + i)
				}
			}
			return r
		}, s) + "}"
	})
	text = grouped().ReplaceAllStringFunc(text, separators.Replace)
	return strings.NewReplacer("{", "(", "}", ")").Replace(text)
}

// tokensOf splits plain text into tokens.
func tokensOf(text string) (tokens []token) {
	formula, inside, last := 0, false, 0
	for _, at := range pieces().FindAllStringIndex(text, -1) {
		piece := text[at[0]:at[1]]
		switch {
		case strings.TrimSpace(piece) == "":
		case piece == "$":
			if inside = !inside; inside {
				formula++
			}
		default:
			t := token{text: piece, adjacent: last == at[0]}
			if inside {
				t.math = formula
			}
			tokens = append(tokens, t)
			last = at[1]
		}
	}
	return tokens
}
