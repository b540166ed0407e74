package statement

import (
	"fmt"
	"html"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"crucible/judge/internal/lazy"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// A converter converts a command whose name, with the backslash, is consumed.
type converter func(l *latex, name string)

// commands are the commands that are known outside formulas. Names come from the
// statements that scripts/latex lists and from the format (2025-09, "LaTeX environment
// and supported subset").
var commands map[string]converter

// starred are the commands that may have a star.
var starred = map[string]bool{
	`\section`: true, `\subsection`: true, `\subsubsection`: true, `\paragraph`: true, `\caption`: true,
	`\vspace`: true, `\hspace`: true, `\newcommand`: true, `\renewcommand`: true, `\providecommand`: true,
	`\newenvironment`: true, `\renewenvironment`: true, `\DeclareMathOperator`: true, `\includegraphics`: true,
	`\verb`: true, `\ref`: true,
}

// The tables below have a row for each simple command.
var (
	// symbols are commands that stand for text.
	symbols = map[string]string{
		`\%`: "%", `\$`: "$", `\&`: "&", `\#`: "#", `\_`: "_", `\{`: "{", `\}`: "}",
		`\ldots`: "…", `\dots`: "…", `\textellipsis`: "…", `\cdots`: "⋯",
		`\textbackslash`: `\`, `\textasciitilde`: "~", `\textasciicircum`: "^", `\textbar`: "|", `\textless`: "<",
		`\textgreater`:     ">",
		`\textquotesingle`: "'", `\textquotedbl`: `"`, `\textquotedblleft`: "“", `\textquotedblright`: "”",
		`\textquoteleft`: "‘", `\textquoteright`: "’",
		`\textasciigrave`: "`", `\textunderscore`: "_", `\textdollar`: "$", `\textbraceleft`: "{", `\textbraceright`: "}",
		`\textendash`: "–", `\textemdash`: "—", `\textbullet`: "•", `\textdegree`: "°", `\textmu`: "µ", `\texttimes`: "×",
		`\textrightarrow`: "→", `\textleftarrow`: "←",
		`\LaTeX`: "LaTeX", `\TeX`: "TeX", `\copyright`: "©", `\textcopyright`: "©", `\textregistered`: "®", `\S`: "§",
		`\P`: "¶", `\pounds`: "£", `\euro`: "€", `\texteuro`: "€",
		`\ss`: "ß", `\o`: "ø", `\O`: "Ø", `\aa`: "å", `\AA`: "Å", `\ae`: "æ", `\AE`: "Æ", `\oe`: "œ", `\OE`: "Œ", `\l`: "ł",
		`\L`: "Ł", `\i`: "ı", `\j`: "ȷ",
		`\dj`: "đ", `\DJ`: "Đ", `\dh`: "ð", `\DH`: "Ð", `\th`: "þ", `\TH`: "Þ", `\ng`: "ŋ",
		`\guillemotleft`: "«", `\guillemotright`: "»", `\quotedblbase`: "„", `\slash`: "/", `\dag`: "†", `\ddag`: "‡",
	}
	// spaces are commands that are a space.
	spaces = []string{`\ `, "\\\n", "\\\t", `\hfill`, `\hfil`, `\quad`, `\qquad`, `\enspace`, `\;`, `\:`, `\>`, `\space`}
	// styles are commands whose argument has a style.
	styles = map[string]style{
		`\textbf`: element("b"), `\textit`: element("i"), `\emph`: element("em"), `\textsl`: element("i"),
		`\underline`: element("u"),
		`\uline`:     element("u"), `\sout`: element("s"), `\textsc`: class("small-caps"), `\textsf`: class("sans"),
		`\textrm`:     class("serif"),
		`\textnormal`: class("normal"), `\textmd`: class("medium"), `\textup`: class("upright"),
		`\mbox`: class("nowrap"), `\hbox`: class("nowrap"),
		`\text`: class("upright"), `\makecell`: class("upright"), `\fbox`: class("boxed"),
		`\textsuperscript`: element("sup"), `\textsubscript`: element("sub"),
	}
	// declarations are commands that set the style up to the end of the group.
	declarations = map[string]style{
		`\bf`: element("b"), `\bfseries`: element("b"), `\it`: element("i"), `\itshape`: element("i"), `\em`: element("em"),
		`\sl`: element("i"), `\slshape`: element("i"),
		`\sc`: class("small-caps"), `\scshape`: class("small-caps"), `\sf`: class("sans"), `\sffamily`: class("sans"),
		`\rm`: class("normal"), `\rmfamily`: class("normal"),
		`\normalfont`: class("normal"), `\tiny`: class("tiny"), `\scriptsize`: class("tiny"), `\footnotesize`: class("small"),
		`\small`:      class("small"),
		`\normalsize`: class("normalsize"), `\large`: class("large"), `\Large`: class("larger"), `\LARGE`: class("larger"),
		`\huge`: class("huge"), `\Huge`: class("huge"),
	}
	// layout are commands that change only the layout of a printed page, by the number of
	// their arguments.
	layout = map[string]int{
		`\noindent`: 0, `\indent`: 0, `\sloppy`: 0, `\nolinebreak`: 0, `\Examples`: 0, `\Example`: 0,
		`\protect`: 0, `\nopagebreak`: 0, `\pagebreak`: 0,
		`\newpage`: 0, `\clearpage`: 0, `\-`: 0, `\/`: 0, `\!`: 0, `\@`: 0, `\null`: 0, `\allowbreak`: 0, `\relax`: 0,
		`\maketitle`: 0, `\vfill`: 0, `\smallbreak`: 0, `\medbreak`: 0,
		`\vspace`: 1, `\hspace`: 1, `\setlength`: 2, `\addtolength`: 2, `\pagestyle`: 1, `\thispagestyle`: 1,
		`\hyphenation`: 1, `\phantom`: 1, `\hphantom`: 1, `\vphantom`: 1, `\columnbreak`: 0, `\captionsetup`: 1,
		`\noalign`:     1,
		`\extracolsep`: 1, `\fill`: 0, `\arraybackslash`: 0,
	}
	headings = map[string]string{`\section`: "h2", `\subsection`: "h3", `\subsubsection`: "h4"}
	accents  = map[string]string{
		"\\`": "\u0300", `\'`: "\u0301", `\^`: "\u0302", `\~`: "\u0303", `\=`: "\u0304", `\u`: "\u0306", `\.`: "\u0307",
		`\"`: "\u0308",
		`\r`: "\u030a", `\H`: "\u030b", `\v`: "\u030c", `\c`: "\u0327", `\k`: "\u0328", `\d`: "\u0323", `\b`: "\u0331",
	}
	// packages are those whose commands are known, or change nothing here.
	packages = strings.Fields(`amsmath amssymb amsfonts amsthm mathtools graphicx graphics hyperref url xcolor
		color babel inputenc fontenc lmodern enumerate enumitem wrapfig multirow multicol booktabs listings verbatim
		ulem float caption subcaption array tabularx epigraph microtype textcomp geometry parskip csquotes`)
)

func init() { //nolint: the handlers use the table
	commands = map[string]converter{
		`\\`: (*latex).lineBreak, `\newline`: (*latex).lineBreak, `\linebreak`: (*latex).lineBreak,
		`\break`: (*latex).lineBreak,
		`\par`:   (*latex).paragraph, `\bigskip`: (*latex).paragraph, `\medskip`: (*latex).paragraph,
		`\smallskip`:  (*latex).paragraph,
		`\,`:          func(l *latex, _ string) { l.w.inline("&#8239;") },
		`\(`:          func(l *latex, _ string) { l.formulaTo(`\(`, `\)`, false) },
		`\[`:          func(l *latex, _ string) { l.formulaTo(`\[`, `\]`, true) },
		`\ensuremath`: func(l *latex, name string) { l.math(l.expandedText(l.raw(name)), l.offset(), true, false) },
		`\begin`:      (*latex).begin,
		`\end`: func(l *latex, name string) {
			at := l.began
			l.fail(at, `\end{%s} without \begin{%[1]s}`, l.raw(name))
		},
		`\item`:       func(l *latex, name string) { l.fail(l.began, `\item outside a list`) },
		`\texttt`:     (*latex).typewriter,
		`\t`:          (*latex).typewriter, // \texttt on Polygon
		`\tt`:         (*latex).typewriterOn,
		`\ttfamily`:   (*latex).typewriterOn,
		`\verb`:       (*latex).verb,
		`\lstinline`:  (*latex).verb,
		`\url`:        (*latex).url,
		`\nolinkurl`:  (*latex).url,
		`\href`:       (*latex).href,
		`\footnote`:   (*latex).footnote,
		`\label`:      func(l *latex, name string) { l.define(l.raw(name), l.began) },
		`\ref`:        func(l *latex, name string) { l.w.inline(l.reference(l.raw(name), l.began)) },
		`\eqref`:      func(l *latex, name string) { l.w.inline("(" + l.reference(l.raw(name), l.began) + ")") },
		`\textcolor`:  (*latex).textcolor,
		`\color`:      func(l *latex, name string) { l.w.push(l.colour(name)) },
		`\setcounter`: (*latex).setcounter, `\addtocounter`: (*latex).setcounter, `\newcounter`: (*latex).newcounter,
		`\stepcounter`: func(l *latex, name string) {
			if c := l.counter(name); c != "" {
				l.counters[c]++
				l.reset(c)
			}
		},
		`\refstepcounter`: func(l *latex, name string) {
			if c := l.counter(name); c != "" {
				l.refstep(c)
			}
		},
		`\setlist`:     (*latex).setlistDefaults,
		`\centering`:   func(l *latex, _ string) { l.w.align = "center" },
		`\raggedleft`:  func(l *latex, _ string) { l.w.align = "right" },
		`\raggedright`: func(l *latex, _ string) { l.w.align = "" },
		`\makebox`: func(l *latex, name string) {
			l.option()
			l.option()
			s := class("nowrap")
			l.styled(name, &s)
		},
		`\centerline`: func(l *latex, name string) { l.w.block(`<div class="center">` + l.argument(name) + "</div>\n") },
		`\vskip`:      (*latex).skip, `\hskip`: (*latex).skip, `\kern`: (*latex).skip,
		`\lstset`:       func(l *latex, name string) { l.checkListing(name, l.raw(name), l.offset()) },
		`\graphicspath`: (*latex).graphicspath,
		`\input`:        (*latex).include,
		`\paragraph`: func(l *latex, name string) {
			l.w.endParagraph()
			s := element("b")
			l.styled(name, &s)
			l.w.space = true
		},
		`\caption`:    (*latex).caption,
		`\epigraph`:   (*latex).epigraph,
		`\usepackage`: (*latex).usepackage,

		`\includegraphics`: (*latex).includegraphics,
		`\illustration`:    (*latex).illustration,

		`\problemname`:      (*latex).problemname,
		`\nextsample`:       func(l *latex, name string) { l.sampleCommand(name, l.nextSample) },
		`\remainingsamples`: func(l *latex, name string) { l.sampleCommand(name, l.remainingSamples) },

		// Of BAPCtools.
		`\timelimit`:   func(l *latex, _ string) { l.w.text(inSeconds(l.p.Limits.Time)) },
		`\memorylimit`: func(l *latex, _ string) { l.w.text(terminal.Bytes(l.p.Limits.Memory)) },

		`\newcommand`: (*latex).newcommand, `\renewcommand`: (*latex).newcommand, `\providecommand`: (*latex).newcommand,
		`\def`:            (*latex).def,
		`\newenvironment`: (*latex).newenvironment, `\renewenvironment`: (*latex).newenvironment, `\let`: (*latex).let,
		`\DeclareMathOperator`: func(l *latex, name string) {
			star := map[bool]string{true: "*"}[l.star]
			defined, body := strings.TrimSpace(l.raw(name)), l.raw(name)
			l.setMacro(name, defined, macro{body: `\operatorname` + star + "{" + body + "}"})
		},

		// Of olymp.sty (Polygon).
		`\exmp`: (*latex).exmp, `\exmpfile`: (*latex).exmp,
	}
	for name, word := range map[string]func(*words) string{
		`\InputFile`: func(w *words) string { return w.input }, `\OutputFile`: func(w *words) string { return w.output },
		`\Interaction`: func(w *words) string { return w.interaction },
		`\Scoring`:     func(w *words) string { return w.scoring },
		`\Note`:        func(w *words) string { return w.note }, `\Notes`: func(w *words) string { return w.note },
	} {
		commands[name] = func(l *latex, _ string) { l.w.block("<h2>" + escape(word(l.words)) + "</h2>\n") }
	}
	for name := range numerals {
		commands[name] = (*latex).numeral
	}
	for name, symbol := range symbols {
		commands[name] = func(l *latex, _ string) { l.w.text(symbol) }
	}
	for _, name := range spaces {
		commands[name] = func(l *latex, _ string) { l.w.space = true }
	}
	for name, s := range styles {
		commands[name] = func(l *latex, name string) { l.styled(name, &s) }
	}
	for name, s := range declarations {
		commands[name] = func(l *latex, _ string) { l.w.push(s) }
	}
	for name, args := range layout {
		commands[name] = func(l *latex, name string) {
			l.option()
			for range args {
				l.raw(name)
			}
			l.w.space = l.w.space || name == `\hspace`
		}
	}
	for name, tag := range headings {
		commands[name] = func(l *latex, name string) {
			number := ""
			if !l.star {
				l.refstep(name[1:])
				number = "\x04" + l.label.html + "\x04"
			}
			l.option()
			l.w.block("<" + tag + ">" + number + l.argument(name) + "</" + tag + ">\n")
		}
	}
	for name, mark := range accents {
		commands[name] = func(l *latex, name string) {
			letter := strings.NewReplacer(`\i`, "i", `\j`, "j", "{", "", "}", "").Replace(l.expandedText(l.raw(name)))
			if strings.Contains(letter, `\`) {
				l.fail(l.began, "%s: expected a letter, found %s", name, quoteSource(letter))
			}
			_, first := utf8.DecodeRuneInString(letter)
			if accented := letter[:first] + mark + letter[first:]; letter == "" { // the accent alone
				l.w.text(name[1:])
			} else {
				l.w.text(norm.NFC.String(accented))
			}
		}
	}
}

func (l *latex) lineBreak(name string) {
	if l.pos < len(l.src) && l.src[l.pos] == '*' {
		l.pos++
	}
	l.spacing(name)
	if l.w.inText {
		l.w.space = false
		l.w.inline("<br>")
	}
}

// lengthLike matches a length of TeX.
var lengthLike = lazy.Regexp(`^\s*[-+]?[0-9]*[.,]?[0-9]*\s*` +
	`(?:\\[a-zA-Z]+|(?:true\s*)?(?:cm|mm|in|pt|bp|pc|em|ex|px|sp|dd|cc))(?:\s*(?:plus|minus)\s*[0-9.]+\s*[a-z]+)*\s*`)

// spacing consumes the length in brackets after the end of a line.
func (l *latex) spacing(name string) {
	at := l.offset()
	if text, ok := l.option(); ok && (text == "" || lengthLike().FindString(text) != text) {
		l.fail(at, "%s[%s]: expected a length, such as 2mm; {[} begins a line with a bracket", name, text)
	}
}

// skip converts \vskip and \hskip, whose length has no braces.
func (l *latex) skip(name string) {
	l.skipSpace()
	l.pos += len(lengthLike().FindString(l.src[l.pos:]))
	l.w.space = true
}

func (l *latex) paragraph(string) { l.w.endParagraph() }

// typewriter converts an argument in the typewriter style.
func (l *latex) typewriter(name string) {
	s := element("code")
	if l.code > 0 {
		s = class("normalsize")
	}
	l.code++
	l.styled(name, &s)
	l.code--
}

// typewriterOn sets the typewriter style up to the end of the group.
func (l *latex) typewriterOn(string) {
	l.code++
	l.w.push(element("code"))
}

// verb converts \verb|text|.
func (l *latex) verb(name string) {
	at, star := l.offset(), l.star
	if name == `\lstinline` {
		options, _ := l.option()
		l.checkListing(name, options, at)
	}
	if l.pos < len(l.src) {
		delimiter := l.src[l.pos]
		if delimiter == '{' {
			delimiter = '}'
		}
		if text, _, ok := strings.Cut(l.src[l.pos+1:], string(delimiter)); ok && !strings.Contains(text, "\n") {
			l.pos += len(text) + 2
			if star {
				text = strings.ReplaceAll(text, " ", "␣")
			}
			l.w.inline("<code>" + escape(text) + "</code>")
			return
		}
	}
	l.fail(l.offset(), `%s: expected text between two equal characters, such as \verb|text|`, name)
}

var unescapeURL = strings.NewReplacer(`\%`, "%", `\#`, "#", `\_`, "_", `\&`, "&", `\~`, "~", `\{`, "{", `\}`, "}")

func (l *latex) url(name string) {
	url := unescapeURL.Replace(l.rawWith(name, 0))
	l.w.inline(`<a href="` + escape(url) + `">` + escape(url) + "</a>")
}

func (l *latex) href(name string) {
	at := l.offset()
	url := unescapeURL.Replace(strings.TrimSpace(l.rawWith(name, 0)))
	if !safeURL(url) {
		l.warn(at, "%s: a link to %s is left out: expected http, https or mailto", name, quoteSource(url))
		l.styled(name, nil)
		return
	}
	l.styled(name, &style{`<a href="` + escape(url) + `">`, "</a>"})
}

func (l *latex) footnote(name string) {
	at := l.began
	if number, ok := l.option(); ok {
		l.unknown(at, "%s[%s]: a number of its own", name, number)
	}
	l.notes = append(l.notes, "")
	n := len(l.notes)
	l.notes[n-1] = l.argument(name)
	l.w.inline(fmt.Sprintf(`<sup class="note"><a href="#note-%d" id="noteref-%[1]d">%[1]d</a></sup>`, n))
}

// colourNames are the colours of xcolor that CSS has too. They are the same but for green.
var colourNames = names(`red green blue cyan magenta yellow black gray white darkgray lightgray brown lime olive orange
	pink purple teal violet BlueViolet CadetBlue CornflowerBlue DarkOrchid ForestGreen Goldenrod GreenYellow Lavender
	LimeGreen Maroon MidnightBlue Orchid Plum RoyalBlue Salmon SeaGreen SkyBlue SpringGreen Tan Thistle Turquoise
	YellowGreen Red Blue Black White Gray Orange Purple Violet Cyan Magenta Yellow`)

// colour returns the style of a colour: a name, or six hexadecimal digits of the model HTML.
func (l *latex) colour(command string) style {
	at := l.began
	model, _ := l.option()
	spec := strings.TrimSpace(l.expandedText(l.raw(command)))
	css := strings.ToLower(spec)
	switch {
	case model == "HTML" && hexColour().MatchString(spec):
		css = "#" + css
	case model != "" || !colourNames[spec]:
		l.warn(at, "%s{%s}: the colour is not shown: expected a name of xcolor, or the model HTML", command, spec)
		return class("normalsize")
	case spec == "green":
		css = "lime"
	}
	return style{`<span style="color:` + css + `">`, "</span>"}
}

var hexColour = lazy.Regexp(`^[0-9A-Fa-f]{6}$`)

func (l *latex) textcolor(name string) {
	s := l.colour(name)
	l.styled(name, &s)
}

// caption converts a caption. That of a subfigure has a letter, and its references have
// the number of the figure before it (subcaption).
func (l *latex) caption(name string) {
	l.option()
	if l.star {
		l.w.block("<figcaption>" + l.argument(name) + "</figcaption>\n")
		return
	}
	counter := l.float
	l.refstep(counter)
	word := l.words.figure + " "
	switch counter {
	case "table":
		word = l.words.table + " "
	case "subfigure":
		word = ""
	}
	if m, ok := l.macros[`\`+counter+"name"]; ok {
		word = m.body + " "
	}
	number := word + l.label.html
	if counter != "subfigure" {
		number += ":"
		l.captioned = true
	} else {
		figure := l.counters["figure"]
		if !l.captioned {
			l.counters["figure"]++
		}
		l.label.html = l.html(`\thefigure`) + strings.Trim(l.label.html, "()")
		l.counters["figure"] = figure
	}
	l.w.block("<figcaption>" + number + " " + l.argument(name) + "</figcaption>\n")
}

func (l *latex) epigraph(name string) {
	text := l.argument(name)
	l.w.block("<blockquote class=\"epigraph\"><p>" + text + "</p><footer>" + l.argument(name) + "</footer></blockquote>\n")
}

func (l *latex) usepackage(name string) {
	at := l.began
	l.option()
	for known := range strings.SplitSeq(l.raw(name), ",") {
		if known = strings.TrimSpace(known); !slices.Contains(packages, known) {
			l.unknown(at, "%s{%s}: unknown package", name, known)
		}
	}
}

func (l *latex) problemname(name string) {
	if l.heading = l.argument(name); l.heading == "" {
		return
	}
	l.plain = strings.TrimSpace(plainText(l.heading))
}

// plainText returns the text of HTML.
func plainText(source string) string {
	return html.UnescapeString(anyTag().ReplaceAllString(source, ""))
}

var anyTag = lazy.Regexp(`<[^>]*>`)

// sampleCommand writes samples.
func (l *latex) sampleCommand(name string, samples func() string) {
	at := l.began
	if strings.HasPrefix(l.src[l.pos:], "{}") {
		l.pos += 2
	}
	if name == `\nextsample` && len(l.samples) == 0 {
		l.fail(at, `\nextsample: there are no more samples`)
		return
	}
	l.w.block(samples())
}

// exmp shows the next sample, which the statement has as text or names its files.
func (l *latex) exmp(name string) {
	at := l.began
	input, output := unescapeURL.Replace(l.raw(name)), unescapeURL.Replace(l.raw(name))
	if len(l.samples) == 0 {
		l.fail(at, "%s: there are no more samples", name)
		return
	}
	s := &l.samples[0]
	same := sameText(input, s.input) && sameText(output, s.output) || s.interaction != ""
	if name == `\exmp` && !same {
		l.fail(at, "%s: differs from data/%s", name, s.name)
	}
	l.w.block(l.nextSample())
}

// include reads a file in the folder of the statement in place of \input.
func (l *latex) include(name string) {
	at := l.began
	file := l.raw(name)
	found, ok := l.inFolder(file)
	if path.Ext(found) == "" {
		found += ".tex"
	}
	data, err := problem.ReadBounded(l.p.FS, found, maxStatement)
	if !ok || err != nil {
		l.fail(at, "%s{%s}: expected a file in the folder of the statement", name, file)
		return
	}
	l.push(name, textOfFile(data), at)
}

// maxMacros is the maximum number of macros of a statement.
const maxMacros = 500

// setMacro defines a macro up to the end of the group.
func (l *latex) setMacro(command, name string, m macro) {
	switch {
	case !strings.HasPrefix(name, `\`):
		l.fail(l.offset(), "%s{%s}: expected the name of a command", command, name)
	case len(l.macros) > maxMacros:
		l.fail(l.offset(), "%s{%s}: expected at most %d commands", command, name, maxMacros)
	default:
		l.macros = maps.Clone(l.macros)
		l.macros[name] = m
	}
}

// signature returns a macro with the arguments in brackets: [2][default].
func (l *latex) signature(name, defined string) (m macro, ok bool) {
	at := l.offset()
	count, ok := l.option()
	if !ok {
		return m, true
	}
	n, err := strconv.Atoi(strings.TrimSpace(count))
	if err != nil || n < 0 || n > 9 {
		l.fail(at, "%s{%s}[%s]: expected 0 to 9 arguments", name, defined, count)
		return m, false
	}
	m.params = make([]string, n)
	m.optional, m.hasOpt = l.option()
	return m, true
}

func (l *latex) newcommand(name string) {
	at := l.began
	defined := strings.TrimSpace(l.raw(name))
	m, ok := l.signature(name, defined)
	m.body = l.raw(name)
	_, known := commands[defined]
	_, set := l.macros[defined]
	if _, ours := predefined[defined]; name == `\newcommand` && set && !ours {
		l.fail(at, "%s{%s}: is defined already: expected \\renewcommand", name, defined)
	} else if ok && (name != `\providecommand` || !known && !set) {
		l.setMacro(name, defined, m)
	}
}

func (l *latex) newenvironment(name string) {
	defined := strings.TrimSpace(l.raw(name))
	m, ok := l.signature(name, defined)
	m.body = l.raw(name)
	if end := l.raw(name); ok {
		l.setMacro(name, `\begin{`+defined+"}", m)
		l.setMacro(name, `\end{`+defined+"}", macro{body: end})
	}
}

// let converts \let\name=\other.
func (l *latex) let(name string) {
	defined := strings.TrimSpace(l.raw(name))
	l.skipSpace()
	if rest, ok := strings.CutPrefix(l.src[l.pos:], "="); ok {
		l.pos = len(l.src) - len(rest)
	}
	other := l.raw(name)
	m, ok := l.macros[other]
	switch {
	case ok:
	case commands[other] != nil:
		m.builtin = other
	default:
		m.body = other // of a formula, or a character
	}
	l.setMacro(name, defined, m)
}

// def converts \def\name#1{body}. Text between the arguments ends them.
func (l *latex) def(name string) {
	at := l.began
	l.skipSpace()
	if l.pos == len(l.src) || l.src[l.pos] != '\\' {
		l.fail(at, `\def: expected the name of a command`)
		return
	}
	defined := l.name()
	if isLetter(defined[len(defined)-1]) {
		l.skipBlank()
	}
	brace := strings.IndexByte(l.src[l.pos:], '{')
	if brace < 0 {
		l.fail(at, `\def%s: expected { and the text`, defined)
		return
	}
	parts := strings.Split(l.src[l.pos:l.pos+brace], "#")
	m := macro{prefix: parts[0]}
	for i, part := range parts[1:] {
		if !strings.HasPrefix(part, strconv.Itoa(i+1)) {
			l.fail(at, `\def%s: expected #%d, found #%s`, defined, i+1, part)
			part = " "
		}
		m.params = append(m.params, part[1:])
	}
	l.pos += brace
	m.body = l.raw(name)
	l.setMacro(name, defined, m)
}

// withoutBraces returns a text without the braces around all of it.
func withoutBraces(s string) string {
	if strings.HasPrefix(s, "{") && closing(s[1:], '}', 0) == len(s)-2 {
		return s[1 : len(s)-1]
	}
	return s
}

// A keyValue is an option: key=value, or a key with no value.
type keyValue struct{ key, value string }

// keyValues splits options at the commas outside groups.
func keyValues(options string) (all []keyValue) {
	for _, part := range splitOutside(options, ",") {
		if part = strings.TrimSpace(part); part != "" {
			key, value, _ := strings.Cut(part, "=")
			all = append(all, keyValue{strings.TrimSpace(key), withoutBraces(strings.TrimSpace(value))})
		}
	}
	return all
}
