package statement

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/internal/lazy"
)

// predefined are the macros that LaTeX defines and a statement may change.
var predefined = map[string]macro{}

func init() {
	for name, body := range map[string]string{
		`\theenumi`: `\arabic{enumi}`, `\theenumii`: `\alph{enumii}`,
		`\theenumiii`: `\roman{enumiii}`, `\theenumiv`: `\Alph{enumiv}`,
		`\labelenumi`: `\theenumi.`, `\labelenumii`: `(\theenumii)`,
		`\labelenumiii`: `\theenumiii.`, `\labelenumiv`: `\theenumiv.`,
		`\labelitemi`: "•", `\labelitemii`: "–", `\labelitemiii`: "∗", `\labelitemiv`: "·",
		`\thesection`: `\arabic{section}`, `\thesubsection`: `\thesection.\arabic{subsection}`,
		`\thesubsubsection`: `\thesubsection.\arabic{subsubsection}`,
		`\thefigure`:        `\arabic{figure}`, `\thetable`: `\arabic{table}`,
		`\thesubfigure`: `(\alph{subfigure})`, `\theequation`: `\arabic{equation}`,
	} {
		predefined[name] = macro{body: body}
	}
}

// levels are the ends of the names of the counters and labels of nested lists.
var levels = []string{"i", "ii", "iii", "iv"}

// A label is what \ref of a label shows.
type label struct {
	html    string
	counter string // that has the number
	again   int    // offset of a second definition; 0 if there is none
}

// A reference is a use of a label.
type reference struct {
	label  string
	offset int
}

// referenceMark matches what stands for a reference until all labels are known, and
// sectionMark the number of a section. Temml takes no control characters.
var (
	referenceMark = lazy.Regexp(`⧘(\d+)⧙`)
	sectionMark   = lazy.Regexp("\x04([^\x04]*)\x04")
)

// reference returns the mark of a reference.
func (l *latex) reference(name string, at int) string {
	l.refs = append(l.refs, reference{strings.TrimSpace(name), at})
	return fmt.Sprintf("⧘%d⧙", len(l.refs)-1)
}

// define makes a label name the present number.
func (l *latex) define(name string, at int) {
	name = strings.TrimSpace(name)
	defined := l.label
	if _, ok := l.labels[name]; ok {
		defined.again = at
	}
	l.labels[name] = defined
}

// resolve replaces the references. Sections have numbers if the statement refers to one.
func (l *latex) resolve(html string) string {
	sections := ""
	html = referenceMark().ReplaceAllStringFunc(html, func(mark string) string {
		i, err := strconv.Atoi(strings.Trim(mark, "⧘⧙"))
		if err != nil || i >= len(l.refs) {
			return mark // of the source
		}
		found, ok := l.labels[l.refs[i].label]
		if !ok || found.html == "" {
			l.warn(l.refs[i].offset, `\ref{%s}: undefined reference: `+
				`expected \label{%[1]s} after a caption, section, item or equation`, l.refs[i].label)
			return "??"
		}
		if found.again > 0 {
			l.warn(found.again, `\label{%s} is defined again: \ref shows the last number`, l.refs[i].label)
		}
		if strings.HasSuffix(found.counter, "section") {
			sections = "$1 "
		}
		return found.html
	})
	return sectionMark().ReplaceAllString(html, sections)
}

// counter returns the name of a counter in an argument; "" if there is none.
func (l *latex) counter(command string) string {
	at := l.offset()
	name := strings.TrimSpace(l.expandedText(l.raw(command)))
	if _, ok := l.macros[`\the`+name]; !ok {
		l.fail(at, "%s{%s}: there is no counter of that name", command, name)
		return ""
	}
	return name
}

// refstep adds 1 to a counter, and makes it what \label names.
func (l *latex) refstep(counter string) {
	l.counters[counter]++
	l.reset(counter)
	l.label = label{html: l.html(`\the` + counter + " "), counter: counter}
}

// reset sets the counters within a counter to 0.
func (l *latex) reset(counter string) {
	for inner, outer := range l.within {
		if outer == counter && l.counters[inner] != 0 {
			l.counters[inner] = 0
			l.reset(inner)
		}
	}
}

// number returns the number in an argument.
func (l *latex) number(command string) int {
	at := l.offset()
	source := l.raw(command)
	text := counterValue().ReplaceAllStringFunc(l.expandedText(source), func(use string) string {
		return strconv.Itoa(l.counters[counterValue().FindStringSubmatch(use)[1]])
	})
	n, err := strconv.Atoi(strings.Join(strings.Fields(text), ""))
	if err != nil || n < -maxNumber || n > maxNumber {
		l.fail(at, "%s{%s}: expected an integer", command, source)
		return 1
	}
	return n
}

const maxNumber = 1 << 30

var counterValue = lazy.Regexp(`\\(?:value|arabic)\s*\{([a-zA-Z]+)\}`)

// numerals are the ways in which a counter is shown.
var numerals = map[string]func(n int) string{
	`\arabic`: strconv.Itoa, `\roman`: roman, `\Roman`: func(n int) string { return strings.ToUpper(roman(n)) },
	`\alph`:     func(n int) string { return letters[n:][:1] },
	`\Alph`:     func(n int) string { return strings.ToUpper(letters[n:][:1]) },
	`\fnsymbol`: func(n int) string { return strings.Fields(". * † ‡ § ¶ ‖ ** †† ‡‡")[n] },
}

const letters = " abcdefghijklmnopqrstuvwxyz"

// roman returns a number from 1 to 3999 in Roman digits.
func roman(n int) string {
	var b strings.Builder
	for _, digit := range []struct {
		value int
		text  string
	}{{1000, "m"}, {900, "cm"}, {500, "d"}, {400, "cd"}, {100, "c"}, {90, "xc"},
		{50, "l"}, {40, "xl"}, {10, "x"}, {9, "ix"}, {5, "v"}, {4, "iv"}, {1, "i"}} {
		for ; n >= digit.value; n -= digit.value {
			b.WriteString(digit.text)
		}
	}
	return b.String()
}

// numeral writes a counter.
func (l *latex) numeral(name string) {
	at := l.began
	counter := l.counter(name)
	n := l.counters[counter]
	most := map[string]int{`\arabic`: maxNumber, `\roman`: 3999, `\Roman`: 3999, `\fnsymbol`: 9}[name]
	if most == 0 {
		most = 26
	}
	switch {
	case n > most:
		l.fail(at, "%s{%s}: expected a number of at most %d, found %d", name, counter, most, n)
	case n > 0 || name == `\arabic`:
		l.w.text(numerals[name](n))
	}
}

// setcounter converts \setcounter and \addtocounter.
func (l *latex) setcounter(name string) {
	counter, n := l.counter(name), l.number(name)
	if name == `\addtocounter` {
		n += l.counters[counter]
	}
	l.counters[counter] = max(-maxNumber, min(n, maxNumber))
}

func (l *latex) newcounter(name string) {
	counter := strings.TrimSpace(l.raw(name))
	outer, within := l.option()
	body := `\arabic{` + counter + "}"
	if within {
		l.within[counter] = outer
		body = `\the` + outer + "." + body
	}
	l.counters[counter] = 0
	l.setMacro(name, `\the`+counter, macro{body: body})
}

// A listEnd is what a list leaves for one that resumes it.
type listEnd struct {
	counter int
	options string
}

// A listDefault is a use of \setlist.
type listDefault struct{ lists, options string }

// A list is an environment of items.
type list struct {
	tag     string // "ul", "ol" or "dl"
	counter string // "" if items have no number
	label   string // LaTeX
	ref     string // LaTeX of what \ref shows
	series  string
	options string
}

// listTags are the elements of the lists.
var listTags = map[string]string{
	"itemize": "ul", "compactitem": "ul", "shortitems": "ul", "enumerate": "ol", "compactenum": "ol", "shortenum": "ol",
	"description": "dl", "compactdesc": "dl",
}

// layoutOptions are the options of lists that change only their layout.
var layoutOptions = names(`leftmargin rightmargin labelsep labelwidth labelindent itemindent listparindent topsep
	itemsep parsep partopsep nosep noitemsep align wide widest left style noitemsep* beginpenalty endpenalty midpenalty`)

// listRefs are what \ref of an item shows, by level.
var listRefs = []string{
	`\theenumi`, `\theenumi\theenumii`, `\theenumi(\theenumii)\theenumiii`,
	`\theenumi(\theenumii)\theenumiii\theenumiv`,
}

// starCounter matches the uses of the counter of the list in label and ref.
var starCounter = lazy.Regexp(`(\\(?:arabic|alph|Alph|roman|Roman|fnsymbol))\*`)

// list converts a list.
func (l *latex) list(name string) {
	at := l.offset()
	options, _ := l.option()
	x := list{tag: listTags[name], options: options}
	level := 0
	switch x.tag {
	case "ol":
		level = l.enumerate
		l.enumerate++
	case "ul":
		level = l.itemize
		l.itemize++
	}
	if level >= len(levels) {
		l.fail(at, "%s: expected at most %d such lists inside each other", name, len(levels))
		level = len(levels) - 1
	}
	switch end := levels[level]; x.tag {
	case "ol":
		x.counter, x.label, x.ref = "enum"+end, `\labelenum`+end, listRefs[level]
	case "ul":
		x.label = `\labelitem` + end
	}
	bullet := x.label
	l.counters[x.counter] = 0
	for _, d := range l.setlist {
		lists, depth, _ := strings.Cut(strings.ReplaceAll(d.lists, " ", ""), ",")
		if lists == "" || listTags[lists] == x.tag && (depth == "" || depth == strconv.Itoa(level+1)) {
			l.configure(&x, d.options, at)
		}
	}
	l.configure(&x, options, at)
	l.listLabel = x.label
	// A label of the list is what \ref of items in inner lists begins with, too (enumitem).
	if the := `\the` + x.counter; x.counter != "" && !strings.Contains(x.ref, `\theenum`) {
		outer := l.macros[the]
		l.macros[the] = macro{body: x.ref}
		defer func() { l.macros[the] = outer }()
	}
	l.w.block("<" + x.tag + ">\n")
	l.parse(`\item`, `\end`)
	l.w.endParagraph()
	for index := 1; l.at(`\item`); index++ {
		l.pos += len(`\item`)
		source, labelled := l.option()
		if !labelled {
			source = x.label
			if x.counter != "" {
				l.refstep(x.counter)
				l.label.html = l.html(x.ref)
			}
		}
		html := l.html(source)
		// The browser shows the usual labels itself.
		plain := source == bullet && x.tag == "ul" && l.macros[bullet].body == predefined[bullet].body
		switch {
		case x.tag == "dl":
			l.w.block("<dt>" + html + "</dt><dd>")
		case plain || x.tag == "ol" && html == strconv.Itoa(index)+".":
			l.w.block("<li>")
		default:
			l.w.block(`<li class="labelled">`)
			if html != "" {
				l.w.inline(`<span class="label">` + html + "</span>")
				l.w.space = true
			}
		}
		l.parse(`\item`, `\end`)
		if x.tag == "dl" {
			l.w.block("</dd>\n")
		} else {
			l.w.block("</li>\n")
		}
	}
	l.w.block("</" + x.tag + ">\n")
	for _, key := range []string{x.counter, x.series} {
		if key != "" {
			l.lists[key] = listEnd{l.counters[x.counter], x.options}
		}
	}
}

// configure applies options of a list (enumitem). The first may be a label as in the
// package enumerate: (a).
func (l *latex) configure(x *list, options string, at int) {
	if len(options) > maxOptions {
		l.fail(at, "options of a list: expected at most %d bytes", maxOptions)
		return
	}
	ref := ""
	withCounter := func(source string) string { return starCounter().ReplaceAllString(source, "$1{"+x.counter+"}") }
	for i, o := range keyValues(options) {
		end, resumed := l.lists[x.counter], o.key == "resume" || o.key == "resume*"
		if o.value != "" && (resumed || o.key == "series") {
			x.series = "series " + o.value
			end = l.lists[x.series]
		}
		switch {
		case layoutOptions[o.key] || o.key == "series":
		case o.key == "label":
			x.label = withCounter(o.value)
			x.ref = x.label
		case o.key == "label*":
			x.label = l.listLabel + withCounter(o.value)
			x.ref = x.label
		case o.key == "ref":
			ref = withCounter(o.value)
		case o.key == "start":
			l.counters[x.counter] = l.of("{"+o.value+"}", at).number("start") - 1
		case resumed:
			if o.key == "resume*" {
				x.options = end.options
				l.configure(x, strings.ReplaceAll(end.options, "resume*", ""), at)
			}
			l.counters[x.counter] = end.counter
		case i == 0 && o.value == "" && x.tag != "dl":
			x.label, x.ref = labelOf(o.key, x.counter)
		default:
			l.warn(at, "the option %s of a list is ignored", quoteSource(o.key))
		}
	}
	if ref != "" {
		x.ref = ref
	}
}

// maxOptions is the maximum length of the options of a list.
const maxOptions = 1000

// labelOf returns the label that the package enumerate makes of a template, and what
// \ref shows: the first of A a I i 1 outside groups stands for the counter.
func labelOf(template, counter string) (label, ref string) {
	depth := 0
	for i, c := range template {
		switch style := map[rune]string{'A': `\Alph`, 'a': `\alph`, 'I': `\Roman`, 'i': `\roman`, '1': `\arabic`}[c]; {
		case c == '{':
			depth++
		case c == '}':
			depth--
		case depth == 0 && style != "" && counter != "":
			ref = style + "{" + counter + "}"
			return template[:i] + ref + template[i+1:], ref
		}
	}
	return template, template
}

// setlistDefaults converts \setlist[lists]{options}.
func (l *latex) setlistDefaults(name string) {
	lists, _ := l.option()
	if len(l.setlist) > maxMacros {
		l.fail(l.began, "%s: expected at most %d of them", name, maxMacros)
		return
	}
	l.setlist = append(slices.Clip(l.setlist), listDefault{lists, l.raw(name)})
}
