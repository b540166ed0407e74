package statement

import "strings"

// A style is an element around text, such as <b>.
type style struct{ open, close string }

func element(name string) style { return style{"<" + name + ">", "</" + name + ">"} }
func class(name string) style   { return style{`<span class="` + name + `">`, "</span>"} }

// A writer writes HTML for LaTeX, in which paragraphs and styles begin and end
// independently of each other. It writes each element when its first text comes.
type writer struct {
	b          strings.Builder
	paragraphs bool // text is in paragraphs; false in cells, captions and headings

	inText bool    // text may follow: in the paragraph that is open, or outside paragraphs
	align  string  // class of the next paragraphs; "" if they have none
	space  bool    // white space comes before the next text
	styles []style // of the next text
	open   int     // how many styles are open
}

// text writes text.
func (w *writer) text(s string) {
	for s != "" {
		rest := strings.TrimLeft(s, " \t\n")
		if len(rest) < len(s) {
			w.space = true
			s = rest
			continue
		}
		end := strings.IndexAny(s, " \t\n")
		if end < 0 {
			end = len(s)
		}
		w.inline(escape(s[:end]))
		s = s[end:]
	}
}

// inline writes HTML that is part of a line of text.
func (w *writer) inline(html string) {
	switch {
	case !w.inText && w.paragraphs && w.align != "":
		w.b.WriteString(`<p class="` + w.align + `">`)
	case !w.inText && w.paragraphs:
		w.b.WriteString("<p>")
	case w.space && w.inText:
		w.b.WriteByte(' ')
	}
	w.inText, w.space = true, false
	for ; w.open < len(w.styles); w.open++ {
		w.b.WriteString(w.styles[w.open].open)
	}
	w.b.WriteString(html)
}

// block writes HTML that ends the paragraph.
func (w *writer) block(html string) {
	w.endParagraph()
	w.b.WriteString(html)
}

// endParagraph ends the paragraph that is open. Outside paragraphs it is a space.
func (w *writer) endParagraph() {
	w.closeTo(0)
	if !w.paragraphs {
		w.space = true
		return
	}
	if w.inText {
		w.b.WriteString("</p>\n")
	}
	w.inText, w.space = false, false
}

// push sets a style for the following text.
func (w *writer) push(s style) { w.styles = append(w.styles, s) }

// popTo removes the styles after the first n.
func (w *writer) popTo(n int) {
	if n >= len(w.styles) {
		return
	}
	w.closeTo(n)
	w.styles = w.styles[:n]
}

// closeTo closes the elements of the styles after the first n.
func (w *writer) closeTo(n int) {
	for ; w.open > n; w.open-- {
		w.b.WriteString(w.styles[w.open-1].close)
	}
}

// end ends everything that is open and returns the HTML.
func (w *writer) end() string {
	w.popTo(0)
	w.closeTo(0)
	w.endParagraph()
	return w.b.String()
}
