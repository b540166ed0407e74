package statement

import (
	"fmt"
	"math"
	"strconv"
)

// A picture is a file that was read, or why it cannot be shown.
type picture struct {
	data []byte
	kind string // media type
	err  error
}

// A drawing is a picture that may be cut and turned.
type drawing struct {
	file            string
	fullW, fullH    float64 // its width and height in points; 0 if they are not known
	left, top, w, h float64 // the part that is shown
	drawnW, drawnH  float64 // the size of that part before it is turned
	outerW, outerH  float64 // the size of all
	angle           float64 // in degrees against the clock
}

// drawingMark begins the name of a drawing in an img element. No source has it.
const drawingMark = "\x05"

// svg returns the drawing of a picture at a URL.
func (d *drawing) svg(url string) []byte {
	box := func(x, y, w, h float64) string {
		return decimal(x) + " " + decimal(y) + " " + decimal(w) + " " + decimal(h)
	}
	size := func(w, h float64) string {
		return fmt.Sprintf(`width="%s" height="%s" preserveAspectRatio="none"`, decimal(w), decimal(h))
	}
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" %s viewBox="%s"><g transform="rotate(%s)">`+
		`<svg x="%s" y="%s" %s viewBox="%s"><image %s href="%s"/></svg></g></svg>`,
		size(d.outerW, d.outerH), box(-d.outerW/2, -d.outerH/2, d.outerW, d.outerH), decimal(-d.angle),
		decimal(-d.drawnW/2), decimal(-d.drawnH/2), size(d.drawnW, d.drawnH), box(d.left, d.top, d.w, d.h),
		size(d.fullW, d.fullH), url)
}

// cut keeps a part of the picture, from the lengths that are cut off on the left, below,
// on the right and above, and reports whether anything is left.
func (d *drawing) cut(left, bottom, right, top float64) bool {
	d.left, d.top, d.w, d.h = left, top, d.fullW-left-right, d.fullH-bottom-top
	d.drawnW, d.drawnH, d.outerW, d.outerH = d.w, d.h, d.w, d.h
	return d.w > 0 && d.h > 0
}

// decimal returns a number with at most two decimals.
func decimal(n float64) string { return strconv.FormatFloat(math.Round(n*100)/100, 'f', -1, 64) }
