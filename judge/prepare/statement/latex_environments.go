package statement

import (
	"strings"
)

// environments are the environments that are known. Each is called after \begin{name}
// and consumes what comes before \end{name}.
var environments map[string]converter

func init() { //nolint: the handlers use the table
	wrapped := func(open, close string) converter {
		return func(l *latex, _ string) {
			l.w.block(open)
			l.parse(`\end`)
			l.w.block(close)
		}
	}
	section := func(word func(*words) string) converter {
		return func(l *latex, _ string) {
			l.w.block("<h2>" + escape(word(l.words)) + "</h2>\n")
			l.parse(`\end`)
			l.w.endParagraph()
		}
	}
	plain := func(l *latex, _ string) { l.parse(`\end`) }
	environments = map[string]converter{
		"tabular": (*latex).tabular, "tabular*": (*latex).tabular, "tabularx": (*latex).tabular,
		"longtable": (*latex).tabular,
		"verbatim":  (*latex).verbatim, "Verbatim": (*latex).verbatim, "lstlisting": (*latex).verbatim,
		"alltt":   (*latex).verbatim,
		"comment": (*latex).verbatim,
		"center":  wrapped(`<div class="center">`, "</div>\n"), "centering": wrapped(`<div class="center">`, "</div>\n"),
		"flushleft": wrapped("<div>", "</div>\n"), "flushright": wrapped(`<div class="right">`, "</div>\n"),
		"quote": wrapped("<blockquote>", "</blockquote>\n"), "quotation": wrapped("<blockquote>", "</blockquote>\n"),
		"Input":       section(func(w *words) string { return w.input }),
		"Output":      section(func(w *words) string { return w.output }),
		"Interaction": section(func(w *words) string { return w.interaction }),
		"figure":      (*latex).figure, "figure*": (*latex).figure, "table": (*latex).figure, "table*": (*latex).figure,
		"wrapfigure": (*latex).wrapfigure, "wraptable": (*latex).wrapfigure,
		"minipage": (*latex).minipage, "subfigure": (*latex).minipage,
		"samepage": plain, "document": plain, "sloppypar": plain,
		"problem": (*latex).olymp, "example": plain,
		"multicols": func(l *latex, name string) { l.raw(name); l.parse(`\end`) },
	}
	for name := range listTags {
		environments[name] = (*latex).list
	}
	for name, s := range declarations {
		environments[name[1:]] = func(l *latex, _ string) {
			l.w.push(s)
			l.parse(`\end`)
		}
	}
	for name, rows := range mathEnvironments {
		environments[name] = func(l *latex, name string) { l.mathEnvironment(name, rows) }
	}
}

// begin converts an environment.
func (l *latex) begin(command string) {
	at := l.began
	name := strings.TrimSpace(l.raw(command))
	end := name
	convert, ok := environments[name]
	m, user := l.macros[`\begin{`+name+"}"]
	nested := l.nest()
	switch {
	case user:
		end += expandedMark
		l.expand(`\begin{`+name+"}", &m, at)
		l.parse(`\end`)
	case ok:
		convert(l, name)
	default:
		l.unknown(at, `\begin{%s}: unknown environment`, name)
		l.option()
		l.parse(`\end`)
	}
	nested()
	if !l.at(`\end`) {
		l.fail(at, `\begin{%s} without \end{%[1]s}`, name)
		return
	}
	here := l.offset()
	l.pos += len(`\end`)
	if found := strings.TrimSpace(l.raw(`\end`)); found != end {
		l.fail(here, `\end{%s}: expected \end{%s}`, strings.TrimSuffix(found, expandedMark), name)
	}
}

// figure converts a figure or a table.
func (l *latex) figure(name string) {
	l.option()
	l.float = strings.TrimSuffix(name, "*")
	l.counters["subfigure"] = 0
	l.w.block("<figure>")
	l.parse(`\end`)
	l.w.block("</figure>\n")
}

// wrapfigure converts a figure with text beside it. \textwidth stays that of the page in
// it (wrapfig).
func (l *latex) wrapfigure(name string) {
	l.option() // lines
	side := strings.ToLower(l.raw(name))
	l.option() // overhang
	width := l.width(name)
	l.float = strings.TrimPrefix(name, "wrap")
	class := "illustration"
	if side == "l" || side == "i" {
		class += " left"
	}
	l.enter(width, false)
	l.w.block(`<figure class="` + class + `" style="width:` + width.css() + `">`)
	l.parse(`\end`)
	l.w.block("</figure>\n")
}

// listingOptions are the options of verbatim text that change only its layout.
var listingOptions = names(`language basicstyle keywordstyle commentstyle stringstyle identifierstyle numberstyle
	numbersep frame breaklines breakatwhitespace tabsize showstringspaces columns backgroundcolor xleftmargin xrightmargin
	captionpos aboveskip belowskip keepspaces morekeywords framesep framerule rulecolor upquote extendedchars
	inputencoding fontsize formatcom baselinestretch samepage linewidth fontfamily`)

// checkListing warns of the options that change what is shown.
func (l *latex) checkListing(name, options string, at int) {
	for _, o := range keyValues(options) {
		if !listingOptions[o.key] && o.value != "none" && o.value != "false" {
			l.warn(at, "%s: the option %s is ignored", name, quoteSource(o.key))
		}
	}
}

// verbatim converts text that is shown as it is.
func (l *latex) verbatim(name string) {
	at := l.offset()
	if (name == "lstlisting" || name == "Verbatim") && strings.HasPrefix(l.src[l.pos:], "[") {
		options, _ := l.option()
		l.checkListing(name, options, at)
	}
	end := strings.Index(l.src[l.pos:], `\end{`+name+"}")
	if end < 0 {
		return // begin reports it
	}
	text := l.src[l.pos : l.pos+end]
	if l.pos += end; name == "comment" {
		return
	}
	if name == "alltt" && strings.ContainsAny(text, `\{}`) {
		l.unknown(at, `alltt: commands in it`)
	}
	l.w.block("<pre>" + escape(strings.TrimPrefix(text, "\n")) + "</pre>\n")
}

// minipage converts a box of a width beside others.
func (l *latex) minipage(name string) {
	for _, ok := l.option(); ok; {
		_, ok = l.option()
	}
	width := l.width(name)
	l.enter(width, true)
	if name == "subfigure" {
		l.float = name
	}
	l.w.block(`<div class="beside" style="width:` + width.css() + `">`)
	l.parse(`\end`)
	l.w.block("</div>\n")
}

// olymp converts the environment of a problem of olymp.sty: its name, files and limits.
func (l *latex) olymp(name string) {
	l.problemname(`\begin{problem}`)
	l.w.block("<p>")
	for i, word := range []string{l.words.input, l.words.output, l.words.timeLimit, l.words.memoryLimit} {
		if i > 0 {
			l.w.b.WriteString("<br>")
		}
		l.w.b.WriteString(escape(word) + ": " + l.argument(name))
	}
	l.w.block("</p>\n")
	l.parse(`\end`)
}
