package main

import (
	"fmt"
	"strings"
)

// A rect has the cells from (x1, y1) to before (x2, y2).
type rect struct{ x1, y1, x2, y2 int }

func (q rect) width() int  { return q.x2 - q.x1 }
func (q rect) height() int { return q.y2 - q.y1 }
func (q rect) area() int   { return q.width() * q.height() }

// A chart is a map of n by m cells and the rectangles that there are for it.
type chart struct {
	n, m  int
	rects []rect
}

// whole is all of a map.
func (t chart) whole() rect { return rect{0, 0, t.n, t.m} }

// String returns a map as the input has it.
func (t chart) String() string {
	var text strings.Builder
	fmt.Fprintln(&text, t.n, t.m, len(t.rects))
	for _, q := range t.rects {
		fmt.Fprintln(&text, q.x1, q.y1, q.x2, q.y2)
	}
	return text.String()
}

// shuffled returns the rectangles in random order.
func (t chart) shuffled(r *source) chart {
	s := chart{t.n, t.m, make([]rect, len(t.rects))}
	for i, at := range r.order(len(t.rects)) {
		s.rects[at] = t.rects[i]
	}
	return s
}

// anywhere returns a rectangle that fits into another, at random.
func anywhere(r *source, within rect, width, height int) rect {
	x := within.x1 + r.below(within.width()-width+1)
	y := within.y1 + r.below(within.height()-height+1)
	return rect{x, y, x + width, y + height}
}

// cut cuts a rectangle in two across, again and again, until there are so many
// parts or none can be cut.
func cut(r *source, q rect, parts int) []rect {
	if parts < 2 || q.area() < 2 {
		return []rect{q}
	}
	a, b := q, q
	if at := q.width() + q.height() - 2; r.below(at) < q.width()-1 {
		a.x2 = q.x1 + r.between(1, q.width()-1)
		b.x1 = a.x2
	} else {
		a.y2 = q.y1 + r.between(1, q.height()-1)
		b.y1 = a.y2
	}
	// The larger part is likely to get more of the cuts.
	more := parts * a.area() / q.area()
	more = max(1, min(parts-1, more))
	return append(cut(r, a, more), cut(r, b, parts-more)...)
}

// pinwheel puts four rectangles round a fifth, which no straight cut does, and
// does so again in those that are large enough.
func pinwheel(r *source, q rect, least int) []rect {
	if q.width() < max(3, least) || q.height() < max(3, least) {
		return []rect{q}
	}
	x1 := q.x1 + r.between(1, q.width()-2)
	x2 := x1 + r.between(1, q.x2-x1-1)
	y1 := q.y1 + r.between(1, q.height()-2)
	y2 := y1 + r.between(1, q.y2-y1-1)
	parts := []rect{{q.x1, q.y1, x1, y2}, {q.x1, y2, x2, q.y2}, {x2, y1, q.x2, q.y2}, {x1, q.y1, q.x2, y1}, {x1, y1, x2, y2}}
	var all []rect
	for _, part := range parts {
		all = append(all, pinwheel(r, part, least)...)
	}
	return all
}
