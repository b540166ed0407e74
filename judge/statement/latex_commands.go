package statement

import (
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"crucible/judge/units"
)

// A converter converts a command whose name, with the backslash, is consumed.
type converter func(l *latex, name string)

// commands are the commands that are known outside formulas. Names come from the
// statements that scripts/latex lists and from the format (2025-09, "LaTeX environment
// and supported subset").
var commands map[string]converter

// starred are the commands that may have a star, which changes nothing here.
var starred = map[string]bool{
	`\section`: true, `\subsection`: true, `\subsubsection`: true, `\paragraph`: true, `\caption`: true,
	`\vspace`: true, `\hspace`: true, `\newcommand`: true, `\renewcommand`: true, `\providecommand`: true,
}

// keepsSpace are the commands after whose name spaces are not skipped.
var keepsSpace = map[string]bool{`\verb`: true, `\lstinline`: true}

// The tables below have a row for each simple command.
var (
	// symbols are commands that stand for text.
	symbols = map[string]string{
		`\%`: "%", `\$`: "$", `\&`: "&", `\#`: "#", `\_`: "_", `\{`: "{", `\}`: "}",
		`\ldots`: "…", `\dots`: "…", `\textellipsis`: "…", `\cdots`: "⋯",
		`\textbackslash`: `\`, `\textasciitilde`: "~", `\textasciicircum`: "^", `\textbar`: "|", `\textless`: "<", `\textgreater`: ">",
		`\textquotesingle`: "'", `\textquotedbl`: `"`, `\textquotedblleft`: "“", `\textquotedblright`: "”", `\textquoteleft`: "‘", `\textquoteright`: "’",
		`\textasciigrave`: "`", `\textunderscore`: "_", `\textdollar`: "$", `\textbraceleft`: "{", `\textbraceright`: "}",
		`\textendash`: "–", `\textemdash`: "—", `\textbullet`: "•", `\textdegree`: "°", `\textmu`: "µ", `\texttimes`: "×", `\textrightarrow`: "→", `\textleftarrow`: "←",
		`\LaTeX`: "LaTeX", `\TeX`: "TeX", `\copyright`: "©", `\textcopyright`: "©", `\textregistered`: "®", `\S`: "§", `\P`: "¶", `\pounds`: "£", `\euro`: "€", `\texteuro`: "€",
		`\ss`: "ß", `\o`: "ø", `\O`: "Ø", `\aa`: "å", `\AA`: "Å", `\ae`: "æ", `\AE`: "Æ", `\oe`: "œ", `\OE`: "Œ", `\l`: "ł", `\L`: "Ł", `\i`: "ı", `\j`: "ȷ",
		`\guillemotleft`: "«", `\guillemotright`: "»", `\quotedblbase`: "„", `\slash`: "/", `\dag`: "†", `\ddag`: "‡",
	}
	// spaces are commands that are a space.
	spaces = []string{`\ `, "\\\n", "\\\t", `\hfill`, `\hfil`, `\quad`, `\qquad`, `\enspace`, `\;`, `\:`, `\>`, `\space`}
	// styles are commands whose argument has a style.
	styles = map[string]style{
		`\textbf`: element("b"), `\textit`: element("i"), `\emph`: element("em"), `\textsl`: element("i"), `\underline`: element("u"),
		`\uline`: element("u"), `\sout`: element("s"), `\textsc`: class("small-caps"), `\textsf`: class("sans"), `\textrm`: class("serif"),
		`\textnormal`: class("normal"), `\textmd`: class("normal"), `\textup`: class("normal"), `\mbox`: class("nowrap"), `\hbox`: class("nowrap"),
		`\text`: class("normal"), `\fbox`: class("boxed"), `\textsuperscript`: element("sup"), `\textsubscript`: element("sub"),
	}
	// declarations are commands that set the style up to the end of the group.
	declarations = map[string]style{
		`\bf`: element("b"), `\bfseries`: element("b"), `\it`: element("i"), `\itshape`: element("i"), `\em`: element("em"), `\sl`: element("i"), `\slshape`: element("i"),
		`\sc`: class("small-caps"), `\scshape`: class("small-caps"), `\sf`: class("sans"), `\sffamily`: class("sans"), `\rm`: class("normal"), `\rmfamily`: class("normal"),
		`\normalfont`: class("normal"), `\tiny`: class("tiny"), `\scriptsize`: class("tiny"), `\footnotesize`: class("small"), `\small`: class("small"),
		`\normalsize`: class("normalsize"), `\large`: class("large"), `\Large`: class("larger"), `\LARGE`: class("larger"), `\huge`: class("huge"), `\Huge`: class("huge"),
	}
	// layout are commands that change only the layout of a printed page, by the number of
	// their arguments.
	layout = map[string]int{
		`\noindent`: 0, `\indent`: 0, `\centering`: 0, `\raggedright`: 0, `\raggedleft`: 0, `\sloppy`: 0, `\protect`: 0, `\nopagebreak`: 0, `\pagebreak`: 0,
		`\newpage`: 0, `\clearpage`: 0, `\-`: 0, `\/`: 0, `\!`: 0, `\@`: 0, `\null`: 0, `\allowbreak`: 0, `\relax`: 0, `\maketitle`: 0, `\vfill`: 0, `\smallbreak`: 0, `\medbreak`: 0,
		`\vspace`: 1, `\hspace`: 1, `\setlength`: 2, `\addtolength`: 2, `\vskip`: 0, `\renewcommand\arraystretch`: 1, `\pagestyle`: 1, `\thispagestyle`: 1,
		`\hyphenation`: 1, `\phantom`: 1, `\hphantom`: 1, `\vphantom`: 1, `\setcounter`: 2, `\columnbreak`: 0, `\captionsetup`: 1, `\lstset`: 1, `\graphicspath`: 1,
		`\noalign`: 1, `\null\hfill`: 0,
	}
	headings = map[string]string{`\section`: "h2", `\subsection`: "h3", `\subsubsection`: "h4"}
	accents  = map[string]string{
		"\\`": "\u0300", `\'`: "\u0301", `\^`: "\u0302", `\~`: "\u0303", `\=`: "\u0304", `\u`: "\u0306", `\.`: "\u0307", `\"`: "\u0308",
		`\r`: "\u030a", `\H`: "\u030b", `\v`: "\u030c", `\c`: "\u0327", `\k`: "\u0328", `\d`: "\u0323", `\b`: "\u0331",
	}
	// packages are those whose commands are known, or change nothing here.
	packages = strings.Fields(`amsmath amssymb amsfonts amsthm mathtools graphicx graphics hyperref url xcolor color babel inputenc fontenc lmodern
		enumerate enumitem wrapfig multirow multicol booktabs listings verbatim ulem float caption subcaption array tabularx epigraph microtype textcomp geometry parskip csquotes`)
)

func init() { //nolint: the handlers use the table
	commands = map[string]converter{
		`\\`: (*latex).lineBreak, `\newline`: (*latex).lineBreak, `\linebreak`: (*latex).lineBreak,
		`\par`: (*latex).paragraph, `\bigskip`: (*latex).paragraph, `\medskip`: (*latex).paragraph, `\smallskip`: (*latex).paragraph,
		`\,`:     func(l *latex, _ string) { l.w.inline("&#8239;") },
		`\(`:     func(l *latex, _ string) { l.delimited(`\)`, false) },
		`\[`:     func(l *latex, _ string) { l.delimited(`\]`, true) },
		`\begin`: (*latex).begin,
		`\end`: func(l *latex, name string) {
			at := l.offset() - len(name)
			l.fail(at, `\end{%s} without \begin{%[1]s}`, l.raw(name))
		},
		`\item`:      func(l *latex, name string) { l.fail(l.offset()-len(name), `\item outside a list`) },
		`\texttt`:    func(l *latex, name string) { l.typewriter(func(s *style) { l.styled(name, s) }) },
		`\tt`:        (*latex).typewriterOn,
		`\ttfamily`:  (*latex).typewriterOn,
		`\t`:         (*latex).typewriterOn,
		`\verb`:      (*latex).verb,
		`\lstinline`: (*latex).verb,
		`\url`:       (*latex).url,
		`\nolinkurl`: (*latex).url,
		`\href`:      (*latex).href,
		`\footnote`:  (*latex).footnote,
		`\label`:     func(l *latex, name string) { l.labels[l.raw(name)] = l.label },
		`\ref`:       func(l *latex, name string) { l.w.inline(reference(l.raw(name))) },
		`\textcolor`: (*latex).textcolor,
		`\color`:     func(l *latex, name string) { l.w.push(colour(l.raw(name))) },
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
		`\memorylimit`: func(l *latex, _ string) { l.w.text(units.Bytes(l.p.Limits.Memory)) },

		`\newcommand`: (*latex).newcommand, `\renewcommand`: (*latex).newcommand, `\providecommand`: (*latex).newcommand, `\def`: (*latex).def,
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
		commands[name] = func(l *latex, name string) { l.w.block("<" + tag + ">" + l.argument(name) + "</" + tag + ">\n") }
	}
	for name, mark := range accents {
		commands[name] = func(l *latex, name string) {
			letter := strings.NewReplacer(`\i`, "i", `\j`, "j", "{", "", "}", "").Replace(l.raw(name))
			first, rest := letter[:min(1, len(letter))], letter[min(1, len(letter)):]
			l.w.text(norm.NFC.String(first+mark) + rest)
		}
	}
}

func (l *latex) lineBreak(string) {
	if l.pos < len(l.src) && l.src[l.pos] == '*' {
		l.pos++
	}
	l.option()
	if l.w.inText {
		l.w.space = false
		l.w.inline("<br>")
	}
}

func (l *latex) paragraph(string) { l.w.endParagraph() }

// typewriter converts text in the typewriter style.
func (l *latex) typewriter(convert func(*style)) {
	s := element("code")
	if l.code > 0 {
		s = class("normalsize")
	}
	l.code++
	convert(&s)
	l.code--
}

// typewriterOn sets the typewriter style up to the end of the group.
func (l *latex) typewriterOn(string) {
	l.code++
	l.w.push(element("code"))
}

// verb converts \verb|text|.
func (l *latex) verb(name string) {
	l.option()
	if l.pos < len(l.src) {
		delimiter := l.src[l.pos]
		if delimiter == '{' {
			delimiter = '}'
		}
		if end := strings.IndexByte(l.src[l.pos+1:], delimiter); end >= 0 && !strings.Contains(l.src[l.pos+1:l.pos+1+end], "\n") {
			l.w.inline("<code>" + escape(l.src[l.pos+1:l.pos+1+end]) + "</code>")
			l.pos += end + 2
			return
		}
	}
	l.fail(l.offset(), `%s: expected text between two equal characters, such as \verb|text|`, name)
}

var unescapeURL = strings.NewReplacer(`\%`, "%", `\#`, "#", `\_`, "_", `\&`, "&", `\~`, "~", `\{`, "{", `\}`, "}")

func (l *latex) url(name string) {
	url := unescapeURL.Replace(l.raw(name))
	l.w.inline(`<a href="` + escape(url) + `">` + escape(url) + "</a>")
}

func (l *latex) href(name string) {
	at := l.offset()
	url := unescapeURL.Replace(strings.TrimSpace(l.raw(name)))
	if !safeURL(url) {
		l.warn(at, "%s: a link to %s is left out: expected http, https or mailto", name, quoteSource(url))
		l.styled(name, nil)
		return
	}
	l.styled(name, &style{`<a href="` + escape(url) + `">`, "</a>"})
}

func (l *latex) footnote(name string) {
	l.notes = append(l.notes, "")
	n := len(l.notes)
	l.notes[n-1] = l.argument(name)
	l.w.inline(fmt.Sprintf(`<sup class="note"><a href="#note-%d" id="noteref-%[1]d">%[1]d</a></sup>`, n))
}

// unresolved matches what [reference] returns.
var unresolved = regexp.MustCompile("\x02[^\x02]*\x02")

// reference returns a mark that is replaced when all labels are known. It has
// characters that no source has.
func reference(label string) string { return "\x02" + html.EscapeString(label) + "\x02" }

var colourName = regexp.MustCompile(`^[a-zA-Z]{3,20}$`)

func colour(name string) style {
	if !colourName.MatchString(name) {
		return class("normalsize")
	}
	return style{`<span style="color:` + strings.ToLower(name) + `">`, "</span>"}
}

func (l *latex) textcolor(name string) {
	l.option()
	s := colour(l.raw(name))
	l.styled(name, &s)
}

func (l *latex) caption(name string) {
	l.option()
	word, number := l.words.figure, &l.figures
	if l.float == "table" {
		word, number = l.words.table, &l.tables
	}
	*number++
	l.label = strconv.Itoa(*number)
	l.w.block(fmt.Sprintf("<figcaption>%s %s: %s</figcaption>\n", escape(word), l.label, l.argument(name)))
}

func (l *latex) epigraph(name string) {
	text := l.argument(name)
	l.w.block("<blockquote class=\"epigraph\"><p>" + text + "</p><footer>" + l.argument(name) + "</footer></blockquote>\n")
}

func (l *latex) usepackage(name string) {
	at := l.offset() - len(name)
	l.option()
	for known := range strings.SplitSeq(l.raw(name), ",") {
		if known = strings.TrimSpace(known); !contains(packages, known) {
			l.unknown(at, "%s{%s}: unknown package", name, known)
		}
	}
}

func contains(all []string, one string) bool {
	for _, s := range all {
		if s == one {
			return true
		}
	}
	return false
}

func (l *latex) problemname(name string) {
	if l.heading = l.argument(name); l.heading == "" {
		return
	}
	l.plain = strings.TrimSpace(html.UnescapeString(anyTag.ReplaceAllString(l.heading, "")))
}

var anyTag = regexp.MustCompile(`<[^>]*>`)

// sampleCommand writes samples.
func (l *latex) sampleCommand(name string, samples func() string) {
	at := l.offset() - len(name)
	if strings.HasPrefix(l.src[l.pos:], "{}") {
		l.pos += 2
	}
	if name == `\nextsample` && len(l.samples) == 0 {
		l.fail(at, `\nextsample: there are no more samples`)
		return
	}
	l.w.block(samples())
}

func (l *latex) newcommand(name string) {
	at := l.offset() - len(name)
	defined := strings.TrimSpace(l.raw(name))
	var m macro
	if count, ok := l.option(); ok {
		n, err := strconv.Atoi(strings.TrimSpace(count))
		if err != nil || n < 0 || n > 9 {
			l.fail(at, "%s{%s}[%s]: expected 0 to 9 arguments", name, defined, count)
			return
		}
		m.args = n
		m.optional, m.hasOpt = l.option()
	}
	m.body = l.raw(name)
	_, known := commands[defined]
	switch {
	case !strings.HasPrefix(defined, `\`):
		l.fail(at, "%s{%s}: expected the name of a command", name, defined)
	case name == `\providecommand` && (known || l.macros[defined].body != ""):
	default:
		l.macros[defined] = m
	}
}

// def converts \def\name#1{body}.
func (l *latex) def(name string) {
	at := l.offset() - len(name)
	l.skipSpace()
	if l.pos == len(l.src) || l.src[l.pos] != '\\' {
		l.fail(at, `\def: expected the name of a command`)
		return
	}
	defined := l.name()
	brace := strings.IndexByte(l.src[l.pos:], '{')
	if brace < 0 {
		l.fail(at, `\def%s: expected { and the text`, defined)
		return
	}
	args := strings.Count(l.src[l.pos:l.pos+brace], "#")
	l.pos += brace
	l.macros[defined] = macro{args: args, body: l.raw(name)}
}
