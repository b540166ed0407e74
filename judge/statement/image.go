package statement

import (
	"bytes"
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

	"crucible/judge/problem"
)

// Limits of pictures.
const (
	maxImage   = 16 << 20 // bytes of one picture
	maxImages  = 64 << 20 // bytes of all pictures of a page
	convertPDF = 20 * time.Second
)

// imageTypes are the media types of pictures that browsers show, by file extension. A
// browser runs no script of an SVG that it shows in an img element, and loads nothing
// that it names.
var imageTypes = map[string]string{".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".svg": "image/svg+xml"}

// findImage returns the name in the package of a picture of the statement, or the
// reason why there is none. As in TeX, the extension may be left out. A picture that is
// a PDF is replaced by one of the same name that browsers show.
func (r *renderer) findImage(name string) (found, reason string) {
	name = strings.Trim(strings.TrimSpace(name), `"`)
	clean := path.Join(path.Dir(r.file.Name), name)
	if name == "" || path.IsAbs(name) || strings.Contains(name, ":") || strings.HasPrefix(path.Clean(name), "..") || !fs.ValidPath(clean) {
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
		for _, ext := range []string{".svg", ".png", ".jpg", ".jpeg", ".pdf"} {
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
	data, err := problem.ReadBounded(r.p.FS, name, maxImage)
	if err != nil {
		return "", err.Error()
	}
	kind := imageTypes[strings.ToLower(path.Ext(name))]
	if kind == "" {
		if data, err = svgOf(data); err != nil {
			return "", err.Error()
		}
		kind = imageTypes[".svg"]
	}
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(data), ""
}

// svgOf converts the first page of a PDF by pdftocairo, if that is installed.
func svgOf(pdf []byte) ([]byte, error) {
	const needed = "a picture in PDF, which browsers do not show: expected an SVG or PNG of the same name beside it, or pdftocairo (poppler-utils) on the PATH"
	program, err := exec.LookPath("pdftocairo")
	if err != nil {
		return nil, fmt.Errorf("%s", needed)
	}
	ctx, stop := context.WithTimeout(context.Background(), convertPDF)
	defer stop()
	c := exec.CommandContext(ctx, program, "-svg", "-f", "1", "-l", "1", "-", "-")
	c.Stdin = bytes.NewReader(pdf)
	var out bounded
	out.most = maxImage
	c.Stdout = &out
	c.WaitDelay = time.Second
	if err := c.Run(); err != nil || out.b.Len() == 0 {
		return nil, fmt.Errorf("a picture in PDF that pdftocairo cannot convert")
	}
	return out.b.Bytes(), nil
}

// A bounded collects at most most bytes and fails at more.
type bounded struct {
	b    bytes.Buffer
	most int
}

func (w *bounded) Write(p []byte) (int, error) {
	if w.b.Len()+len(p) > w.most {
		return 0, fmt.Errorf("more than %d bytes", w.most)
	}
	return w.b.Write(p)
}

var fractionOfWidth = regexp.MustCompile(`^([0-9]*\.?[0-9]*)\s*\\(?:textwidth|linewidth|columnwidth|hsize)$`)

// absoluteLength matches the lengths of TeX that CSS has too.
var absoluteLength = regexp.MustCompile(`^([0-9]+\.?[0-9]*|\.[0-9]+)\s*(cm|mm|in|pt|pc|em|ex|px)$`)

// lengthOf returns a length of TeX as that of CSS: a fraction of the width of text
// becomes per cent. A length that is not known is "auto".
func lengthOf(tex string) string {
	tex = strings.TrimSpace(tex)
	if found := fractionOfWidth.FindStringSubmatch(tex); found != nil {
		factor := 1.0
		if found[1] != "" {
			factor, _ = strconv.ParseFloat(found[1], 64)
		}
		return percent(factor)
	}
	if found := absoluteLength.FindStringSubmatch(tex); found != nil {
		return found[1] + found[2]
	}
	return "auto"
}

// percent returns a share of the width, at most all of it.
func percent(share float64) string {
	return strconv.FormatFloat(math.Round(min(max(share, 0), 1)*1000)/10, 'f', -1, 64) + "%"
}

// includegraphics converts \includegraphics[options]{file}.
func (l *latex) includegraphics(name string) {
	at := l.offset() - len(name)
	options, _ := l.option()
	file := l.raw(name)
	found, reason := l.findImage(file)
	if found == "" {
		l.fail(at, "%s{%s}: %s", name, file, reason)
		return
	}
	width := "auto"
	for option := range strings.SplitSeq(options, ",") {
		key, value, _ := strings.Cut(option, "=")
		switch strings.TrimSpace(key) {
		case "width":
			width = lengthOf(value)
		case "scale":
			width = l.scaled(found, value)
		}
	}
	l.w.inline(fmt.Sprintf(`<img src="%s" alt="" style="width:%s">`, escape(l.relative(found)), width))
}

// scaled returns the width of a picture at a scale, with 72 pixels an inch as in TeX.
func (l *latex) scaled(name, scale string) string {
	factor, err := strconv.ParseFloat(strings.TrimSpace(scale), 64)
	f, openErr := problem.OpenRegular(l.p.FS, name)
	if err != nil || openErr != nil || factor <= 0 || factor > 100 {
		return "auto"
	}
	defer f.Close()
	size, _, err := image.DecodeConfig(f)
	if err != nil {
		return "auto"
	}
	return strconv.FormatFloat(math.Round(float64(size.Width)*factor), 'f', -1, 64) + "pt"
}

// relative returns the name of a file of the package as the statement would name it.
func (r *renderer) relative(name string) string {
	return strings.TrimPrefix(name, path.Dir(r.file.Name)+"/")
}

// illustration converts \illustration{width}{file}{caption}.
func (l *latex) illustration(name string) {
	at := l.offset() - len(name)
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
		picture = `<img src="` + escape(l.relative(found)) + `" alt="">`
	}
	// The caption is optional in many statements.
	caption := ""
	if l.pos < len(l.src) && l.src[l.pos] == '{' {
		caption = l.argument(name)
	}
	if caption != "" {
		caption = "<figcaption>" + caption + "</figcaption>"
	}
	l.w.block(fmt.Sprintf("<figure class=\"illustration\" style=\"width:%s\">%s%s</figure>\n", percent(share), picture, caption))
}
