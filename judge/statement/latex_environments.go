package statement

import (
	"strings"
)

// environments are the environments that are known. Each is called after \begin{name}
// and consumes what comes before \end{name}.
var environments map[string]converter

// mathEnvironments are formulas. The value reports whether Temml knows the environment.
var mathEnvironments = map[string]bool{
	"displaymath": false, "math": false, "equation": true, "equation*": true, "align": true, "align*": true, "gather": true, "gather*": true,
	"alignat": true, "alignat*": true, "multline": true, "multline*": true, "eqnarray": false, "eqnarray*": false,
}

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
	float := func(kind string) converter {
		return func(l *latex, name string) {
			l.option()
			class := ""
			if name == "wrapfigure" {
				l.option()
				l.raw(name)
				l.option()
				class = ` class="illustration" style="width:` + lengthOf(l.raw(name)) + `"`
			}
			outer := l.float
			l.float = kind
			wrapped("<figure"+class+">", "</figure>\n")(l, name)
			l.float = outer
		}
	}
	environments = map[string]converter{
		"itemize": (*latex).list, "enumerate": (*latex).list, "description": (*latex).list, "compactitem": (*latex).list,
		"tabular": (*latex).tabular, "tabular*": (*latex).tabular, "tabularx": (*latex).tabular, "longtable": (*latex).tabular,
		"verbatim": (*latex).verbatim, "Verbatim": (*latex).verbatim, "lstlisting": (*latex).verbatim, "alltt": (*latex).verbatim,
		"center": wrapped(`<div class="center">`, "</div>\n"), "centering": wrapped(`<div class="center">`, "</div>\n"),
		"flushleft": wrapped("<div>", "</div>\n"), "flushright": wrapped(`<div class="right">`, "</div>\n"),
		"quote": wrapped("<blockquote>", "</blockquote>\n"), "quotation": wrapped("<blockquote>", "</blockquote>\n"),
		"Input":       section(func(w *words) string { return w.input }),
		"Output":      section(func(w *words) string { return w.output }),
		"Interaction": section(func(w *words) string { return w.interaction }),
		"figure":      float("figure"), "figure*": float("figure"), "wrapfigure": float("figure"), "subfigure": (*latex).minipage,
		"table": float("table"), "table*": float("table"),
		"minipage": (*latex).minipage, "samepage": plain, "document": plain, "small": plain, "sloppypar": plain,
		"multicols": func(l *latex, name string) { l.raw(name); l.parse(`\end`) },
	}
	for name, known := range mathEnvironments {
		environments[name] = func(l *latex, name string) { l.mathEnvironment(name, known) }
	}
}

// begin converts an environment.
func (l *latex) begin(command string) {
	at := l.offset() - len(command)
	name := strings.TrimSpace(l.raw(command))
	convert, ok := environments[name]
	if !ok {
		l.unknown(at, `\begin{%s}: unknown environment`, name)
		l.option()
		convert = func(l *latex, _ string) { l.parse(`\end`) }
	}
	styles, code := len(l.w.styles), l.code
	convert(l, name)
	l.w.popTo(styles)
	l.code = code
	if !l.at(`\end`) {
		l.fail(at, `\begin{%s} without \end{%[1]s}`, name)
		return
	}
	end := l.offset()
	l.pos += len(`\end`)
	if found := strings.TrimSpace(l.raw(`\end`)); found != name {
		l.fail(end, `\end{%s}: expected \end{%s}`, found, name)
	}
}

// list converts a list.
func (l *latex) list(name string) {
	l.option()
	tag := map[string]string{"enumerate": "ol", "description": "dl"}[name]
	if tag == "" {
		tag = "ul"
	}
	l.w.block("<" + tag + ">\n")
	l.parse(`\item`, `\end`)
	l.w.endParagraph()
	for l.at(`\item`) {
		l.pos += len(`\item`)
		label, labelled := l.option()
		html := ""
		if labelled {
			inner := *l
			inner.src, inner.pos, inner.from = label, 0, l.offset()-len(label)-1
			html = inner.capture(false, func() { inner.parse() })
		}
		item := "li"
		switch {
		case tag == "dl":
			l.w.block("<dt>" + html + "</dt>")
			item = "dd"
		case labelled:
			html = `<span class="label">` + html + "</span>"
		}
		if tag == "dl" {
			html = ""
		}
		l.w.block("<" + item + ">")
		if html != "" {
			l.w.inline(html)
			l.w.space = true
		}
		l.parse(`\item`, `\end`)
		l.w.block("</" + item + ">\n")
	}
	l.w.block("</" + tag + ">\n")
}

// verbatim converts text that is shown as it is.
func (l *latex) verbatim(name string) {
	l.option()
	end := strings.Index(l.src[l.pos:], `\end{`+name+"}")
	if end < 0 {
		return // begin reports it
	}
	l.w.block("<pre>" + escape(strings.TrimPrefix(l.src[l.pos:l.pos+end], "\n")) + "</pre>\n")
	l.pos += end
}

// mathEnvironment converts an environment that is a formula.
func (l *latex) mathEnvironment(name string, known bool) {
	end := strings.Index(l.src[l.pos:], `\end{`+name+"}")
	if end < 0 {
		return
	}
	source, at := l.src[l.pos:l.pos+end], l.pos
	switch {
	case known:
		source = `\begin{` + name + "}" + source + `\end{` + name + "}"
		at -= len(`\begin{`) + len(name) + 1
	case strings.HasPrefix(name, "eqnarray"):
		source = `\begin{array}{rcl}` + source + `\end{array}`
	}
	l.pos += end
	l.math(source, at, name != "math")
}

// minipage converts a box of a width beside others.
func (l *latex) minipage(name string) {
	l.option()
	width := lengthOf(l.raw(name))
	l.w.block(`<div class="beside" style="width:` + width + `">`)
	l.parse(`\end`)
	l.w.block("</div>\n")
}
