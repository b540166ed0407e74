package statement

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"crucible/judge/internal/lazy"
	"crucible/judge/problem"
)

// names splits a list of names.
func names(list string) map[string]bool {
	set := make(map[string]bool)
	for _, name := range strings.Fields(list) {
		set[name] = true
	}
	return set
}

var (
	// allowedElements are those of HTML and of MathML that only show something.
	allowedElements = names(`p br hr h1 h2 h3 h4 h5 h6 div span section figure figcaption ul ol li dl dt dd table
		caption thead tbody tfoot tr th td colgroup col pre code kbd samp var blockquote q em strong b i u s del ins
		sub sup small mark abbr cite dfn a img details summary footer math mrow mi mn mo mtext mspace ms mfrac msqrt
		mroot mstyle mpadded mphantom menclose msub msup msubsup munder mover munderover mmultiscripts mprescripts
		none mtable mtr mtd semantics`)
	// droppedElements are left out with all that is in them. Of other elements that are
	// not allowed, the contents stay.
	droppedElements = names(`script style template noscript iframe object embed applet svg audio video canvas title
		head xmp plaintext noembed noframes textarea select annotation annotation-xml frameset frame`)
	// allowedAttributes have values that are checked by harmless, unless safeAttribute
	// has a rule for them.
	allowedAttributes = names(`class id style title lang dir role scope start type colspan rowspan align valign alt
		src width height href open display mathvariant stretchy fence separator form lspace rspace minsize maxsize
		movablelimits largeop accent accentunder linethickness notation depth voffset scriptlevel displaystyle
		columnalign rowalign columnspacing rowspacing columnlines rowlines frame columnspan symmetric`)
	checkedAttributes = names("href src style") // attribute reports what is wrong with them
	harmless          = lazy.Regexp(`^[-a-zA-Z0-9.,:%+# ]{0,200}$`)
	wordLike          = lazy.Regexp(`^[a-zA-Z][-a-zA-Z0-9:_]{0,60}$`)

	// allowedProperties are the properties of CSS in style attributes.
	allowedProperties = names(`width max-width min-width height text-align vertical-align color font-weight
		font-style padding padding-left padding-right padding-top padding-bottom border border-left border-right
		border-top border-bottom display`)
	harmlessValue = lazy.Regexp(`^[a-zA-Z0-9#.][-a-zA-Z0-9#.% ]{0,60}$`)
)

// sanitize returns the allowed part of HTML. It puts the pictures that the statement
// names into it.
func (r *renderer) sanitize(source string) string {
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(strings.NewReader(source), body)
	if err != nil {
		r.fail(-1, "cannot be parsed as HTML: %v", err)
		return ""
	}
	for _, n := range nodes {
		body.AppendChild(n)
	}
	r.clean(body)
	lowerHeadings(body)
	r.compareSamples(body)
	footnotesLast(body)
	var b strings.Builder
	for n := range body.ChildNodes() {
		if err := html.Render(&b, n); err != nil {
			r.fail(-1, "cannot be written as HTML: %v", err)
		}
	}
	return b.String()
}

// clean removes what is not allowed below a node.
func (r *renderer) clean(parent *html.Node) {
	for n := parent.FirstChild; n != nil; {
		next := n.NextSibling
		switch {
		case n.Type == html.TextNode:
		case n.Type != html.ElementNode || droppedElements[n.Data]:
			if n.Type == html.ElementNode {
				r.leftOut(n.Data)
			}
			parent.RemoveChild(n)
		case !allowedElements[n.Data]:
			r.leftOut(n.Data)
			first := n.FirstChild
			for c := n.FirstChild; c != nil; c = n.FirstChild {
				n.RemoveChild(c)
				parent.InsertBefore(c, n)
			}
			parent.RemoveChild(n)
			if first != nil {
				next = first
			}
		default:
			r.attributes(n)
			r.clean(n)
			// goldmark puts the samples into a paragraph, which the parser then cuts in two.
			if n.Data == "p" && n.FirstChild == nil || n.Data == "img" &&
				!slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "src" }) {
				parent.RemoveChild(n)
			}
		}
		n = next
	}
}

// leftOut warns of an element that the statement has.
func (r *renderer) leftOut(name string) {
	r.warn(r.next("<"+name), "the element <%s> is left out: "+
		"a statement may contain only elements that show text, tables and pictures", name)
}

// next returns the offset of the next of the places where a text stands in the source,
// ignoring case, or -1. Places are asked for in their order.
func (r *renderer) next(text string) int {
	from := r.found[text]
	at := strings.Index(r.lower[from:], text)
	if at < 0 {
		return -1
	}
	r.found[text] = from + at + len(text)
	return from + at
}

// attributes removes the attributes of an element that are not allowed.
func (r *renderer) attributes(n *html.Node) {
	kept := n.Attr[:0]
	for _, a := range n.Attr {
		if a.Namespace == "" && allowedAttributes[a.Key] && r.attribute(n, &a) {
			kept = append(kept, a)
			continue
		}
		if at := r.next(" " + a.Key + "="); at >= 0 && !checkedAttributes[a.Key] && !strings.HasPrefix(n.Data, "m") {
			r.warn(at, "the attribute %s of <%s> is left out", a.Key, n.Data)
		}
	}
	n.Attr = kept
	if n.Data == "a" && slices.ContainsFunc(kept, func(a html.Attribute) bool {
		return a.Key == "href" &&
			!strings.HasPrefix(a.Val, "#")
	}) {
		n.Attr = append(n.Attr, html.Attribute{Key: "rel", Val: "noopener noreferrer nofollow"})
	}
}

// attribute reports whether an attribute is allowed, and may change its value.
func (r *renderer) attribute(n *html.Node, a *html.Attribute) bool {
	switch a.Key {
	case "href":
		if n.Data != "a" {
			return false
		}
		if fragment, ok := strings.CutPrefix(a.Val, "#"); ok {
			return wordLike().MatchString(fragment)
		}
		if safeURL(a.Val) {
			return true
		}
		r.warn(strings.Index(r.source, a.Val), "a link to %s is left out: expected http, https or mailto", quoteSource(a.Val))
		return false
	case "src":
		return n.Data == "img" && r.embed(a)
	case "style":
		safe, all := safeStyle(a.Val)
		if at := r.next("style="); !all && at >= 0 && !strings.HasPrefix(n.Data, "m") {
			r.warn(at, "a part of the style %s is left out", quoteSource(a.Val))
		}
		a.Val = safe
		return safe != ""
	case "id":
		return wordLike().MatchString(a.Val)
	case "class":
		return harmless().MatchString(strings.ReplaceAll(a.Val, "_", ""))
	case "alt", "title":
		return true // text
	}
	return harmless().MatchString(a.Val)
}

// safeURL reports whether a link may lead to a URL.
func safeURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && slices.Contains([]string{"http", "https", "mailto"}, u.Scheme) &&
		!strings.ContainsFunc(text, func(r rune) bool { return r < ' ' })
}

// safeStyle returns the declarations of a style attribute that are allowed, and whether
// that is all. None has parentheses, so none has a URL.
func safeStyle(style string) (safe string, all bool) {
	var kept []string
	all = true
	for declaration := range strings.SplitSeq(style, ";") {
		property, value, _ := strings.Cut(declaration, ":")
		property, value = strings.ToLower(strings.TrimSpace(property)), strings.TrimSpace(value)
		if allowedProperties[property] && harmlessValue().MatchString(value) {
			kept = append(kept, property+":"+value)
		} else if property != "" {
			all = false
		}
	}
	return strings.Join(kept, ";"), all
}

// embed replaces the name of a picture by its bytes.
func (r *renderer) embed(a *html.Attribute) bool {
	offset := strings.Index(r.source, a.Val)
	name := a.Val
	if unescaped, err := url.PathUnescape(a.Val); err == nil {
		name = unescaped
	}
	var d *drawing
	mark, _ := strings.CutPrefix(a.Val, drawingMark)
	if i, err := strconv.Atoi(mark); err == nil && mark != a.Val && 0 <= i && i < len(r.drawings) {
		d = &r.drawings[i]
		name = r.relative(d.file)
	}
	found, reason := r.findImage(name)
	if found == "" {
		r.fail(offset, "picture %s: %s", quoteSource(name), reason)
		return false
	}
	data := ""
	if r.imageBytes <= maxImages {
		data, reason = r.imageData(found)
	}
	if r.imageBytes += len(data); r.imageBytes > maxImages {
		data, reason = "", "the pictures of the statement are too large together"
	}
	if data == "" {
		r.warnings = append(r.warnings, problem.Defectf(r.p.Where(found), "is not shown: %s", reason))
		return false
	}
	if a.Val = data; d != nil {
		a.Val = dataURL(imageTypes[".svg"], d.svg(data))
	}
	return true
}

// footnotesLast moves the footnotes behind the samples.
func footnotesLast(body *html.Node) {
	for n := range body.ChildNodes() {
		if slices.Contains(n.Attr, html.Attribute{Key: "class", Val: "footnotes"}) {
			body.RemoveChild(n)
			body.AppendChild(n)
			return
		}
	}
}

// lowerHeadings makes h2 of h1 and so on if there is an h1, which is the name of the
// problem.
func lowerHeadings(body *html.Node) {
	var found []*html.Node
	highest := byte('6')
	for n := range body.Descendants() {
		if n.Type == html.ElementNode && len(n.Data) == 2 && n.Data[0] == 'h' && '1' <= n.Data[1] && n.Data[1] <= '6' {
			found = append(found, n)
			highest = min(highest, n.Data[1])
		}
	}
	if highest > '1' {
		return
	}
	for _, n := range found {
		n.Data = "h" + string(min(n.Data[1]+1, '6'))
		n.DataAtom = atom.Lookup([]byte(n.Data))
	}
}
