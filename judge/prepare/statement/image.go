package statement

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	_ "image/jpeg" // sizes of JPEG images
	_ "image/png"  // sizes of PNG images
	"io/fs"
	"math"
	"os/exec"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"crucible/judge/internal/lazy"
	"crucible/judge/problem"
)

// The width and height of text on a page, for lengths that cannot be per cent.
const pageWidth, pageHeight = 16.0, 24.7 // cm

// points are the lengths of the units in points.
var points = map[string]float64{
	"pt": 1, "cm": 72 / 2.54, "mm": 7.2 / 2.54, "in": 72, "pc": 12, "px": .75, "em": 10, "ex": 4.3,
}

// Limits of pictures.
const (
	maxImage   = 16 << 20 // bytes of one picture
	maxImages  = 64 << 20 // bytes of all pictures of a page
	convertPDF = 20 * time.Second
)

// imageTypes are the media types of pictures that browsers show, by file extension. A
// browser runs no script of an SVG that it shows in an img element, and loads nothing
// that it names.
var imageTypes = map[string]string{".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg",
	".svg": "image/svg+xml"}

// inFolder returns the name in the package of a file beside the statement, and whether it
// is in that folder.
func (r *renderer) inFolder(name string) (string, bool) {
	name = strings.Trim(strings.TrimSpace(name), `"`)
	clean := path.Join(path.Dir(r.file.Name), name)
	inside := name != "" && !path.IsAbs(name) && !strings.Contains(name, ":") && !strings.HasPrefix(path.Clean(name), "..")
	return clean, inside && fs.ValidPath(clean)
}

// findImage returns the name in the package of a picture of the statement, or the
// reason why there is none. As in TeX, the extension may be left out. A picture that is
// a PDF is replaced by one of the same name that browsers show.
func (r *renderer) findImage(name string) (found, reason string) {
	clean, ok := r.inFolder(name)
	if !ok {
		return "", "expected a file in the folder of the statement"
	}
	var tried []string
	switch ext := strings.ToLower(path.Ext(clean)); {
	case imageTypes[ext] != "":
		tried = []string{clean}
	case ext == ".pdf" || ext == ".eps":
		stem := strings.TrimSuffix(clean, path.Ext(clean))
		tried = []string{stem + ".svg", stem + ".png", stem + ".jpg", stem + ".jpeg", clean}
	default:
		for _, ext := range []string{".svg", ".png", ".jpg", ".jpeg", ".pdf", ".PNG", ".JPG", ".JPEG", ".PDF"} {
			tried = append(tried, clean+ext)
		}
	}
	for _, one := range tried {
		if info, err := fs.Stat(r.p.FS, one); err == nil && info.Mode().IsRegular() {
			return one, ""
		}
	}
	return "", "no such file: expected .png, .jpg, .svg or .pdf"
}

// imageData returns a picture of the package as the address that has its bytes, or the
// reason why it cannot be shown.
func (r *renderer) imageData(name string) (url, reason string) {
	data, kind, err := r.pictureBytes(name)
	if err != nil {
		return "", err.Error()
	}
	return dataURL(kind, data), ""
}

func dataURL(kind string, data []byte) string {
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(data)
}

// pictureBytes returns a picture in a form that browsers show, and its media type.
func (r *renderer) pictureBytes(name string) (data []byte, kind string, err error) {
	found, ok := r.pictures[name]
	if !ok {
		found.kind = imageTypes[strings.ToLower(path.Ext(name))]
		found.data, found.err = problem.ReadBounded(r.p.FS, name, maxImage)
		if found.kind == "" && found.err == nil {
			found.kind = imageTypes[".svg"]
			found.data, found.err = svgOf(found.data)
		}
		r.pictures[name] = found
	}
	return found.data, found.kind, found.err
}

// svgOf converts the first page of a PDF by pdftocairo, if that is installed.
func svgOf(pdf []byte) ([]byte, error) {
	const needed = "a picture in PDF, which browsers do not show: expected an SVG or PNG of the same name beside it, " +
		"or pdftocairo (poppler-utils) on the PATH"
	program, err := exec.LookPath("pdftocairo")
	if err != nil {
		return nil, fmt.Errorf("%s", needed)
	}
	ctx, stop := context.WithTimeout(context.Background(), convertPDF)
	defer stop()
	c := exec.CommandContext(ctx, program, "-svg", "-f", "1", "-l", "1", "-", "-")
	c.Stdin = bytes.NewReader(pdf)
	var out limitedWriter
	out.most = maxImage
	c.Stdout = &out
	c.WaitDelay = time.Second
	if err := c.Run(); err != nil || out.b.Len() == 0 {
		return nil, fmt.Errorf("a picture in PDF that pdftocairo cannot convert")
	}
	return out.b.Bytes(), nil
}

// A limitedWriter collects at most most bytes and fails at more.
type limitedWriter struct {
	b    bytes.Buffer
	most int
}

func (w *limitedWriter) Write(p []byte) (int, error) {
	if w.b.Len()+len(p) > w.most {
		return 0, fmt.Errorf("more than %d bytes", w.most)
	}
	return w.b.Write(p)
}

// A length is a length of TeX in a unit of CSS; "" if it is not given. Per cent are those
// of the width of what the length stands in.
type length struct {
	n    float64
	unit string
}

// css returns the length as that of CSS: at most all of the width.
func (x length) css() string {
	switch x.unit {
	case "":
		return "auto"
	case "%":
		return decimal(math.Round(min(max(x.n, 0), 100)*10)/10) + "%"
	}
	return decimal(x.n) + x.unit
}

// A box is what the widths of TeX are in the element that is written.
type box struct {
	text, line float64 // \textwidth and \linewidth by the width of the element
	page       float64 // width of the element by that of the page
	absolute   bool    // per cent of the element have no meaning, as in a cell of a table
}

// share returns a part of the width of the element.
func (b box) share(part float64) length {
	if b.absolute {
		return length{part * b.page * pageWidth, "cm"}
	}
	return length{part * 100, "%"}
}

// points returns a length in points.
func (b box) points(x length) float64 {
	if x.unit == "%" {
		return x.n / 100 * b.page * pageWidth * points["cm"]
	}
	return x.n * points[x.unit]
}

var texLength = lazy.Regexp(`^([0-9]*[.,]?[0-9]*)\s*(?:true\s*)?(\\[a-z]+|[a-z]*)$`)

// length returns a length of TeX, and whether it is known.
func (l *latex) length(source string) (length, bool) {
	found := texLength().FindStringSubmatch(strings.TrimSpace(l.expandedText(source)))
	if found == nil || found[1]+found[2] == "" {
		return length{}, false
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll("0"+found[1], ",", "."), 64)
	if found[1] == "" {
		n, err = 1, nil
	}
	if err != nil {
		return length{}, false
	}
	switch unit := found[2]; unit {
	case `\textwidth`, `\columnwidth`:
		return l.box.share(n * l.box.text), true
	case `\linewidth`, `\hsize`:
		return l.box.share(n * l.box.line), true
	case `\textheight`:
		return length{n * pageHeight, "cm"}, true
	case "", "bp": // graphics: a length without unit is in bp
		return length{n, "pt"}, true
	default:
		return length{n, unit}, points[unit] != 0
	}
}

// width returns the width in the next argument. An unknown one is a warning.
func (l *latex) width(command string) length {
	at := l.offset()
	source := l.raw(command)
	x, ok := l.length(source)
	if !ok {
		l.warn(at, "%s: the width %s is not known: expected a length, such as 0.5\\textwidth or 5cm",
			command, quoteSource(source))
		return length{}
	}
	return x
}

// enter makes an element of a width that in which text is written. It is a page of its
// own (minipage) or only narrower.
func (l *latex) enter(width length, page bool) {
	if width.n <= 0 {
		return
	}
	share := l.box.points(width) / l.box.points(length{100, "%"})
	l.box = box{text: l.box.text / share, line: 1, page: l.box.page * share}
	if page {
		l.box.text = 1
	}
}

// size is what options say of the size of a picture.
type size struct {
	width, height length
	keep          bool // keepaspectratio
}

// widthIn returns the width that a drawing has.
func (s size) widthIn(b box, d *drawing) length {
	fromHeight := length{s.height.n * d.outerW / d.outerH, s.height.unit}
	switch {
	case s.width.unit == "" && s.height.unit == "":
		return length{d.outerW, "pt"}
	case s.width.unit == "", s.keep && s.height.unit != "" && b.points(fromHeight) < b.points(s.width):
		return fromHeight
	}
	return s.width
}

// turn turns a drawing of a size, and returns its new size.
func (s size) turn(b box, d *drawing, angle float64) size {
	width := s.widthIn(b, d)
	if s.width.unit != "" && s.height.unit != "" && !s.keep && b.points(width) > 0 {
		d.outerH = d.outerW * b.points(s.height) / b.points(width)
		d.drawnH = d.outerH
	}
	before := d.outerW
	sin, cos := math.Sincos(angle * math.Pi / 180)
	d.angle += angle
	d.outerW, d.outerH = math.Abs(before*cos)+math.Abs(d.outerH*sin), math.Abs(before*sin)+math.Abs(d.outerH*cos)
	return size{length{width.n * d.outerW / before, width.unit}, length{}, s.keep}
}

// css returns the size as a style.
func (s size) css(b box, d *drawing) string {
	switch {
	case s.height.unit == "":
		return "width:" + s.width.css()
	case s.keep && s.width.unit != "" && d.fullW > 0, s.width.unit == "" && s.height.unit == "%" && d.fullW > 0:
		return "width:" + s.widthIn(b, d).css()
	case s.height.unit == "%":
		s.height = length{b.points(s.height), "pt"}
	}
	return "width:" + s.width.css() + ";height:" + s.height.css()
}

// layoutOfPicture are the options of \includegraphics that change nothing on a page.
var layoutOfPicture = names("alt origin interpolate draft=false page=1")

// includegraphics converts \includegraphics[options]{file}. Options act in their order: a
// width after an angle is that of the turned picture.
func (l *latex) includegraphics(name string) {
	at := l.began
	options, _ := l.option()
	if corner, ok := l.option(); ok {
		l.warn(at, "%s: the corner [%s] is ignored", name, corner)
	}
	file := l.expandedText(l.raw(name))
	found, reason := l.findImage(file)
	for _, dir := range l.graphics {
		if found == "" {
			found, _ = l.findImage(dir + file)
		}
	}
	if found == "" {
		l.fail(at, "%s{%s}: %s", name, file, reason)
		return
	}
	d, s := drawing{file: found}, size{}
	d.fullW, d.fullH = l.imageSize(found)
	d.cut(0, 0, 0, 0)
	drawn, trimmed, clip := false, false, l.star
	for _, o := range keyValues(options) {
		x, ok := l.length(o.value)
		factor, err := strconv.ParseFloat(l.expandedText(o.value), 64)
		switch {
		case layoutOfPicture[o.key] || layoutOfPicture[o.key+"="+o.value]:
			continue
		case o.key == "keepaspectratio":
			s.keep, ok = o.value != "false", true
		case o.key == "clip":
			clip, ok = o.value != "false", true
		case o.key == "width" && ok:
			s.width = x
		case (o.key == "height" || o.key == "totalheight") && ok:
			s.height = x
		case d.fullW == 0: // the others need the size of the picture
			ok = false
		case o.key == "scale":
			if ok = err == nil && factor > 0 && factor <= 100; ok {
				s.width, s.height = length{d.outerW * factor, "pt"}, length{}
			}
		case o.key == "angle":
			if ok = err == nil && math.Abs(factor) <= 3600; ok {
				s, drawn = s.turn(l.box, &d, factor), true
			}
		case o.key == "trim":
			sides, known := l.sides(o.value)
			ok = known && d.cut(sides[0], sides[1], sides[2], sides[3])
			drawn, trimmed = true, true
		case o.key == "viewport":
			sides, known := l.sides(o.value)
			ok = known && d.cut(sides[0], sides[1], d.fullW-sides[2], d.fullH-sides[3])
			drawn, trimmed = true, true
		default:
			ok = false
		}
		if !ok {
			l.warn(at, "%s{%s}: the option %s is ignored", name, file, quoteSource(o.key+"="+o.value))
		}
	}
	if trimmed && !clip {
		l.warn(at, "%s{%s}: without the option clip, what trim cuts off is shown by TeX but not on the page", name, file)
	}
	source := l.relative(found)
	if drawn {
		source = drawingMark + strconv.Itoa(len(l.drawings))
		l.drawings = append(l.drawings, d)
	}
	l.w.inline(fmt.Sprintf(`<img src="%s" alt="" style="%s">`, escape(source), s.css(l.box, &d)))
}

// sides returns the four lengths of trim or viewport in points.
func (l *latex) sides(source string) (all [4]float64, ok bool) {
	fields := strings.Fields(l.expandedText(source))
	for i := range all {
		if len(fields) != len(all) {
			return all, false
		}
		positive, negative := strings.CutPrefix(fields[i], "-")
		x, known := l.length(positive)
		if !known {
			return all, false
		}
		if all[i] = l.box.points(x); negative {
			all[i] = -all[i]
		}
	}
	return all, true
}

// graphicspath converts \graphicspath{{folder/}{folder/}}.
func (l *latex) graphicspath(name string) {
	l.graphics = nil
	for inner := l.of(l.raw(name), l.offset()); inner.more(); inner.skipSpace() {
		l.graphics = append(l.graphics, inner.raw(name))
	}
}

// svgSize matches the size of an SVG.
var svgSize = map[string]func() *regexp.Regexp{
	"width":   lazy.Regexp(`(?s)<svg\b[^>]*\swidth=["']([0-9.]+)(pt|px|cm|mm|in|)["']`),
	"height":  lazy.Regexp(`(?s)<svg\b[^>]*\sheight=["']([0-9.]+)(pt|px|cm|mm|in|)["']`),
	"viewBox": lazy.Regexp(`(?s)<svg\b[^>]*\sviewBox=["'](?:[-0-9.]+[\s,]+){2}([0-9.]+)[\s,]+([0-9.]+)["']`),
}

// imageSize returns the width and height of a picture in points, with 72 pixels an inch
// as in TeX; 0 if they are not known.
func (r *renderer) imageSize(name string) (w, h float64) {
	data, kind, err := r.pictureBytes(name)
	if err != nil {
		return 0, 0
	}
	if kind != imageTypes[".svg"] {
		size, _, _ := image.DecodeConfig(bytes.NewReader(data))
		return float64(size.Width), float64(size.Height)
	}
	head := data[:min(len(data), 4096)]
	width, height := svgSize["width"]().FindSubmatch(head), svgSize["height"]().FindSubmatch(head)
	if width != nil && height != nil {
		return inPoints(width[1], width[2]), inPoints(height[1], height[2])
	}
	if found := svgSize["viewBox"]().FindSubmatch(head); found != nil {
		return inPoints(found[1], nil), inPoints(found[2], nil)
	}
	return 0, 0
}

// inPoints returns a length of SVG in points.
func inPoints(number, unit []byte) float64 {
	n, _ := strconv.ParseFloat(string(number), 64)
	return n * points[cmp.Or(string(unit), "px")]
}

// relative returns the name of a file of the package as the statement would name it.
func (r *renderer) relative(name string) string {
	return strings.TrimPrefix(name, path.Dir(r.file.Name)+"/")
}

// illustration converts \illustration{width}{file}{caption}.
func (l *latex) illustration(name string) {
	at := l.began
	share, err := strconv.ParseFloat(strings.TrimSpace(l.raw(name)), 64)
	if err != nil {
		l.fail(at, "%s: expected the share of the width, such as 0.3", name)
	}
	file := l.raw(name)
	found, reason := l.findImage(file)
	if found == "" {
		l.fail(at, "%s: picture %s: %s", name, file, reason)
	}
	picture := ""
	if found != "" {
		picture = `<img src="` + escape(l.relative(found)) + `" alt="" style="width:100%">`
	}
	// The caption is optional in many statements.
	caption := ""
	if l.pos < len(l.src) && l.src[l.pos] == '{' {
		caption = l.argument(name)
	}
	if caption != "" {
		caption = "<figcaption>" + caption + "</figcaption>"
	}
	l.w.block(fmt.Sprintf("<figure class=\"illustration\" style=\"width:%s\">%s%s</figure>\n",
		length{share * 100, "%"}.css(), picture, caption))
}
